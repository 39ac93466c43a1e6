//! What is kept on disk about jobs, shards and results.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use soko::{
    board::Cell,
    plan::{Search, Shard, Tally},
};

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
    /// Shards of its plan. Together with the remainders of its results they
    /// say how many results the whole job has.
    pub planned: u64,
    /// Its open shards were forgotten, so that it can never go on.
    pub forgotten: bool,
    /// Results of it that are to be taken back before it goes on.
    pub doubts: Vec<Doubt>,
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
    /// Evaluations in done shards that were accepted (heuristic modes).
    pub accepted: u64,
    /// The round that is computed, from 0 (heuristic modes).
    pub round: u32,
    /// Time since it was filed, while a coordinator ran.
    pub elapsed: Duration,
    /// Largest number of moves found in done shards, by goal (growth search).
    pub goal_best: BTreeMap<Cell, u32>,
}

impl JobRecord {
    /// A job that was just filed.
    pub fn new(id: JobId, seq: u64, request: RequestId, search: Search) -> Self {
        Self {
            id,
            seq,
            request,
            name: String::new(),
            priority: 0,
            search,
            phase: Phase::Queued,
            reason: String::new(),
            engine: String::new(),
            plan: 0,
            planned: 0,
            forgotten: false,
            doubts: Vec::new(),
            shards_done: 0,
            progress: 0.0,
            best_moves: 0,
            work_done: 0,
            core_ms: 0,
            accepted: 0,
            round: 0,
            elapsed: Duration::ZERO,
            goal_best: BTreeMap::new(),
        }
    }
}

/// Results that cannot be trusted, and with them everything that was split
/// off them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// All of a worker.
    Worker(WorkerName),
    /// All of a version of the engine.
    Engine(String),
    /// That of one shard.
    Shard(ShardId),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worker(worker) => write!(f, "worker {worker}"),
            Self::Engine(engine) => write!(f, "engine {engine}"),
            Self::Shard(shard) => write!(f, "shard {}", shard.0),
        }
    }
}

/// The second computation of a shard, by another worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The shard.
    pub of: ShardId,
    /// Who computed it first.
    pub worker: WorkerName,
    /// [`fingerprint`](super::fingerprint) of the first result.
    pub found: u128,
    /// Core-milliseconds that the first computation took.
    pub core_ms: u64,
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
    /// What went wrong last, for people; empty if nothing did.
    pub failure: String,
    /// It is the second computation of another shard, not a part of the job.
    pub check: Option<Check>,
}

impl ShardRecord {
    /// A shard that nobody has touched yet.
    pub fn new(body: Arc<Shard>) -> Self {
        Self {
            body,
            attempts: 0,
            failed: None,
            poisoned: false,
            failure: String::new(),
            check: None,
        }
    }
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
