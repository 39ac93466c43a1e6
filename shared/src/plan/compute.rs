//! Computing one shard.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    time::Instant,
};

use super::{Mode, Search, SearchError, Shard, Tally, Work};
use crate::{
    board::Cell,
    search::{
        census,
        growth::{self, OpenRoot},
    },
};

/// How a running computation is watched and stopped from outside.
///
/// The computation looks at it every few thousand sets or layouts.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    deadline: Option<Instant>,
    work: AtomicU64,
    fraction: AtomicU64,
    best: AtomicU32,
}

impl Control {
    /// A computation that runs until it is done or [`Control::stop`] is
    /// called.
    pub fn new() -> Self {
        Self::default()
    }

    /// A computation that also stops at `deadline`.
    pub fn until(deadline: Option<Instant>) -> Self {
        Self {
            deadline,
            ..Self::default()
        }
    }

    /// Asks the computation to stop soon and to hand back what is not done.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the computation should stop now.
    pub fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Reports how far the computation is.
    pub fn report(&self, work: u64, fraction: f64, best_moves: u32) {
        self.work.store(work, Ordering::Relaxed);
        self.fraction.store(fraction.to_bits(), Ordering::Relaxed);
        self.best.store(best_moves, Ordering::Relaxed);
    }

    /// Sets or layouts done so far.
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// Share of the shard that is done, 0..=1.
    pub fn fraction(&self) -> f64 {
        f64::from_bits(self.fraction.load(Ordering::Relaxed))
    }

    /// Largest number of moves found so far; 0 = none.
    pub fn best_moves(&self) -> u32 {
        self.best.load(Ordering::Relaxed)
    }
}

/// The end of a computation.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What was found in the part that was done.
    pub tally: Tally,
    /// What was not done, as disjoint shards; empty when all was.
    pub remainder: Vec<Shard>,
}

/// Into how many shards a remainder is cut at most. More than two, so that
/// the end of a job spreads over many workers in few rounds.
const REMAINDER_PARTS: usize = 4;

/// Computes a shard on the calling thread, until it is done or `control` says
/// stop. Some progress is made even when it says so at once, so that a job
/// whose budget is too small still ends.
///
/// # Errors
/// [`SearchError`] if the shard does not belong to the search.
pub fn compute(search: &Search, shard: &Shard, control: &Control) -> Result<Outcome, SearchError> {
    search.validate()?;
    match (&shard.work, search.mode) {
        (Work::Growth { goal, roots, below }, Mode::Exhaustive) => {
            let (tally, open) = growth::explore(search.size, *goal, roots, *below, |progress| {
                control.report(progress.sets, progress.fraction, progress.best_moves);
                !control.should_stop()
            })
            .map_err(|error| SearchError::BadShard(error.to_string()))?;
            Ok(Outcome {
                tally: Tally::Growth(BTreeMap::from([(*goal, tally)])),
                remainder: deal(open, *goal, *below, shard.weight),
            })
        }
        (&Work::Census { from, to }, Mode::Census) if from < to => {
            census_part(search, from..to, shard.weight, control)
        }
        _ => Err(SearchError::BadShard(format!(
            "it is not of mode {}",
            search.mode.name()
        ))),
    }
}

/// Deals open roots to shards of about the same weight.
fn deal(mut open: Vec<OpenRoot>, goal: Cell, below: Option<u16>, weight: f64) -> Vec<Shard> {
    open.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.set.cmp(&b.set)));
    let parts = open.len().min(REMAINDER_PARTS);
    (0..parts)
        .map(|part| {
            let mine = || open.iter().skip(part).step_by(parts);
            Shard {
                weight: weight * mine().map(|root| root.share).sum::<f64>(),
                work: Work::Growth {
                    goal,
                    roots: mine().map(|root| root.set.clone()).collect(),
                    below,
                },
            }
        })
        .collect()
}

fn census_part(
    search: &Search,
    ranks: std::ops::Range<u64>,
    weight: f64,
    control: &Control,
) -> Result<Outcome, SearchError> {
    let start = ranks.start;
    let total = (ranks.end - start).max(1) as f64;
    let (tally, next) = census::run(search.size, ranks.clone(), &mut |rank| {
        let done = rank - start;
        control.report(done, done as f64 / total, 0);
        done > 0 && control.should_stop()
    })
    .map_err(|error| SearchError::BadShard(error.to_string()))?;
    let left = ranks.end - next;
    let parts = left.min(REMAINDER_PARTS as u64);
    let cut =
        |part: u64| next + (u128::from(left) * u128::from(part) / u128::from(parts.max(1))) as u64;
    let remainder = (0..parts)
        .map(|part| Shard {
            weight: weight * (cut(part + 1) - cut(part)) as f64 / total,
            work: Work::Census {
                from: cut(part),
                to: cut(part + 1),
            },
        })
        .collect();
    Ok(Outcome {
        tally: Tally::Census(Box::new(tally)),
        remainder,
    })
}
