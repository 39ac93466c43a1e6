//! Time passes: silent workers, stalled leases.

use std::{collections::BTreeSet, time::Duration};

use super::{Effects, Loss, Scheduler};
use crate::model::{Phase, WorkerName};

impl Scheduler {
    /// Time has passed. All messages that arrived before must have been
    /// handled: nobody is lost while its beat waits to be read.
    pub fn tick(&mut self, now: Duration, effects: &mut Effects) {
        let gap = now.saturating_sub(self.last_tick);
        if gap > self.config.stall {
            // The coordinator itself stood still and could not hear anybody.
            tracing::info!(
                seconds = gap.as_secs_f64(),
                "coordinator was stalled; leases are prolonged"
            );
            self.grace_until = self.grace_until.max(now + self.config.lease);
        }
        self.last_tick = now;
        let was_starved = self.starved;
        if now >= self.grace_until {
            self.lose_silent_workers(now, effects);
            self.lose_stalled_leases(now, effects);
        }
        let forget = self.config.forget_worker;
        self.workers
            .retain(|_, it| it.is_live() || it.distrusted || it.last_seen + forget > now);
        self.note_desertion(now);
        self.settle_checks(now, effects);
        self.starved = self.is_deserted(now);
        for (&id, job) in &mut self.jobs {
            if job.record.phase == Phase::Running {
                job.refresh(now);
                let work = job.work();
                let progress = job.record.progress;
                job.meter.sample(now, work, progress);
                if self.starved != was_starved {
                    effects.changed.insert(id);
                }
            }
        }
    }

    /// Whether no worker has been there for a while.
    pub(super) fn is_deserted(&self, now: Duration) -> bool {
        let patience = self.config.starve_after;
        self.deserted_since
            .is_some_and(|since| since + patience <= now)
    }

    fn lose_silent_workers(&mut self, now: Duration, effects: &mut Effects) {
        let lease = self.config.lease;
        let silent: Vec<WorkerName> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.is_live() && worker.last_seen + lease < now)
            .map(|(name, _)| name.clone())
            .collect();
        for name in silent {
            let Some(worker) = self.workers.get_mut(&name) else {
                continue;
            };
            worker.lost = true;
            let leases = worker.leases.clone();
            let silent_for = now.saturating_sub(worker.last_seen);
            tracing::info!(
                worker = %name,
                reason = Loss::Silent.name(),
                leases = leases.len(),
                silent_s = silent_for.as_secs(),
                "worker lost"
            );
            self.lose(&name, leases, Loss::Silent, now, effects);
        }
    }

    fn lose_stalled_leases(&mut self, now: Duration, effects: &mut Effects) {
        let lease_length = self.config.lease;
        let recent = self.config.beat * 2;
        let mut lost = Vec::new();
        for (name, worker) in &self.workers {
            let mut stalled = BTreeSet::new();
            let mut dropped = BTreeSet::new();
            for &(job, shard) in &worker.leases {
                let lease = self
                    .jobs
                    .get(&job)
                    .and_then(|job| job.shard(shard)?.lease());
                let Some(lease) = lease.filter(|it| it.progress_at + lease_length < now) else {
                    continue;
                };
                // Mentioned in the last beats: it runs and gets nowhere.
                // Otherwise the worker has forgotten it.
                if lease.listed_at.is_some_and(|at| at + recent >= now) {
                    stalled.insert((job, shard));
                } else {
                    dropped.insert((job, shard));
                }
            }
            lost.push((name.clone(), Loss::Stalled, stalled));
            lost.push((name.clone(), Loss::Dropped, dropped));
        }
        for (name, why, leases) in lost {
            self.lose(&name, leases, why, now, effects);
        }
    }
}
