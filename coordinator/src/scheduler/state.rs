//! The whole state of the scheduler.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
    time::Duration,
};

use super::{
    Action, Config, Effects, Loss, Refusal, Stats, Ticket,
    job::{Job, Turn},
    worker::Worker,
};
use crate::model::{Epoch, JobId, Phase, RequestId, ShardId, Snapshot, WorkerName, Write};

/// Numbers that were never used before, for epochs and shards. The end of the
/// range is on disk before its first number is used, and the next start begins
/// there: so they only ever grow.
#[derive(Debug)]
pub struct Serials {
    floor: u64,
    rest: Range<u64>,
}

impl Serials {
    /// Numbers of this range, which no earlier start has touched.
    pub const fn new(range: Range<u64>) -> Self {
        Self {
            floor: range.start,
            rest: range,
        }
    }

    /// All epochs below this one were given before the start.
    pub(super) const fn floor(&self) -> Epoch {
        Epoch(self.floor)
    }

    /// This many fresh numbers, or `None` when there are not so many left,
    /// which takes years at any rate that a coordinator can reach.
    pub(super) fn take(&mut self, count: usize) -> Option<Range<u64>> {
        let start = self.rest.start;
        let end = start.checked_add(count as u64)?;
        if end > self.rest.end {
            return None;
        }
        self.rest.start = end;
        Some(start..end)
    }
}

/// The state machine. Times are since the coordinator started.
#[derive(Debug)]
pub struct Scheduler {
    pub(super) config: Config,
    pub(super) serials: Serials,
    pub(super) jobs: BTreeMap<JobId, Job>,
    pub(super) requests: HashMap<RequestId, JobId>,
    pub(super) next_seq: u64,
    /// Jobs that wait to be planned, in that order.
    pub(super) queue: BTreeSet<(Reverse<i32>, u64, JobId)>,
    pub(super) planning: Option<JobId>,
    /// Number of the next piece of slow work.
    pub(super) next_ticket: u64,
    /// Jobs with open shards, in the order in which they get workers.
    pub(super) turns: BTreeSet<Turn>,
    /// Ended jobs, oldest first.
    pub(super) ended: BTreeSet<(u64, JobId)>,
    pub(super) workers: BTreeMap<WorkerName, Worker>,
    /// Nobody is lost before this.
    pub(super) grace_until: Duration,
    pub(super) started_at: Duration,
    /// Until then workers that were there before a restart count as there:
    /// whoever is back first has nobody to check it yet, but will have.
    pub(super) company_until: Duration,
    pub(super) last_tick: Duration,
    /// Since when no worker is there.
    pub(super) deserted_since: Option<Duration>,
    /// Whether jobs showed as starved at the last tick.
    pub(super) starved: bool,
    pub(super) stats: Stats,
}

impl Scheduler {
    /// A scheduler that goes on from what was found on disk.
    pub fn new(
        config: Config,
        serials: Serials,
        snapshot: Snapshot,
        now: Duration,
    ) -> (Self, Effects) {
        let is_restart = !snapshot.jobs.is_empty();
        let mut scheduler = Self {
            grace_until: now + config.lease,
            company_until: if is_restart { now + config.lease } else { now },
            config,
            serials,
            jobs: BTreeMap::new(),
            requests: HashMap::new(),
            next_seq: 1,
            queue: BTreeSet::new(),
            planning: None,
            next_ticket: 1,
            turns: BTreeSet::new(),
            ended: BTreeSet::new(),
            workers: BTreeMap::new(),
            started_at: now,
            last_tick: now,
            deserted_since: Some(now),
            starved: false,
            stats: Stats::default(),
        };
        let mut effects = Effects::default();
        for stored in snapshot.jobs {
            scheduler.restore(stored, now, &mut effects);
        }
        scheduler.plan_next(&mut effects);
        (scheduler, effects)
    }

