//! A scheduler with a clock, for tests.

use std::{sync::Arc, time::Duration};

use soko::{
    board::Size,
    plan::{Mode, Search, Shard, Tally, Work},
};

use super::super::*;
use crate::model::{
    Epoch, InstanceId, JobId, LeaseKey, Phase, RequestId, ShardId, ShardRecord, Snapshot,
    StoredJob, WorkerName,
};

pub(super) const PLAN: u128 = 77;
pub(super) const ENGINE: &str = "test 1";

pub(super) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(super) fn search(n: u64) -> Search {
    Search::new(Size::new(n, n).unwrap(), Mode::Census)
}

pub(super) fn shard(from: u64, to: u64, weight: f64) -> Shard {
    Shard {
        weight,
        work: Work::Census { from, to },
    }
}

pub(super) fn name(text: &str) -> WorkerName {
    WorkerName::new(text).unwrap()
}

pub(super) fn instance(text: &str) -> InstanceId {
    InstanceId::new(text).unwrap()
}

pub(super) fn request(text: &str) -> RequestId {
    RequestId::new(text).unwrap()
}

/// The product's rules without second computations.
pub(super) fn unchecked() -> Config {
    Config {
        check_share: 0.0,
        check_first: 0,
        ..Config::new(ENGINE)
    }
}

