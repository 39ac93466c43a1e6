//! The coordinator as a library, spoken to over real connections.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cluster;
mod durable;
mod input;
mod load;
mod restart;
mod run;
mod stop;
mod toy;
