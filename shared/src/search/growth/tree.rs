//! The tree of minimal sets, walked depth first without duplicates.
//!
//! Each minimal set with more than two cells has exactly one parent in the
//! tree (canonical augmentation, docs/growth-search.md): the set without its
//! first *real* cell. A cell c of A is real when A is minimal for some state
//! with the player on c that has a solvable successor t with c ∉ ess(t); then
//! A \ {c} is minimal for t. Sets that are images of each other under the
//! goal's stabiliser are visited once, through the image with the smallest
//! hash (exact comparison decides where hashes are equal).

use std::time::Duration;

use super::{
    bits::Bits,
    explore::OpenRoot,
    extent::Extent,
    glance::Glance,
    ground::{Ground, mix},
    present::{Present, State},
    propose::{Proposal, Proposer},
    set::FloorSet,
    table::{GOAL, Table},
    tally::GoalTally,
};
use crate::{board::Cell, cpu::CpuTimer, search::Convention};

/// A walk through parts of one goal's tree.
#[derive(Debug)]
pub(super) struct Walk<'a, B, const N: usize> {
    present: Present<'a, B, N>,
    /// Sets from the root to the present one.
    path: Vec<Frame>,
    /// Proposals of the sets on the path that are still to be tried.
    proposals: Vec<Proposal<B>>,
    /// Children visited so far of the sets on the path; only filled when the
    /// stabiliser is not trivial, since only then can two be the same.
    children: Vec<Child>,
    /// States that the present set is minimal for.
    states: Vec<State>,
    proposer: Proposer<B, N>,
    /// Number of cells of the sets of which only the longest are found.
    crown: Option<usize>,
    glance: Glance<N>,
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

