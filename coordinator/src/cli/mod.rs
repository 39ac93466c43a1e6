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
mod config;
mod data;
mod document;
mod entry;
mod error;
mod estimate;
mod examples;
mod explanation;
mod follow;
mod handing_in;
mod health;
mod hunt;
mod hunting;
mod invalidate;
mod jobs;
mod ledger;
mod level;
mod lists;
mod manual;
mod names;
mod output;
mod points;
mod porting;
mod progress;
mod recheck;
mod records;
mod recover;
mod run;
mod serve;
mod submit;
mod text;
mod tls;
mod workers;

pub use args::{PROGRAM, command};
pub(crate) use document::ResultDocument;
pub use entry::start;
pub use error::CliError;
pub(crate) use lists::{JobDocument, RecordDocument, WorkerDocument};
