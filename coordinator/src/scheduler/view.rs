//! What people get to see.

use std::time::Duration;

use soko::plan::Search;

use super::Scheduler;
use crate::model::{JobId, JobRecord, Phase, WorkerName};

/// A job and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct JobView {
    /// The job, with progress and elapsed time up to date.
    pub record: JobRecord,
    /// It is running, but no worker is there to go on.
    pub starved: bool,
    /// Shards to be handed out.
    pub open: usize,
    /// Shards being computed.
    pub leased: usize,
    /// Shards given up.
    pub poisoned: usize,
    /// Largest number of moves seen; 0 = none.
    pub best_moves: u32,
    /// Sets or layouts done, those in running shards included.
    pub work: u64,
    /// Sets or layouts per second over the last half minute.
    pub rate: f64,
    /// Time that the rest will take, if that can be said.
    pub eta: Option<Duration>,
    /// An interrupted job that was taken up again by request.
    pub resumed: bool,
}

/// A worker and what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerView {
    /// Its name.
    pub worker: WorkerName,
    /// Its engine.
    pub engine: String,
    /// Shards that it computes at the same time.
    pub threads: u32,
    /// Shards leased to it.
    pub leases: usize,
    /// Time since it was last heard of.
    pub silent: Duration,
    /// Shards completed since the coordinator started.
    pub completed: u64,
    /// Failed or invalid results since the coordinator started.
    pub failed: u64,
    /// Why the worker gets no work; empty when it may.
    pub quarantined: String,
    /// Whether it is gone.
    pub lost: bool,
}

impl Scheduler {
    /// A job and how far it is.
    pub fn view(&mut self, id: JobId, now: Duration) -> Option<JobView> {
        let starved = self.is_deserted(now);
        let job = self.jobs.get_mut(&id)?;
        job.refresh(now);
        let running = job.record.phase == Phase::Running;
        let starved = starved && running;
        let mut record = job.record.clone();
        if starved {
            "no worker is connected; start one with `soko-worker --coordinator …`"
                .clone_into(&mut record.reason);
        }
        let work = job.work();
        Some(JobView {
            starved,
            open: job.open_count(),
            leased: job.leased().len(),
            poisoned: job.poisoned().len(),
            best_moves: job.best_moves(),
            work,
            rate: if running {
                job.meter.rate(now, work)
            } else {
                0.0
            },
            eta: if running && !starved {
                job.meter.eta(now, record.progress)
            } else {
                None
            },
            resumed: job.resumed,
            record,
        })
    }

    /// The newest jobs, newest first.
    pub fn newest_jobs(&self, limit: usize) -> Vec<JobId> {
        let mut jobs: Vec<(u64, JobId)> = self
            .jobs
            .values()
            .map(|job| (job.record.seq, job.record.id))
            .collect();
        jobs.sort_unstable_by(|a, b| b.cmp(a));
        jobs.into_iter().take(limit).map(|(_, id)| id).collect()
    }

    /// What a job searches for.
    pub fn search(&self, id: JobId) -> Option<&Search> {
        self.jobs.get(&id).map(|job| &job.record.search)
    }

    /// Whether some shard waits for a worker.
    pub fn has_open_shards(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Whether some job has not ended.
    pub fn is_busy(&self) -> bool {
        self.jobs.len() > self.ended.len()
    }

    /// All workers by name.
    pub fn worker_views(&self, now: Duration) -> Vec<WorkerView> {
        self.workers
            .iter()
            .map(|(name, worker)| WorkerView {
                worker: name.clone(),
                engine: worker.engine.clone(),
                threads: worker.threads,
                leases: worker.leases.len(),
                silent: now.saturating_sub(worker.last_seen),
                completed: worker.completed,
                failed: worker.failed,
                quarantined: worker
                    .quarantine
                    .as_ref()
                    .filter(|it| now < it.until)
                    .map_or_else(String::new, |it| it.why.clone()),
                lost: worker.lost,
            })
            .collect()
    }
}
