//! A bound of how long a set becomes by one more cell, without the repair of
//! its table.
//!
//! Let A be the present set, c a cell beside it, and let A ∪ {c} be minimal for
//! a state s. Then s is not solvable on A, so a shortest solution of s goes
//! through states that become solvable by c, and then on through states of A.
//! The last of the former has the player on c. So the distances in A of what
//! follows a player on c, and walks among the newly solvable states alone, give
//! every newly solvable state the length of a real solution, which is no less
//! than its distance. Where c is a shortcut it may be more. Most cells open
//! few states beyond themselves, and many none.

use super::{
    bits::Bits,
    ground::{Ground, NO_CELL},
    propose::Proposal,
    table::{GOAL, Table, at},
};

/// Room for looking at one cell after the other.
#[derive(Debug)]
pub(super) struct Glance<const N: usize> {
    /// By box, then player; the largest number where nothing was found.
    moves: Box<[[u32; N]; N]>,
    /// The states that were found, in the order in which they are gone on
    /// from; some several times.
    queue: Vec<(u8, u8)>,
}

impl<const N: usize> Glance<N> {
    pub(super) fn new() -> Self {
        Self {
            moves: Box::new([[u32::MAX; N]; N]),
            queue: Vec::new(),
        }
    }

    /// A bound of the distance of every state that the set with the proposed
    /// cell is minimal for. `longest` is the largest distance of a state that
    /// the present set is minimal for.
    pub(super) fn bound<B: Bits>(
        &mut self,
        table: &mut Table<B, N>,
        ground: &Ground,
        proposal: &Proposal<B>,
        longest: u32,
    ) -> u32 {
        let new = table.len() as u8;
        let around = ground.neighbours[proposal.cell as usize].map(|cell| match cell {
            NO_CELL => Table::<B, N>::NONE,
            cell => table.local(cell),
        });
        let boxes = self.begin(table, new, around);
        let beyond = if self.queue.is_empty() {
            0
        } else {
            table.link(ground, proposal.cell);
            let beyond = self.go_on(table, new, boxes);
            table.unlink();
            beyond
        };
        // With the player on the new cell, the next state is one that the
        // present set is minimal for.
        beyond.max(longest + 1)
    }

    /// Finds the states with the player on the new cell, which has these
    /// neighbours, from which others are reached; gives back the boxes of all.
    fn begin<B: Bits>(&mut self, table: &Table<B, N>, new: u8, around: [u8; 4]) -> B {
        let none = Table::<B, N>::NONE;
        let mut boxes = B::EMPTY;
        for (dir, &to) in around.iter().enumerate() {
            if to == none {
                continue;
            }
            boxes |= table.solvable(to);
            let box_to = table.next(to, dir);
            if to == GOAL {
                // The push out of the new cell onto the goal.
                self.find(new, around[dir ^ 2], 1);
            } else if box_to != none && table.solvable(to).has(box_to) {
                boxes |= B::bit(to);
            }
        }
        boxes &= !(B::bit(GOAL) | B::bit(new));
        let mut opening = B::EMPTY;
        for (dir, &from) in around.iter().enumerate() {
            if from == none {
                continue;
            }
            opening |= boxes & !table.solvable(from) & !B::bit(from);
            if boxes.has(from) && around[dir ^ 2] != none {
                opening |= B::bit(from);
            }
        }
        while let Some(box_at) = opening.pop() {
            let moves = around.iter().enumerate().filter_map(|(dir, &to)| {
                let box_to = if to == box_at {
                    table.next(to, dir)
                } else {
                    box_at
                };
                let solvable = to != none && box_to != none && table.solvable(to).has(box_to);
                solvable.then(|| table.moves(box_to, to) + 1)
            });
            self.find(box_at, new, moves.min().unwrap_or(u32::MAX));
        }
        boxes
    }

    /// Goes backwards through the states that are newly solvable; gives back
    /// the largest distance and forgets them.
    fn go_on<B: Bits>(&mut self, table: &Table<B, N>, new: u8, boxes: B) -> u32 {
        let mut head = 0;
        while let Some(&(box_at, player)) = self.queue.get(head) {
            head += 1;
            let moves = self.moves[at::<N>(box_at)][at::<N>(player)] + 1;
            for dir in 0..4 {
                let from = table.next(player, dir);
                let (box_from, player_from) = if from == box_at {
                    (player, table.behind(player, dir))
                } else {
                    (box_at, from)
                };
                let known = if player_from == new {
                    boxes
                } else {
                    table.solvable(player_from)
                };
                if !known.has(box_from) {
                    self.find(box_from, player_from, moves);
                }
            }
        }
        let mut longest = 0;
        for (box_at, player) in self.queue.drain(..) {
            let moves = &mut self.moves[at::<N>(box_at)][at::<N>(player)];
            let moves = std::mem::replace(moves, u32::MAX);
            // Of a state that comes again, it is forgotten already.
            if moves != u32::MAX {
                longest = longest.max(moves);
            }
        }
        longest
    }

    fn find(&mut self, box_at: u8, player: u8, moves: u32) {
        let known = &mut self.moves[at::<N>(box_at)][at::<N>(player)];
        if player as usize != N - 1 && moves < *known {
            *known = moves;
            self.queue.push((box_at, player));
        }
    }
}
