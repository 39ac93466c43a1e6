//! Engines that look for the hardest levels.

pub mod anneal;
pub mod census;
pub mod random;
pub mod score;
