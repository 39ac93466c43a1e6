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
//! | [`access`] | tokens with roles, TLS, what is refused by default |
//! | [`checkpoint`] | a job as one file, and computing parts of it again |
//! | [`hub`] | the task that owns scheduler and record table |
//! | [`service`] | the gRPC services |
//! | [`metrics`] | numbers for Prometheus |
//! | [`web`] | the web page, live |
//! | [`cli`] | the command line |
//!
//! [`serve`] puts all but the command line on a listener.

pub mod access;
pub mod checkpoint;
pub mod cli;
pub mod hub;
pub mod metrics;
pub mod model;
pub mod records;
pub mod scheduler;
pub mod service;
pub mod store;
pub mod web;

mod serve;

pub use serve::{ServeError, ServeOptions, serve};
