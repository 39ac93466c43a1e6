//! The command line.

pub mod level;
