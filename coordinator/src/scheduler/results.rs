//! A worker hands in a result: the one fenced way to complete a shard.

use std::{sync::Arc, time::Duration};

use soko::plan::{Shard, Tally, Work};

use super::{Action, Effects, Improvement, Scheduler, shard::Fence};
use crate::model::{
    InstanceId, JobId, JobRecord, LeaseKey, LedgerRecord, Phase, RequestId, ShardId, ShardRecord,
    WorkerName, Write, fingerprint,
};

/// The end of one lease, as its worker tells it.
#[derive(Debug, Clone)]
pub struct Report {
    /// The request.
    pub request: RequestId,
    /// The worker.
    pub worker: WorkerName,
    /// Its process.
    pub instance: InstanceId,
    /// The lease.
    pub key: LeaseKey,
    /// Digest of the plan that the shard belongs to.
    pub plan: u128,
    /// Engine that computed it.
    pub engine: String,
    /// Core-milliseconds it took.
    pub core_ms: u64,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a shard.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It was computed, wholly or in part.
    Completed {
        /// What was found in the part that was done.
        tally: Tally,
        /// What was not done.
        remainder: Vec<Shard>,
    },
    /// The worker could not compute it.
    Failed(String),
    /// The worker sent something that cannot be the result.
    Invalid(String),
}

/// Answer to a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Counted.
    Stored,
    /// Not valid; counted as a failed attempt.
    Rejected(String),
    /// Not the newest lease of a shard that is still to do. If the ledger has
    /// a row of the same lease and request, it was stored before; otherwise it
    /// is stale for the reason given.
    Ledger(String),
    /// Cannot be taken now.
    Retry(String),
}

impl Scheduler {
    /// A worker hands in a result. Handing it in again changes nothing.
    pub fn report(&mut self, report: &Report, now: Duration, effects: &mut Effects) -> Verdict {
        if let Some(worker) = self.workers.get_mut(&report.worker)
            && worker.instance == report.instance
        {
            worker.last_seen = now;
        }
        let key = report.key;
        let stale = |stats: &mut super::Stats, why: &str| {
            stats.stale += 1;
            tracing::info!(lease = %key, worker = %report.worker, reason = why, "result ignored");
            Verdict::Ledger(why.to_owned())
        };
        if self
            .workers
            .get(&report.worker)
            .is_some_and(|w| w.distrusted)
        {
            self.stats.rejected += 1;
            let why = "the worker is in quarantine for a wrong result";
            return Verdict::Rejected(why.to_owned());
        }
        let floor = self.serials.floor();
        let Some(job) = self.jobs.get(&key.job) else {
            return stale(&mut self.stats, "there is no such job");
        };
        let Some(entry) = job.shard(key.shard) else {
            return stale(&mut self.stats, "the shard is done or does not exist");
        };
        match entry.fence(key.epoch, floor) {
            Fence::Current if matches!(job.record.phase, Phase::Running | Phase::Paused) => {
                if job.is_in_doubt() {
                    return Verdict::Retry("results of the job are being taken back".to_owned());
                }
            }
            Fence::Current => return stale(&mut self.stats, "the job takes no results"),
            Fence::Failed if matches!(report.outcome, Outcome::Failed(_)) => {
                effects.barrier = true;
                return Verdict::Stored;
            }
            Fence::Failed => return stale(&mut self.stats, "the lease ended in a failure"),
            Fence::Stale => return stale(&mut self.stats, "a newer lease of the shard exists"),
        }
        let same_plan = job.record.plan == report.plan;
        if !same_plan && entry.lease().is_none() {
            return stale(&mut self.stats, "the result belongs to another plan");
        }
        let outcome = if !same_plan {
            Outcome::Invalid("the result belongs to another plan".to_owned())
        } else if report.engine != job.record.engine {
            Outcome::Invalid(format!(
                "computed by engine {}, the job was planned by {}",
                report.engine, job.record.engine
            ))
        } else {
            fitting(report.outcome.clone(), &entry.body)
        };
        if let Some(check) = entry.check.clone() {
            return self.report_check(report, &check, outcome, now, effects);
        }
        match outcome {
            Outcome::Completed { tally, remainder } => {
                self.complete(report, tally, remainder, now, effects)
            }
            Outcome::Failed(why) => {
                self.stats.failed += 1;
                self.fail(report, &why, now, effects);
                Verdict::Stored
            }
            Outcome::Invalid(why) => {
                self.stats.rejected += 1;
                self.fail(report, &why, now, effects);
                Verdict::Rejected(why)
            }
        }
    }

