//! What is kept on disk about jobs, shards and results.

use std::{sync::Arc, time::Duration};

use soko::plan::{Search, Shard, Tally};

use super::{Epoch, JobId, RequestId, ShardId, WorkerName};

/// How far a job is. A running job without workers shows as starved; that is
/// not a phase, since it says nothing about the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Filed; waits for its turn to be planned.
    Queued,
    /// Being cut into shards.
    Planning,
    /// Shards are handed out.
    Running,
    /// No shards are handed out until it is resumed.
    Paused,
    /// All shards are done; the final step runs.
    Finalizing,
    /// Ended with an answer.
    Done,
    /// Ended without an answer: some shard could not be computed.
    Incomplete,
    /// Ended by request.
    Cancelled,
    /// Ended because it could not be planned or finished.
    Failed,
}

impl Phase {
    /// Every phase, in the order of a job's life.
    pub const ALL: [Self; 9] = [
        Self::Queued,
        Self::Planning,
        Self::Running,
        Self::Paused,
        Self::Finalizing,
        Self::Done,
        Self::Incomplete,
        Self::Cancelled,
        Self::Failed,
    ];

    /// Whether the job has ended.
    pub const fn has_ended(self) -> bool {
        matches!(
            self,
            Self::Done | Self::Incomplete | Self::Cancelled | Self::Failed
        )
    }

    /// The phase in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Planning => "planning",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finalizing => "finalizing",
            Self::Done => "done",
            Self::Incomplete => "incomplete",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRecord {
    /// Its id.
    pub id: JobId,
    /// Place in the order of filing; later jobs have greater ones.
    pub seq: u64,
    /// The request that filed it.
    pub request: RequestId,
    /// Free text for people.
    pub name: String,
    /// Jobs of higher priority get workers first.
    pub priority: i32,
    /// What is searched for.
    pub search: Search,
    /// How far it is.
    pub phase: Phase,
    /// Why it is in this phase, for people.
    pub reason: String,
    /// Engine that planned it; empty before that.
    pub engine: String,
    /// Digest of its plan.
    pub plan: u128,
    /// Shards done.
    pub shards_done: u64,
    /// Largest progress shown so far, 0..=1.
    pub progress: f64,
    /// Largest number of moves found in done shards; 0 = none.
    pub best_moves: u32,
    /// Sets or layouts in done shards.
    pub work_done: u64,
    /// Core-milliseconds computed.
    pub core_ms: u64,
    /// Time since it was filed, while a coordinator ran.
    pub elapsed: Duration,
}

/// A shard that is not done.
#[derive(Debug, Clone, PartialEq)]
pub struct ShardRecord {
    /// What is to be done.
    pub body: Arc<Shard>,
    /// Crashes and invalid results so far.
    pub attempts: u32,
    /// The lease that the last of them was counted for.
    pub failed: Option<Epoch>,
    /// Given up after too many attempts.
    pub poisoned: bool,
}

/// A result that counts: one per done shard. The ledger of a job is its truth;
/// totals are sums over it.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerRecord {
    /// The lease that completed the shard.
    pub epoch: Epoch,
    /// The request that brought the result.
    pub request: RequestId,
    /// Who computed it.
    pub worker: WorkerName,
    /// Engine that computed it.
    pub engine: String,
    /// Core-milliseconds it took.
    pub core_ms: u64,
    /// What the shard was.
    pub body: Arc<Shard>,
    /// What was found in the part that was done.
    pub tally: Tally,
    /// Shards made of the part that was not done.
    pub remainder: Vec<ShardId>,
}
