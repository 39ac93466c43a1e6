//! A worker registers, beats, hands back, drains.

use std::{collections::BTreeSet, time::Duration};

use super::{
    Effects, Loss, Refusal, Scheduler,
    shard::{Fence, Lease},
    worker::Worker,
};
use crate::model::{Epoch, InstanceId, JobId, LeaseKey, Phase, ShardId, WorkerName, Write};

/// A worker makes itself known.
#[derive(Debug, Clone)]
pub struct Registration {
    /// Its name.
    pub worker: WorkerName,
    /// Its process.
    pub instance: InstanceId,
    /// Engine that it computes with.
    pub engine: String,
    /// Shards that it computes at the same time.
    pub threads: u32,
    /// Leases it still holds or has unacknowledged results for.
    pub held: Vec<Held>,
}

/// A lease that a worker still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The lease.
    pub key: LeaseKey,
    /// Digest of the plan that the shard belongs to.
    pub plan: u128,
}

/// Answer to a registration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registered {
    /// Held leases that are no longer the worker's.
    pub revoked: Vec<LeaseKey>,
}

/// How far a running shard is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Its lease.
    pub key: LeaseKey,
    /// Sets or layouts done.
    pub work: u64,
    /// Share of the shard that is done, 0..=1.
    pub fraction: f64,
    /// Largest number of moves found; 0 = none.
    pub best_moves: u32,
    /// Evaluations that were accepted (heuristic modes).
    pub accepted: u64,
    /// It waits for a thread of the worker.
    pub queued: bool,
}

/// Answer to a beat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BeatReply {
    /// Leases that are no longer the worker's.
    pub revoked: Vec<LeaseKey>,
    /// Stop taking work, finish what is running, leave.
    pub drain: bool,
    /// The worker is not known: it has to register again.
    pub unknown: bool,
}

