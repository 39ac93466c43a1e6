//! Engines that look for the hardest levels.
//!
//! [`growth`] is the exact search that scales; the [`census`] is the slow one
//! that shares no code with it and checks it; [`score`] finds the hardest
//! start on one wall layout.

pub mod anneal;
pub mod census;
pub mod growth;
pub mod score;

mod counts;
pub mod random;
mod start;

pub use counts::Counts;
pub use start::Convention;
