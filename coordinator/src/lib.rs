//! Coordinator of the soko cluster.
//!
//! The rooms, from the inside out:
//!
//! | module | what it holds |
//! |---|---|
//! | [`model`] | names, and what is kept on disk, as plain data |
//! | [`scheduler`] | the pure state machine of jobs, shards, leases and workers |
//! | [`store`] | what survives: sled, one thread, group commit |
//! | [`records`] | the best known levels, each solved before it is stored |
//! | [`hub`] | the task that owns scheduler and record table |
//! | [`service`] | the gRPC services |
//! | [`cli`] | the command line |
//!
//! [`serve`] puts all but the command line on a listener.

pub mod cli;
pub mod hub;
pub mod model;
pub mod records;
pub mod scheduler;
pub mod service;
pub mod store;

mod serve;

pub use serve::{ServeError, ServeOptions, serve};
