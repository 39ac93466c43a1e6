//! The answer of a finished search.

use super::{Control, ENGINE, Search, Tally};
use crate::{
    board::{Board, Cell},
    search::Convention,
};

/// How many witnesses an answer holds at most.
pub const MAX_WITNESSES: usize = 100;

/// The answer of a finished search.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// True when the answer is proven to be the maximum.
    pub proven: bool,
    /// The maximum and the levels that attain it, by [`Convention`].
    pub optimum: [Optimum; 2],
    /// One level per class, smallest first, at most [`MAX_WITNESSES`].
    pub witnesses: Vec<Witness>,
    /// Classes of optimal levels without a witness in the list.
    pub witnesses_left_out: u64,
    /// Minimal sets (exhaustive).
    pub floor_sets: u64,
    /// Pairs of a minimal set and a state it is minimal for (exhaustive).
    pub states: u64,
    /// Wall layouts up to symmetry (census).
    pub canonical_layouts: u64,
    /// Layouts by the best number of moves that they admit (census).
    pub histogram: Vec<HistogramBin>,
    /// Version of the engine.
    pub engine: &'static str,
    /// Digest of all that was visited; independent of how it was cut.
    pub digest: u128,
}

impl Answer {
    /// The optimum under a convention.
    pub fn optimum(&self, convention: Convention) -> &Optimum {
        &self.optimum[convention as usize]
    }
}

/// The largest shortest solution, and all levels that have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Optimum {
    /// Moves; `None` when no level exists.
    pub max_moves: Option<u32>,
    /// All optimal levels.
    pub total: LevelCount,
    /// The same by number of floor cells, ascending.
    pub by_floor: Vec<FloorCount>,
}

/// Numbers of levels and of their wall layouts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelCount {
    /// Levels.
    pub levels: u64,
    /// Levels up to the symmetries of the board.
    pub level_classes: u64,
    /// Wall layouts.
    pub layouts: u64,
    /// Wall layouts up to the symmetries of the board.
    pub layout_classes: u64,
}

/// Numbers of levels with so many floor cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloorCount {
    /// Floor cells.
    pub floor: u32,
    /// Levels and layouts.
    pub count: LevelCount,
}

/// Numbers of layouts whose best level has so many moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramBin {
    /// Moves; 0 = no level on the layout.
    pub moves: u32,
    /// Layouts up to the symmetries of the board.
    pub canonical_layouts: u64,
    /// All layouts.
    pub layouts: u64,
}

/// An optimal level.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Witness {
    /// The layout.
    pub board: Board,
    /// The player's cell.
    pub player: Cell,
    /// The box's cell.
    pub box_cell: Cell,
    /// The goal.
    pub goal: Cell,
}

/// The final step of a search: counts all optimal levels. Runs on the calling
/// thread's rayon pool; `None` if `control` stopped it.
pub fn finish(search: &Search, tally: &Tally, control: &Control) -> Option<Answer> {
    let _ = (search, tally, control, ENGINE);
    None
}