/// A child of a set on the path.
#[derive(Debug, Clone, Copy)]
struct Child {
    /// Hash of its canonical image.
    hash: u64,
    /// The cell that makes it.
    cell: u16,
    /// Symmetry that takes it to its canonical image.
    image: usize,
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
    /// A walk that finds the longest sets of the crown of `extent`, if that has
    /// one.
    pub(super) fn new(ground: &'a Ground, extent: Extent) -> Self {
        let mut walk = Self {
            present: Present::new(ground),
            path: Vec::new(),
            proposals: Vec::new(),
            children: Vec::new(),
            states: Vec::new(),
            proposer: Proposer::new(ground.size),
            crown: extent.crown(),
            glance: Glance::new(),
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

    /// The set that the walk is on.
    pub(super) fn present(&self) -> &Present<'a, B, N> {
        &self.present
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
                self.present.pop(mark);
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
        if !fits || !set.contains(self.present.ground.goal) {
            return None;
        }
        let mut left: Vec<Cell> = set
            .cells()
            .filter(|&cell| cell != self.present.ground.goal)
            .collect();
        let mut mark = 0;
        while !left.is_empty() {
            let Some(i) = left.iter().position(|&cell| self.present.touches(cell)) else {
                self.clear();
                return None;
            };
            mark = self.present.push(left.swap_remove(i).0 as u16);
        }
        self.states.clear();
        self.states.extend(self.present.table.newly_minimal(mark));
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
                        self.present.pop(mark);
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
                let set = self.present.set();
                open.push(OpenRoot { set, share });
                self.present.pop(mark);
            }
        }
        open
    }

    /// Whether the walk has just visited a set with so many cells.
    pub(super) fn at_size(&self, cells: usize) -> bool {
        !self.path.is_empty() && self.present.table.len() == cells
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
    /// lists what may come next, or looks at it if that is the crown.
    fn visit(&mut self, mark: usize, share: f64, below: usize) {
        let hash = self.present.smallest_hash();
        self.count(hash);
        let first_proposal = self.proposals.len();
        if self.present.table.len() + 1 < below {
            self.proposer
                .propose(&self.present, &self.states, &mut self.proposals);
        }
        let count = self.proposals.len() - first_proposal;
        if count > 0 && self.present.table.len() == Table::<B, N>::CAPACITY {
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
        if self.crown == Some(self.present.table.len() + 1) {
            self.crown_present();
        }
    }

    /// Finds the longest of the children of the present set, whose minimal
    /// states are in `states`; they belong to the crown.
    fn crown_present(&mut self) {
        let cells = self.present.table.len() + 1;
        if cells > Table::<B, N>::CAPACITY {
            self.overflowed = true;
            return;
        }
        let moves = |&(box_at, player): &State| self.present.table.moves(box_at, player);
        let longest = self.states.iter().map(moves).max().unwrap_or(0);
        let first = self.proposals.len();
        self.proposer
            .propose(&self.present, &self.states, &mut self.proposals);
        while self.proposals.len() > first
            && let Some(proposal) = self.proposals.pop()
        {
            let Present { table, ground, .. } = &mut self.present;
            let bound = self.glance.bound(table, ground, &proposal, longest);
            if bound < self.tally.least_wanted(cells) {
                self.tally.tested += 1;
            } else if let Some(mark) = self.try_child(proposal) {
                self.offer_states(self.present.orbit());
                self.present.pop(mark);
            }
        }
    }

    /// Counts the present set, whose minimal states are in `states`.
    fn count(&mut self, hash: u64) {
        let weight = self.present.orbit();
        let states = self.states.len() as u64;
        let layer = self.tally.layer_mut(self.present.table.len());
        layer.nodes += 1;
        layer.sets += weight;
        layer.states += weight * states;
        let high = mix(hash ^ u64::from(self.present.ground.goal.0));
        let low = mix(high ^ hash);
        self.tally.digest = self
            .tally
            .digest
            .wrapping_add(u128::from(high) << 64 | u128::from(low));
        self.offer_states(weight);
    }

    /// Enters the minimal states of the present set into the best ones.
    fn offer_states(&mut self, weight: u64) {
        for i in 0..self.states.len() {
            self.offer(self.states[i], weight);
        }
    }

    /// Enters a start of the present set into the best ones.
    fn offer(&mut self, (box_at, player): State, weight: u64) {
        if box_at == GOAL {
            return;
        }
        let moves = self.present.table.moves(box_at, player);
        let cells = self.present.table.len();
        if moves >= self.tally.layer_mut(cells).moves {
            let start = self.present.smallest_start((box_at, player));
            self.tally.layer_mut(cells).offer(moves, start);
        }
        for convention in Convention::ALL {
            let counts = convention == Convention::AnyStart || player != GOAL;
            if counts && moves >= self.tally.best[convention as usize].moves {
                let start = self.present.smallest_start((box_at, player));
                self.tally.best[convention as usize].offer(moves, weight, start);
            }
        }
    }

    /// Adds a proposed cell. If that gives a set whose parent in the tree is
    /// the present one, and that was not visited before, stays on it, with
    /// its minimal states in `states`, and returns the mark to leave it;
    /// otherwise goes back.
    fn try_child(&mut self, proposal: Proposal<B>) -> Option<usize> {
        self.tally.tested += 1;
        let mark = self.present.push(proposal.cell);
        let new = (self.present.table.len() - 1) as u8;
        let full = self.present.table.full();
        let mut boxes = proposal.boxes;
        while let Some(box_at) = boxes.pop() {
            if self.present.table.ess(box_at, new) != full {
                continue;
            }
            self.states.clear();
            self.states.extend(self.present.table.newly_minimal(mark));
            if self.is_own_child(new) {
                return Some(mark);
            }
            break;
        }
        self.present.pop(mark);
        None
    }

    /// Whether the parent of the present set is the set without its newest
    /// cell `new`, a real one, and whether it is new among its siblings.
    fn is_own_child(&mut self, new: u8) -> bool {
        if self.present.ground.stabiliser.len() == 1 {
            let cell = self.present.table.board_cell(new);
            return !self.states.iter().any(|&(b, p)| {
                self.present.table.board_cell(p) < cell && self.present.is_real((b, p))
            });
        }
        let k = self.present.smallest_image();
        let image = &self.present.ground.stabiliser[k];
        let first = self
            .states
            .iter()
            .filter(|&&state| self.present.is_real(state))
            .map(|&(_, player)| player)
            .min_by_key(|&player| image[self.present.table.board_cell(player) as usize]);
        let Some((first, parent)) = first.zip(self.path.last()) else {
            return false;
        };
        if first != new && !self.present.same_without(first, new, parent.hash) {
            return false;
        }
        let child = Child {
            hash: self.present.hashes[k],
            cell: self.present.table.board_cell(new),
            image: k,
        };
        let mut siblings = self.children[parent.first_child..].iter();
        // Two with one hash are the same but for an accident.
        if siblings.any(|other| other.hash == child.hash && self.is_same(child, *other)) {
            return false;
        }
        self.children.push(child);
        true
    }

    /// Whether the present set, this child of its parent, has the same canonical
    /// image as another child.
    fn is_same(&self, child: Child, other: Child) -> bool {
        let cells = |of: Child| {
            let parent = self.present.table.board_cells().iter().copied();
            let parent = parent.filter(move |&cell| cell != child.cell);
            let image = &self.present.ground.stabiliser[of.image];
            let image = |cell: u16| Cell(u32::from(image[usize::from(cell)]));
            FloorSet::new(parent.chain([of.cell]).map(image))
        };
        cells(child) == cells(other)
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        self.children.truncate(frame.first_child);
        if self.path.is_empty() {
            self.clear();
        } else {
            self.present.pop(frame.mark);
        }
    }

    /// Goes back to the set {goal}.
    fn clear(&mut self) {
        self.path.clear();
        self.proposals.clear();
        self.children.clear();
        self.present.clear();
    }
}