    /// Counters since the start.
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The rules' numbers.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The job whose id is `text` or starts with it.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::Ambiguous`].
    pub fn find_job(&self, text: &str) -> Result<JobId, Refusal> {
        let short: String = text.chars().take(20).collect();
        let hex = (1..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
        let digits = u64::from_str_radix(text, 16).ok().filter(|_| hex);
        let Some(digits) = digits else {
            return Err(Refusal::NoSuchJob(short));
        };
        let unknown = 4 * (16 - text.len() as u32);
        let first = digits << unknown;
        let last = first | 1u64.checked_shl(unknown).map_or(0, |bit| bit - 1);
        let mut found = self.jobs.range(JobId(first)..=JobId(last));
        match (found.next(), found.next()) {
            (None, _) => Err(Refusal::NoSuchJob(short)),
            (Some((&id, _)), None) => Ok(id),
            (Some(_), Some(_)) => Err(Refusal::Ambiguous(short)),
        }
    }

    /// Keeps the order of turns right after a change to a job.
    pub(super) fn update_turn(&mut self, id: JobId) {
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        let wanted = job.wanted_turn();
        if job.turn != wanted {
            if let Some(old) = job.turn.take() {
                self.turns.remove(&old);
            }
            if let Some(new) = wanted {
                self.turns.insert(new);
            }
            job.turn = wanted;
        }
    }

    /// Makes the job's record durable.
    pub(super) fn save(&mut self, id: JobId, now: Duration, effects: &mut Effects) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.refresh(now);
            effects.writes.push(Write::Job(job.record.clone()));
        }
    }

    /// The one function that changes a job's phase.
    pub(super) fn enter(
        &mut self,
        id: JobId,
        phase: Phase,
        reason: &str,
        now: Duration,
        effects: &mut Effects,
    ) {
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        job.refresh(now);
        let from = job.record.phase;
        tracing::info!(job = %id, from = from.name(), to = phase.name(), reason, "job");
        job.record.phase = phase;
        reason.clone_into(&mut job.record.reason);
        if phase == Phase::Done {
            job.record.progress = 1.0;
        }
        if phase == Phase::Running {
            job.meter.reset();
        }
        let seq = job.record.seq;
        let turn = (Reverse(job.record.priority), seq, id);
        effects.writes.push(Write::Job(job.record.clone()));
        effects.changed.insert(id);
        if phase == Phase::Queued {
            self.queue.insert(turn);
        } else {
            self.queue.remove(&turn);
        }
        if self.planning == Some(id) && phase != Phase::Planning {
            self.planning = None;
        }
        if phase.has_ended() {
            self.ended.insert((seq, id));
            self.forget_old_jobs(effects);
        } else {
            self.ended.remove(&(seq, id));
        }
        self.update_turn(id);
        effects.work |= phase == Phase::Running;
        self.plan_next(effects);
    }

    /// Ends the job's leases; their shards are open again.
    pub(super) fn end_leases(&mut self, id: JobId, effects: &mut Effects) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        let leased: Vec<ShardId> = job.leased().iter().copied().collect();
        for shard in leased {
            self.reopen(id, shard, effects);
            self.stats.count_lost(Loss::JobEnded);
        }
    }

    /// Ends the job's leases and forgets its shards.
    pub(super) fn drop_shards(&mut self, id: JobId, effects: &mut Effects) {
        self.end_leases(id, effects);
        if let Some(job) = self.jobs.get_mut(&id) {
            job.clear();
            effects.writes.push(Write::DropShards(id));
            self.update_turn(id);
        }
    }

    /// A number for a piece of slow work of a job. Only the newest piece is
    /// listened to.
    pub(super) fn ticket(&mut self, id: JobId) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        if let Some(job) = self.jobs.get_mut(&id) {
            job.ticket = ticket;
        }
        ticket
    }

    /// Puts a shard, open or leased, back among the open ones.
    pub(super) fn reopen(&mut self, id: JobId, shard: ShardId, effects: &mut Effects) {
        if let Some(job) = self.jobs.get_mut(&id)
            && let Some(lease) = job.reopen(shard)
        {
            if let Some(worker) = self.workers.get_mut(&lease.worker) {
                worker.leases.remove(&(id, shard));
            }
            effects.work = true;
            self.update_turn(id);
        }
    }

    /// Starts planning the next job if none is being planned.
    pub(super) fn plan_next(&mut self, effects: &mut Effects) {
        if self.planning.is_some() {
            return;
        }
        let Some((_, _, id)) = self.queue.pop_first() else {
            return;
        };
        let ticket = self.ticket(id);
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        job.record.phase = Phase::Planning;
        job.record.reason.clear();
        self.planning = Some(id);
        effects.changed.insert(id);
        effects
            .actions
            .push(Action::Plan(id, ticket, job.record.search.clone()));
    }

    fn forget_old_jobs(&mut self, effects: &mut Effects) {
        let shards = |(_, id): &(u64, JobId)| self.jobs.get(id).map_or(0, Job::shard_count);
        let mut kept_shards: usize = self.ended.iter().map(shards).sum();
        while self.ended.len() > self.config.kept_jobs || kept_shards > self.config.kept_shards {
            let Some((_, id)) = self.ended.pop_first() else {
                return;
            };
            kept_shards -= self.jobs.get(&id).map_or(0, Job::shard_count);
            tracing::info!(job = %id, "job forgotten: there are many newer ones");
            self.forget(id, effects);
        }
    }

    /// Forgets a job that has ended.
    pub(super) fn forget(&mut self, id: JobId, effects: &mut Effects) {
        if let Some(job) = self.jobs.remove(&id) {
            self.ended.remove(&(job.record.seq, id));
            self.requests.remove(&job.record.request);
            effects.writes.push(Write::DropJob(id));
            effects.changed.insert(id);
        }
    }

    /// Panics if the state contradicts itself.
    #[cfg(test)]
    pub(super) fn check(&self) {
        let mut leases = BTreeSet::new();
        let mut epochs = BTreeSet::new();
        for (&id, job) in &self.jobs {
            job.check();
            assert_eq!(job.turn, job.wanted_turn());
            assert!(job.turn.is_none_or(|turn| self.turns.contains(&turn)));
            for &shard in job.leased() {
                let lease = job.shard(shard).and_then(|entry| entry.lease()).unwrap();
                assert!(self.workers[&lease.worker].leases.contains(&(id, shard)));
                assert!(epochs.insert(lease.epoch), "an epoch is leased twice");
                leases.insert((id, shard));
            }
        }
        let held: usize = self.workers.values().map(|w| w.leases.len()).sum();
        assert_eq!(held, leases.len());
    }
}
