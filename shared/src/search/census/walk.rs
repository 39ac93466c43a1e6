//! Hot loop: the layouts of a range of ranks.

use std::ops::Range;

use super::canonical::{LOW_BITS, Stabiliser, Symmetries};
use super::tally::{Layouts, Tally, hash};
use crate::board::Size;
use crate::search::score::ByConvention;
use crate::search::score::flood::{Depth, Flood};
use crate::search::score::packing::Packing;

/// The largest board of a census, in cells: beyond 2^36 layouts nobody waits
/// for the end.
pub const MAX_AREA: usize = 36;

/// Ranks between two looks at the stop signal: a few milliseconds at most.
const STOP_EVERY: u64 = 1 << 12;

/// Which layouts a census scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floors {
    /// Every one.
    All,
    /// Those whose floor is in one piece: enough for the maximum, since player,
    /// box and goal share a piece, but floor out of reach is not counted.
    Connected,
}

/// Why a census cannot run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CensusError {
    /// The board has too many layouts.
    #[error("a census takes boards of at most {MAX_AREA} cells, not {0}")]
    TooLarge(Size),
    /// The range reaches beyond the board's ranks.
    #[error("ranks {}..{} are not among the {ranks} of the board", range.start, range.end)]
    OutOfRange {
        /// The range asked for.
        range: Range<u64>,
        /// Number of ranks of the board.
        ranks: u64,
    },
}

/// Number of ranks of a board of this size: one for every layout.
///
/// # Errors
/// [`CensusError::TooLarge`].
pub fn ranks(size: Size) -> Result<u64, CensusError> {
    match size.area() {
        area @ 0..=MAX_AREA => Ok(1 << area),
        _ => Err(CensusError::TooLarge(size)),
    }
}

/// Scores the canonical layouts among `floors` with a rank in `range`.
///
/// Asks `stop`, with the rank it is at, at first and every few thousand ranks
/// whether to end here. Gives the tally and
/// the rank up to which the range is done: `range.end`, unless stopped.
///
/// # Errors
/// If the board is too large or the range is not one of its ranks.
pub fn run(
    size: Size,
    range: Range<u64>,
    floors: Floors,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Result<(Tally, u64), CensusError> {
    let ranks = ranks(size)?;
    if range.start > range.end || range.end > ranks {
        return Err(CensusError::OutOfRange { range, ranks });
    }
    let packing = Packing::new(size).ok_or(CensusError::TooLarge(size))?;
    Ok(match packing.cols {
        1 => Walk::<1>::new(packing, floors).run(range, stop),
        2 => Walk::<2>::new(packing, floors).run(range, stop),
        3 => Walk::<3>::new(packing, floors).run(range, stop),
        4 => Walk::<4>::new(packing, floors).run(range, stop),
        5 => Walk::<5>::new(packing, floors).run(range, stop),
        _ => Walk::<6>::new(packing, floors).run(range, stop),
    })
}

struct Walk<const COLS: usize> {
    floors: Floors,
    symmetries: Symmetries,
    flood: Flood<u64, COLS>,
    /// By best OPT with the player off the goal and anywhere.
    histogram: Vec<ByConvention<Layouts>>,
    tally: Tally,
}

impl<const COLS: usize> Walk<COLS> {
    fn new(packing: Packing, floors: Floors) -> Self {
        Self {
            floors,
            symmetries: Symmetries::new(packing),
            flood: Flood::new(packing),
            histogram: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn run(mut self, range: Range<u64>, stop: &mut dyn FnMut(u64) -> bool) -> (Tally, u64) {
        let mut rank = range.start;
        let mut next_stop = range.start;
        while rank < range.end {
            if rank >= next_stop {
                if stop(rank) {
                    break;
                }
                next_stop += STOP_EVERY;
            }
            let high = rank >> LOW_BITS << LOW_BITS;
            let end = range.end.min(high + (1 << LOW_BITS));
            let high_images = self.symmetries.images(high);
            for layout in rank..end {
                let low = layout - high;
                if self.floors == Floors::Connected && !self.flood.is_connected(layout) {
                    continue;
                }
                if let Some(stabiliser) = self.symmetries.canonical(high, &high_images, low) {
                    self.layout(layout, stabiliser);
                }
            }
            rank = end;
        }
        for (moves, layouts) in self.histogram.into_iter().enumerate() {
            let histogram = &mut self.tally.histogram;
            for (histogram, layouts) in [
                (&mut histogram.off_goal, layouts.off_goal),
                (&mut histogram.anywhere, layouts.anywhere),
            ] {
                if layouts.canonical > 0 {
                    histogram.add(moves as u32, layouts);
                }
            }
        }
        (self.tally, rank)
    }

    /// Scores a canonical layout and enters it.
    #[inline]
    fn layout(&mut self, layout: u64, stabiliser: Stabiliser) {
        let mut best = Depth::default();
        let mut goals = self.flood.goals(layout);
        while goals != 0 {
            let goal = goals.trailing_zeros() as usize;
            goals &= goals - 1;
            let depth = self.flood.depth(layout, goal);
            best.off_goal = best.off_goal.max(depth.off_goal);
            best.anywhere = best.anywhere.max(depth.anywhere);
        }
        let layouts = Layouts {
            canonical: 1,
            raw: self.symmetries.len() as u64 / u64::from(stabiliser.count_ones()),
        };
        // The player anywhere has all levels of the player off the goal.
        let largest = best.anywhere as usize;
        if self.histogram.len() <= largest {
            self.histogram.resize_with(largest + 1, Default::default);
        }
        self.histogram[best.off_goal as usize].off_goal += layouts;
        self.histogram[largest].anywhere += layouts;
        self.tally.digest = self.tally.digest.wrapping_add(hash(layout, best));
        if self.tally.optimal.off_goal.wants(best.off_goal)
            || self.tally.optimal.anywhere.wants(best.anywhere)
        {
            self.optimal(layout, stabiliser, best);
        }
    }

    /// Lists the hardest levels of a layout that attains the best value so far.
    #[cold]
    fn optimal(&mut self, layout: u64, stabiliser: Stabiliser, best: Depth) {
        let mut off_goal = Vec::new();
        let mut anywhere = Vec::new();
        for goal in 0..u64::BITS as usize {
            if layout >> goal & 1 == 0 {
                continue;
            }
            self.flood.search(layout, goal, |moves, bx, mut players| {
                while players != 0 {
                    let player = players.trailing_zeros() as usize;
                    players &= players - 1;
                    let level = (player as u8, bx as u8, goal as u8);
                    if moves == best.off_goal && player != goal {
                        off_goal.push(level);
                    }
                    if moves == best.anywhere {
                        anywhere.push(level);
                    }
                }
            });
        }
        let optimal = &mut self.tally.optimal;
        for (optimal, moves, levels) in [
            (&mut optimal.off_goal, best.off_goal, off_goal),
            (&mut optimal.anywhere, best.anywhere, anywhere),
        ] {
            if optimal.wants(moves) {
                optimal.add_layout(moves, layout, &levels, &self.symmetries, stabiliser);
            }
        }
    }
}
