//! The tree of minimal sets, walked depth first without duplicates.
//!
//! Each minimal set with more than two cells has exactly one parent in the
//! tree (canonical augmentation, docs/growth-search.md): the set without its
//! first *real* cell. A cell c of A is real when A is minimal for some state
//! with the player on c that has a solvable successor t with c ∉ ess(t); then
//! A \ {c} is minimal for t. Sets that are images of each other under the
//! goal's stabiliser are visited once, through the image with the smallest
//! hash (exact comparison decides where hashes are equal).

use std::{cmp::Ordering, time::Duration};

use super::{
    bits::Bits,
    explore::OpenRoot,
    ground::{Ground, NO_CELL, mix},
    set::FloorSet,
    table::{GOAL, Table},
    tally::{GoalTally, Start},
};
use crate::{board::Cell, cpu::CpuTimer, search::Convention};

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
    /// Proposals of the sets on the path that are still to be tried.
    proposals: Vec<Proposal<B>>,
    /// Children visited so far of the sets on the path; only filled when the
    /// stabiliser is not trivial, since only then can two be the same.
    children: Vec<Canonical>,
    /// States that the present set is minimal for.
    states: Vec<State>,
    scratch: Scratch<B, N>,
    tally: GoalTally,
    /// Some set could not grow for want of local indices.
    overflowed: bool,
}

/// A set on the path.
#[derive(Debug)]
struct Frame {
    /// Mark that takes the set's last cell away again.
    mark: usize,
    /// Where its proposals and its children start.
    first_proposal: usize,
    first_child: usize,
    /// Smallest hash of its images.
    hash: u64,
    /// Share of the walk's work that each of its proposals stands for.
    share: f64,
}

/// A cell that may give a minimal set when added.
#[derive(Debug, Clone, Copy)]
struct Proposal<B> {
    cell: u16,
    /// Boxes of states with the player on the cell that may be minimal.
    boxes: B,
}

/// A set up to the stabiliser.
#[derive(Debug, PartialEq, Eq)]
struct Canonical {
    hash: u64,
    set: FloorSet,
}

/// Room for collecting the proposals of one set.
#[derive(Debug)]
struct Scratch<B, const N: usize> {
    /// Boxes of minimal states by player.
    minimal: [B; N],
    /// Round in which a board cell was last proposed.
    proposed: Vec<u64>,
    round: u64,
}

/// How often an expansion is done and counted, to measure the time of the
/// second. With more than two the branch predictor knows the set by heart, and
/// the time comes out a third too short.
pub(super) const PASSES: u32 = 2;

/// A set that was visited without its subtree.
#[derive(Debug)]
pub(super) struct Expansion {
    /// The next sets of the tree.
    pub(super) children: Vec<FloorSet>,
    /// Time that the second pass took, without getting there.
    pub(super) time: Duration,
}

/// What a step of a walk came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// There is more to do.
    More,
    /// The subtree is done.
    Done,
}

