//! The tree of minimal sets, walked depth first without duplicates.
//!
//! Each minimal set with more than two cells has exactly one parent in the
//! tree (canonical augmentation, docs/growth-search.md): the set without its
//! first *real* cell. A cell c of A is real when A is minimal for some state
//! with the player on c that has a solvable successor t with c ∉ ess(t); then
//! A \ {c} is minimal for t. Sets that are images of each other under the
//! goal's stabiliser are visited once, through the image with the smallest
//! hash (exact comparison decides where hashes are equal).

use std::cmp::Ordering;

use super::{
    bits::Bits,
    explore::OpenRoot,
    ground::{Ground, NO_CELL, mix},
    set::FloorSet,
    table::{Change, GOAL, NONE, Table},
    tally::{GoalTally, Start},
};
use crate::{board::Cell, search::Convention};

/// A state, as local indices (box, player).
type State = (u8, u8);

/// A walk through parts of one goal's tree.
#[derive(Debug)]
pub(super) struct Walk<'a, B, const N: usize> {
    ground: &'a Ground,
    table: Table<B, N>,
    /// Hash of the set's image under each symmetry of the stabiliser.
    hashes: Vec<u64>,
    /// Sets from the root to the present one.
    path: Vec<Frame>,
    /// Scratch: minimal boxes by player, for the set being expanded.
    minimal: [B; N],
    /// Scratch: which board cells were proposed, by expansion number.
    proposed: Vec<u64>,
    expansions: u64,
    tally: GoalTally,
}

/// A set on the path.
#[derive(Debug)]
struct Frame {
    /// Mark that takes the set's last cell away again.
    mark: usize,
    /// Cells still to be tried as the next one.
    proposals: Vec<Proposal>,
    /// Children visited so far; only kept when the stabiliser is not trivial.
    children: Vec<Canonical>,
    /// Share of the walk's work that each proposal stands for.
    share: f64,
}

#[derive(Debug, Clone, Copy)]
struct Proposal {
    cell: u16,
    /// Boxes of states with the player on the cell that may be minimal; they
    /// are local indices, of which there are at most 128.
    boxes: u128,
}

/// A set up to the stabiliser.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Canonical {
    hash: u64,
    set: FloorSet,
}

/// What a step of a walk came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// There is more to do.
    More,
    /// The subtree is done.
    Done,
}

