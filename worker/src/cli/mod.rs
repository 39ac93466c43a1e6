//! The command line of `soko-worker`.

mod args;
mod entry;
mod examples;

pub use args::{PROGRAM, command};
pub use entry::start;
