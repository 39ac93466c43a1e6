//! Changes to what is kept on disk.

use super::{JobId, JobRecord, LedgerRecord, ShardId, ShardRecord};

/// One change. The changes of one event are made durable together.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Stores a job, or stores it anew.
    Job(JobRecord),
    /// Stores a shard that is not done, or stores it anew.
    Shard(JobId, ShardId, ShardRecord),
    /// The shard is done: its record is replaced by a ledger row.
    Done(JobId, ShardId, LedgerRecord),
    /// Forgets the shards of a job that are not done.
    DropShards(JobId),
    /// Forgets everything about a job.
    DropJob(JobId),
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
