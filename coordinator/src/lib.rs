//! Coordinator of the soko cluster.

pub mod cli;