/// A scheduler with a clock and a source of request ids.
pub(super) struct Bench {
    pub(super) scheduler: Scheduler,
    pub(super) now: Duration,
    pub(super) requests: u64,
    pub(super) effects: Effects,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::start(0, Snapshot::default(), unchecked())
    }

    pub(super) fn start(boot: u64, snapshot: Snapshot, config: Config) -> Self {
        let serials = Serials::new(boot * 1000..boot * 1000 + 1000);
        let config = Config {
            check_seed: 7,
            ..config
        };
        let (scheduler, effects) = Scheduler::new(config, serials, snapshot, Duration::ZERO);
        Self {
            scheduler,
            now: Duration::ZERO,
            requests: 0,
            effects,
        }
    }

    pub(super) fn request(&mut self) -> RequestId {
        self.requests += 1;
        request(&self.requests.to_string())
    }

    /// Files a job with these weights and plans it.
    pub(super) fn job(&mut self, id: u64, priority: i32, weights: &[f64]) -> JobId {
        let submission = Submission {
            id: JobId(id),
            request: self.request(),
            search: search(3),
            name: String::new(),
            priority,
            resume_equal: false,
        };
        let job = self
            .scheduler
            .submit(submission, self.now, &mut self.effects)
            .unwrap()
            .job;
        let shards = (0..)
            .zip(weights)
            .map(|(i, &w)| shard(10 * i, 10 * i + 10, w))
            .collect();
        self.plan(job, shards);
        job
    }

    /// Carries out the latest order to plan a job.
    pub(super) fn plan(&mut self, job: JobId, shards: Vec<Shard>) {
        let orders = self.effects.actions.iter().rev();
        let mut orders = orders.filter_map(|action| match action {
            Action::Plan(id, ticket, _) if *id == job => Some(*ticket),
            _ => None,
        });
        let ticket = orders.next().unwrap();
        for news in [Planned::Part(shards), Planned::Whole(PLAN)] {
            self.scheduler
                .planned(job, ticket, news, self.now, &mut self.effects);
        }
    }

    /// Carries out the latest order to finish a job.
    pub(super) fn finish(&mut self, job: JobId) -> bool {
        let orders = self.effects.actions.iter().rev();
        let mut orders = orders.filter_map(|action| match action {
            Action::Finish(work) if work.job == job => Some(work.ticket),
            _ => None,
        });
        let ticket = orders.next().unwrap();
        self.scheduler
            .finished(job, ticket, Ok(()), self.now, &mut self.effects)
    }

    pub(super) fn cancel(&mut self, job: JobId) -> Result<(), Refusal> {
        self.scheduler.cancel(job, self.now, &mut self.effects)
    }

    pub(super) fn resume(&mut self, job: JobId) -> Result<(), Refusal> {
        self.scheduler.resume(job, self.now, &mut self.effects)
    }

    pub(super) fn register(&mut self, worker: &str, process: &str, held: Vec<Held>) -> Registered {
        let registration = Registration {
            worker: name(worker),
            instance: instance(process),
            engine: ENGINE.to_owned(),
            threads: 2,
            held,
        };
        self.scheduler
            .register(registration, self.now, &mut self.effects)
            .unwrap()
    }

    pub(super) fn ask(&mut self, worker: &str, slots: u32) -> Grant {
        let ask = Ask {
            request: self.request(),
            worker: name(worker),
            instance: instance(worker),
            slots,
        };
        self.scheduler.lease(&ask, self.now).unwrap()
    }

    pub(super) fn lease(&mut self, worker: &str) -> Granted {
        self.ask(worker, 1).leases.remove(0)
    }

    pub(super) fn beat(&mut self, worker: &str, running: &[(LeaseKey, u64)]) -> BeatReply {
        let running: Vec<Progress> = running
            .iter()
            .map(|&(key, work)| Progress {
                key,
                work,
                fraction: 0.5,
                best_moves: 0,
                accepted: 0,
                queued: false,
            })
            .collect();
        self.scheduler.beat(
            &name(worker),
            &instance(worker),
            &running,
            self.now,
            &mut self.effects,
        )
    }

    pub(super) fn report_of(&mut self, worker: &str, key: LeaseKey, outcome: Outcome) -> Report {
        Report {
            request: self.request(),
            worker: name(worker),
            instance: instance(worker),
            key,
            plan: PLAN,
            engine: ENGINE.to_owned(),
            core_ms: 5,
            outcome,
        }
    }

    pub(super) fn report(&mut self, report: &Report) -> Verdict {
        self.scheduler.report(report, self.now, &mut self.effects)
    }

    pub(super) fn complete(&mut self, worker: &str, key: LeaseKey) -> Verdict {
        let report = self.report_of(worker, key, done(vec![]));
        self.report(&report)
    }

    pub(super) fn fail(&mut self, worker: &str, key: LeaseKey) -> Verdict {
        let report = self.report_of(worker, key, Outcome::Failed("broken".to_owned()));
        self.report(&report)
    }

    /// Lets time pass in ticks of a second, workers beating all the while.
    pub(super) fn pass(&mut self, seconds: u64, beating: &[&str]) {
        for _ in 0..seconds {
            self.now += secs(1);
            for worker in beating {
                self.beat(worker, &[]);
            }
            self.scheduler.tick(self.now, &mut self.effects);
            self.scheduler.check();
        }
    }

    pub(super) fn view(&mut self, job: JobId) -> JobView {
        self.scheduler.view(job, self.now).unwrap()
    }

    pub(super) fn phase(&mut self, job: JobId) -> Phase {
        self.view(job).record.phase
    }
}

pub(super) fn done(remainder: Vec<Shard>) -> Outcome {
    Outcome::Completed {
        tally: Tally::empty(&search(3)),
        remainder,
    }
}

/// A job found running on disk with these shards.
pub(super) fn stored(shards: &[u64]) -> Snapshot {
    let mut bench = Bench::new();
    let job = bench.job(9, 0, &[]);
    let mut record = bench.view(job).record;
    record.phase = Phase::Running;
    let shards = shards.iter().map(|&id| {
        let body = Arc::new(shard(id, id + 1, 1.0 / shards.len() as f64));
        (ShardId(id), ShardRecord::new(body))
    });
    let shards = shards.collect();
    Snapshot {
        jobs: vec![StoredJob { record, shards }],
    }
}

pub(super) fn key(shard: u64, epoch: u64) -> LeaseKey {
    LeaseKey {
        job: JobId(9),
        shard: ShardId(shard),
        epoch: Epoch(epoch),
    }
}

pub(super) fn held(key: LeaseKey) -> Held {
    Held { key, plan: PLAN }
}
