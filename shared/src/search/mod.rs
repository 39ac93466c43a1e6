//! Engines that look for the hardest levels.
//!
//! [`growth`] is the exact search that scales; the census is the slow one
//! that shares no code with it and checks it.

pub mod growth;

mod start;

pub use start::Convention;
