//! A level found, in the form that all its images share.

use crate::board::{Board, Cell, Symmetry};
use crate::level::Level;
use crate::search::score;
use crate::solve::shortest;

/// A level found. The order of levels of equal moves: fewest pushes, then least
/// floor, then their boards.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Found {
    /// Pushes of a move-optimal solution, as few as there are.
    pub pushes: u32,
    /// Floor cells.
    pub floor: u32,
    /// The level: only reachable floor, moved to the first row and column, the
    /// smallest of its images under the symmetries of the board.
    pub level: Level,
}

impl Found {
    /// The level and its moves, solved by the plain solver. `None` if it has no
    /// solution or is too large to be solved.
    pub fn solve(level: &Level) -> Option<(u32, Self)> {
        let level = representative(level)?;
        let solution = shortest(&level).ok()??;
        let found = Self {
            pushes: solution.pushes,
            floor: level.floor() as u32,
            level,
        };
        Some((solution.moves, found))
    }
}

/// The form that levels share which differ only by symmetry, by walls around
/// them or by cells out of reach.
fn representative(level: &Level) -> Option<Level> {
    let size = level.size();
    let cropped = level.cropped()?;
    let images = Symmetry::of(size).iter();
    images
        .filter_map(|&symmetry| cropped.transformed(symmetry).placed(size, 0, 0))
        .min()
}

/// The hardest level of a layout and goal, the player off the goal if that
/// makes no difference; `None` if there is none.
pub(in crate::search) fn hardest(board: &Board, goal: Cell) -> Option<Level> {
    let best = score::best_for_goal(board, goal);
    let anywhere = best.anywhere?;
    let start = best
        .off_goal
        .filter(|start| start.moves == anywhere.moves)
        .unwrap_or(anywhere);
    Level::new(board.clone(), start.player, start.box_cell, start.goal).ok()
}
