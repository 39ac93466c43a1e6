//! Coordinator of the soko cluster.
//!
//! The rooms, from the inside out:
//!
//! | module | what it holds |
//! |---|---|
//! | [`model`] | names, and what is kept on disk, as plain data |
//! | [`scheduler`] | the pure state machine of jobs, shards, leases and workers |
//! | [`store`] | what survives: sled, one thread, group commit |

pub mod model;
pub mod scheduler;
pub mod store;
