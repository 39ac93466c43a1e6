//! The hot loop: the must-pass table of a floor set that grows by one cell.
//!
//! For a floor set A and every state s = (player, box) that is solvable on A,
//! the table holds `ess(s)`, the cells that lie on all solutions of s, and the
//! distance of s. It is the greatest solution of
//! `ess(s) = {player} ∪ ⋂ ess(t)` over the solvable forward successors t, with
//! `ess = {player, goal}` for the completed states.
//!
//! Adding a cell c only adds states and solutions: old masks shrink, old
//! distances fall, and newly solvable states appear, first those whose player
//! stands on c. So the table is *repaired* instead of computed anew: it starts
//! from the old masks (which are above the new greatest solution) and lowers
//! them along reverse moves until nothing changes. Every change goes on a
//! trail, and taking the cell away again replays the trail backwards.
//!
//! The plain twin that this is tested against is in `reference.rs`.

use super::{
    bits::Bits,
    ground::{Ground, NO_CELL},
};
use crate::board::Cell;

/// No local index.
pub(super) const NONE: u8 = u8::MAX;

/// Local index of the goal, always the first cell of a set.
pub(super) const GOAL: u8 = 0;

/// One change of the table: what a state had before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<B> {
    pub(super) box_at: u8,
    pub(super) player: u8,
    moves: u16,
    /// Empty when the state was not solvable before.
    before: B,
}

impl<B: Bits> Change<B> {
    /// Whether this change made the state solvable.
    pub(super) fn is_new(&self) -> bool {
        self.before == B::EMPTY
    }
}

/// The must-pass table of a floor set of at most `N` cells, `N` being the
/// width of `B` and a power of two.
///
/// Cells have local indices in the order in which they were added; all tables
/// are indexed by these, so the size of the board does not matter.
#[derive(Debug)]
pub(super) struct Table<B, const N: usize> {
    /// Number of cells.
    len: usize,
    /// Board cell of each local index.
    pub(super) cells: [u16; N],
    /// Local index of each board cell, or [`NONE`].
    pub(super) local: Vec<u8>,
    /// Local neighbours by direction, or [`NONE`].
    pub(super) next: [[u8; 4]; N],
    /// Boxes with which a player here is in a solvable state.
    pub(super) solvable: [B; N],
    /// `ess` of each state, by box and player; empty = not solvable.
    ess: Box<[[B; N]; N]>,
    /// Distance of each solvable state in moves.
    moves: Box<[[u16; N]; N]>,
    trail: Vec<Change<B>>,
    queue: Vec<(u8, u8)>,
    /// Players whose state with this box is in the queue.
    queued: [B; N],
}

impl<B: Bits, const N: usize> Table<B, N> {
    /// The table of the set {goal}.
    pub(super) fn new(ground: &Ground) -> Self {
        let mut table = Self {
            len: 0,
            cells: [NO_CELL; N],
            local: vec![NONE; ground.size.area()],
            next: [[NONE; 4]; N],
            solvable: [B::EMPTY; N],
            ess: boxed([[B::EMPTY; N]; N]),
            moves: boxed([[0; N]; N]),
            trail: Vec::with_capacity(4096),
            queue: Vec::with_capacity(256),
            queued: [B::EMPTY; N],
        };
        table.link(ground, ground.goal.0 as u16);
        table
    }

    /// Number of cells.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All cells as a mask.
    pub(super) fn full(&self) -> B {
        B::below(self.len)
    }

    /// The board cells, in the order in which they were added.
    pub(super) fn board_cells(&self) -> &[u16] {
        &self.cells[..self.len]
    }

    /// `ess` of a state; empty if it is not solvable.
    #[inline(always)]
    pub(super) fn ess(&self, box_at: u8, player: u8) -> B {
        self.ess[box_at as usize & (N - 1)][player as usize & (N - 1)]
    }

    /// Distance of a solvable state in moves.
    pub(super) fn moves(&self, box_at: u8, player: u8) -> u16 {
        self.moves[box_at as usize & (N - 1)][player as usize & (N - 1)]
    }

    /// The changes since `mark`, see [`Table::add`].
    pub(super) fn changes(&self, mark: usize) -> &[Change<B>] {
        &self.trail[mark..]
    }

