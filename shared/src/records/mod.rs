//! The levels that the project starts from.

mod seed;

pub use seed::{Seed, best_squares, found, known, seeds};