impl Scheduler {
    /// A worker makes itself known, or known again.
    ///
    /// # Errors
    /// [`Refusal::Replaced`], [`Refusal::TooManyWorkers`].
    pub fn register(
        &mut self,
        registration: Registration,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<Registered, Refusal> {
        let Registration {
            worker: name,
            instance,
            held,
            ..
        } = registration;
        match self.workers.get_mut(&name) {
            None => {
                self.make_room()?;
                let worker = Worker::new(instance, now);
                self.workers.insert(name.clone(), worker);
            }
            Some(known) if known.replaced.contains(&instance) => {
                return Err(Refusal::Replaced {
                    worker: name,
                    instance,
                });
            }
            Some(known) if known.instance != instance => {
                known.replace_instance(instance);
                let presented: BTreeSet<(JobId, ShardId)> =
                    held.iter().map(|h| (h.key.job, h.key.shard)).collect();
                let gone = known.leases.difference(&presented).copied().collect();
                self.lose(&name, gone, Loss::Replaced, now, effects);
            }
            Some(_) => {}
        }
        if let Some(worker) = self.workers.get_mut(&name) {
            worker.engine = registration.engine;
            worker.threads = registration.threads.max(1);
            worker.last_seen = now;
            worker.lost = false;
        }
        self.deserted_since = None;
        let mut revoked = Vec::new();
        for Held { key, plan } in held {
            if !self.adopt(&name, key, plan, now) {
                revoked.push(key);
            }
        }
        Ok(Registered { revoked })
    }

    /// A sign of life.
    pub fn beat(
        &mut self,
        name: &WorkerName,
        instance: &InstanceId,
        running: &[Progress],
        now: Duration,
        effects: &mut Effects,
    ) -> BeatReply {
        let revoke_all = || running.iter().map(|progress| progress.key).collect();
        let Some(worker) = self.workers.get_mut(name) else {
            return BeatReply {
                unknown: true,
                ..BeatReply::default()
            };
        };
        if worker.replaced.contains(instance) {
            return BeatReply {
                revoked: revoke_all(),
                drain: true,
                unknown: false,
            };
        }
        if worker.instance != *instance || worker.lost {
            return BeatReply {
                unknown: true,
                ..BeatReply::default()
            };
        }
        worker.last_seen = now;
        let mut revoked = Vec::new();
        let mut works = false;
        for progress in running {
            match self.note_progress(name, progress, now) {
                Some(grown) => works |= grown,
                None => revoked.push(progress.key),
            }
        }
        if works {
            self.wait_with(name, running, now);
        }
        self.reclaim_unclaimed(name, now, effects);
        BeatReply {
            revoked,
            drain: self.workers.get(name).is_some_and(|w| w.draining),
            unknown: false,
        }
    }

    /// A worker hands back leases without a result.
    pub fn release(
        &mut self,
        name: &WorkerName,
        instance: &InstanceId,
        keys: &[LeaseKey],
        leaving: bool,
        now: Duration,
        effects: &mut Effects,
    ) {
        let Some(worker) = self.workers.get_mut(name) else {
            return;
        };
        if worker.instance != *instance {
            return;
        }
        worker.last_seen = now;
        let mut back: BTreeSet<(JobId, ShardId)> = BTreeSet::new();
        for key in keys {
            if self.holds(name, *key) {
                back.insert((key.job, key.shard));
            }
        }
        if leaving && let Some(worker) = self.workers.get_mut(name) {
            worker.lost = true;
            back.extend(&worker.leases);
            tracing::info!(worker = %name, "worker left");
        }
        self.lose(name, back, Loss::Released, now, effects);
        self.note_desertion(now);
    }

    /// Asks a worker to finish what is running and leave.
    ///
    /// # Errors
    /// [`Refusal::NoSuchWorker`].
    pub fn drain(&mut self, name: &WorkerName) -> Result<(), Refusal> {
        let worker = self.workers.get_mut(name);
        let worker = worker.ok_or_else(|| Refusal::NoSuchWorker(name.clone()))?;
        worker.draining = true;
        tracing::info!(worker = %name, "worker is asked to leave");
        Ok(())
    }

    /// Ends leases of a worker without a result, and says so in the log.
    pub(super) fn lose(
        &mut self,
        name: &WorkerName,
        leases: BTreeSet<(JobId, ShardId)>,
        why: Loss,
        now: Duration,
        effects: &mut Effects,
    ) {
        if !leases.is_empty() {
            tracing::info!(
                worker = %name,
                reason = why.name(),
                leases = leases.len(),
                "leases returned"
            );
        }
        for (job, shard) in leases {
            self.stats.count_lost(why);
            tracing::debug!(%job, shard = shard.0, worker = %name, reason = why.name(), "lease ended");
            if why.counts() {
                let why = format!("worker {name} lost it: {}", why.name());
                self.count_attempt(job, shard, None, &why, now, effects);
            } else {
                self.reopen(job, shard, effects);
            }
        }
    }

    /// Whether this lease is alive and the worker's.
    fn holds(&self, name: &WorkerName, key: LeaseKey) -> bool {
        self.jobs
            .get(&key.job)
            .and_then(|job| job.shard(key.shard)?.lease())
            .is_some_and(|lease| lease.epoch == key.epoch && lease.worker == *name)
    }

    /// Takes up a lease that a worker presents, where that is safe: the shard
    /// belongs to the same plan and no newer lease of it is known.
    pub(super) fn adopt(
        &mut self,
        name: &WorkerName,
        key: LeaseKey,
        plan: u128,
        now: Duration,
    ) -> bool {
        if self.holds(name, key) {
            return true;
        }
        if self.workers.get(name).is_some_and(|w| w.distrusted) {
            return false;
        }
        let floor = self.serials.floor();
        let Some(job) = self.jobs.get_mut(&key.job) else {
            return false;
        };
        // A job that waits for its turn, or is paused, takes its shards up
        // all the same: they are running.
        let wanted = matches!(job.record.phase, Phase::Running | Phase::Paused);
        let Some(entry) = job.shard(key.shard) else {
            return false;
        };
        let current = entry.fence(key.epoch, floor) == Fence::Current;
        if !wanted || job.record.plan != plan || !current {
            return false;
        }
        if let Some(lease) = entry.lease() {
            if lease.epoch == key.epoch {
                // Two workers present one lease; the first has it.
                return false;
            }
            let old = job.reopen(key.shard);
            if let Some(old) = old {
                self.stats.count_lost(Loss::Outdated);
                if let Some(worker) = self.workers.get_mut(&old.worker) {
                    worker.leases.remove(&(key.job, key.shard));
                }
            }
        }
        let Some(job) = self.jobs.get_mut(&key.job) else {
            return false;
        };
        if !job.lease(key.shard, Lease::new(key.epoch, name.clone(), now)) {
            return false;
        }
        if let Some(worker) = self.workers.get_mut(name) {
            worker.leases.insert((key.job, key.shard));
        }
        self.update_turn(key.job);
        self.stats.adopted += 1;
        tracing::info!(lease = %key, worker = %name, "lease taken up again");
        true
    }

    /// Shards that wait for a thread wait for those that make progress.
    fn wait_with(&mut self, name: &WorkerName, running: &[Progress], now: Duration) {
        for progress in running.iter().filter(|progress| progress.queued) {
            if let Some(lease) = self.lease_mut(name, progress.key) {
                lease.progress_at = now;
            }
        }
    }

    fn lease_mut(&mut self, name: &WorkerName, key: LeaseKey) -> Option<&mut Lease> {
        self.jobs
            .get_mut(&key.job)
            .and_then(|job| job.shard_mut(key.shard)?.lease_mut())
            .filter(|lease| lease.epoch == key.epoch && lease.worker == *name)
    }

    /// Whether the work on a shard has grown; `None` if it is not the worker's.
    fn note_progress(
        &mut self,
        name: &WorkerName,
        progress: &Progress,
        now: Duration,
    ) -> Option<bool> {
        let lease = self.lease_mut(name, progress.key)?;
        let grown = progress.work > lease.work;
        if grown {
            lease.work = progress.work;
            lease.progress_at = now;
        }
        if progress.fraction.is_finite() {
            lease.fraction = progress.fraction.clamp(0.0, 1.0);
        }
        lease.best_moves = lease.best_moves.max(progress.best_moves);
        lease.accepted = lease.accepted.max(progress.accepted);
        lease.listed_at = Some(now);
        Some(grown)
    }

    /// Leases that the worker beats without ever having mentioned were lost
    /// on their way to it.
    fn reclaim_unclaimed(&mut self, name: &WorkerName, now: Duration, effects: &mut Effects) {
        let claim = self.config.claim;
        let Some(worker) = self.workers.get(name) else {
            return;
        };
        let unclaimed = worker.leases.iter().copied().filter(|&(job, shard)| {
            self.jobs
                .get(&job)
                .and_then(|job| job.shard(shard)?.lease())
                .is_some_and(|lease| lease.listed_at.is_none() && lease.granted_at + claim <= now)
        });
        let unclaimed = unclaimed.collect();
        self.lose(name, unclaimed, Loss::Unclaimed, now, effects);
    }

    /// Makes room for one more worker by forgetting lost ones.
    fn make_room(&mut self) -> Result<(), Refusal> {
        if self.workers.len() >= self.config.max_workers {
            self.workers.retain(|_, worker| worker.is_live());
        }
        if self.workers.len() >= self.config.max_workers {
            return Err(Refusal::TooManyWorkers(self.config.max_workers));
        }
        Ok(())
    }

    /// Remembers since when nobody is there to work.
    pub(super) fn note_desertion(&mut self, now: Duration) {
        if self.workers.values().any(Worker::is_live) {
            self.deserted_since = None;
        } else if self.deserted_since.is_none() {
            self.deserted_since = Some(now);
        }
    }

    /// Counts a failed attempt and opens the shard again, or gives it up.
    /// `reported` is the lease, if its worker reported the failure itself; `why`
    /// is for people.
    pub(super) fn count_attempt(
        &mut self,
        id: JobId,
        shard: ShardId,
        reported: Option<Epoch>,
        why: &str,
        now: Duration,
        effects: &mut Effects,
    ) {
        self.reopen(id, shard, effects);
        let attempts = self.config.attempts;
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        let Some(entry) = job.shard_mut(shard) else {
            return;
        };
        entry.attempts += 1;
        why.clone_into(&mut entry.failure);
        entry.failed = entry.failed.max(reported);
        let give_up = entry.attempts >= attempts;
        if give_up && entry.check.is_some() {
            // Nobody can say whether the result is right; it stands.
            self.drop_check(id, shard, now, effects);
            return;
        }
        if give_up {
            job.poison(shard);
            self.stats.poisoned += 1;
            tracing::warn!(job = %id, shard = shard.0, attempts, "shard given up");
        }
        if let Some(entry) = job.shard(shard) {
            effects.writes.push(Write::Shard(id, shard, entry.record()));
        }
        self.update_turn(id);
        if give_up {
            self.settle_if_drained(id, now, effects);
        }
    }
}
