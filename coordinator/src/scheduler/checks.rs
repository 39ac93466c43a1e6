//! Results that are computed a second time, by another worker.
//!
//! A check is a shard like any other, except that it is not a part of the job
//! and that the worker of the first result never gets it. Both results have to
//! be the same. If they are not, the coordinator computes the shard itself:
//! whoever found something else is in quarantine from then on, and what it has
//! done in unfinished jobs is taken back.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use soko::plan::Shard;

use super::{
    Action, Effects, Loss, Outcome, Report, Scheduler, Verdict,
    shard::{Dispute, State},
    worker::Quarantine,
};
use crate::model::{
    Check, Doubt, JobId, LeaseKey, Phase, ShardId, ShardRecord, WorkerName, Write, fingerprint,
};

/// How much longer than the first computation a second one may take, and what
/// is added to that.
const SLOWER: u32 = 4;
const SLACK: Duration = Duration::from_secs(10);
/// Quarantine of a worker that gave a wrong result: for good.
const FOR_GOOD: Duration = Duration::from_hours(24 * 365 * 10);

/// How long the second computation may take. The time of the first one is only
/// what its worker says, so it is not believed beyond the longest budget.
pub(super) fn check_budget(check: &Check, longest: Duration) -> Duration {
    let first = Duration::from_millis(check.core_ms).min(longest * 2);
    first * SLOWER + SLACK
}

impl Scheduler {
    /// Whether a result is to be computed again: if it is chosen, and there is
    /// somebody to do it.
    pub(super) fn is_to_be_checked(&self, report: &Report, now: Duration) -> bool {
        self.is_chosen(&report.worker, report.key.shard)
            && self.has_second(&report.worker, &report.engine, now)
    }

    /// Has a result that was just stored computed again.
    pub(super) fn check_later(
        &mut self,
        report: &Report,
        done: Shard,
        found: u128,
        effects: &mut Effects,
    ) {
        let LeaseKey { job: id, shard, .. } = report.key;
        let Some(number) = self.serials.take(1).map(|numbers| ShardId(numbers.start)) else {
            return;
        };
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        let record = ShardRecord {
            check: Some(Check {
                of: shard,
                worker: report.worker.clone(),
                found,
                core_ms: report.core_ms,
            }),
            ..ShardRecord::new(Arc::new(done))
        };
        effects
            .writes
            .push(Write::Shard(id, number, record.clone()));
        job.insert(number, record);
        effects.work = true;
    }

    /// Whether a result of this worker is to be computed again: all of its
    /// first ones, and a share of the others.
    fn is_chosen(&self, worker: &WorkerName, shard: ShardId) -> bool {
        let dice = mix(self.config.check_seed ^ mix(shard.0)) as f64 / u64::MAX as f64;
        self.is_newcomer(worker) || dice < self.config.check_share
    }

    /// Whether a worker's results are all computed again.
    pub(super) fn is_newcomer(&self, worker: &WorkerName) -> bool {
        let vouched = self.workers.get(worker).map_or(0, |it| it.vouched);
        vouched < self.config.check_first
    }

    /// Whether anybody but this worker may compute, or will soon.
    pub(super) fn has_second(&self, first: &WorkerName, engine: &str, now: Duration) -> bool {
        if now < self.company_until {
            return true;
        }
        let mut others = self.workers.iter().filter(|(name, _)| *name != first);
        others.any(|(_, worker)| worker.is_able(engine, now))
    }

    /// A worker hands in the second computation of a shard.
    pub(super) fn report_check(
        &mut self,
        report: &Report,
        check: &Check,
        outcome: Outcome,
        now: Duration,
        effects: &mut Effects,
    ) -> Verdict {
        let LeaseKey { job: id, shard, .. } = report.key;
        let budget = check_budget(check, self.config.budget_max);
        match outcome {
            Outcome::Completed { tally, remainder } if remainder.is_empty() => {
                let size = self.jobs.get(&id).map(|job| job.record.search.size);
                let found = size.map(|size| fingerprint(&tally, size));
                if found == Some(check.found) {
                    self.end_lease(id, shard);
                    for worker in [&check.worker, &report.worker] {
                        if let Some(worker) = self.workers.get_mut(worker) {
                            worker.vouched = worker.vouched.saturating_add(1);
                        }
                    }
                    if let Some(worker) = self.workers.get_mut(&report.worker) {
                        worker.completed += 1;
                        worker.streak = 0;
                    }
                    self.confirm(id, shard, check.of, &report.worker, now, effects);
                } else {
                    self.dispute(report, found, budget, effects);
                }
            }
            Outcome::Completed { .. } if Duration::from_millis(report.core_ms) >= budget => {
                self.dispute(report, None, budget, effects);
            }
            // It was stopped; another one does it from the start.
            Outcome::Completed { .. } => self.reopen(id, shard, effects),
            Outcome::Failed(why) => {
                tracing::warn!(lease = %report.key, worker = %report.worker, reason = why, "check failed");
                self.dispute(report, None, budget, effects);
            }
            Outcome::Invalid(why) => {
                self.stats.rejected += 1;
                self.fail(report, &why, now, effects);
                return Verdict::Rejected(why);
            }
        }
        Verdict::Stored
    }

    /// The result of shard `of` is right.
    fn confirm(
        &mut self,
        id: JobId,
        check: ShardId,
        of: ShardId,
        by: &WorkerName,
        now: Duration,
        effects: &mut Effects,
    ) {
        self.stats.checked += 1;
        tracing::debug!(job = %id, shard = of.0, worker = %by, "result found again");
        effects.writes.push(Write::Checked(id, of, by.clone()));
        self.drop_check(id, check, now, effects);
    }

