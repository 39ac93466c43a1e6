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
        growth::{self, Extent, FloorSet, OpenRoot},
        hunt::{self, Around, Batch, Method},
        neighborhood::Asked,
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
    accepted: AtomicU64,
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

    /// Whether [`Control::stop`] was called. What is done as a whole or not at
    /// all heeds this and not the deadline.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the computation should stop now.
    pub fn should_stop(&self) -> bool {
        self.is_stopped()
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

    /// Reports how many of the evaluations so far were accepted.
    pub fn report_accepted(&self, accepted: u64) {
        self.accepted.store(accepted, Ordering::Relaxed);
    }

    /// Evaluations accepted so far (heuristic modes).
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Sets or layouts done so far, or evaluations made.
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
        (
            Work::Growth {
                goal,
                roots,
                extent,
            },
            Mode::Exhaustive | Mode::Floor,
        ) => growth_part(search, shard.weight, *goal, roots, *extent, &[], control),
        (
            Work::Recheck {
                goal,
                roots,
                extent,
                except,
            },
            Mode::Exhaustive | Mode::Floor,
        ) => growth_part(search, shard.weight, *goal, roots, *extent, except, control),
        (&Work::Census { from, to }, Mode::Census) if from < to => {
            census_part(search, from..to, shard.weight, control)
        }
        (Work::Batch(batch), Mode::Anneal | Mode::Genetic | Mode::Beam) => {
            hunt_batch(search, shard, batch, control)
        }
        (Work::Around(around), Mode::Neighborhood) => {
            hunt_around(search, around, shard.weight, control)
        }
        _ => Err(SearchError::BadShard(format!(
            "it is not of mode {}",
            search.mode.name()
        ))),
    }
}

fn growth_part(
    search: &Search,
    weight: f64,
    goal: Cell,
    roots: &[FloorSet],
    extent: Extent,
    except: &[FloorSet],
    control: &Control,
) -> Result<Outcome, SearchError> {
    let go_on = |progress: growth::Progress| {
        control.report(progress.sets, progress.fraction, progress.best_moves);
        !control.should_stop()
    };
    let (tally, open) = growth::explore_except(search.size, goal, roots, extent, except, go_on)
        .map_err(|error| SearchError::BadShard(error.to_string()))?;
    Ok(Outcome {
        tally: Tally::Growth(BTreeMap::from([(goal, tally)])),
        remainder: deal(open, goal, extent, weight),
    })
}

fn hunt_batch(
    search: &Search,
    shard: &Shard,
    batch: &Batch,
    control: &Control,
) -> Result<Outcome, SearchError> {
    let hunt = search.hunt.as_deref();
    let hunt = hunt.ok_or(SearchError::OtherMode(search.mode.name()))?;
    let tally = hunt::run(search.size, hunt, search.seed, batch, &mut |progress| {
        control.report(progress.evaluations, progress.fraction, progress.best);
        control.report_accepted(progress.accepted);
        !control.is_stopped()
    })?;
    Ok(match tally {
        Some(tally) => Outcome {
            tally: Tally::Hunt(Box::new(tally)),
            remainder: Vec::new(),
        },
        None => Outcome {
            tally: Tally::empty(search),
            remainder: vec![shard.clone()],
        },
    })
}

fn hunt_around(
    search: &Search,
    around: &Around,
    weight: f64,
    control: &Control,
) -> Result<Outcome, SearchError> {
    let other = || SearchError::OtherMode(search.mode.name());
    let hunt = search.hunt.as_deref().ok_or_else(other)?;
    let Method::Neighborhood(params) = &hunt.method else {
        return Err(other());
    };
    let (tally, next) =
        hunt::explore(search.size, hunt, params, around, &mut |progress, asked| {
            control.report(progress.evaluations, progress.fraction, progress.best);
            match asked {
                // A deadline cannot keep a chunk from being done.
                Asked::Within => !control.is_stopped(),
                Asked::Between => !control.should_stop(),
            }
        })?;
    let total = (around.to - around.from).max(1) as f64;
    let remainder = cut(next..around.to).map(|part| Shard {
        weight: weight * (part.end - part.start) as f64 / total,
        work: Work::Around(Around {
            from: part.start,
            to: part.end,
            ..around.clone()
        }),
    });
    Ok(Outcome {
        tally: Tally::Hunt(Box::new(tally)),
        remainder: remainder.collect(),
    })
}

/// Cuts what is left of a range into a few parts.
fn cut(left: std::ops::Range<u64>) -> impl Iterator<Item = std::ops::Range<u64>> {
    let count = left.end - left.start;
    let parts = count.min(REMAINDER_PARTS as u64);
    let at = move |part: u64| {
        left.start + (u128::from(count) * u128::from(part) / u128::from(parts.max(1))) as u64
    };
    (0..parts).map(move |part| at(part)..at(part + 1))
}

/// Deals open roots to shards of about the same weight.
fn deal(mut open: Vec<OpenRoot>, goal: Cell, extent: Extent, weight: f64) -> Vec<Shard> {
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
                    extent,
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
    let floors = search.floors();
    let (tally, next) = census::run(search.size, ranks.clone(), floors, &mut |rank| {
        let done = rank - start;
        control.report(done, done as f64 / total, 0);
        done > 0 && control.should_stop()
    })
    .map_err(|error| SearchError::BadShard(error.to_string()))?;
    let remainder = cut(next..ranks.end)
        .map(|part| Shard {
            weight: weight * (part.end - part.start) as f64 / total,
            work: Work::Census {
                from: part.start,
                to: part.end,
            },
        })
        .collect();
    Ok(Outcome {
        tally: Tally::Census(Box::new(tally)),
        remainder,
    })
}
