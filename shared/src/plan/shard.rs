//! Pieces of a search.

use crate::{board::Cell, search::growth::FloorSet};

/// One piece of a search. The shards of a search are disjoint and cover it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shard {
    /// Share of the whole search that this shard stands for, 0..=1, as far as
    /// the plan can know. Used for progress only.
    pub weight: f64,
    /// What is to be done.
    pub work: Work,
}

/// The work of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Subtrees of the tree of minimal sets of one goal.
    Growth {
        /// The goal.
        goal: Cell,
        /// Roots of the subtrees.
        roots: Vec<FloorSet>,
        /// If given, only sets with fewer cells than this belong to the shard.
        below: Option<u16>,
    },
    /// Wall layouts by rank: bit i of the rank is 1 when cell i is wall.
    Census {
        /// First rank.
        from: u64,
        /// One past the last rank.
        to: u64,
    },
}
