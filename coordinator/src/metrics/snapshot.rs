//! The state of scheduler, store and record table at one moment.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    hub::{HubClosed, HubHandle},
    scheduler::{JobView, Stats, WorkerView},
};

/// The state of scheduler, store and record table at one moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Time since the coordinator started.
    pub uptime: Duration,
    /// Engine that plans jobs.
    pub engine: String,
    /// All jobs.
    pub jobs: Vec<JobView>,
    /// All workers.
    pub workers: Vec<WorkerView>,
    /// The scheduler's counters.
    pub stats: Stats,
    /// Board sizes with a known level: proven ones, and others.
    pub records: (u64, u64),
    /// Moves of the records of square boards, by side.
    pub squares: BTreeMap<u32, u32>,
    /// Requests that wait for the store.
    pub store_waiting: u64,
    /// Open streams of live updates.
    pub viewers: u64,
}

impl Snapshot {
    /// Takes it.
    ///
    /// # Errors
    /// [`HubClosed`].
    pub async fn take(hub: &HubHandle, viewers: usize) -> Result<Self, HubClosed> {
        let mut snapshot = hub
            .call(|core, now, _| {
                let jobs = core.scheduler.newest_jobs(usize::MAX).into_iter();
                let jobs = jobs.filter_map(|id| core.scheduler.view(id, now)).collect();
                let exact = core.records.rows().filter(|row| row.exact).count();
                let squares = core.records.rows().filter(|row| row.rows == row.cols);
                Self {
                    uptime: now,
                    engine: core.scheduler.config().engine.clone(),
                    jobs,
                    workers: core.scheduler.worker_views(now),
                    stats: core.scheduler.stats().clone(),
                    records: (exact as u64, (core.records.len() - exact) as u64),
                    squares: squares.map(|row| (row.rows, row.max_moves)).collect(),
                    store_waiting: 0,
                    viewers: 0,
                }
            })
            .await?;
        snapshot.store_waiting = hub.store().waiting() as u64;
        snapshot.viewers = viewers as u64;
        Ok(snapshot)
    }
}