    /// Leased (or open again, with no newer lease) → done: ledger row, new
    /// shards and totals in one set of changes.
    fn complete(
        &mut self,
        report: &Report,
        tally: Tally,
        remainder: Vec<Shard>,
        now: Duration,
        effects: &mut Effects,
    ) -> Verdict {
        let LeaseKey { job: id, shard, .. } = report.key;
        let Some(numbers) = self.serials.take(remainder.len()) else {
            return Verdict::Retry("the coordinator has used up its numbers".to_owned());
        };
        self.end_lease(id, shard);
        let chosen = self.is_to_be_checked(report, now);
        let Some(job) = self.jobs.get_mut(&id) else {
            return Verdict::Ledger("there is no such job".to_owned());
        };
        let Some(entry) = job.complete(shard) else {
            return Verdict::Ledger("the shard is done".to_owned());
        };
        let ids: Vec<ShardId> = numbers.map(ShardId).collect();
        let done = chosen.then(|| entry.body.done_part(&remainder)).flatten();
        let check = done.map(|done| (done, fingerprint(&tally, job.record.search.size)));
        for (&new, body) in ids.iter().zip(scaled(remainder, entry.body.weight)) {
            let record = ShardRecord::new(Arc::new(body));
            effects.writes.push(Write::Shard(id, new, record.clone()));
            job.insert(new, record);
        }
        let improvement = improvement(&job.record, &entry.body, &tally);
        tracing::debug!(
            lease = %report.key,
            worker = %report.worker,
            work = tally.work(),
            core_ms = report.core_ms,
            remainder = ids.len(),
            "shard done"
        );
        if let Some(improvement) = improvement {
            let action = Action::Improved(id, shard, Box::new(improvement));
            effects.actions.push(action);
        }
        effects.work |= !ids.is_empty();
        let row = LedgerRecord {
            epoch: report.key.epoch,
            request: report.request.clone(),
            worker: report.worker.clone(),
            engine: report.engine.clone(),
            core_ms: report.core_ms,
            body: entry.body,
            tally,
            remainder: ids,
        };
        job.credit(&row);
        effects.writes.push(Write::Done(id, shard, row));
        self.stats.completed += 1;
        if let Some(worker) = self.workers.get_mut(&report.worker) {
            worker.completed += 1;
            worker.streak = 0;
        }
        if let Some((done, found)) = check {
            self.check_later(report, done, found, effects);
        }
        self.update_turn(id);
        self.save(id, now, effects);
        self.settle_if_drained(id, now, effects);
        Verdict::Stored
    }

    pub(super) fn fail(
        &mut self,
        report: &Report,
        why: &str,
        now: Duration,
        effects: &mut Effects,
    ) {
        tracing::warn!(lease = %report.key, worker = %report.worker, reason = why, "shard failed");
        self.count_failure(&report.worker, why, now);
        self.count_attempt(
            report.key.job,
            report.key.shard,
            Some(report.key.epoch),
            why,
            now,
            effects,
        );
    }

    /// Counts a failure of a worker; too many in a row put it in quarantine.
    pub(super) fn count_failure(&mut self, name: &WorkerName, why: &str, now: Duration) {
        let (limit, pause) = (self.config.quarantine_after, self.config.quarantine);
        if let Some(worker) = self.workers.get_mut(name)
            && worker.count_failure(why, limit, pause, now)
        {
            tracing::warn!(worker = %name, reason = why, "worker quarantined");
        }
    }

