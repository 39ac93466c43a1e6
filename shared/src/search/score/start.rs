//! What the scorers answer with.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell};

/// One value for each convention about where the player may start.
///
/// In both, the player may walk over the goal; the conventions differ only in
/// which states count as levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByConvention<T> {
    /// Levels whose player starts on the goal are left out.
    pub off_goal: T,
    /// All levels, those whose player starts on the goal included.
    pub anywhere: T,
}

/// A start of a layout, and how hard it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Start {
    /// Where the box has to go.
    pub goal: Cell,
    /// Where the box starts.
    pub box_cell: Cell,
    /// Where the player starts.
    pub player: Cell,
    /// OPT: the fewest player moves until the box first stands on the goal.
    pub moves: u32,
}

impl Start {
    /// Whether `self` is the better answer: harder, or as hard and with the
    /// smaller goal, then box, then player. A total order on the starts of a
    /// layout, so that every scorer gives the same answer.
    fn beats(&self, other: &Self) -> bool {
        let key = |s: &Self| (std::cmp::Reverse(s.moves), s.goal, s.box_cell, s.player);
        key(self) < key(other)
    }
}

/// The hardest start in each convention, `None` if the layout has no level.
pub type Best = ByConvention<Option<Start>>;

impl Best {
    /// Takes a start into account.
    pub fn offer(&mut self, start: Start) {
        let better = |best: &Option<Start>| best.as_ref().is_none_or(|best| start.beats(best));
        if better(&self.anywhere) {
            self.anywhere = Some(start);
        }
        if start.player != start.goal && better(&self.off_goal) {
            self.off_goal = Some(start);
        }
    }
}

/// The distance of every start of a layout and goal, in player moves.
///
/// Takes four bytes for every pair of floor cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distances {
    /// Number of each floor cell in reading order; walls have none.
    slot: Vec<Option<u32>>,
    /// By box and player slot; [`UNREACHED`](Self::UNREACHED) marks states that
    /// are no levels.
    moves: Vec<u32>,
    floor: usize,
}

impl Distances {
    const UNREACHED: u32 = u32::MAX;

    /// A table for the starts of this layout, none of them solvable yet.
    pub(super) fn unreached(board: &Board) -> Self {
        let mut slot = vec![None; board.size().area()];
        for (number, cell) in board.floor_cells().enumerate() {
            slot[cell.index()] = Some(number as u32);
        }
        let floor = board.floor_count();
        Self {
            slot,
            moves: vec![Self::UNREACHED; floor * floor],
            floor,
        }
    }

    fn index(&self, player: Cell, box_cell: Cell) -> Option<usize> {
        let slot = |cell: Cell| self.slot.get(cell.index()).copied().flatten();
        Some(slot(box_cell)? as usize * self.floor + slot(player)? as usize)
    }

    /// Enters the distance of a start. Both cells must be floor.
    pub(super) fn set(&mut self, player: Cell, box_cell: Cell, moves: u32) {
        if let Some(index) = self.index(player, box_cell) {
            self.moves[index] = moves;
        }
    }

    /// OPT of the level with this player and box, or `None` if that is no
    /// solvable level.
    pub fn get(&self, player: Cell, box_cell: Cell) -> Option<u32> {
        let moves = self.moves[self.index(player, box_cell)?];
        (moves != Self::UNREACHED).then_some(moves)
    }
}
