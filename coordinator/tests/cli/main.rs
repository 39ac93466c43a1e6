//! The real program: exit codes, the shape of what it prints, signals.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod program;

mod access;
mod arguments;
mod carry;
mod cluster;
mod exact;
mod handed_in;
mod kill;
mod manual;
mod replay;
mod run;
mod settings;
mod viewers;
