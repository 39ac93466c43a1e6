//! Growth search: the exact search over minimal floor sets.
//!
//! A floor set is *minimal* for a state when every one of its cells lies on
//! all solutions of that state. Every maximum is attained on a minimal set,
//! and every minimal set grows out of a smaller one by one cell, so the search
//! visits a tree of sets instead of all wall layouts. docs/growth-search.md
//! holds the definitions and the proofs.

mod bits;
mod closure;
mod estimate;
mod except;
mod explore;
mod extent;
mod glance;
mod ground;
mod present;
mod propose;
mod set;
mod table;
mod tally;
mod tree;

#[cfg(test)]
mod critical;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;

pub use closure::{Optimal, OptimalClass, all_optimal};
pub use estimate::{TreeEstimate, estimate};
pub use explore::{
    BadRoot, MAX_AREA, MAX_FLOOR, OpenRoot, Progress, explore, explore_except, layer, tree_roots,
};
pub use extent::Extent;
pub use ground::goals_of;
pub use set::FloorSet;
pub use tally::{Best, GoalTally, KEPT_STARTS, Layer, Start};
