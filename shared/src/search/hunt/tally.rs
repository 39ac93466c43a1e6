//! The best levels and the counts, with their algebra.

use std::collections::{BTreeMap, BTreeSet};

use super::Found;
use crate::level::Level;
use crate::search::neighborhood::Family;

/// Classes of levels of equal moves that a tally keeps at most.
pub const MAX_FOUND: usize = 32;

/// What some batches of a hunt brought home. Tallies of different batches add
/// up in any order and grouping to the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Moves of the best levels; 0 if none was found.
    pub moves: u32,
    /// The best levels, one for each class, the first [`MAX_FOUND`].
    pub found: BTreeSet<Found>,
    /// More classes of this many moves were found than are kept.
    pub capped: bool,
    /// Batches completed.
    pub batches: u64,
    /// Layouts scored.
    pub evaluations: u64,
    /// How many of them were accepted as the next state.
    pub accepted: u64,
    /// Number of runs by the best score that they reached.
    pub runs: BTreeMap<u32, u64>,
    /// Moves of the best level of each round that found any.
    pub by_round: BTreeMap<u32, u32>,
    /// Layouts covered around levels, by family.
    pub covered: BTreeMap<Family, u64>,
    /// Levels that layouts were covered around.
    pub centres: u64,
    /// What lives on the islands, by their numbers.
    pub islands: BTreeMap<u32, Island>,
    /// Wrapping sum of a hash of each batch, or chunk, and its yield.
    pub digest: u128,
}

/// What lives on an island after a generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Island {
    /// The generation, from 0. A later one replaces an earlier one.
    pub round: u32,
    /// The levels, longest first.
    pub levels: Vec<Level>,
}

impl Tally {
    /// Adds the tally of other batches of the same hunt.
    pub fn merge(&mut self, other: &Self) {
        if other.moves > self.moves {
            self.moves = other.moves;
            self.found.clear();
            self.capped = false;
        }
        if other.moves == self.moves {
            self.capped |= other.capped;
            self.found.extend(other.found.iter().cloned());
            self.cap();
        }
        self.batches += other.batches;
        self.evaluations = self.evaluations.saturating_add(other.evaluations);
        self.accepted = self.accepted.saturating_add(other.accepted);
        for (&moves, &runs) in &other.runs {
            *self.runs.entry(moves).or_default() += runs;
        }
        for (&round, &moves) in &other.by_round {
            let best = self.by_round.entry(round).or_default();
            *best = moves.max(*best);
        }
        for (&family, &layouts) in &other.covered {
            *self.covered.entry(family).or_default() += layouts;
        }
        for (&number, island) in &other.islands {
            let mine = self.islands.entry(number).or_default();
            if (island.round, &island.levels) > (mine.round, &mine.levels) {
                *mine = island.clone();
            }
        }
        self.centres += other.centres;
        self.digest = self.digest.wrapping_add(other.digest);
    }

    /// Takes a level into account.
    pub(super) fn offer(&mut self, level: &Level) {
        if let Some((moves, found)) = Found::solve(level)
            && moves >= self.moves
        {
            if moves > self.moves {
                self.moves = moves;
                self.found.clear();
                self.capped = false;
            }
            self.found.insert(found);
            self.cap();
        }
    }

    fn cap(&mut self) {
        while self.found.len() > MAX_FOUND {
            self.found.pop_last();
            self.capped = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Board, Cell, Size};

    /// A level on a 2×40 board, told apart by its length.
    fn found(length: u32) -> Found {
        let size = Size::new(2, 40).unwrap();
        let board = Board::from_floor(size, (0..length + 3).map(Cell));
        Found {
            pushes: length % 3,
            floor: length + 3,
            level: Level::new(board, Cell(0), Cell(1), Cell(2)).unwrap(),
        }
    }

    fn any_tally() -> impl Strategy<Value = Tally> {
        (
            0..3u32,
            prop::collection::btree_set(0..37u32, 1..30),
            any::<[u32; 3]>(),
            prop::collection::btree_map(0..5u32, 1..9u64, 0..4),
            any::<u128>(),
        )
            .prop_map(|(moves, found_ones, counts, runs, digest)| Tally {
                moves,
                found: if moves == 0 {
                    BTreeSet::new()
                } else {
                    found_ones.into_iter().map(found).collect()
                },
                capped: false,
                batches: counts[0].into(),
                evaluations: counts[1].into(),
                accepted: counts[2].into(),
                by_round: runs.iter().map(|(&a, &b)| (a, b as u32)).collect(),
                covered: BTreeMap::from([(Family::ALL[moves as usize], 7)]),
                centres: counts[0].into(),
                islands: BTreeMap::from([(
                    moves,
                    Island {
                        round: counts[1] % 3,
                        levels: vec![found(counts[2] % 5).level],
                    },
                )]),
                runs,
                digest,
            })
    }

    fn sum<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> Tally {
        let mut sum = Tally::default();
        for tally in tallies {
            sum.merge(tally);
        }
        sum
    }

    proptest! {
        #[test]
        fn tallies_add_up_in_any_order_and_grouping(
            tallies in prop::collection::vec(any_tally(), 1..6),
            cut: prop::sample::Index,
        ) {
            let whole = sum(&tallies);
            prop_assert_eq!(&sum(tallies.iter().rev()), &whole);
            let (left, right) = tallies.split_at(cut.index(tallies.len()));
            prop_assert_eq!(sum([&sum(left), &sum(right)]), whole);
        }
    }

    #[test]
    fn the_first_classes_are_kept_and_the_rest_is_told() {
        let tally = |range: std::ops::Range<u32>| Tally {
            moves: 5,
            found: range.map(found).collect(),
            ..Tally::default()
        };
        let mut few = tally(0..20);
        few.merge(&tally(10..MAX_FOUND as u32));
        assert_eq!((few.found.len(), few.capped), (MAX_FOUND, false));
        few.merge(&tally(30..MAX_FOUND as u32 + 1));
        assert_eq!((few.found.len(), few.capped), (MAX_FOUND, true));
        assert!(!few.found.contains(&found(MAX_FOUND as u32)));
        few.merge(&Tally {
            moves: 6,
            ..tally(0..1)
        });
        assert_eq!((few.moves, few.found.len(), few.capped), (6, 1, false));
    }
}
