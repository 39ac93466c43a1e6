//! The coordinator as a library, spoken to over real connections.

mod cluster;
mod input;
mod restart;
mod run;
mod stop;
mod toy;
