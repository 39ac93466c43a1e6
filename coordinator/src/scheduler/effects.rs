//! What follows from an event.

use std::collections::BTreeSet;

use soko::plan::Search;

use crate::model::{JobId, Write};

/// What follows from an event, apart from its answer.
#[derive(Debug, Default)]
pub struct Effects {
    /// Changes to make durable, together, before the answer is given.
    pub writes: Vec<Write>,
    /// Slow work to start.
    pub actions: Vec<Action>,
    /// Jobs whose state changed in a way that watchers wait for.
    pub changed: BTreeSet<JobId>,
    /// Shards may have become available: ask again for waiting workers.
    pub work: bool,
    /// The answer tells of an earlier event whose changes may still be on
    /// their way to the disk: give it only after these are durable.
    pub barrier: bool,
}

/// Slow work, done outside of the scheduler, which hears of its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Cut the job into shards; ends with [`planned`](super::Scheduler::planned).
    Plan(JobId, Search),
    /// Run the job's final step over its ledger; ends with
    /// [`finished`](super::Scheduler::finished).
    Finish(JobId, Search),
    /// Stop planning or finishing the job: nobody waits for it any more.
    Abandon(JobId),
}
