//! The searches: each fills a table with the costs of states from the start,
//! right at least for every state of an optimal solution.

pub(super) mod astar;
pub(super) mod bfs;
pub(super) mod bidirectional;
pub(super) mod dijkstra;
pub(super) mod zero_one;

use super::space::State;
use super::trace::UNSEEN;

/// Distance of a state that a search with a table of `u32` did not reach.
const FAR: u32 = u32::MAX;

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    table: Table,
    /// Cost of a solution.
    pub best: u64,
    /// Number of states reached.
    pub states: u64,
}

#[derive(Debug)]
enum Table {
    /// Moves.
    Short(Vec<u32>),
    /// Any cost.
    Long(Vec<u64>),
}

impl Found {
    /// Cost of a state from the start.
    pub(super) fn cost(&self, state: State) -> u64 {
        match &self.table {
            Table::Short(table) => match table[state as usize] {
                FAR => UNSEEN,
                cost => cost.into(),
            },
            Table::Long(table) => table[state as usize],
        }
    }
}
