//! The coordinator as a library, spoken to over real connections.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cluster;
mod contract;
mod durable;
mod fuzz;
mod handed_in;
mod input;
mod limits;
mod load;
mod queries;
mod raw;
mod refusals;
mod restart;
mod run;
mod stop;
mod toy;
mod trust;
mod versions;
mod web;
