//! What people get to see.

use std::{collections::BTreeMap, time::Duration};

use soko::{
    board::Cell,
    plan::{Search, Work},
};

use super::{Scheduler, job::Job};
use crate::model::{JobId, JobRecord, Phase, WorkerName};

/// Most running shards whose best is shown.
const RUNNING_BEST: usize = 16;

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
    /// Growth search: by goal, the largest number of moves found in done
    /// shards and the number of shards that are not done.
    pub goals: BTreeMap<Cell, (u32, u64)>,
    /// Evaluations that were accepted (heuristic modes).
    pub accepted: u64,
    /// The best of each running shard, best first (heuristic modes).
    pub running_best: Vec<u32>,
    /// Time since the best number of moves was first seen by this coordinator.
    pub since_improvement: Option<Duration>,
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
    /// Whether it was asked to finish what is running and leave.
    pub draining: bool,
}

/// What is left to do for one goal of a job.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GoalView {
    /// Share of the whole job that is not done, 0..=1.
    pub undone: f64,
    /// Shards to be handed out.
    pub open: u64,
    /// Shards being computed.
    pub leased: u64,
    /// Largest number of moves seen in running shards; 0 = none.
    pub best_moves: u32,
}

impl Scheduler {
    /// What is left to do for each goal, in jobs that go goal by goal.
    pub fn goal_views(&self, id: JobId) -> BTreeMap<Cell, GoalView> {
        let mut goals: BTreeMap<Cell, GoalView> = BTreeMap::new();
        for (_, entry) in self.jobs.get(&id).into_iter().flat_map(Job::shards) {
            let Work::Growth { goal, .. } = &entry.body.work else {
                continue;
            };
            let view = goals.entry(*goal).or_default();
            let mut undone = entry.body.weight;
            match entry.lease() {
                Some(lease) => {
                    undone *= 1.0 - lease.fraction;
                    view.leased += 1;
                    view.best_moves = view.best_moves.max(lease.best_moves);
                }
                None => view.open += 1,
            }
            view.undone += undone;
        }
        goals
    }

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
            goals: job.goals(),
            accepted: job.accepted(),
            running_best: if record.search.hunt.is_some() {
                job.running_best(RUNNING_BEST)
            } else {
                Vec::new()
            },
            since_improvement: job.since_improvement(now),
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
        let names = self.workers.keys();
        names
            .filter_map(|name| self.worker_view(name, now))
            .collect()
    }

    /// A worker and what it does.
    pub fn worker_view(&self, name: &WorkerName, now: Duration) -> Option<WorkerView> {
        self.workers
            .get_key_value(name)
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
                draining: worker.draining,
            })
    }
}
