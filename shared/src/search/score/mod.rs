//! The scorer: how hard is a wall layout?
//!
//! Fix a layout and a goal. One breadth-first search backwards from the
//! completed states gives the OPT (fewest player moves until the box first
//! stands on the goal) of every start at once; the deepest start is the
//! hardest level of that layout and goal, and the deepest over all goals the
//! hardest level of the layout.
//!
//! | file | what it holds |
//! |---|---|
//! | `start` | what the scorers answer with |
//! | `reference` | the plain search, any size; the measure of the fast one |
//! | `word`, `packing` | boards as single machine words |
//! | `flood` | the hot loop: a bit-parallel search over such words |
//! | `fast` | the flood search for boards of up to 305 cells |
//! | `pushes` | the search from push to push for boards of up to 4096 cells, quick where layouts differ little |
//!
//! States are (player, box). A terminal has the box on the goal and the player
//! on a floor neighbour of it, distance 0; terminals are not levels. Backwards,
//! the player walks (never from a terminal), or steps away from the box and
//! pulls it along (never while standing on the goal, so that a box never comes
//! back to it).

pub mod fast;
pub mod flood;
pub mod packing;
pub mod pushes;
pub mod reference;
mod start;
#[cfg(test)]
mod strategies;
pub mod word;

pub use start::{Best, ByConvention, Distances, Start};

use crate::board::{Board, Cell};

/// The hardest levels of a layout over all goals, boxes and players, by
/// whichever scorer takes the board.
pub fn best(board: &Board) -> Best {
    fast::best(board).unwrap_or_else(|| reference::best(board))
}

/// The hardest levels of a layout with this goal, by whichever scorer takes the
/// board. There are none if the goal is a wall.
pub fn best_for_goal(board: &Board, goal: Cell) -> Best {
    fast::best_for_goal(board, goal).unwrap_or_else(|| reference::best_for_goal(board, goal))
}

/// The distance of every start of a layout with this goal, by whichever scorer
/// takes the board.
pub fn distances(board: &Board, goal: Cell) -> Distances {
    fast::distances(board, goal).unwrap_or_else(|| reference::distances(board, goal))
}
