//! Why the scheduler does not do what is asked.

use crate::model::{InstanceId, JobId, WorkerName};

/// Why the scheduler does not do what is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No such job.
    #[error("there is no job {0}; `soko-coord jobs list` shows all")]
    NoSuchJob(String),
    /// Several jobs have ids that start so.
    #[error("several jobs have ids that start with {0}; give more digits")]
    Ambiguous(String),
    /// The job's phase does not allow it.
    #[error("job {job} is {phase}: {why}")]
    WrongPhase {
        /// The job.
        job: JobId,
        /// Its phase.
        phase: &'static str,
        /// What phase is needed.
        why: &'static str,
    },
    /// The request id was used for something else.
    #[error("the request id was already used to file job {0} with other parameters; use a new one")]
    Conflict(JobId),
    /// Too many jobs have not ended.
    #[error("{0} jobs have not ended yet; wait for some to end or cancel them")]
    TooManyJobs(usize),
    /// There are no fresh numbers for shards and leases.
    #[error("the coordinator has used up its numbers: restart it")]
    Numbers,
    /// Too many workers are known.
    #[error("{0} workers are known already; try again when some have left")]
    TooManyWorkers(usize),
    /// No such worker.
    #[error("there is no worker {0}; `soko-coord workers list` shows all")]
    NoSuchWorker(WorkerName),
    /// The job has no such shard that is still to be done.
    #[error(
        "job {job} has no shard {shard} that is still to be done; \
         it is done, or never was"
    )]
    NoSuchShard {
        /// The job.
        job: JobId,
        /// The number asked for.
        shard: u64,
    },
    /// The worker has to register first.
    #[error("worker {0} is not known here; register first")]
    UnknownWorker(WorkerName),
    /// A newer process uses the worker's name.
    #[error(
        "instance {instance} of worker {worker} was replaced by a newer process with the same name; \
         give each worker its own --id"
    )]
    Replaced {
        /// The name.
        worker: WorkerName,
        /// The process that was replaced.
        instance: InstanceId,
    },
}
