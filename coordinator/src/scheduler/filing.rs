//! A job is filed, planned, finished.

use std::{sync::Arc, time::Duration};

use soko::plan::{Search, Shard};
use soko::text::counted;

use super::{Action, Effects, Gathering, Refusal, Scheduler, Ticket, job::Job};
use crate::model::{JobId, JobRecord, Phase, RequestId, ShardId, ShardRecord, StoredJob, Write};

/// A job to be filed.
#[derive(Debug, Clone)]
pub struct Submission {
    /// A fresh id for it.
    pub id: JobId,
    /// The request.
    pub request: RequestId,
    /// What to search for; valid for its engine.
    pub search: Search,
    /// Free text for people.
    pub name: String,
    /// Jobs of higher priority get workers first.
    pub priority: i32,
    /// Go on with an interrupted job of an equal search if there is one.
    pub resume_equal: bool,
}

/// The job that a submission led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submitted {
    /// The job.
    pub job: JobId,
    /// Whether it was there before, interrupted.
    pub resumed: bool,
}

/// News of a job's plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned {
    /// Some of its shards.
    Part(Vec<Shard>),
    /// All shards have been handed over; this is the digest of the plan.
    Whole(u128),
    /// It cannot be planned, for this reason.
    Failed(String),
}

impl Scheduler {
    /// Files a job. The same request gets the same job.
    ///
    /// # Errors
    /// [`Refusal::Conflict`], [`Refusal::TooManyJobs`].
    pub fn submit(
        &mut self,
        submission: Submission,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<Submitted, Refusal> {
        if let Some(&job) = self.requests.get(&submission.request) {
            effects.barrier = true;
            let known = &self.jobs[&job];
            if known.record.search != submission.search {
                return Err(Refusal::Conflict(job));
            }
            let resumed = known.resumed;
            return Ok(Submitted { job, resumed });
        }
        if submission.resume_equal
            && let Some(job) = self.find_interrupted(&submission.search)
        {
            self.take_up(job, submission.request, now, effects);
            return Ok(Submitted { job, resumed: true });
        }
        let active = self.jobs.len() - self.ended.len();
        if active >= self.config.max_active_jobs {
            return Err(Refusal::TooManyJobs(active));
        }
        let Submission { id, request, .. } = submission;
        let record = JobRecord {
            name: submission.name,
            priority: submission.priority,
            ..JobRecord::new(id, self.next_seq, request.clone(), submission.search)
        };
        self.next_seq += 1;
        self.jobs.insert(id, Job::new(record, now));
        self.requests.insert(request, id);
        self.enter(id, Phase::Queued, "", now, effects);
        Ok(Submitted {
            job: id,
            resumed: false,
        })
    }

    /// A part of the job's plan is there, or all of it, or it cannot be planned.
    /// `false` if nobody waits for it any more.
    ///
    /// A plan comes in parts, so that no single change is large. Until it is
    /// whole the job stays in planning; a coordinator that dies meanwhile
    /// forgets the parts and plans the job again.
    pub fn planned(
        &mut self,
        id: JobId,
        ticket: Ticket,
        planned: Planned,
        now: Duration,
        effects: &mut Effects,
    ) -> bool {
        let waiting = |job: &&mut Job| job.record.phase == Phase::Planning && job.ticket == ticket;
        let Some(job) = self.jobs.get_mut(&id).filter(waiting) else {
            return false;
        };
        match planned {
            Planned::Part(shards) => {
                let Some(numbers) = self.serials.take(shards.len()) else {
                    let why = "the coordinator has used up its numbers: restart it";
                    self.drop_shards(id, effects);
                    self.enter(id, Phase::Failed, why, now, effects);
                    return false;
                };
                for (body, number) in shards.into_iter().zip(numbers) {
                    let record = ShardRecord::new(Arc::new(body));
                    let shard = ShardId(number);
                    effects.writes.push(Write::Shard(id, shard, record.clone()));
                    job.insert(shard, record);
                }
            }
            Planned::Whole(digest) => {
                job.record.plan = digest;
                job.record.planned = job.shard_count() as u64;
                self.config.engine.clone_into(&mut job.record.engine);
                self.enter(id, Phase::Running, "", now, effects);
                self.settle_if_drained(id, now, effects);
            }
            Planned::Failed(why) => {
                self.drop_shards(id, effects);
                self.enter(id, Phase::Failed, &why, now, effects);
            }
        }
        true
    }

    /// The shards of the job's next round are there; none if the job is over, or
    /// an error if they cannot be made.
    pub fn next_round(
        &mut self,
        id: JobId,
        ticket: Ticket,
        shards: Result<Vec<Shard>, String>,
        now: Duration,
        effects: &mut Effects,
    ) {
        let waiting = |job: &&mut Job| {
            let running = matches!(job.record.phase, Phase::Running | Phase::Paused);
            running && job.ticket == ticket && job.is_drained()
        };
        let Some(job) = self.jobs.get_mut(&id).filter(waiting) else {
            return;
        };
        let shards = shards.and_then(|shards| {
            let numbers = self.serials.take(shards.len());
            let numbers = numbers.ok_or("the coordinator has used up its numbers: restart it")?;
            Ok(numbers.zip(shards))
        });
        match shards {
            Err(why) => self.enter(id, Phase::Failed, &why, now, effects),
            Ok(shards) => {
                for (number, body) in shards {
                    let record = ShardRecord::new(Arc::new(body));
                    let shard = ShardId(number);
                    effects.writes.push(Write::Shard(id, shard, record.clone()));
                    job.insert(shard, record);
                }
                job.record.planned += job.shard_count() as u64;
                job.record.round = if job.is_drained() {
                    job.last_round()
                } else {
                    job.record.round + 1
                };
                effects.work = true;
                self.update_turn(id);
                self.save(id, now, effects);
                self.settle_if_drained(id, now, effects);
            }
        }
    }

    /// The job's final step is done, or failed. The answer itself is stored by
    /// the caller, with the writes of this event. `false` if nobody waits for
    /// it any more.
    pub fn finished(
        &mut self,
        id: JobId,
        ticket: Ticket,
        end: Result<(), String>,
        now: Duration,
        effects: &mut Effects,
    ) -> bool {
        let waiting = self
            .jobs
            .get(&id)
            .is_some_and(|job| job.record.phase == Phase::Finalizing && job.ticket == ticket);
        if waiting {
            match end {
                Ok(()) => self.enter(id, Phase::Done, "", now, effects),
                Err(why) => self.enter(id, Phase::Failed, &why, now, effects),
            }
        }
        waiting
    }

    /// Ends a running job that has no open or leased shard left.
    pub(super) fn settle_if_drained(&mut self, id: JobId, now: Duration, effects: &mut Effects) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        if job.record.phase != Phase::Running || job.is_in_doubt() || job.parts_left() > 0 {
            return;
        }
        self.waive_checks(id, effects);
        let Some(job) = self.jobs.get(&id).filter(|job| job.check_count() == 0) else {
            return;
        };
        let given_up = job.poisoned().len();
        if given_up > 0 {
            let why = format!(
                "{} given up after {} each; `soko-coord jobs retry {id}` tries again",
                counted(given_up, "shard"),
                counted(self.config.attempts, "attempt")
            );
            self.enter(id, Phase::Incomplete, &why, now, effects);
        } else {
            let (search, planned) = (job.record.search.clone(), job.record.planned);
            let over = job.has_more_rounds().then_some(job.record.round);
            if over.is_none() {
                self.enter(id, Phase::Finalizing, "", now, effects);
            }
            let gathering = Gathering {
                job: id,
                ticket: self.ticket(id),
                search,
                planned,
            };
            effects.actions.push(match over {
                Some(round) => Action::NextRound(gathering, round),
                None => Action::Finish(gathering),
            });
        }
    }

