//! Engines that look for the hardest levels.

pub mod census;
pub mod score;
