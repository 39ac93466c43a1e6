//! The result of a range of layouts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::optimal::Optimal;
use crate::search::score::ByConvention;

/// A number of layouts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layouts {
    /// Canonical ones.
    pub canonical: u64,
    /// All: the canonical ones with all their images.
    pub raw: u64,
}

impl AddAssign for Layouts {
    fn add_assign(&mut self, other: Self) {
        self.canonical += other.canonical;
        self.raw += other.raw;
    }
}

/// Layouts by the best OPT that they admit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// Layouts on which no level is solvable.
    pub without_level: Layouts,
    /// The others, by the OPT of their hardest level.
    pub by_moves: BTreeMap<u32, Layouts>,
}

impl Histogram {
    /// Enters layouts with this best OPT, 0 for those without a level.
    pub(super) fn add(&mut self, moves: u32, layouts: Layouts) {
        match moves {
            0 => self.without_level += layouts,
            _ => *self.by_moves.entry(moves).or_default() += layouts,
        }
    }

    /// All layouts that were entered.
    pub fn total(&self) -> Layouts {
        let mut total = self.without_level;
        for &layouts in self.by_moves.values() {
            total += layouts;
        }
        total
    }

    fn merge(&mut self, other: Self) {
        self.without_level += other.without_level;
        for (moves, layouts) in other.by_moves {
            self.add(moves, layouts);
        }
    }
}

/// What the census found in a set of layouts.
///
/// The tallies of disjoint sets add up: any partition of a board's ranks,
/// merged in any order, gives the same tally.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Layouts by best OPT.
    pub histogram: ByConvention<Histogram>,
    /// The hardest levels.
    pub optimal: ByConvention<Optimal>,
    /// Wrapping sum of a hash of every canonical layout with its best values:
    /// equal for equal sets of layouts, whatever the order.
    pub digest: u128,
}

impl Tally {
    /// Adds the tally of a disjoint set of layouts.
    pub fn merge(&mut self, other: Self) {
        self.histogram.off_goal.merge(other.histogram.off_goal);
        self.histogram.anywhere.merge(other.histogram.anywhere);
        self.optimal.off_goal.merge(other.optimal.off_goal);
        self.optimal.anywhere.merge(other.optimal.anywhere);
        self.digest = self.digest.wrapping_add(other.digest);
    }

    /// Number of layouts scored, each once per class.
    pub fn layouts(&self) -> Layouts {
        self.histogram.anywhere.total()
    }
}

/// A hash of a layout and its best values; sums of it make the digest.
pub(super) fn hash(rank: u64, best: ByConvention<u32>) -> u128 {
    let values = u64::from(best.off_goal) << 32 | u64::from(best.anywhere);
    let low = finalise(rank ^ finalise(values ^ 0x9e37_79b9_7f4a_7c15));
    let high = finalise(low ^ finalise(rank ^ 0xd1b5_4a32_d192_ed03));
    u128::from(high) << 64 | u128::from(low)
}

/// The 64-bit finaliser of `SplitMix64` (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", variant 13 of David Stafford's mixers).
const fn finalise(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