impl<'a, B: Bits + Into<u128>, const N: usize> Walk<'a, B, N> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        Self {
            ground,
            table: Table::new(ground),
            hashes: ground
                .hashes
                .iter()
                .map(|hashes| hashes[ground.goal.index()])
                .collect(),
            path: Vec::new(),
            minimal: [B::EMPTY; N],
            proposed: vec![0; ground.size.area()],
            expansions: 0,
            tally: GoalTally::default(),
        }
    }

    /// The tally so far; the walk starts a new one.
    pub(super) fn take_tally(&mut self) -> GoalTally {
        std::mem::take(&mut self.tally)
    }

    /// Sets tested so far in the present tally.
    pub(super) fn tested(&self) -> u64 {
        self.tally.tested
    }

    /// Sets visited so far in the present tally.
    pub(super) fn visited(&self) -> u64 {
        self.tally.nodes
    }

    /// Largest distance so far in the present tally.
    pub(super) fn best_moves(&self) -> u32 {
        self.tally.best(Convention::AnyStart).moves
    }

    /// Goes to a set of the tree and visits it. Returns `false`, and goes
    /// nowhere, if the set is not a connected minimal set with the goal.
    pub(super) fn enter(&mut self, set: &FloorSet, share: f64, below: usize) -> bool {
        self.leave();
        if set.len() < 2 || set.len() > N || !set.contains(self.ground.goal) {
            return false;
        }
        let mut mark = 0;
        let mut left: Vec<Cell> = set
            .cells()
            .filter(|&cell| cell != self.ground.goal)
            .collect();
        let mut states = Vec::new();
        while !left.is_empty() {
            let Some(i) = left.iter().position(|&cell| self.touches(cell)) else {
                self.unwind();
                return false;
            };
            mark = self.push(left.swap_remove(i));
        }
        // The changes of the last cell alone do not show all minimal states
        // when the cells came in another order than along the tree.
        self.all_minimal(&mut states);
        if states.is_empty() {
            self.unwind();
            return false;
        }
        self.visit(mark, &states, share, below);
        true
    }

    /// Tries the next proposal.
    pub(super) fn step(&mut self, below: usize) -> Step {
        let Some(frame) = self.path.last_mut() else {
            return Step::Done;
        };
        let share = frame.share;
        match frame.proposals.pop() {
            Some(proposal) => {
                if let Some((mark, states, child)) = self.try_child(proposal) {
                    if let (Some(child), Some(frame)) = (child, self.path.last_mut()) {
                        frame.children.push(child);
                    }
                    self.visit(mark, &states, share, below);
                }
            }
            None => self.pop_frame(),
        }
        if self.path.is_empty() {
            Step::Done
        } else {
            Step::More
        }
    }

    /// Share of the work of the present subtree that is not done yet.
    pub(super) fn open_share(&self) -> f64 {
        self.path
            .iter()
            .map(|frame| frame.share * frame.proposals.len() as f64)
            .sum()
    }

    /// Leaves the subtree; returns the sets that it did not get to, each the
    /// root of a subtree of its own.
    pub(super) fn leave(&mut self) -> Vec<OpenRoot> {
        let mut pending = Vec::new();
        while let Some(frame) = self.path.last_mut() {
            let share = frame.share;
            let Some(proposal) = frame.proposals.pop() else {
                self.pop_frame();
                continue;
            };
            if let Some((mark, _, child)) = self.try_child(proposal) {
                pending.push(OpenRoot {
                    set: self.present_set(),
                    share,
                });
                self.pop(mark);
                if let (Some(child), Some(frame)) = (child, self.path.last_mut()) {
                    frame.children.push(child);
                }
            }
        }
        self.unwind();
        pending
    }

    /// Counts the present set and lists what may come next.
    fn visit(&mut self, mark: usize, states: &[State], share: f64, below: usize) {
        let weight = self.orbit();
        self.tally.nodes += 1;
        self.tally.sets += weight;
        self.tally.states += weight * states.len() as u64;
        let hash = self.smallest_hash();
        let high = mix(hash ^ u64::from(self.ground.goal.0));
        self.tally.digest = self
            .tally
            .digest
            .wrapping_add(u128::from(high) << 64 | u128::from(mix(high ^ hash)));
        for &state in states {
            self.offer(state, weight);
        }
        let proposals = if self.table.len() + 1 < below && self.table.len() < N {
            self.proposals(states)
        } else {
            Vec::new()
        };
        self.path.push(Frame {
            mark,
            share: share / proposals.len().max(1) as f64,
            proposals,
            children: Vec::new(),
        });
    }

    /// Enters a start of the present set into the best ones.
    fn offer(&mut self, (box_at, player): State, weight: u64) {
        if box_at == GOAL {
            return;
        }
        let moves = u32::from(self.table.moves(box_at, player));
        for convention in Convention::ALL {
            let counts = convention == Convention::AnyStart || player != GOAL;
            if counts && moves >= self.tally.best[convention as usize].moves {
                let start = self.smallest_start((box_at, player));
                self.tally.best[convention as usize].offer(moves, weight, || start);
            }
        }
    }

    /// The smallest image of a start under the stabiliser.
    fn smallest_start(&self, (box_at, player): State) -> Start {
        let cells = self.table.board_cells();
        let image_of = |image: &Vec<u16>| {
            let at = |local: u8| Cell(u32::from(image[cells[local as usize] as usize]));
            Start {
                set: FloorSet::new(cells.iter().map(|&c| Cell(u32::from(image[c as usize])))),
                player: at(player),
                box_cell: at(box_at),
            }
        };
        let mut smallest = image_of(&self.ground.stabiliser[0]);
        for image in &self.ground.stabiliser[1..] {
            smallest = smallest.min(image_of(image));
        }
        smallest
    }

    /// Cells whose addition may give a minimal set, with the boxes for which
    /// the player on the new cell may be in a state that it is minimal for.
    ///
    /// Such a state has its solvable successors among the minimal states of
    /// the present set only: any other successor has a solution that leaves
    /// some cell of the set out.
    fn proposals(&mut self, states: &[State]) -> Vec<Proposal> {
        self.expansions += 1;
        for &(box_at, player) in states {
            self.minimal[player as usize & (N - 1)] |= B::bit(box_at);
        }
        let mut found = Vec::new();
        for &(_, player) in states {
            let here = self.table.cells[player as usize & (N - 1)];
            for &cell in &self.ground.neighbours[here as usize] {
                if cell == NO_CELL
                    || self.table.local[cell as usize] != NONE
                    || self.proposed[cell as usize] == self.expansions
                {
                    continue;
                }
                self.proposed[cell as usize] = self.expansions;
                let boxes = self.hopeful_boxes(cell);
                if boxes != 0 {
                    found.push(Proposal { cell, boxes });
                }
            }
        }
        for &(_, player) in states {
            self.minimal[player as usize & (N - 1)] = B::EMPTY;
        }
        found
    }

    fn hopeful_boxes(&self, cell: u16) -> u128 {
        let (mut hopeful, mut hopeless) = (B::EMPTY, B::EMPTY);
        for (dir, &neighbour) in self.ground.neighbours[cell as usize].iter().enumerate() {
            if neighbour == NO_CELL {
                continue;
            }
            let to = self.table.local[neighbour as usize];
            if to == NONE {
                continue;
            }
            let t = to as usize & (N - 1);
            let solvable = self.table.solvable[t] & !B::bit(GOAL);
            let minimal = self.minimal[t] & !B::bit(GOAL);
            hopeful |= minimal;
            hopeless |= solvable & !minimal;
            // The push from the new cell: the box on `to` moves on.
            let box_to = self.table.next[t][dir];
            if to != GOAL && box_to != NONE && self.table.solvable[t].has(box_to) {
                if self.minimal[t].has(box_to) {
                    hopeful |= B::bit(to);
                } else {
                    hopeless |= B::bit(to);
                }
            }
        }
        (hopeful & !hopeless).into()
    }

    /// Adds a proposed cell. If that gives a set whose parent in the tree is
    /// the present one, and that was not visited before, stays on it and
    /// returns the mark to leave it and its minimal states; otherwise goes
    /// back.
    fn try_child(&mut self, proposal: Proposal) -> Option<(usize, Vec<State>, Option<Canonical>)> {
        self.tally.tested += 1;
        let parent = self.smallest_hash();
        let mark = self.push(Cell(u32::from(proposal.cell)));
        let new = (self.table.len() - 1) as u8;
        let full = self.table.full();
        let real = (0..new).any(|b| proposal.boxes >> b & 1 == 1 && self.table.ess(b, new) == full);
        if real {
            let states: Vec<State> = self.new_minimal(mark).collect();
            if let Some(child) = self.own_child(new, &states, parent) {
                return Some((mark, states, child));
            }
        }
        self.pop(mark);
        None
    }

    /// Whether the present set's parent is the set without its newest cell
    /// `new`, a real one, and whether it is new among its siblings. `Some`
    /// carries what its siblings have to be compared with.
    fn own_child(&self, new: u8, states: &[State], parent: u64) -> Option<Option<Canonical>> {
        if self.ground.stabiliser.len() == 1 {
            let cell = self.table.cells[new as usize & (N - 1)];
            let earlier = states.iter().any(|&(b, p)| {
                self.table.cells[p as usize & (N - 1)] < cell && self.is_real((b, p))
            });
            return (!earlier).then_some(None);
        }
        let k = self.smallest_image();
        let image = &self.ground.stabiliser[k];
        let place = |local: u8| image[self.table.cells[local as usize & (N - 1)] as usize];
        let first = states
            .iter()
            .filter(|&&state| self.is_real(state))
            .map(|&(_, player)| player)
            .min_by_key(|&player| place(player))?;
        if first != new && !self.same_without(first, new, parent) {
            return None;
        }
        let child = Canonical {
            hash: self.hashes[k],
            set: self.image_set(image),
        };
        let siblings = &self.path.last()?.children;
        (!siblings.contains(&child)).then_some(Some(child))
    }

    /// Whether the set without cell `first` is an image of the set without
    /// cell `new`, whose smallest hash is `parent`.
    fn same_without(&self, first: u8, new: u8, parent: u64) -> bool {
        let cells = self.table.board_cells();
        let (without_first, without_new) = (cells[first as usize], cells[new as usize]);
        let smallest = (0..self.hashes.len())
            .map(|k| self.hashes[k].wrapping_sub(self.ground.hashes[k][without_first as usize]))
            .min();
        if smallest != Some(parent) {
            return false;
        }
        self.ground.stabiliser.iter().any(|image| {
            cells.iter().filter(|&&c| c != without_first).all(|&c| {
                let to = image[c as usize];
                to != without_new && self.table.local[to as usize] != NONE
            })
        })
    }

    /// Whether the player's cell of a minimal state is real: some successor
    /// can be solved without it.
    fn is_real(&self, (box_at, player): State) -> bool {
        self.table
            .successors(box_at, player)
            .any(|(b, p)| !self.table.ess(b, p).has(player))
    }

    /// States that the present set is minimal for. All became solvable with
    /// the newest cell: a state that was solvable before does not need it.
    fn new_minimal(&self, mark: usize) -> impl Iterator<Item = State> + '_ {
        let full = self.table.full();
        self.table
            .changes(mark)
            .iter()
            .filter(|change| change.is_new())
            .map(|change: &Change<B>| (change.box_at, change.player))
            .filter(move |&(b, p)| self.table.ess(b, p) == full)
    }

    fn all_minimal(&self, states: &mut Vec<State>) {
        let full = self.table.full();
        for box_at in 0..self.table.len() as u8 {
            for player in 0..self.table.len() as u8 {
                if self.table.ess(box_at, player) == full {
                    states.push((box_at, player));
                }
            }
        }
    }

    fn smallest_hash(&self) -> u64 {
        self.hashes.iter().copied().min().unwrap_or(0)
    }

    /// Symmetry that takes the present set to its canonical image.
    fn smallest_image(&self) -> usize {
        let mut best = 0;
        for k in 1..self.hashes.len() {
            let smaller = match self.hashes[k].cmp(&self.hashes[best]) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => {
                    self.image_set(&self.ground.stabiliser[k])
                        < self.image_set(&self.ground.stabiliser[best])
                }
            };
            if smaller {
                best = k;
            }
        }
        best
    }

    fn image_set(&self, image: &[u16]) -> FloorSet {
        FloorSet::new(
            self.table
                .board_cells()
                .iter()
                .map(|&cell| Cell(u32::from(image[cell as usize]))),
        )
    }

    /// Number of images of the present set under the stabiliser.
    fn orbit(&self) -> u64 {
        let fixing = (0..self.hashes.len())
            .filter(|&k| {
                self.hashes[k] == self.hashes[0]
                    && self.table.board_cells().iter().all(|&cell| {
                        self.table.local[self.ground.stabiliser[k][cell as usize] as usize] != NONE
                    })
            })
            .count();
        (self.hashes.len() / fixing.max(1)) as u64
    }

    /// Whether the walk has just visited a set with so many cells.
    pub(super) fn at_size(&self, cells: usize) -> bool {
        !self.path.is_empty() && self.table.len() == cells
    }

    pub(super) fn present_set(&self) -> FloorSet {
        self.image_set(&self.ground.stabiliser[0])
    }

    fn touches(&self, cell: Cell) -> bool {
        self.ground.neighbours[cell.index()]
            .iter()
            .any(|&n| n != NO_CELL && self.table.local[n as usize] != NONE)
    }

    fn push(&mut self, cell: Cell) -> usize {
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hash.wrapping_add(hashes[cell.index()]);
        }
        self.table.add(self.ground, cell)
    }

    fn pop(&mut self, mark: usize) {
        let cell = self.table.cells[self.table.len() - 1];
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hash.wrapping_sub(hashes[cell as usize]);
        }
        self.table.remove(mark);
    }

    fn pop_frame(&mut self) {
        if let Some(frame) = self.path.pop()
            && !self.path.is_empty()
        {
            self.pop(frame.mark);
        }
    }

    /// Goes back to the set {goal}.
    fn unwind(&mut self) {
        self.path.clear();
        self.table.clear();
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hashes[self.ground.goal.index()];
        }
    }
}
