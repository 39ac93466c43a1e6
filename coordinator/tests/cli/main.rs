//! The real program: exit codes, the shape of what it prints, signals.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod program;

mod arguments;
mod cluster;
mod kill;
mod run;
