//! What a hunt is told.

use super::speed::layouts_per_second;
use super::{Around, Batch, Tally};
use crate::board::Size;
use crate::level::Level;
use crate::search::{anneal, beam, genetic, neighborhood};

/// The most batches of a hunt, over all its rounds.
pub const MAX_BATCHES: u64 = 100_000;

/// The most levels that a hunt starts from.
pub const MAX_STARTS: usize = 32;

/// The most rounds of a hunt.
pub const MAX_ROUNDS: u32 = 1000;

/// The most islands of a genetic search.
pub const MAX_ISLANDS: u32 = 256;

/// The most levels that one batch starts from.
const STARTS_PER_BATCH: usize = 4;

/// The most levels that a neighbourhood search goes on from.
const CENTRES: usize = 4;

/// A heuristic search of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hunt {
    /// How batches search.
    pub method: Method,
    /// Batches of a round; 0 where the levels decide what there is to do.
    pub batches: u32,
    /// Rounds at most. A round begins when the one before is over, with the best
    /// levels found so far.
    pub rounds: u32,
    /// Levels to start from, of the size of the board; random layouts if there
    /// are none.
    pub starts: Vec<Level>,
}

/// How batches search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Simulated annealing.
    Anneal(anneal::Params),
    /// Exact local search.
    Neighborhood(neighborhood::Params),
    /// Populations on islands; a batch is a generation of an island.
    Genetic(genetic::Params),
    /// Levels grown cell by cell.
    Beam(beam::Params),
}

