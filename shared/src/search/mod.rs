//! Engines that look for the hardest levels.
//!
//! [`growth`] is the exact search that scales; the [`census`] is the slow one
//! that shares no code with it and checks it; [`score`] finds the hardest
//! start on one wall layout. A [`hunt`] looks for good levels where exact search
//! is out of reach, by [annealing](anneal), with
//! [populations](genetic), by growing them in a [`beam`], or around given levels
//! ([`neighborhood`]).

pub mod anneal;
pub mod beam;
pub mod census;
pub mod genetic;
pub mod growth;
pub mod hunt;
pub mod neighborhood;
pub mod score;

mod counts;
mod field;
pub mod fit;
pub mod random;
mod start;

pub use counts::Counts;
pub use start::Convention;
