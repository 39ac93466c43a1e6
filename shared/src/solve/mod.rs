//! Shortest solutions of a single one-box level.
//!
//! The rules: each step of the player is one move; the player may push the
//! box, never pull it; everything outside the board is wall; the first time
//! the box is on the goal ends the level.
//!
//! [`shortest`] is the plain solver with which every claimed record is proved
//! again: one breadth-first search over (box, player), nothing clever.

mod replay;
mod shortest;
mod space;

pub use replay::{Replay, replay};
pub use shortest::{DEFAULT_MEMORY, Solution, SolveError, shortest, shortest_within};
pub use space::table_bytes;