impl<'a, B: Bits, const N: usize> Walk<'a, B, N> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        let mut walk = Self {
            ground,
            table: Table::new(ground),
            hashes: vec![0; ground.stabiliser.len()],
            path: Vec::new(),
            proposals: Vec::new(),
            children: Vec::new(),
            states: Vec::new(),
            scratch: Scratch {
                minimal: [B::EMPTY; N],
                proposed: vec![0; ground.size.area()],
                round: 0,
            },
            tally: GoalTally::default(),
            overflowed: false,
        };
        walk.clear();
        walk
    }

    /// The tally so far; the walk starts a new one.
    pub(super) fn take_tally(&mut self) -> GoalTally {
        std::mem::take(&mut self.tally)
    }

    /// The tally so far.
    pub(super) fn tally(&self) -> &GoalTally {
        &self.tally
    }

    /// Whether the walk met a set with as many cells as the table can hold,
    /// so that its tally cannot be trusted.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Goes to a set of the tree and visits it. Returns `false`, and goes
    /// nowhere, if the set is not a connected minimal set with the goal.
    pub(super) fn enter(&mut self, set: &FloorSet, share: f64, below: usize) -> bool {
        if set.len() > Table::<B, N>::CAPACITY {
            self.clear();
            self.overflowed = true;
            return true;
        }
        let Some(mark) = self.place(set) else {
            return false;
        };
        self.visit(mark, share, below);
        true
    }

    /// Visits a set and finds its children with fewer than `below` cells;
    /// `None` if it is not a connected minimal set with the goal, or too
    /// large. Does so, and counts the set, [`PASSES`] times.
    pub(super) fn expand(&mut self, set: &FloorSet, below: usize) -> Option<Expansion> {
        let mark = self.place(set)?;
        let below = below.min(set.len() + 2);
        let states = self.states.clone();
        // In a walk the set before this one was much like it, so the memory is
        // in the caches; here it is after a first pass.
        self.find_children(mark, below);
        self.states = states;
        let timer = CpuTimer::start();
        let added = self.find_children(mark, below);
        let time = timer.elapsed();
        self.clear();
        let child = |cell| {
            let new = Cell(u32::from(cell));
            FloorSet::new(set.cells().chain([new]))
        };
        Some(Expansion {
            children: added.into_iter().map(child).collect(),
            time,
        })
    }

    /// Visits the present set and gives back the cells that make its children.
    fn find_children(&mut self, mark: usize, below: usize) -> Vec<u16> {
        self.visit(mark, 1.0, below);
        let mut added = Vec::new();
        while let Some((proposal, _)) = self.next_proposal() {
            if let Some(mark) = self.try_child(proposal) {
                added.push(proposal.cell);
                self.pop(mark);
            }
        }
        if let Some(frame) = self.path.pop() {
            self.children.truncate(frame.first_child);
        }
        added
    }

    /// Goes to a set, with its minimal states in `states`, and gives back the
    /// mark of its last cell; nowhere and `None` if it is not a connected
    /// minimal set with the goal, or too large.
    fn place(&mut self, set: &FloorSet) -> Option<usize> {
        self.clear();
        let fits = (2..=Table::<B, N>::CAPACITY).contains(&set.len());
        if !fits || !set.contains(self.ground.goal) {
            return None;
        }
        let mut left: Vec<Cell> = set
            .cells()
            .filter(|&cell| cell != self.ground.goal)
            .collect();
        let mut mark = 0;
        while !left.is_empty() {
            let Some(i) = left.iter().position(|&cell| self.touches(cell)) else {
                self.clear();
                return None;
            };
            mark = self.push(left.swap_remove(i).0 as u16);
        }
        self.states.clear();
        self.states.extend(self.table.newly_minimal(mark));
        if self.states.is_empty() {
            self.clear();
            return None;
        }
        Some(mark)
    }

    /// Tries the next proposal.
    pub(super) fn step(&mut self, below: usize) -> Step {
        self.step_unless(below, |_| false)
    }

    /// Tries the next proposal; leaves out a set, with its subtree, for which
    /// `skip` says so.
    pub(super) fn step_unless(&mut self, below: usize, skip: impl FnOnce(&Self) -> bool) -> Step {
        match self.next_proposal() {
            Some((proposal, share)) => {
                let tested = self.tally.tested;
                if let Some(mark) = self.try_child(proposal) {
                    if skip(self) {
                        // Whoever computes the subtree tests it.
                        self.tally.tested = tested;
                        self.pop(mark);
                    } else {
                        self.visit(mark, share, below);
                    }
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
        let ends = self.path.iter().skip(1).map(|frame| frame.first_proposal);
        self.path
            .iter()
            .zip(ends.chain([self.proposals.len()]))
            .map(|(frame, end)| frame.share * (end - frame.first_proposal) as f64)
            .sum()
    }

    /// Leaves the subtree; returns the sets that it did not get to, each the
    /// root of a subtree of its own.
    pub(super) fn leave(&mut self) -> Vec<OpenRoot> {
        let mut open = Vec::new();
        while !self.path.is_empty() {
            let Some((proposal, share)) = self.next_proposal() else {
                self.pop_frame();
                continue;
            };
            // The proposal is tested again by whoever goes on with it.
            let tested = self.tally.tested;
            if let Some(mark) = self.try_child(proposal) {
                self.tally.tested = tested;
                let set = self.present_set();
                open.push(OpenRoot { set, share });
                self.pop(mark);
            }
        }
        open
    }

    /// Whether the walk has just visited a set with so many cells.
    pub(super) fn at_size(&self, cells: usize) -> bool {
        !self.path.is_empty() && self.table.len() == cells
    }

    pub(super) fn present_set(&self) -> FloorSet {
        self.image_set(&self.ground.stabiliser[0])
    }

    /// The next proposal of the present set, with its share of the work.
    fn next_proposal(&mut self) -> Option<(Proposal<B>, f64)> {
        let frame = self.path.last()?;
        if self.proposals.len() == frame.first_proposal {
            return None;
        }
        Some((self.proposals.pop()?, frame.share))
    }

    /// Counts the present set, whose minimal states are in `states`, and
    /// lists what may come next.
    fn visit(&mut self, mark: usize, share: f64, below: usize) {
        let hash = self.smallest_hash();
        self.count(hash);
        let first_proposal = self.proposals.len();
        if self.table.len() + 1 < below {
            self.propose();
        }
        let count = self.proposals.len() - first_proposal;
        if count > 0 && self.table.len() == Table::<B, N>::CAPACITY {
            self.overflowed = true;
            self.proposals.truncate(first_proposal);
        }
        self.path.push(Frame {
            mark,
            first_proposal,
            first_child: self.children.len(),
            hash,
            share: share / count.max(1) as f64,
        });
    }

    fn count(&mut self, hash: u64) {
        let weight = self.orbit();
        let states = self.states.len() as u64;
        let layer = self.tally.layer_mut(self.table.len());
        layer.nodes += 1;
        layer.sets += weight;
        layer.states += weight * states;
        let high = mix(hash ^ u64::from(self.ground.goal.0));
        let low = mix(high ^ hash);
        self.tally.digest = self
            .tally
            .digest
            .wrapping_add(u128::from(high) << 64 | u128::from(low));
        for i in 0..self.states.len() {
            self.offer(self.states[i], weight);
        }
    }

    /// Enters a start of the present set into the best ones.
    fn offer(&mut self, (box_at, player): State, weight: u64) {
        if box_at == GOAL {
            return;
        }
        let moves = self.table.moves(box_at, player);
        let cells = self.table.len();
        if moves >= self.tally.layer_mut(cells).moves {
            let start = self.smallest_start((box_at, player));
            self.tally.layer_mut(cells).offer(moves, start);
        }
        for convention in Convention::ALL {
            let counts = convention == Convention::AnyStart || player != GOAL;
            if counts && moves >= self.tally.best[convention as usize].moves {
                let start = self.smallest_start((box_at, player));
                self.tally.best[convention as usize].offer(moves, weight, start);
            }
        }
    }

    /// The smallest image of a start under the stabiliser.
    fn smallest_start(&self, (box_at, player): State) -> Start {
        let image_of = |image: &Vec<u16>| {
            let at = |local| Cell(u32::from(image[self.table.board_cell(local) as usize]));
            Start {
                set: self.image_set(image),
                player: at(player),
                box_cell: at(box_at),
            }
        };
        let (identity, others) = (&self.ground.stabiliser[0], &self.ground.stabiliser[1..]);
        others
            .iter()
            .map(image_of)
            .fold(image_of(identity), Start::min)
    }

    /// Lists the cells whose addition may give a minimal set, with the boxes
    /// for which the player on the new cell may be in a state that it is
    /// minimal for.
    ///
    /// Such a state has its solvable successors among the minimal states of
    /// the present set only: any other successor has a solution that leaves
    /// some cell of the set out.
    fn propose(&mut self) {
        self.scratch.round += 1;
        for &(box_at, player) in &self.states {
            self.scratch.minimal[player as usize & (N - 1)] |= B::bit(box_at);
        }
        for i in 0..self.states.len() {
            let here = self.table.board_cell(self.states[i].1);
            for &cell in &self.ground.neighbours[here as usize] {
                if cell == NO_CELL
                    || self.table.local(cell) != Table::<B, N>::NONE
                    || self.scratch.proposed[cell as usize] == self.scratch.round
                {
                    continue;
                }
                self.scratch.proposed[cell as usize] = self.scratch.round;
                let boxes = self.hopeful_boxes(cell);
                if boxes != B::EMPTY {
                    self.proposals.push(Proposal { cell, boxes });
                }
            }
        }
        for &(_, player) in &self.states {
            self.scratch.minimal[player as usize & (N - 1)] = B::EMPTY;
        }
    }

    fn hopeful_boxes(&self, cell: u16) -> B {
        let goal = B::bit(GOAL);
        let (mut hopeful, mut hopeless) = (B::EMPTY, B::EMPTY);
        for (dir, &neighbour) in self.ground.neighbours[cell as usize].iter().enumerate() {
            if neighbour == NO_CELL {
                continue;
            }
            let to = self.table.local(neighbour);
            if to == Table::<B, N>::NONE {
                continue;
            }
            let solvable = self.table.solvable(to);
            let minimal = self.scratch.minimal[to as usize & (N - 1)];
            hopeful |= minimal & !goal;
            hopeless |= solvable & !minimal & !goal;
            // The push from the new cell: the box on `to` moves on.
            let box_to = self.table.next(to, dir);
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

    /// Adds a proposed cell. If that gives a set whose parent in the tree is
    /// the present one, and that was not visited before, stays on it, with
    /// its minimal states in `states`, and returns the mark to leave it;
    /// otherwise goes back.
    fn try_child(&mut self, proposal: Proposal<B>) -> Option<usize> {
        self.tally.tested += 1;
        let mark = self.push(proposal.cell);
        let new = (self.table.len() - 1) as u8;
        let full = self.table.full();
        let mut boxes = proposal.boxes;
        while let Some(box_at) = boxes.pop() {
            if self.table.ess(box_at, new) != full {
                continue;
            }
            self.states.clear();
            self.states.extend(self.table.newly_minimal(mark));
            if self.is_own_child(new) {
                return Some(mark);
            }
            break;
        }
        self.pop(mark);
        None
    }

    /// Whether the parent of the present set is the set without its newest
    /// cell `new`, a real one, and whether it is new among its siblings.
    fn is_own_child(&mut self, new: u8) -> bool {
        if self.ground.stabiliser.len() == 1 {
            let cell = self.table.board_cell(new);
            return !self
                .states
                .iter()
                .any(|&(b, p)| self.table.board_cell(p) < cell && self.is_real((b, p)));
        }
        let k = self.smallest_image();
        let image = &self.ground.stabiliser[k];
        let first = self
            .states
            .iter()
            .filter(|&&state| self.is_real(state))
            .map(|&(_, player)| player)
            .min_by_key(|&player| image[self.table.board_cell(player) as usize]);
        let Some((first, parent)) = first.zip(self.path.last()) else {
            return false;
        };
        if first != new && !self.same_without(first, new, parent.hash) {
            return false;
        }
        let child = Canonical {
            hash: self.hashes[k],
            set: self.image_set(image),
        };
        if self.children[parent.first_child..].contains(&child) {
            return false;
        }
        self.children.push(child);
        true
    }

    /// Whether the set without cell `first` is an image of the set without
    /// cell `new`, whose smallest hash is `parent`.
    fn same_without(&self, first: u8, new: u8, parent: u64) -> bool {
        let without_first = self.table.board_cell(first);
        let without_new = self.table.board_cell(new);
        let hashes = self.hashes.iter().zip(&self.ground.hashes);
        let smallest = hashes
            .map(|(hash, hashes)| hash.wrapping_sub(hashes[without_first as usize]))
            .min();
        if smallest != Some(parent) {
            return false;
        }
        self.ground.stabiliser.iter().any(|image| {
            self.table
                .board_cells()
                .iter()
                .filter(|&&cell| cell != without_first)
                .map(|&cell| image[cell as usize])
                .all(|to| to != without_new && self.table.local(to) != Table::<B, N>::NONE)
        })
    }

    /// Whether the player's cell of a minimal state is real: some successor
    /// can be solved without it.
    fn is_real(&self, (box_at, player): State) -> bool {
        self.table
            .successors(box_at, player)
            .any(|(b, p)| !self.table.ess(b, p).has(player))
    }

    /// Hash of the smallest image of the present set; equal for all images.
    pub(super) fn smallest_hash(&self) -> u64 {
        self.hashes.iter().copied().min().unwrap_or(0)
    }

    /// Symmetry that takes the present set to its canonical image.
    fn smallest_image(&self) -> usize {
        let mut best = 0;
        for k in 1..self.hashes.len() {
            let order = self.hashes[k].cmp(&self.hashes[best]).then_with(|| {
                let (this, that) = (&self.ground.stabiliser[k], &self.ground.stabiliser[best]);
                self.image_set(this).cmp(&self.image_set(that))
            });
            if order == Ordering::Less {
                best = k;
            }
        }
        best
    }

    fn image_set(&self, image: &[u16]) -> FloorSet {
        let cells = self.table.board_cells().iter();
        FloorSet::new(cells.map(|&cell| Cell(u32::from(image[cell as usize]))))
    }

    /// Number of images of the present set under the stabiliser.
    fn orbit(&self) -> u64 {
        let fixing = (1..self.hashes.len())
            .filter(|&k| self.hashes[k] == self.hashes[0])
            .filter(|&k| {
                let image = &self.ground.stabiliser[k];
                let mut cells = self.table.board_cells().iter();
                cells.all(|&cell| self.table.local(image[cell as usize]) != Table::<B, N>::NONE)
            })
            .count();
        (self.hashes.len() / (1 + fixing)) as u64
    }

    fn touches(&self, cell: Cell) -> bool {
        self.ground.neighbours[cell.index()]
            .iter()
            .any(|&n| n != NO_CELL && self.table.local(n) != Table::<B, N>::NONE)
    }

    fn push(&mut self, cell: u16) -> usize {
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hash.wrapping_add(hashes[cell as usize]);
        }
        self.table.add(self.ground, cell)
    }

    fn pop(&mut self, mark: usize) {
        let cell = self.table.board_cell((self.table.len() - 1) as u8);
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hash.wrapping_sub(hashes[cell as usize]);
        }
        self.table.remove(mark);
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        self.children.truncate(frame.first_child);
        if self.path.is_empty() {
            self.clear();
        } else {
            self.pop(frame.mark);
        }
    }

    /// Goes back to the set {goal}.
    fn clear(&mut self) {
        self.path.clear();
        self.proposals.clear();
        self.children.clear();
        self.table.clear();
        for (hash, hashes) in self.hashes.iter_mut().zip(&self.ground.hashes) {
            *hash = hashes[self.ground.goal.index()];
        }
    }
}