/// Why a hunt cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HuntError {
    /// Nothing would be done.
    #[error("the budget pays for no batch; give more than 0")]
    NoBatches,
    /// More batches than a job may have.
    #[error(
        "{0} batches; at most {MAX_BATCHES} are possible: make them larger, or the budget smaller"
    )]
    TooManyBatches(u64),
    /// More starts than a job carries.
    #[error("{0} levels to start from; at most {MAX_STARTS} are possible")]
    TooManyStarts(usize),
    /// A start has another size than the board.
    #[error("level {} to start from is {found}, the board {expected}", .index + 1)]
    StartSize {
        /// Which of the starts, from 0.
        index: usize,
        /// Size of the start.
        found: Size,
        /// Size of the board.
        expected: Size,
    },
    /// A start has no solution.
    #[error("level {} to start from has no solution", .index + 1)]
    StartUnsolvable {
        /// Which of the starts, from 0.
        index: usize,
    },
    /// No round, or more than a job may have.
    #[error("1 to {MAX_ROUNDS} rounds are possible, not {0}")]
    Rounds(u32),
    /// Nothing to search around.
    #[error("a neighborhood search needs a level to start from; give one with --start FILE")]
    NoStart,
    /// What the annealer says.
    #[error(transparent)]
    Anneal(#[from] anneal::AnnealError),
    /// The parameters of a neighbourhood search make no sense.
    #[error(transparent)]
    Neighborhood(#[from] neighborhood::ParamsError),
    /// The parameters of a genetic search make no sense.
    #[error(transparent)]
    Genetic(#[from] genetic::ParamsError),
    /// The parameters of a beam search make no sense.
    #[error(transparent)]
    Beam(#[from] beam::ParamsError),
    /// Starts, where they have no place.
    #[error("a beam search grows its levels from nothing; leave the levels to start from out")]
    NoPlaceForStarts,
    /// More islands than a job may have.
    #[error("{0} islands; at most {MAX_ISLANDS} are possible")]
    TooManyIslands(u32),
}

impl Hunt {
    /// Checks what can be checked without solving anything.
    ///
    /// # Errors
    /// [`HuntError`].
    pub fn check(&self, size: Size) -> Result<(), HuntError> {
        match &self.method {
            Method::Anneal(params) => anneal::check(size, params)?,
            Method::Genetic(params) => {
                params.check()?;
                anneal::check(size, &anneal::Params::for_size(size))?;
                if self.batches > MAX_ISLANDS {
                    return Err(HuntError::TooManyIslands(self.batches));
                }
            }
            Method::Beam(params) => {
                params.check(size)?;
                if !self.starts.is_empty() {
                    return Err(HuntError::NoPlaceForStarts);
                }
            }
            Method::Neighborhood(params) => {
                params.check(size)?;
                if size.area() > anneal::MAX_AREA {
                    return Err(anneal::AnnealError::TooLarge(size).into());
                }
                if self.starts.is_empty() {
                    return Err(HuntError::NoStart);
                }
            }
        }
        if self.batches == 0 && !matches!(self.method, Method::Neighborhood(_)) {
            return Err(HuntError::NoBatches);
        }
        if !(1..=MAX_ROUNDS).contains(&self.rounds) {
            return Err(HuntError::Rounds(self.rounds));
        }
        let batches = u64::from(self.batches) * u64::from(self.rounds);
        if batches > MAX_BATCHES {
            return Err(HuntError::TooManyBatches(batches));
        }
        if self.starts.len() > MAX_STARTS {
            return Err(HuntError::TooManyStarts(self.starts.len()));
        }
        check_sizes(&self.starts, size)?;
        if let Method::Neighborhood(params) = &self.method {
            let space = |start| neighborhood::Space::new(start, &self.starts, params);
            if self.starts.iter().all(|start| space(start).is_empty()) {
                return Err(neighborhood::ParamsError::Nothing.into());
            }
        }
        Ok(())
    }

    /// Checks that every level to start from has a solution.
    ///
    /// # Errors
    /// [`HuntError::StartUnsolvable`].
    pub fn check_starts(&self) -> Result<(), HuntError> {
        let unsolvable =
            |start: &Level| !matches!(crate::solve::shortest_moves(start), Ok(Some(_)));
        match self.starts.iter().position(unsolvable) {
            Some(index) => Err(HuntError::StartUnsolvable { index }),
            None => Ok(()),
        }
    }

    /// The pieces of the first round.
    pub fn first_round(&self, size: Size) -> Vec<Piece> {
        match &self.method {
            Method::Anneal(_) | Method::Genetic(_) | Method::Beam(_) => self.batches_from(0, &[]),
            // Not trimmed: what is trimmed away is part of what is around a level.
            Method::Neighborhood(params) => self.around(0, size, params, &self.starts),
        }
    }

    /// The pieces of the round after `round`, which is over; `tally` is that of
    /// all rounds so far. None if the hunt is over.
    pub fn next_round(&self, size: Size, round: u32, tally: &Tally) -> Vec<Piece> {
        let next = round + 1;
        if next >= self.rounds {
            return Vec::new();
        }
        let best: Vec<Level> = tally.found.iter().map(|it| it.level.clone()).collect();
        match &self.method {
            Method::Anneal(_) | Method::Beam(_) => self.batches_from(next, &best),
            Method::Genetic(params) => self.migrated(next, params, tally),
            Method::Neighborhood(params) => {
                let before = match round.checked_sub(1) {
                    Some(before) => tally.by_round.get(&before).copied().unwrap_or(0),
                    None => self.starts.iter().filter_map(moves).max().unwrap_or(0),
                };
                if tally.by_round.get(&round).is_none_or(|&now| now <= before) {
                    return Vec::new();
                }
                let centres = &best[..best.len().min(CENTRES)];
                self.around(next, size, params, centres)
            }
        }
    }

    /// The batches of a round. Every other one starts from the levels that were
    /// found, the rest from those that were given, or from nothing.
    fn batches_from(&self, round: u32, found: &[Level]) -> Vec<Piece> {
        let batch = |index: u32| {
            let takes_starts = !matches!(self.method, Method::Beam(_));
            let found_turn = takes_starts && !found.is_empty() && index.is_multiple_of(2);
            let starts = if found_turn { found } else { &self.starts };
            let count = starts.len().min(STARTS_PER_BATCH);
            let first = index as usize * count;
            let mine = (first..first + count).map(|at| starts[at % starts.len()].clone());
            Piece::Batch(Batch {
                round,
                index,
                starts: mine.collect(),
            })
        };
        (0..self.batches).map(batch).collect()
    }

    /// A generation of each island: its own levels and the first ones of the
    /// island before it in the ring.
    fn migrated(&self, round: u32, params: &genetic::Params, tally: &Tally) -> Vec<Piece> {
        let levels = |island: u32| {
            let island = tally.islands.get(&island);
            island.map_or(&[][..], |island| &island.levels)
        };
        let generation = |index: u32| {
            let mut starts = levels(index).to_vec();
            if self.batches > 1 {
                let before = (index + self.batches - 1) % self.batches;
                let migrants = levels(before).iter().take(params.migrants as usize);
                starts.extend(migrants.cloned());
            }
            Piece::Batch(Batch {
                round,
                index,
                starts,
            })
        };
        (0..self.batches).map(generation).collect()
    }

    /// All chunks around each of these levels.
    fn around(
        &self,
        round: u32,
        size: Size,
        params: &neighborhood::Params,
        centres: &[Level],
    ) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for centre in centres {
            let space = neighborhood::Space::new(centre, &self.starts, params);
            let chunks = neighborhood::chunks(&space);
            // About ten seconds each, but not too many of them.
            let per_second = layouts_per_second(size) / neighborhood::CHUNK;
            let step = (10 * per_second).max(chunks / 1000).max(1);
            let mut from = 0;
            while from < chunks {
                let to = (from + step).min(chunks);
                pieces.push(Piece::Around(Around {
                    round,
                    centre: centre.clone(),
                    from,
                    to,
                }));
                from = to;
            }
        }
        pieces
    }

    /// Share of the hunt that a round is, as far as that can be known: rounds
    /// that may not come count half of the one before.
    pub fn share(&self, round: u32) -> f64 {
        match &self.method {
            Method::Neighborhood(_) if round + 1 == self.rounds => 0.5_f64.powi(round as i32),
            Method::Neighborhood(_) => 0.5_f64.powi(round as i32 + 1),
            _ => 1.0 / f64::from(self.rounds.max(1)),
        }
    }

    /// Share of the hunt that comes after a round.
    pub fn share_after(&self, round: u32) -> f64 {
        match &self.method {
            Method::Neighborhood(_) if round + 1 == self.rounds => 0.0,
            Method::Neighborhood(_) => 0.5_f64.powi(round as i32 + 1),
            _ => 1.0 - f64::from(round + 1) / f64::from(self.rounds.max(1)),
        }
    }
}

/// One piece of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A batch; done as a whole or not at all.
    Batch(Batch),
    /// Chunks of the layouts around a level; can be cut anywhere.
    Around(Around),
}

fn moves(level: &Level) -> Option<u32> {
    crate::solve::shortest_moves(level).ok().flatten()
}

/// Checks that levels are of the size of the board.
pub(super) fn check_sizes(starts: &[Level], expected: Size) -> Result<(), HuntError> {
    for (index, start) in starts.iter().enumerate() {
        if start.size() != expected {
            return Err(HuntError::StartSize {
                index,
                found: start.size(),
                expected,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighborhood_without_a_layout_is_refused() {
        let level: Level = "@$.\n---\n---".parse().unwrap();
        let size = level.size();
        let none = neighborhood::Params {
            flips: 0,
            pairs: 0,
            window: 0,
            // A block of one cell has no other image, and there is nothing to graft.
            blocks: 1,
            shifts: 1,
            swaps: 1,
            torus: 0,
            grafts: 8,
            ..neighborhood::Params::for_size(size)
        };
        let hunt = |params, starts| Hunt {
            method: Method::Neighborhood(params),
            batches: 0,
            rounds: 1,
            starts,
        };
        let nothing = HuntError::Neighborhood(neighborhood::ParamsError::Nothing);
        assert_eq!(hunt(none, vec![level.clone()]).check(size), Err(nothing));
        let other: Level = "#$.\n@--\n---".parse().unwrap();
        assert_eq!(hunt(none, vec![level, other]).check(size), Ok(()));
    }
}
