//! Changes to what is kept on disk.

use soko::rpc::v1;

use super::{JobId, JobRecord, LedgerRecord, ShardId, ShardRecord, WorkerName};

/// One change. The changes of one event are made durable together.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Stores a job, or stores it anew.
    Job(JobRecord),
    /// Stores a shard that is not done, or stores it anew.
    Shard(JobId, ShardId, ShardRecord),
    /// The shard is done: its record is replaced by a ledger row.
    Done(JobId, ShardId, LedgerRecord),
    /// Forgets a shard that is not done.
    DropShard(JobId, ShardId),
    /// The result of a shard was found again by a worker of this name.
    Checked(JobId, ShardId, WorkerName),
    /// Takes back results: their shards count as never done.
    Undo(JobId, Vec<ShardId>),
    /// Forgets the shards of a job that are not done.
    DropShards(JobId),
    /// Forgets everything about a job.
    DropJob(JobId),
    /// Stores the answer of a job.
    Answer(JobId, Box<v1::JobResult>),
    /// Stores the record of a board size.
    Record(Box<v1::Record>),
    /// So many of the levels known from the start have been imported.
    Imported(u64),
    /// All numbers below this one may have been used.
    Serials(u64),
}

/// What a scheduler starts from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// All jobs.
    pub jobs: Vec<StoredJob>,
}

/// A job as found on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredJob {
    /// The job.
    pub record: JobRecord,
    /// Its shards that are not done; empty if it has ended.
    pub shards: Vec<(ShardId, ShardRecord)>,
}
