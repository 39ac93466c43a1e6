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
        let (boxes, opening) = Self::opening(table, around);
        // The push out of the new cell onto the goal.
        let last_push = (0..4).find(|&dir| around[dir] == GOAL);
        let pusher = last_push.map_or(Table::<B, N>::NONE, |dir| around[dir ^ 2]);
        if opening == B::EMPTY && pusher == Table::<B, N>::NONE {
            // With the player on the new cell, the next state is one that the
            // present set is minimal for.
            return longest + 1;
        }
        table.link(ground, proposal.cell);
        self.find(new, pusher, 1);
        let beyond = self.go_on(table, new, boxes, opening);
        table.unlink();
        beyond.max(longest + 1)
    }

    /// The boxes with which a player on a cell with these neighbours can solve,
    /// and those of them with which others get there that could not before.
    fn opening<B: Bits>(table: &Table<B, N>, around: [u8; 4]) -> (B, B) {
        let none = Table::<B, N>::NONE;
        let mut boxes = B::EMPTY;
        for (dir, &to) in around.iter().enumerate() {
            if to == none {
                continue;
            }
            boxes |= table.solvable(to);
            let box_to = table.next(to, dir);
            if box_to != none && table.solvable(to).has(box_to) {
                boxes |= B::bit(to);
            }
        }
        boxes &= !B::bit(GOAL);
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
        (boxes, opening)
    }

    /// Goes backwards through the states that are newly solvable, from those with
    /// the player on the new cell and one of the opening boxes; gives back the
    /// largest distance and forgets them.
    fn go_on<B: Bits>(&mut self, table: &Table<B, N>, new: u8, boxes: B, mut opening: B) -> u32 {
        while let Some(box_at) = opening.pop() {
            let next = table.successors(box_at, new);
            let moves = next.map(|(box_to, to)| table.moves(box_to, to) + 1);
            self.find(box_at, new, moves.min().unwrap_or(u32::MAX));
        }
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