    /// Takes the lease of a shard, if any, off its worker's list.
    pub(super) fn end_lease(&mut self, id: JobId, shard: ShardId) {
        let holder = self
            .jobs
            .get(&id)
            .and_then(|job| job.shard(shard)?.lease())
            .map(|lease| lease.worker.clone());
        if let Some(holder) = holder
            && let Some(worker) = self.workers.get_mut(&holder)
        {
            worker.leases.remove(&(id, shard));
        }
    }
}

/// The level that a shard of a hunt found, if it is longer than all before it in
/// the job.
fn improvement(job: &JobRecord, shard: &Shard, tally: &Tally) -> Option<Improvement> {
    let Tally::Hunt(tally) = tally else {
        return None;
    };
    if tally.moves <= job.best_moves {
        return None;
    }
    Some(Improvement {
        search: job.search.clone(),
        level: tally.found.first()?.level.clone(),
        parents: match &shard.work {
            Work::Batch(batch) => batch.starts.clone(),
            Work::Around(around) => vec![around.centre.clone()],
            _ => Vec::new(),
        },
        engine: job.engine.clone(),
    })
}

/// The outcome, if it can be one of this shard.
fn fitting(outcome: Outcome, shard: &Shard) -> Outcome {
    let Outcome::Completed { tally, remainder } = &outcome else {
        return outcome;
    };
    let inside = |part: &Shard| match (&shard.work, &part.work) {
        (
            Work::Growth { goal, extent, .. },
            Work::Growth {
                goal: part_goal,
                extent: part_extent,
                ..
            },
        )
        | (
            // What is left of it is of no use, but no mistake.
            Work::Recheck { goal, extent, .. },
            Work::Growth {
                goal: part_goal,
                extent: part_extent,
                ..
            },
        ) => goal == part_goal && extent == part_extent,
        (
            Work::Census { from, to },
            Work::Census {
                from: first,
                to: last,
            },
        ) => from <= first && first < last && last <= to,
        (Work::Batch(batch), Work::Batch(part)) => batch == part,
        (Work::Around(around), Work::Around(part)) => {
            let same = around.round == part.round && around.centre == part.centre;
            let inside = around.from <= part.from && part.from < part.to && part.to <= around.to;
            same && inside
        }
        _ => false,
    };
    let of_census = matches!(shard.work, Work::Census { .. });
    if of_census && !remainder.is_empty() && !is_end(shard, remainder) {
        return Outcome::Invalid("the remainder is not the end of the shard".to_owned());
    }
    if !remainder.iter().all(inside) {
        return Outcome::Invalid("the remainder is not part of the shard".to_owned());
    }
    if let (Work::Growth { goal, .. } | Work::Recheck { goal, .. }, Tally::Growth(goals)) =
        (&shard.work, tally)
        && goals.keys().any(|found| found != goal)
    {
        return Outcome::Invalid("the tally is of another goal than the shard".to_owned());
    }
    outcome
}

/// Whether the parts of a census shard are its end, cut into pieces.
fn is_end(shard: &Shard, parts: &[Shard]) -> bool {
    let range = |shard: &Shard| match shard.work {
        Work::Census { from, to } => (from, to),
        _ => (0, 0),
    };
    let mut parts: Vec<(u64, u64)> = parts.iter().map(range).collect();
    parts.sort_unstable();
    let joined = parts.windows(2).all(|pair| pair[0].1 == pair[1].0);
    joined && parts.last().is_some_and(|last| last.1 == range(shard).1)
}

/// The parts of a shard never weigh more than the shard.
fn scaled(mut parts: Vec<Shard>, whole: f64) -> Vec<Shard> {
    for part in &mut parts {
        if !part.weight.is_finite() || part.weight < 0.0 {
            part.weight = 0.0;
        }
    }
    let sum: f64 = parts.iter().map(|part| part.weight).sum();
    if sum > whole {
        for part in &mut parts {
            part.weight *= whole / sum;
        }
    }
    parts
}