    /// Solvable forward successors of a state whose box is not on the goal,
    /// as (box, player).
    pub(super) fn successors(&self, box_at: u8, player: u8) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..4).filter_map(move |dir| {
            let to = self.next[player as usize & (N - 1)][dir];
            if to == NONE {
                return None;
            }
            let box_to = if to == box_at {
                self.next[to as usize & (N - 1)][dir]
            } else {
                box_at
            };
            (box_to != NONE && self.ess(box_to, to) != B::EMPTY).then_some((box_to, to))
        })
    }

    /// Adds a cell that has a neighbour in the set, and repairs the table.
    /// Returns the mark to pass to [`Table::remove`].
    pub(super) fn add(&mut self, ground: &Ground, cell: Cell) -> usize {
        let mark = self.trail.len();
        let new = self.link(ground, cell.0 as u16);
        let next = self.next[new as usize];

        for (dir, &to) in next.iter().enumerate() {
            if to == NONE {
                continue;
            }
            if to == GOAL {
                // The completed state with the player on the new cell.
                self.relax(GOAL, new, B::bit(GOAL), 0);
                self.relax_pull(new, dir, B::bit(GOAL) | B::bit(new), 1);
            }
            // States with the box on the new cell come by propagation.
            let mut boxes = self.solvable[to as usize & (N - 1)] & !(B::bit(GOAL) | B::bit(new));
            while let Some(box_at) = boxes.pop() {
                self.relax(
                    box_at,
                    new,
                    self.ess(box_at, to),
                    self.moves(box_at, to) + 1,
                );
            }
            // A push from the new cell: the box was on `to`.
            let box_to = self.next[to as usize & (N - 1)][dir];
            if to != GOAL && box_to != NONE {
                let ess = self.ess(box_to, to);
                if ess != B::EMPTY {
                    self.relax(to, new, ess, self.moves(box_to, to) + 1);
                }
            }
        }
        self.propagate();
        mark
    }

    /// Takes the last cell away again.
    pub(super) fn remove(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(change) = self.trail.pop() else {
                break;
            };
            let (b, p) = (
                change.box_at as usize & (N - 1),
                change.player as usize & (N - 1),
            );
            self.ess[b][p] = change.before;
            self.moves[b][p] = change.moves;
            if change.is_new() {
                self.solvable[p] &= !B::bit(change.box_at);
            }
        }
        self.len -= 1;
        let last = self.len;
        self.local[self.cells[last] as usize] = NONE;
        for dir in 0..4 {
            let to = self.next[last][dir];
            if to != NONE {
                self.next[to as usize & (N - 1)][dir ^ 2] = NONE;
            }
        }
    }

    /// Takes all cells but the goal away.
    pub(super) fn clear(&mut self) {
        while self.len > 1 {
            self.remove(0);
        }
    }

    /// Gives a board cell the next local index and joins it to its neighbours.
    fn link(&mut self, ground: &Ground, cell: u16) -> u8 {
        let new = self.len as u8;
        self.len += 1;
        self.cells[new as usize] = cell;
        self.local[cell as usize] = new;
        for (dir, &neighbour) in ground.neighbours[cell as usize].iter().enumerate() {
            let to = if neighbour == NO_CELL {
                NONE
            } else {
                self.local[neighbour as usize]
            };
            self.next[new as usize][dir] = to;
            if to != NONE {
                self.next[to as usize & (N - 1)][dir ^ 2] = new;
            }
        }
        new
    }

    /// Lowers masks and distances along reverse moves until nothing changes.
    fn propagate(&mut self) {
        let mut head = 0;
        while head < self.queue.len() {
            let (box_at, player) = self.queue[head];
            head += 1;
            self.queued[box_at as usize & (N - 1)] &= !B::bit(player);
            if box_at == GOAL {
                continue;
            }
            let ess = self.ess(box_at, player);
            let moves = self.moves(box_at, player) + 1;
            let next = self.next[player as usize & (N - 1)];
            for (dir, &from) in next.iter().enumerate() {
                if from == NONE {
                    continue;
                }
                if from == box_at {
                    self.relax_pull(player, dir, ess, moves);
                } else {
                    self.relax(box_at, from, ess, moves);
                }
            }
        }
        self.queue.clear();
    }

    /// The state before the push in direction `dir` that left the player on
    /// `player`: the box was there, the player one cell behind. A box that
    /// was on the goal had ended the game before.
    #[inline(always)]
    fn relax_pull(&mut self, player: u8, dir: usize, ess: B, moves: u16) {
        let from = self.next[player as usize & (N - 1)][dir ^ 2];
        if player != GOAL && from != NONE {
            self.relax(player, from, ess, moves);
        }
    }

    /// Takes into account that a successor of this state has `ess` and that
    /// the state is at most `moves` from completion.
    #[inline(always)]
    fn relax(&mut self, box_at: u8, player: u8, ess: B, moves: u16) {
        let (b, p) = (box_at as usize & (N - 1), player as usize & (N - 1));
        let before = self.ess[b][p];
        let had = self.moves[b][p];
        let through = ess | B::bit(player);
        let (after, nearest) = if before == B::EMPTY {
            self.solvable[p] |= B::bit(box_at);
            (through, moves)
        } else {
            (before & through, had.min(moves))
        };
        if after == before && nearest == had {
            return;
        }
        self.ess[b][p] = after;
        self.moves[b][p] = nearest;
        self.trail.push(Change {
            box_at,
            player,
            moves: had,
            before,
        });
        if !self.queued[b].has(player) {
            self.queued[b] |= B::bit(player);
            self.queue.push((box_at, player));
        }
    }
}

/// Moves a large array to the heap.
fn boxed<T: Copy, const N: usize>(array: [[T; N]; N]) -> Box<[[T; N]; N]> {
    Box::new(array)
}
