//! Solutions of a single level.
//!
//! The rules: each step of the player is one move; the player may push the
//! box, never pull it; everything outside the board is wall; the first time
//! the box is on the goal ends the level.
//!
//! [`shortest`] is the plain solver with which every claimed record is proved
//! again: one breadth-first search over (box, player), nothing clever.
//! [`optimum`] solves for other objectives, with other algorithms, and lists
//! all optimal solutions. [`boxes`] solves levels with several boxes. [`replay`]
//! checks a move string, [`Metrics`] measure it, with any number of boxes.

mod algorithms;
pub mod boxes;
pub mod certificate;
mod dead;
mod error;
mod metrics;
mod objective;
mod replay;
mod shortest;
mod space;
mod trace;

pub use dead::{DeadKind, dead_squares};
pub use error::SolveError;
pub use metrics::Metrics;
pub use objective::{Algorithm, Objective, Optimum, Request, optimum};
pub use replay::{Replay, replay};
pub use shortest::{DEFAULT_MEMORY, Solution, shortest, shortest_moves, shortest_within};
pub use space::table_bytes;
pub use trace::Stretch;

#[cfg(test)]
pub(crate) use shortest::tests::any_level as any_level_for_tests;
