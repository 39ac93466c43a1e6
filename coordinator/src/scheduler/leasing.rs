//! A worker asks for shards.

use std::{sync::Arc, time::Duration};

use soko::plan::{Search, Shard, Work};

use super::{Refusal, Scheduler, checks::check_budget, job::Job, shard::Lease};
use crate::model::{Epoch, InstanceId, JobId, LeaseKey, RequestId, ShardId, WorkerName};

/// Most shards in one answer.
const MAX_GRANT: usize = 256;
/// About how many bytes of shards one answer holds at most.
const MAX_GRANT_BYTES: usize = 512 * 1024;

/// A worker asks for shards.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The request.
    pub request: RequestId,
    /// The worker.
    pub worker: WorkerName,
    /// Its process.
    pub instance: InstanceId,
    /// How many shards it can take.
    pub slots: u32,
}

/// Shards for a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    /// The leases.
    pub leases: Vec<Granted>,
    /// When to ask again if these are fewer than wanted.
    pub retry_after: Duration,
    /// Why there is nothing to do.
    pub reason: String,
    /// Finish what is running and leave.
    pub drain: bool,
    /// More may come soon: the question is worth keeping open.
    pub worth_waiting: bool,
}

/// One lease.
#[derive(Debug, Clone, PartialEq)]
pub struct Granted {
    /// Its key.
    pub key: LeaseKey,
    /// The search that the shard belongs to.
    pub search: Search,
    /// What to do.
    pub shard: Arc<Shard>,
    /// Digest of the shard's plan.
    pub plan: u128,
    /// Hand in what is done after about this long.
    pub budget: Duration,
}

impl Scheduler {
    /// Gives shards to a worker. The same request gets the same leases, as
    /// far as they are still alive.
    ///
    /// # Errors
    /// [`Refusal::UnknownWorker`], [`Refusal::Replaced`].
    pub fn lease(&mut self, ask: &Ask, now: Duration) -> Result<Grant, Refusal> {
        let Some(worker) = self.workers.get_mut(&ask.worker) else {
            return Err(Refusal::UnknownWorker(ask.worker.clone()));
        };
        if worker.replaced.contains(&ask.instance) {
            return Err(Refusal::Replaced {
                worker: ask.worker.clone(),
                instance: ask.instance.clone(),
            });
        }
        if worker.instance != ask.instance || worker.lost {
            return Err(Refusal::UnknownWorker(ask.worker.clone()));
        }
        worker.last_seen = now;
        if let Some(keys) = worker.answer_to(&ask.request) {
            let keys = keys.to_vec();
            return Ok(self.grant_again(&keys));
        }
        if worker.draining {
            let mut grant = self.nothing("the worker is being drained");
            grant.drain = true;
            return Ok(grant);
        }
        if let Some(quarantine) = worker.quarantine.clone() {
            if now < quarantine.until {
                let mut grant = self.nothing(&quarantine.why);
                grant.retry_after = quarantine
                    .until
                    .saturating_sub(now)
                    .min(Duration::from_secs(30));
                return Ok(grant);
            }
            worker.quarantine = None;
        }
        let engine = worker.engine.clone();
        let grant = self.grant_new(ask, &engine, now);
        if let Some(worker) = self.workers.get_mut(&ask.worker)
            && !grant.leases.is_empty()
        {
            let keys = grant.leases.iter().map(|lease| lease.key).collect();
            worker.remember(ask.request.clone(), keys);
        }
        Ok(grant)
    }

    fn grant_new(&mut self, ask: &Ask, engine: &str, now: Duration) -> Grant {
        let wanted = (ask.slots as usize).min(MAX_GRANT);
        let share = self.fair_share(&ask.worker);
        let mut leases: Vec<Granted> = Vec::new();
        let mut bytes = 0;
        while leases.len() < wanted.min(share) && bytes < MAX_GRANT_BYTES {
            let Some((job, shard)) = self.next_shard(&ask.worker, engine, now) else {
                break;
            };
            let Some(granted) = self.give(job, shard, &ask.worker, now) else {
                break;
            };
            bytes += size_of_body(&granted.shard);
            leases.push(granted);
        }
        if leases.is_empty() {
            let mut grant = self.nothing(&self.why_idle(engine));
            grant.worth_waiting = true;
            return grant;
        }
        Grant {
            leases,
            ..self.nothing("")
        }
    }

    /// The next shard to hand out: of the first job in the order of turns, a
    /// second computation that the worker may do, otherwise the heaviest.
    fn next_shard(
        &self,
        worker: &WorkerName,
        engine: &str,
        now: Duration,
    ) -> Option<(JobId, ShardId)> {
        let settling = now < self.started_at + self.config.settle;
        self.turns.iter().find_map(|&(_, _, _, id)| {
            let job = self.jobs.get(&id)?;
            if job.record.engine != engine {
                return None;
            }
            let check = job.next_check(worker);
            let shard = check.or_else(|| job.next_open(job.interrupted && settling))?;
            Some((id, shard))
        })
    }

