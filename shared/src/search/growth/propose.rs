//! Which cells may come next.

use super::{
    bits::Bits,
    ground::NO_CELL,
    present::{Present, State},
    table::{GOAL, Table},
};
use crate::board::Size;

/// A cell that may give a minimal set when added.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal<B> {
    pub(super) cell: u16,
    /// Boxes of states with the player on the cell that may be minimal.
    pub(super) boxes: B,
}

/// Collects the proposals of one set after the other.
#[derive(Debug)]
pub(super) struct Proposer<B, const N: usize> {
    /// Boxes of minimal states by player; empty between two sets.
    minimal: [B; N],
    /// Round in which a board cell was last proposed.
    proposed: Vec<u64>,
    round: u64,
}

impl<B: Bits, const N: usize> Proposer<B, N> {
    pub(super) fn new(size: Size) -> Self {
        Self {
            minimal: [B::EMPTY; N],
            proposed: vec![0; size.area()],
            round: 0,
        }
    }

    /// Lists the cells whose addition may give a minimal set, with the boxes
    /// for which the player on the new cell may be in a state that it is
    /// minimal for.
    ///
    /// Such a state has its solvable successors among the minimal states of
    /// the present set only: any other successor has a solution that leaves
    /// some cell of the set out.
    pub(super) fn propose(
        &mut self,
        present: &Present<'_, B, N>,
        states: &[State],
        proposals: &mut Vec<Proposal<B>>,
    ) {
        self.round += 1;
        for &(box_at, player) in states {
            self.minimal[player as usize & (N - 1)] |= B::bit(box_at);
        }
        for &(_, player) in states {
            let here = present.table.board_cell(player);
            for &cell in &present.ground.neighbours[here as usize] {
                if cell == NO_CELL
                    || present.table.local(cell) != Table::<B, N>::NONE
                    || self.proposed[cell as usize] == self.round
                {
                    continue;
                }
                self.proposed[cell as usize] = self.round;
                let boxes = self.hopeful_boxes(present, cell);
                if boxes != B::EMPTY {
                    proposals.push(Proposal { cell, boxes });
                }
            }
        }
        for &(_, player) in states {
            self.minimal[player as usize & (N - 1)] = B::EMPTY;
        }
    }

    fn hopeful_boxes(&self, present: &Present<'_, B, N>, cell: u16) -> B {
        let goal = B::bit(GOAL);
        let (mut hopeful, mut hopeless) = (B::EMPTY, B::EMPTY);
        for (dir, &neighbour) in present.ground.neighbours[cell as usize].iter().enumerate() {
            if neighbour == NO_CELL {
                continue;
            }
            let to = present.table.local(neighbour);
            if to == Table::<B, N>::NONE {
                continue;
            }
            let solvable = present.table.solvable(to);
            let minimal = self.minimal[to as usize & (N - 1)];
            hopeful |= minimal & !goal;
            hopeless |= solvable & !minimal & !goal;
            // The push from the new cell: the box on `to` moves on.
            let box_to = present.table.next(to, dir);
            if to != GOAL && box_to != Table::<B, N>::NONE && solvable.has(box_to) {
                if minimal.has(box_to) {
                    hopeful |= B::bit(to);
                } else {
                    hopeless |= B::bit(to);
                }
            }
        }
        hopeful & !hopeless
    }
}