    /// Leased → judged.
    fn dispute(
        &mut self,
        report: &Report,
        found: Option<u128>,
        budget: Duration,
        effects: &mut Effects,
    ) {
        let key = report.key;
        self.end_lease(key.job, key.shard);
        self.stats.disputed += 1;
        let Some(job) = self.jobs.get_mut(&key.job) else {
            return;
        };
        let Some(body) = job.shard(key.shard).map(|entry| Arc::clone(&entry.body)) else {
            return;
        };
        let worker = report.worker.clone();
        tracing::warn!(lease = %key, %worker, "a result was not found again; computing it here");
        job.judge(key.shard, Dispute { worker, found });
        effects.actions.push(Action::Judge {
            key,
            search: job.record.search.clone(),
            body,
            budget,
        });
        self.update_turn(key.job);
    }

    /// The coordinator has computed a shard about which two workers disagree:
    /// what it found, `None` if it did not come to an end in time, or an error
    /// if the shard makes no sense, which the first worker is to blame for.
    pub fn judged(
        &mut self,
        key: LeaseKey,
        truth: Result<Option<u128>, String>,
        now: Duration,
        effects: &mut Effects,
    ) {
        let entry = self
            .jobs
            .get(&key.job)
            .and_then(|job| job.shard(key.shard))
            .filter(|entry| entry.newest == Some(key.epoch));
        let Some((State::Judged(dispute), Some(check))) =
            entry.map(|entry| (&entry.state, &entry.check))
        else {
            return;
        };
        let (dispute, check) = (dispute.clone(), check.clone());
        let first = format!("its result of shard {} of job {}", check.of.0, key.job);
        match truth {
            Ok(Some(truth)) => {
                if dispute.found.is_some_and(|found| found != truth) {
                    let what = format!("{first}, computed a second time,");
                    self.distrust(&dispute.worker, &what, now, effects);
                } else if dispute.found.is_none() {
                    self.count_failure(&dispute.worker, "it could not repeat a result", now);
                }
                if truth == check.found {
                    self.confirm(key.job, key.shard, check.of, &dispute.worker, now, effects);
                } else {
                    self.distrust(&check.worker, &first, now, effects);
                }
            }
            Err(why) => {
                tracing::warn!(lease = %key, reason = why, "a result makes no sense");
                self.distrust(&check.worker, &first, now, effects);
            }
            Ok(None) => {
                let why = "a result of it took far longer the second time";
                self.count_failure(&check.worker, why, now);
                self.doubt(key.job, Doubt::Shard(check.of), now, effects);
            }
        }
        self.drop_check(key.job, key.shard, now, effects);
    }

    /// Nothing is taken from this worker any more, and what it has done in
    /// unfinished jobs is taken back.
    fn distrust(&mut self, name: &WorkerName, what: &str, now: Duration, effects: &mut Effects) {
        let why = format!(
            "quarantined: {what} is not what others find; \
             see to the machine and start the worker under another name"
        );
        tracing::error!(worker = %name, reason = why, "worker quarantined");
        let leases = match self.workers.get_mut(name) {
            Some(worker) => {
                worker.failed += 1;
                worker.distrusted = true;
                worker.quarantine = Some(Quarantine {
                    until: now + FOR_GOOD,
                    why,
                });
                worker.leases.clone()
            }
            None => BTreeSet::new(),
        };
        self.lose(name, leases, Loss::Distrusted, now, effects);
        let unfinished: Vec<JobId> = self
            .jobs
            .values()
            .filter(|job| !matches!(job.record.phase, Phase::Done | Phase::Failed))
            .map(|job| job.record.id)
            .collect();
        for id in unfinished {
            self.doubt(id, Doubt::Worker(name.clone()), now, effects);
        }
    }

    /// Forgets a check, whatever its state.
    pub(super) fn drop_check(
        &mut self,
        id: JobId,
        check: ShardId,
        now: Duration,
        effects: &mut Effects,
    ) {
        self.end_lease(id, check);
        let dropped = self.jobs.get_mut(&id).and_then(|job| job.remove(check));
        if dropped.is_some() {
            effects.writes.push(Write::DropShard(id, check));
            self.update_turn(id);
            self.settle_if_drained(id, now, effects);
        }
    }

    /// Drops checks that nobody can do.
    pub(super) fn waive_checks(&mut self, id: JobId, effects: &mut Effects) {
        let now = self.last_tick;
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        let engine = job.record.engine.as_str();
        let waived: Vec<ShardId> = job
            .open_checks()
            .filter(|(first, _)| !self.has_second(first, engine, now))
            .map(|(_, check)| check)
            .collect();
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        for check in waived {
            job.remove(check);
            effects.writes.push(Write::DropShard(id, check));
        }
        self.update_turn(id);
    }

    /// Ends jobs that only wait for checks that nobody can do any more.
    pub(super) fn settle_checks(&mut self, now: Duration, effects: &mut Effects) {
        let waiting: Vec<JobId> = self
            .jobs
            .values()
            .filter(|job| {
                job.record.phase == Phase::Running && job.parts_left() == 0 && job.check_count() > 0
            })
            .map(|job| job.record.id)
            .collect();
        for id in waiting {
            self.settle_if_drained(id, now, effects);
        }
    }
}

/// Spreads a number over all 64 bits (Steele et al., `SplitMix64`).
const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
