//! What growth search found, in a form that adds up over disjoint parts.

use std::collections::BTreeSet;

use super::FloorSet;
use crate::{
    board::{Board, Cell, Size},
    level::Level,
    search::Convention,
};

/// How many starts a [`Best`] keeps: the smallest ones, so that merging is
/// associative and the kept ones do not depend on how the work was cut.
pub const KEPT_STARTS: usize = 1024;

/// A floor set and a state (player, box) that it is minimal for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    /// The set; it contains player and box.
    pub set: FloorSet,
    /// The player's cell.
    pub player: Cell,
    /// The box's cell.
    pub box_cell: Cell,
}

impl Start {
    /// The level of this start: its set is the floor. In the form of
    /// [`Level::normalized`], `None` if that does not exist.
    pub fn level(&self, size: Size, goal: Cell) -> Option<Level> {
        let board = Board::from_floor(size, self.set.cells());
        Level::new(board, self.player, self.box_cell, goal)
            .ok()?
            .normalized()
    }
}

/// The largest distance found, and the starts that attain it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Best {
    /// Moves; 0 when nothing was found.
    pub moves: u32,
    /// Starts attaining it, all images under the goal's stabiliser counted.
    pub pairs: u64,
    /// The smallest [`KEPT_STARTS`] of them, one per orbit of the stabiliser.
    pub starts: BTreeSet<Start>,
}

impl Best {
    /// Adds starts at `moves`: `pairs` of them, represented by `start`.
    pub fn offer(&mut self, moves: u32, pairs: u64, start: Start) {
        if moves < self.moves || moves == 0 {
            return;
        }
        if moves > self.moves {
            *self = Self {
                moves,
                ..Self::default()
            };
        }
        self.pairs += pairs;
        self.keep(start);
    }

    /// Adds what another, disjoint part found.
    pub fn merge(&mut self, other: &Self) {
        if other.moves > self.moves {
            self.clone_from(other);
        } else if other.moves == self.moves {
            self.pairs = self.pairs.saturating_add(other.pairs);
            for start in &other.starts {
                self.keep(start.clone());
            }
        }
    }

    /// Whether some starts were counted but not kept.
    pub fn is_capped(&self) -> bool {
        self.starts.len() >= KEPT_STARTS
    }

    fn keep(&mut self, start: Start) {
        self.starts.insert(start);
        if self.starts.len() > KEPT_STARTS {
            self.starts.pop_last();
        }
    }
}

/// What growth search found among the sets with one number of cells. Of those of
/// a crown none is counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layer {
    /// Sets visited: one per orbit of the goal's stabiliser.
    pub nodes: u64,
    /// Minimal sets, all images under the stabiliser counted.
    pub sets: u64,
    /// Pairs of a set and a state it is minimal for, counted like `sets`.
    pub states: u64,
    /// Largest distance, the player anywhere, in moves; 0 when there is no
    /// start.
    pub moves: u32,
    /// The smallest start that attains it, the smallest image under the
    /// stabiliser.
    pub start: Option<Start>,
}

impl Layer {
    /// Adds a start at `moves`.
    pub fn offer(&mut self, moves: u32, start: Start) {
        let smaller = self.start.as_ref().is_none_or(|known| start < *known);
        if moves > self.moves || moves == self.moves && moves > 0 && smaller {
            self.moves = moves;
            self.start = Some(start);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.sets = self.sets.saturating_add(other.sets);
        self.states = self.states.saturating_add(other.states);
        if let Some(start) = &other.start {
            self.offer(other.moves, start.clone());
        }
    }
}

/// What growth search found for one goal. Tallies of disjoint parts add up,
/// in any order, to the tally of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoalTally {
    /// By number of cells.
    pub layers: Vec<Layer>,
    /// Candidate sets whose membership was tested.
    pub tested: u64,
    /// Wrapping sum of a hash of each visited set.
    pub digest: u128,
    /// Largest distance, by [`Convention`].
    pub best: [Best; 2],
}

impl GoalTally {
    /// Adds the tally of another, disjoint part of the same goal.
    pub fn merge(&mut self, other: &Self) {
        for (cells, layer) in other.layers.iter().enumerate() {
            self.layer_mut(cells).merge(layer);
        }
        self.tested = self.tested.saturating_add(other.tested);
        self.digest = self.digest.wrapping_add(other.digest);
        for (mine, theirs) in self.best.iter_mut().zip(&other.best) {
            mine.merge(theirs);
        }
    }

    /// Sets visited: one per orbit of the goal's stabiliser.
    pub fn nodes(&self) -> u64 {
        self.sum(|layer| layer.nodes)
    }

    /// Minimal sets, all images under the stabiliser counted.
    pub fn sets(&self) -> u64 {
        self.sum(|layer| layer.sets)
    }

    /// Pairs of a set and a state it is minimal for, counted like the sets.
    pub fn states(&self) -> u64 {
        self.sum(|layer| layer.states)
    }

    fn sum(&self, count: impl Fn(&Layer) -> u64) -> u64 {
        self.layers.iter().map(count).fold(0, u64::saturating_add)
    }

    /// The layer of the sets with so many cells.
    pub(super) fn layer_mut(&mut self, cells: usize) -> &mut Layer {
        if cells >= self.layers.len() {
            self.layers.resize_with(cells + 1, Layer::default);
        }
        &mut self.layers[cells]
    }

    /// The fewest moves with which a start on so many cells changes anything.
    pub(super) fn least_wanted(&self, cells: usize) -> u32 {
        let layer = self.layers.get(cells).map_or(0, |layer| layer.moves);
        self.best
            .iter()
            .map(|best| best.moves)
            .fold(layer, u32::min)
    }

    /// The largest distance under a convention.
    pub fn best(&self, convention: Convention) -> &Best {
        &self.best[convention as usize]
    }
}
