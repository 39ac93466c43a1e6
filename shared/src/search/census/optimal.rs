//! Counts and witnesses of the levels that attain the best value.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::canonical::{Stabiliser, Symmetries};
use crate::board::{Board, Size};
use crate::search::Counts;
use crate::search::score::Start;
use crate::search::score::packing::Packing;

/// Witnesses kept of one result.
pub const MAX_WITNESSES: usize = 100;

/// A level on a canonical layout, the smallest of its images on that layout:
/// one stands for its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Witness {
    /// Rank of the layout.
    rank: u64,
    player: u8,
    box_cell: u8,
    goal: u8,
}

impl Witness {
    /// The layout and the start, on a board of this size, which must be the
    /// size of the census. `moves` is the value that the level attains.
    pub fn level(&self, size: Size, moves: u32) -> Option<(Board, Start)> {
        let packing = Packing::new(size)?;
        let start = Start {
            goal: packing.cell(usize::from(self.goal)),
            box_cell: packing.cell(usize::from(self.box_cell)),
            player: packing.cell(usize::from(self.player)),
            moves,
        };
        Some((packing.unpack(self.rank), start))
    }
}

/// The levels with the most moves in one convention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Optimal {
    /// OPT of these levels; `None` if there is no level at all.
    pub moves: Option<u32>,
    /// Their numbers, by number of floor cells of the layout.
    pub by_floor: BTreeMap<u32, Counts>,
    /// The smallest [`MAX_WITNESSES`] classes.
    pub witnesses: BTreeSet<Witness>,
}

impl Optimal {
    /// All numbers, whatever the number of floor cells.
    pub fn counts(&self) -> Counts {
        let mut total = Counts::default();
        for &counts in self.by_floor.values() {
            total += counts;
        }
        total
    }

    /// Whether there are more classes than witnesses are kept of.
    pub fn is_capped(&self) -> bool {
        self.counts().level_classes > self.witnesses.len() as u64
    }

    /// Whether a layout with this best value belongs here.
    #[inline]
    pub(super) fn wants(&self, moves: u32) -> bool {
        self.moves.unwrap_or(1) <= moves
    }

    /// Enters a canonical layout, with all its levels of `moves` moves as
    /// (player, box, goal).
    pub(super) fn add_layout(
        &mut self,
        moves: u32,
        rank: u64,
        levels: &[(u8, u8, u8)],
        symmetries: &Symmetries,
        stabiliser: Stabiliser,
    ) {
        if self.moves.is_none_or(|best| best < moves) {
            *self = Self {
                moves: Some(moves),
                ..Self::default()
            };
        }
        let smallest_image = |&(player, box_cell, goal): &(u8, u8, u8)| {
            (0..symmetries.len())
                .filter(|symmetry| stabiliser >> symmetry & 1 == 1)
                .map(|symmetry| {
                    let image = |bit| symmetries.image(symmetry, bit);
                    (image(player), image(box_cell), image(goal))
                })
                .min()
        };
        let classes: BTreeSet<_> = levels.iter().filter_map(smallest_image).collect();
        let orbit = symmetries.len() as u64 / u64::from(stabiliser.count_ones());
        *self.by_floor.entry(rank.count_ones()).or_default() += Counts {
            levels: levels.len() as u64 * orbit,
            level_classes: classes.len() as u64,
            layouts: orbit,
            layout_classes: 1,
        };
        self.witnesses
            .extend(classes.iter().map(|&(player, box_cell, goal)| Witness {
                rank,
                player,
                box_cell,
                goal,
            }));
        self.cap();
    }

    /// Adds the result of a disjoint set of layouts.
    pub(super) fn merge(&mut self, other: Self) {
        match self.moves.cmp(&other.moves) {
            std::cmp::Ordering::Less => *self = other,
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Equal => {
                for (floor, counts) in other.by_floor {
                    *self.by_floor.entry(floor).or_default() += counts;
                }
                self.witnesses.extend(other.witnesses);
                self.cap();
            }
        }
    }

    fn cap(&mut self) {
        while self.witnesses.len() > MAX_WITNESSES {
            self.witnesses.pop_last();
        }
    }
}
