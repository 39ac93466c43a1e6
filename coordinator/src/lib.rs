//! Coordinator of the soko cluster and its command line.

pub mod cli;
