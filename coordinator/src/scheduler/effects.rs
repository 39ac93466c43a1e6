//! What follows from an event.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use soko::{
    level::Level,
    plan::{Search, Shard},
};

use crate::model::{Doubt, JobId, LeaseKey, ShardId, Write};

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

/// Names one piece of slow work. When a job is cancelled and resumed, the
/// piece begun before may still come to its end; nobody listens to it then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// A level longer than all that its job had found before.
#[derive(Debug, Clone, PartialEq)]
pub struct Improvement {
    /// What the job searches for.
    pub search: Search,
    /// The level.
    pub level: Level,
    /// The levels that its shard started from.
    pub parents: Vec<Level>,
    /// Engine that found it.
    pub engine: String,
}

/// Work over the ledger of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathering {
    /// The job.
    pub job: JobId,
    /// The piece of work.
    pub ticket: Ticket,
    /// What the job searches for.
    pub search: Search,
    /// Shards of its plan, of all rounds so far.
    pub planned: u64,
}

/// Slow work, done outside of the scheduler, which hears of its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Cut the job into shards; ends with [`planned`](super::Scheduler::planned).
    Plan(JobId, Ticket, Search),
    /// Make the shards of the round after this one, which is over, from the
    /// job's ledger; ends with [`next_round`](super::Scheduler::next_round).
    NextRound(Gathering, u32),
    /// Run the job's final step over its ledger; ends with
    /// [`finished`](super::Scheduler::finished).
    Finish(Gathering),
    /// A shard found a longer level than all before it: it may be a record.
    Improved(JobId, ShardId, Box<Improvement>),
    /// Compute a shard about which two workers disagree; ends with
    /// [`judged`](super::Scheduler::judged).
    Judge {
        /// The lease that brought the disagreement to light.
        key: LeaseKey,
        /// What the job searches for.
        search: Search,
        /// What to compute.
        body: Arc<Shard>,
        /// Give up after so long.
        budget: Duration,
    },
    /// Find the results of the job that are in doubt, and all that was split
    /// off them; ends with [`undone`](super::Scheduler::undone).
    Undo {
        /// The job.
        job: JobId,
        /// The piece of work.
        ticket: Ticket,
        /// What is in doubt.
        doubts: Vec<Doubt>,
    },
    /// Stop planning or finishing the job: nobody waits for it any more.
    Abandon(JobId),
}
