//! The command line: for people and scripts.
//!
//! Each noun has a file with its arguments and what it does. A command returns
//! its exit code or a [`CliError`]; what it prints is a document
//! (`document`, `lists`) that knows how to show itself as text, json or one
//! value (`output`). All talk to a coordinator as a client does, `run` too,
//! which starts one of its own.

mod args;
mod board;
mod client;
mod data;
mod document;
mod entry;
mod error;
mod follow;
mod health;
mod jobs;
mod level;
mod lists;
mod output;
mod progress;
mod records;
mod run;
mod serve;
mod submit;
mod text;
mod workers;

pub use entry::start;
pub use error::CliError;