    /// Open → leased, with a fresh epoch.
    fn give(
        &mut self,
        id: JobId,
        shard: ShardId,
        name: &WorkerName,
        now: Duration,
    ) -> Option<Granted> {
        let epoch = Epoch(self.serials.take(1)?.start);
        let slots = self.slots();
        let budget_max = self.longest_budget(id, name, now);
        let job = self.jobs.get_mut(&id)?;
        let budget = budget(
            job.open_count(),
            slots,
            self.config.budget_step,
            self.config.budget_min..=budget_max,
        );
        let entry = job.shard(shard)?;
        let again = entry.newest.is_some();
        let check = entry.check.is_some();
        let budget = match &entry.check {
            Some(check) => check_budget(check, self.config.budget_max),
            None => budget,
        };
        if !job.lease(shard, Lease::new(epoch, name.clone(), now)) {
            return None;
        }
        let granted = Granted {
            key: LeaseKey {
                job: id,
                shard,
                epoch,
            },
            search: job.record.search.clone(),
            shard: Arc::clone(&job.shard(shard)?.body),
            plan: job.record.plan,
            budget,
        };
        if let Some(worker) = self.workers.get_mut(name) {
            worker.leases.insert((id, shard));
        }
        self.stats.leased += 1;
        self.stats.leased_again += u64::from(again);
        self.update_turn(id);
        tracing::debug!(lease = %granted.key, worker = %name, again, check, "shard leased");
        Some(granted)
    }

    /// The longest budget of a worker: a short one as long as its results are
    /// all computed again, so that getting to know it costs little.
    fn longest_budget(&self, id: JobId, name: &WorkerName, now: Duration) -> Duration {
        let has_second = |job: &Job| self.has_second(name, &job.record.engine, now);
        if self.is_newcomer(name) && self.jobs.get(&id).is_some_and(has_second) {
            self.config.budget_new
        } else {
            self.config.budget_max
        }
    }

    /// The answer to a question asked before: those of its leases that are
    /// still alive.
    fn grant_again(&self, keys: &[LeaseKey]) -> Grant {
        let mut grant = self.nothing("");
        for &key in keys {
            let Some(job) = self.jobs.get(&key.job) else {
                continue;
            };
            let Some(entry) = job.shard(key.shard) else {
                continue;
            };
            if entry.lease().is_some_and(|it| it.epoch == key.epoch) {
                grant.leases.push(Granted {
                    key,
                    search: job.record.search.clone(),
                    shard: Arc::clone(&entry.body),
                    plan: job.record.plan,
                    budget: self.config.budget_min,
                });
            }
        }
        grant
    }

    /// A worker's share of the open shards, so that the first to ask does not
    /// take all that is left.
    fn fair_share(&self, name: &WorkerName) -> usize {
        let open: usize = self
            .turns
            .iter()
            .filter_map(|turn| self.jobs.get(&turn.3))
            .map(Job::open_count)
            .sum();
        let mine = self.workers.get(name).map_or(1, |w| w.threads as usize);
        (open * mine).div_ceil(self.slots().max(1)).max(1)
    }

    /// Shards that all workers together compute at the same time.
    pub(super) fn slots(&self) -> usize {
        self.workers
            .values()
            .filter(|worker| worker.is_live() && worker.quarantine.is_none())
            .map(|worker| worker.threads as usize)
            .sum()
    }

    fn nothing(&self, reason: &str) -> Grant {
        // The more workers ask, the less often each does.
        let live = self.workers.values().filter(|w| w.is_live()).count();
        let pause = Duration::from_millis(100 + 2 * live as u64);
        Grant {
            leases: Vec::new(),
            retry_after: pause.min(Duration::from_secs(5)),
            reason: reason.to_owned(),
            drain: false,
            worth_waiting: false,
        }
    }

    fn why_idle(&self, engine: &str) -> String {
        if let Some(turn) = self.turns.first() {
            let planned = self.jobs.get(&turn.3).map(|job| &job.record.engine);
            return format!(
                "the open shards are of engine {}, this worker has {engine}",
                planned.map_or("", String::as_str)
            );
        }
        let mut running = self.jobs.values().filter(|job| !job.leased().is_empty());
        if running.next().is_some() {
            return "all shards are being computed".to_owned();
        }
        if self.jobs.len() > self.ended.len() {
            return "the jobs are paused, or being planned or finished".to_owned();
        }
        "there is no job".to_owned()
    }
}

/// How long a worker computes before it hands in: longer the more open shards
/// there are for each slot.
fn budget(
    open: usize,
    slots: usize,
    step: Duration,
    range: std::ops::RangeInclusive<Duration>,
) -> Duration {
    let per_slot = open as f64 / slots.max(1) as f64;
    step.mul_f64(per_slot.min(1e6))
        .clamp(*range.start(), *range.end())
}

/// About how many bytes a shard takes on the wire.
fn size_of_body(shard: &Shard) -> usize {
    match &shard.work {
        Work::Growth { roots, .. } => 32 + roots.iter().map(|root| root.len() + 4).sum::<usize>(),
        Work::Recheck { roots, except, .. } => {
            let sets = roots.iter().chain(except);
            32 + sets.map(|set| set.len() + 4).sum::<usize>()
        }
        Work::Census { .. } => 48,
        Work::Around(around) => 80 + around.centre.size().area() / 8,
        Work::Batch(batch) => {
            let starts = batch.starts.iter();
            48 + starts
                .map(|start| start.size().area() / 8 + 32)
                .sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_shrink_towards_the_end() {
        let step = Duration::from_millis(500);
        let range = Duration::from_millis(250)..=Duration::from_secs(20);
        let of = |open| budget(open, 4, step, range.clone());
        assert_eq!(of(1000), Duration::from_secs(20));
        assert_eq!(of(40), Duration::from_secs(5));
        assert_eq!(of(1), Duration::from_millis(250));
        assert_eq!(budget(9, 0, step, range), Duration::from_millis(4500));
    }
}
