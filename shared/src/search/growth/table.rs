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

/// Local index of the goal, always the first cell of a set.
pub(super) const GOAL: u8 = 0;

/// What the table knows of one state.
///
/// A state that is not solvable has every bit of `ess` set and the largest
/// distance: the top of the lattice, so that lowering needs no case for it. A
/// solvable state never has every bit, since the last index is no cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry<B> {
    ess: B,
    /// As wide as it is so that a load of it does not span `queued`, which may
    /// just have been stored: the load would wait for that store to end.
    moves: u32,
    /// Whether the state waits in the queue.
    queued: bool,
}

/// One change of the table: what a state had before.
#[derive(Debug, Clone, Copy)]
struct Change<B> {
    state: u16,
    moves: u32,
    ess: B,
}

/// The must-pass table of a floor set of fewer than `N` cells, `N` being the
/// width of `B` and a power of two.
///
/// Cells have local indices in the order in which they were added; all tables
/// are indexed by these, so the size of the board does not matter. The last
/// index, [`Table::NONE`], stands for "no cell". Its states are solved from
/// the start, so that lowering them never changes anything: the inner loop
/// needs no branch for neighbours that do not exist, and every branch there
/// would be mispredicted half of the time.
#[derive(Debug)]
pub(super) struct Table<B, const N: usize> {
    /// Number of cells.
    len: usize,
    /// Board cell of each local index.
    cells: [u16; N],
    /// Local index of each board cell, or `NONE`.
    local: Vec<u8>,
    /// Local neighbours by direction, or `NONE`.
    next: [[u8; 4]; N],
    /// Where the player was before a push that left it here, by direction of
    /// the push; `NONE` for the goal, off which no box is ever pushed.
    behind: [[u8; 4]; N],
    /// Boxes with which a player here is in a solvable state.
    solvable: [B; N],
    /// By box, then player.
    entries: Box<[[Entry<B>; N]; N]>,
    /// Changes so far are `trail[..top]`; the rest is room for more.
    trail: Vec<Change<B>>,
    top: usize,
    /// A ring of `N * N` states; each is in it at most once.
    queue: Vec<u16>,
}

impl<B: Bits, const N: usize> Table<B, N> {
    /// The local index that is no cell.
    pub(super) const NONE: u8 = (N - 1) as u8;

    /// The most cells that a set can have.
    pub(super) const CAPACITY: usize = N - 1;

    const UNSOLVED: Entry<B> = Entry {
        ess: B::ALL,
        moves: u32::MAX,
        queued: false,
    };

