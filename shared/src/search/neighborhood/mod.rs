//! Exact local search: everything within reach of a level.
//!
//! The layouts around a level fall into [families](Family); each family is a
//! numbered list, so a part of a search is a range of numbers and a complete
//! search says how many layouts it covered. For each layout the markers are
//! chosen anew: one backward search gives the best box and player for a goal,
//! and layouts that come near the level are tried with every goal.
//!
//! The families follow the appendix of the article on the 20×20 levels: flips,
//! pairs, windows, blocks that are mirrored, rotated, moved or exchanged, the
//! shifts of the board as a torus, grafts from other levels.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | what can be set, and the defaults for a size |
//! | `family` | the families and their numbered layouts |
//! | `space` | all families around one level, in a row |
//! | `explore` | a range of them, scored |
//! | `trim` | floor that no longest solution needs |

mod explore;
mod family;
mod params;
mod space;
mod trim;

#[cfg(test)]
mod tests;

pub use explore::{Asked, Control, Explored, Progress, explore};
pub(super) use explore::{CHUNK, chunks};
pub use family::Family;
pub use params::{Params, ParamsError};
pub use space::Space;
