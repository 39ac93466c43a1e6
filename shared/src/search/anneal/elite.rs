//! The best states of a batch.

use std::collections::BTreeSet;

use crate::board::Board;
use crate::search::field::Field;
use crate::search::random::Random;

/// Best levels kept of one batch.
pub const MAX_KEPT: usize = 16;

/// A state: its floor count first, so that less floor comes first in order.
type Ranked = (usize, Board, usize);

/// The best states of a batch: all of the same score, those with the least
/// floor.
#[derive(Debug, Default)]
pub(super) struct Elite {
    score: u32,
    states: BTreeSet<Ranked>,
}

impl Elite {
    /// The score of the states, 0 if there is none.
    pub(super) const fn score(&self) -> u32 {
        self.score
    }

    /// Takes a state into account.
    #[inline]
    pub(super) fn offer<F: Field>(&mut self, field: &F, goal: usize, score: u32) {
        if score >= self.score && score > 0 {
            self.enter(field, goal, score);
        }
    }

    fn enter<F: Field>(&mut self, field: &F, goal: usize, score: u32) {
        if score > self.score {
            self.score = score;
            self.states.clear();
        }
        let floor = field.floor_count();
        let worst = self.states.last().map_or(usize::MAX, |worst| worst.0);
        if self.states.len() >= MAX_KEPT && floor > worst {
            return;
        }
        self.states.insert((floor, field.board(), goal));
        if self.states.len() > MAX_KEPT {
            self.states.pop_last();
        }
    }

    /// One of the states at random, if there is any.
    pub(super) fn draw(&self, random: &mut Random) -> Option<(&Board, usize)> {
        if self.states.is_empty() {
            return None;
        }
        let (_, board, goal) = self.states.iter().nth(random.below(self.states.len()))?;
        Some((board, *goal))
    }

    /// Layouts and goals, least floor first.
    pub(super) fn states(&self) -> impl Iterator<Item = (&Board, usize)> {
        self.states.iter().map(|(_, board, goal)| (board, *goal))
    }
}