    /// The table of the set {goal}.
    pub(super) fn new(ground: &Ground) -> Self {
        let nowhere = Entry {
            ess: B::EMPTY,
            moves: 0,
            queued: true,
        };
        let mut row = [Self::UNSOLVED; N];
        row[N - 1] = nowhere;
        let mut table = Self {
            len: 0,
            cells: [NO_CELL; N],
            local: vec![Self::NONE; ground.size.area()],
            next: [[Self::NONE; 4]; N],
            behind: [[Self::NONE; 4]; N],
            solvable: [B::EMPTY; N],
            entries: Box::new([row; N]),
            trail: Vec::new(),
            top: 0,
            queue: vec![0; N * N],
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

    /// Board cell of a local index.
    #[inline]
    pub(super) fn board_cell(&self, local: u8) -> u16 {
        self.cells[at::<N>(local)]
    }

    /// Local index of a board cell, or `NONE`.
    #[inline]
    pub(super) fn local(&self, cell: u16) -> u8 {
        self.local[cell as usize]
    }

    /// Local neighbour in a direction, or `NONE`.
    #[inline]
    pub(super) fn next(&self, local: u8, dir: usize) -> u8 {
        self.next[at::<N>(local)][dir]
    }

    /// Where the player was before a push in a direction that left it here, or
    /// `NONE`.
    #[inline]
    pub(super) fn behind(&self, local: u8, dir: usize) -> u8 {
        self.behind[at::<N>(local)][dir]
    }

    /// Boxes with which a player here is in a solvable or completed state.
    #[inline]
    pub(super) fn solvable(&self, player: u8) -> B {
        self.solvable[at::<N>(player)]
    }

    /// `ess` of a state; all bits if it is not solvable.
    #[inline]
    pub(super) fn ess(&self, box_at: u8, player: u8) -> B {
        self.entries[at::<N>(box_at)][at::<N>(player)].ess
    }

    /// Distance of a solvable state in moves.
    #[inline]
    pub(super) fn moves(&self, box_at: u8, player: u8) -> u32 {
        self.entries[at::<N>(box_at)][at::<N>(player)].moves
    }

    /// States (box, player) that became solvable since `mark`, see
    /// [`Table::add`], and for which every cell of the set is essential.
    pub(super) fn newly_minimal(&self, mark: usize) -> impl Iterator<Item = (u8, u8)> + '_ {
        let full = self.full();
        self.trail[mark..self.top]
            .iter()
            .filter(|change| change.ess == B::ALL)
            .map(|change| unpack::<N>(change.state))
            .filter(move |&(box_at, player)| self.ess(box_at, player) == full)
    }

    /// Solvable forward successors of a state whose box is not on the goal,
    /// as (box, player).
    pub(super) fn successors(&self, box_at: u8, player: u8) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..4).filter_map(move |dir| {
            let to = self.next(player, dir);
            let box_to = if to == box_at {
                self.next(to, dir)
            } else {
                box_at
            };
            let solvable =
                to != Self::NONE && box_to != Self::NONE && self.ess(box_to, to) != B::ALL;
            solvable.then_some((box_to, to))
        })
    }

    /// Adds a cell that has a neighbour in the set, and repairs the table.
    /// Returns the mark to pass to [`Table::remove`].
    pub(super) fn add(&mut self, ground: &Ground, cell: u16) -> usize {
        let mark = self.top;
        let new = self.link(ground, cell);
        let mut tail = 0;
        self.make_room();
        for dir in 0..4 {
            let to = self.next(new, dir);
            if to == Self::NONE {
                continue;
            }
            if to == GOAL {
                // The completed state with the player on the new cell.
                let ess = B::bit(GOAL) | B::bit(new);
                self.lower(GOAL, new, ess, 0, &mut tail);
                self.lower(new, self.behind[at::<N>(new)][dir], ess, 1, &mut tail);
            }
            // States with the box on the new cell come by propagation.
            let mut boxes = self.solvable(to) & !(B::bit(GOAL) | B::bit(new));
            while let Some(box_at) = boxes.pop() {
                self.make_room();
                let (ess, moves) = (self.ess(box_at, to), self.moves(box_at, to) + 1);
                self.lower(box_at, new, ess, moves, &mut tail);
            }
            // A push from the new cell: the box was on `to`.
            let box_to = self.next(to, dir);
            if to != GOAL && box_to != Self::NONE && self.solvable(to).has(box_to) {
                let (ess, moves) = (self.ess(box_to, to), self.moves(box_to, to) + 1);
                self.lower(to, new, ess, moves, &mut tail);
            }
        }
        self.propagate(tail);
        mark
    }

    /// Takes the last cell away again.
    pub(super) fn remove(&mut self, mark: usize) {
        for change in self.trail[mark..self.top].iter().rev() {
            let (box_at, player) = unpack::<N>(change.state);
            let entry = &mut self.entries[at::<N>(box_at)][at::<N>(player)];
            entry.ess = change.ess;
            entry.moves = change.moves;
            let gone = if change.ess == B::ALL {
                B::bit(box_at)
            } else {
                B::EMPTY
            };
            self.solvable[at::<N>(player)] &= !gone;
        }
        self.top = mark;
        self.unlink();
    }

    /// Takes all cells but the goal away.
    pub(super) fn clear(&mut self) {
        while self.len > 1 {
            self.remove(0);
        }
    }

    /// Gives a board cell the next local index and joins it to its neighbours;
    /// the states stay as they were.
    pub(super) fn link(&mut self, ground: &Ground, cell: u16) -> u8 {
        let new = self.len as u8;
        self.len += 1;
        self.cells[at::<N>(new)] = cell;
        self.local[cell as usize] = new;
        for (dir, &neighbour) in ground.neighbours[cell as usize].iter().enumerate() {
            let to = if neighbour == NO_CELL {
                Self::NONE
            } else {
                self.local(neighbour)
            };
            self.join(new, dir, to);
            self.join(to, dir ^ 2, new);
        }
        new
    }

    /// Takes the last cell away, of which no state is in the table.
    pub(super) fn unlink(&mut self) {
        self.len -= 1;
        let last = self.len;
        self.local[self.cells[last] as usize] = Self::NONE;
        for dir in 0..4 {
            let to = self.next[last][dir];
            self.join(to, dir ^ 2, Self::NONE);
        }
    }

    /// Makes `to` the neighbour of `from` in a direction.
    fn join(&mut self, from: u8, dir: usize, to: u8) {
        if from == Self::NONE {
            return;
        }
        self.next[at::<N>(from)][dir] = to;
        if from != GOAL {
            self.behind[at::<N>(from)][dir ^ 2] = to;
        }
    }

    /// Makes room on the trail for what one queued state can change.
    #[inline]
    fn make_room(&mut self) {
        if self.top + 8 > self.trail.len() {
            let room = Change {
                state: 0,
                moves: 0,
                ess: B::EMPTY,
            };
            self.trail.resize((self.trail.len() * 2).max(4096), room);
        }
    }

    /// Lowers masks and distances along reverse moves until nothing changes.
    fn propagate(&mut self, mut tail: usize) {
        let mut head = 0;
        while head < tail {
            let (box_at, player) = unpack::<N>(self.queue[head % (N * N)]);
            head += 1;
            let entry = &mut self.entries[at::<N>(box_at)][at::<N>(player)];
            entry.queued = false;
            if box_at == GOAL {
                continue;
            }
            let (ess, moves) = (entry.ess, entry.moves + 1);
            self.make_room();
            for dir in 0..4 {
                // A walk from the neighbour, or, where the neighbour is the
                // box, the push that brought it there.
                let from = self.next[at::<N>(player)][dir];
                let pushed = from == box_at;
                let behind = self.behind[at::<N>(player)][dir];
                let box_from = if pushed { player } else { box_at };
                let player_from = if pushed { behind } else { from };
                self.lower(box_from, player_from, ess, moves, &mut tail);
            }
        }
    }

    /// Takes into account that a successor of this state has `ess` and that
    /// the state is at most `moves` from completion. Free of branches.
    #[inline]
    fn lower(&mut self, box_at: u8, player: u8, ess: B, moves: u32, tail: &mut usize) {
        let entry = &mut self.entries[at::<N>(box_at)][at::<N>(player)];
        let before = *entry;
        let after = Entry {
            ess: before.ess & (ess | B::bit(player)),
            moves: before.moves.min(moves),
            queued: true,
        };
        if after.ess == before.ess && after.moves == before.moves {
            return;
        }
        *entry = after;
        self.solvable[at::<N>(player)] |= B::bit(box_at);
        let state = pack::<N>(box_at, player);
        self.trail[self.top] = Change {
            state,
            moves: before.moves,
            ess: before.ess,
        };
        self.top += 1;
        if !before.queued {
            self.queue[*tail % (N * N)] = state;
            *tail += 1;
        }
    }
}

/// An index into a table of `N` entries; the mask spares the bounds check.
#[inline]
pub(super) fn at<const N: usize>(local: u8) -> usize {
    local as usize & (N - 1)
}

/// A state as one number.
#[inline]
fn pack<const N: usize>(box_at: u8, player: u8) -> u16 {
    (at::<N>(box_at) * N + at::<N>(player)) as u16
}

#[inline]
fn unpack<const N: usize>(state: u16) -> (u8, u8) {
    ((state as usize / N) as u8, (state as usize % N) as u8)
}
