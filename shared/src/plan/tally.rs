//! What was found in a part of a search.

use std::collections::BTreeMap;

use super::{Mode, Search};
use crate::{
    board::Cell,
    search::{Convention, census, growth::GoalTally, hunt},
};

/// What was found in a part of a search. Tallies of disjoint parts add up, in
/// any order, to the tally of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tally {
    /// Of a growth search, by goal.
    Growth(BTreeMap<Cell, GoalTally>),
    /// Of a census.
    Census(Box<census::Tally>),
    /// Of a hunt.
    Hunt(Box<hunt::Tally>),
}

impl Tally {
    /// The tally of nothing.
    pub fn empty(search: &Search) -> Self {
        match search.mode {
            Mode::Exhaustive | Mode::Floor => Self::Growth(BTreeMap::new()),
            Mode::Census => Self::Census(Box::default()),
            Mode::Anneal | Mode::Neighborhood | Mode::Genetic | Mode::Beam => {
                Self::Hunt(Box::default())
            }
        }
    }

    /// Adds the tally of another, disjoint part of the same search. `false`,
    /// and nothing is changed, if the other is of another kind of search.
    #[must_use = "a tally of another kind was not added"]
    pub fn merge(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Growth(mine), Self::Growth(theirs)) => {
                for (&goal, tally) in theirs {
                    mine.entry(goal).or_default().merge(tally);
                }
                true
            }
            (Self::Census(mine), Self::Census(theirs)) => {
                mine.merge((**theirs).clone());
                true
            }
            (Self::Hunt(mine), Self::Hunt(theirs)) => {
                mine.merge(theirs);
                true
            }
            _ => false,
        }
    }

    /// Largest number of moves found; 0 = none.
    pub fn best_moves(&self) -> u32 {
        match self {
            Self::Growth(goals) => goals
                .values()
                .map(|tally| tally.best(Convention::AnyStart).moves)
                .max()
                .unwrap_or(0),
            Self::Census(tally) => tally.optimal.anywhere.moves.unwrap_or(0),
            Self::Hunt(tally) => tally.moves,
        }
    }

    /// Sets or layouts done, evaluations made.
    pub fn work(&self) -> u64 {
        match self {
            Self::Growth(goals) => goals.values().map(GoalTally::nodes).sum(),
            Self::Census(tally) => tally.layouts().raw,
            Self::Hunt(tally) => tally.evaluations,
        }
    }

    /// Digest of all that was visited.
    pub fn digest(&self) -> u128 {
        match self {
            Self::Growth(goals) => goals
                .values()
                .fold(0, |sum, tally| sum.wrapping_add(tally.digest)),
            Self::Census(tally) => tally.digest,
            Self::Hunt(tally) => tally.digest,
        }
    }
}