    /// Takes up a job that was found on disk.
    pub(super) fn restore(&mut self, stored: StoredJob, now: Duration, effects: &mut Effects) {
        let StoredJob { record, shards } = stored;
        let (id, phase) = (record.id, record.phase);
        let other_engine = !record.engine.is_empty() && record.engine != self.config.engine;
        self.next_seq = self.next_seq.max(record.seq + 1);
        self.requests.insert(record.request.clone(), id);
        let mut job = Job::new(record, now);
        job.interrupted = !phase.has_ended();
        if job.record.engine.is_empty() && !shards.is_empty() {
            // Parts of a plan that never became whole.
            effects.writes.push(Write::DropShards(id));
        } else {
            job.fill(shards);
        }
        let planned_by = job.record.engine.clone();
        let in_doubt = job.is_in_doubt();
        let seq = job.record.seq;
        self.jobs.insert(id, job);
        if phase.has_ended() {
            self.ended.insert((seq, id));
        } else if other_engine {
            let why = format!(
                "it was planned by engine {planned_by}, this is {}; submit it again",
                self.config.engine
            );
            if let Some(job) = self.jobs.get_mut(&id) {
                job.record.forgotten = true;
            }
            self.drop_shards(id, effects);
            self.enter(id, Phase::Failed, &why, now, effects);
        } else if self.config.hold_interrupted {
            self.hold(id);
        } else if phase != Phase::Paused {
            self.go_on(id, now, effects);
        }
        if in_doubt {
            self.take_back(id, effects);
        }
    }

    /// Lets an interrupted job wait until it is resumed. On disk it stays as
    /// it was, so that a later start may go on with it.
    fn hold(&mut self, id: JobId) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.record.phase = Phase::Paused;
            "interrupted; submit the same search with resume to go on"
                .clone_into(&mut job.record.reason);
        }
    }

    /// Goes on with an interrupted job from where it was.
    pub(super) fn go_on(&mut self, id: JobId, now: Duration, effects: &mut Effects) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        if job.record.engine.is_empty() {
            self.enter(id, Phase::Queued, "", now, effects);
        } else {
            self.enter(id, Phase::Running, "", now, effects);
            self.settle_if_drained(id, now, effects);
        }
    }

    fn find_interrupted(&self, search: &Search) -> Option<JobId> {
        self.jobs
            .values()
            .filter(|job| job.interrupted && !job.record.phase.has_ended())
            .find(|job| job.record.search == *search)
            .map(|job| job.record.id)
    }

    fn take_up(&mut self, id: JobId, request: RequestId, now: Duration, effects: &mut Effects) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.resumed = true;
            let old = std::mem::replace(&mut job.record.request, request.clone());
            self.requests.remove(&old);
            self.requests.insert(request, id);
            if job.record.phase == Phase::Paused {
                self.go_on(id, now, effects);
            } else {
                self.save(id, now, effects);
            }
        }
    }
}
