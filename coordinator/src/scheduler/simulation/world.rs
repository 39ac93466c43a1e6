//! Everything that there is in a run, and one step of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use soko::{
    board::Size,
    plan::{Mode, Plan, Search},
};

use super::{
    BOOT, ENGINE, Script,
    dice::Dice,
    disk::Disk,
    network::{Answer, ToCoordinator, ToWorker},
    toy::{count, plan, range},
    worker::SimWorker,
};
use crate::{
    model::{
        Epoch, InstanceId, JobId, JobRecord, LeaseKey, RequestId, ShardId, Snapshot, WorkerName,
        Write, fingerprint,
    },
    scheduler::{Action, Config, Effects, Planned, Scheduler, Serials, Stats, Submission, Verdict},
};

/// Faults of a run, in percent per step.
pub(super) struct Faults {
    pub(super) loss: u64,
    pub(super) double: u64,
    pub(super) worker_crash: u64,
    pub(super) coordinator_crash: u64,
    pub(super) silence: u64,
    pub(super) failure: u64,
    pub(super) lie: u64,
    pub(super) steering: u64,
}

pub(super) const CALM: Faults = Faults {
    loss: 0,
    double: 0,
    worker_crash: 0,
    coordinator_crash: 0,
    silence: 0,
    failure: 0,
    lie: 0,
    steering: 0,
};

pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) faults: Faults,
    pub(super) config: Config,
    pub(super) now: Duration,
    pub(super) scheduler: Scheduler,
    pub(super) disk: Disk,
    /// Changes on their way to the disk, each with the answer that waits.
    pub(super) queue: Vec<(Vec<Write>, Option<Answer>)>,
    pub(super) actions: Vec<Action>,
    pub(super) to_coordinator: Vec<(usize, ToCoordinator)>,
    pub(super) to_worker: Vec<Answer>,
    pub(super) workers: Vec<SimWorker>,
    pub(super) next_id: u64,
    pub(super) cut: u64,
    /// Every lease ever given.
    pub(super) given: BTreeMap<Epoch, (JobId, ShardId, InstanceId)>,
    pub(super) newest: BTreeMap<(JobId, ShardId), Epoch>,
    /// Results whose workers were told that they are stored.
    pub(super) acked: BTreeSet<(LeaseKey, RequestId)>,
    pub(super) totals: Stats,
    pub(super) adopted: u64,
    /// Requests that brought made-up results.
    pub(super) lies: BTreeSet<RequestId>,
    /// Lies that nobody could check.
    pub(super) standing: u64,
    /// Every check there ever was.
    pub(super) checks: BTreeSet<(JobId, ShardId)>,
}

impl World {
    pub(super) fn new(seed: u64, script: Script) -> Self {
        let mut dice = Dice(seed);
        let faults = Faults {
            loss: dice.roll() % 20,
            double: dice.roll() % 20,
            worker_crash: dice.roll() % 4,
            coordinator_crash: dice.roll() % 3,
            silence: dice.roll() % 5,
            failure: dice.roll() % 10,
            lie: dice.roll() % 10,
            steering: dice.roll() % 4,
        };
        let config = Config {
            attempts: script.attempts,
            quarantine_after: 1_000_000,
            // With liars, all that can be is computed twice.
            check_share: if script.liars { 1.0 } else { 0.3 },
            check_first: 0,
            ..Config::new(ENGINE)
        };
        let serials = Serials::new(0..BOOT);
        let (scheduler, _) =
            Scheduler::new(config.clone(), serials, Snapshot::default(), Duration::ZERO);
        let mut world = Self {
            faults,
            config,
            now: Duration::ZERO,
            scheduler,
            disk: Disk::default(),
            queue: Vec::new(),
            actions: Vec::new(),
            to_coordinator: Vec::new(),
            to_worker: Vec::new(),
            workers: Vec::new(),
            next_id: 0,
            cut: 1 + dice.roll() % 9,
            given: BTreeMap::new(),
            newest: BTreeMap::new(),
            acked: BTreeSet::new(),
            totals: Stats::default(),
            adopted: 0,
            lies: BTreeSet::new(),
            standing: 0,
            checks: BTreeSet::new(),
            dice,
        };
        let workers = world.dice.below(4) + script.workers;
        for i in 0..workers {
            let instance = world.instance();
            world.workers.push(SimWorker {
                name: WorkerName::new(&format!("w{i}")).unwrap(),
                instance,
                registered: false,
                running: BTreeMap::new(),
                outbox: BTreeMap::new(),
                silent: false,
                liar: script.liars && i == 0,
            });
        }
        world
    }

    pub(super) fn fresh(&mut self) -> RequestId {
        self.next_id += 1;
        RequestId::new(&format!("r{}", self.next_id)).unwrap()
    }

    pub(super) fn instance(&mut self) -> InstanceId {
        self.next_id += 1;
        InstanceId::new(&format!("i{}", self.next_id)).unwrap()
    }

    /// Submits until the job is on disk, as a client does.
    pub(super) fn submit(&mut self, cols: u64) -> JobId {
        let request = self.fresh();
        let id = JobId(self.dice.roll());
        let submission = Submission {
            id,
            request,
            search: Search::new(Size::new(1, cols).unwrap(), Mode::Exhaustive),
            name: String::new(),
            priority: self.dice.below(2) as i32,
            resume_equal: false,
        };
        let mut effects = Effects::default();
        let filed = self.scheduler.submit(submission, self.now, &mut effects);
        self.settle(effects, None);
        self.flush();
        filed.unwrap().job
    }

    /// Takes the effects of an event; its answer waits for the disk.
    pub(super) fn settle(&mut self, effects: Effects, answer: Option<Answer>) {
        self.scheduler.check();
        self.actions.extend(effects.actions);
        self.queue.push((effects.writes, answer));
    }

    pub(super) fn flush(&mut self) {
        for (writes, answer) in std::mem::take(&mut self.queue) {
            let changed = !writes.is_empty();
            for write in writes {
                if let Write::Shard(job, shard, record) = &write
                    && record.check.is_some()
                {
                    self.checks.insert((*job, *shard));
                }
                self.disk.apply(write);
            }
            // A lie is only found out after it was stored.
            if changed && self.lies.is_empty() {
                self.disk.check_conservation();
            }
            if let Some((to, instance, mut answer)) = answer {
                if let ToWorker::Ack(request, verdict) = &mut answer
                    && let Verdict::Ledger(_) = verdict
                    && self.disk.ledger.values().any(|row| row.request == *request)
                {
                    *verdict = Verdict::Stored;
                }
                self.to_worker.push((to, instance, answer));
            }
        }
    }

    pub(super) fn crash_coordinator(&mut self) {
        self.queue.clear();
        self.actions.clear();
        if self.dice.percent(50) {
            self.to_worker.clear();
        }
        self.adopted += self.scheduler.stats().adopted;
        self.totals.leased_again += self.scheduler.stats().leased_again;
        self.totals.stale += self.scheduler.stats().stale;
        self.totals.checked += self.scheduler.stats().checked;
        self.totals.undone += self.scheduler.stats().undone;
        self.disk.boots += 1;
        let start = self.disk.boots * BOOT;
        let (scheduler, effects) = Scheduler::new(
            self.config.clone(),
            Serials::new(start..start + BOOT),
            self.disk.snapshot(),
            self.now,
        );
        self.scheduler = scheduler;
        self.settle(effects, None);
        for worker in &mut self.workers {
            worker.registered = false;
        }
    }

    pub(super) fn step(&mut self) {
        let pause = match self.dice.below(100) {
            0..=69 => 10,
            70..=96 => 1_000,
            97..=98 => 8_000,
            _ => 20_000,
        };
        // Time passes in ticks, as it does in the real thing.
        for _ in 0..(pause / 1_000).max(1) {
            self.now += Duration::from_millis(pause.min(1_000));
            let mut effects = Effects::default();
            self.scheduler.tick(self.now, &mut effects);
            self.settle(effects, None);
        }
        if self.dice.percent(self.faults.coordinator_crash) {
            self.crash_coordinator();
        }
        if self.dice.percent(self.faults.steering) {
            self.steer();
        }
        // The more workers, the more happens at a time.
        for _ in 0..=self.workers.len() / 8 {
            match self.dice.below(8) {
                0 => self.flush(),
                1 => self.act(),
                2 | 3 => self.deliver_to_coordinator(),
                4 | 5 => self.deliver_to_worker(),
                _ => {
                    let worker = self.dice.below(self.workers.len());
                    self.work(worker);
                }
            }
        }
    }

    /// People change their minds about a job.
    pub(super) fn steer(&mut self) {
        let Some(job) = self.some_job() else {
            return;
        };
        let mut effects = Effects::default();
        // What the job's phase does not allow is refused.
        let _ = match self.dice.below(4) {
            0 => self.scheduler.cancel(job, self.now, &mut effects),
            1 => self.scheduler.pause(job, self.now, &mut effects),
            _ => self.scheduler.resume(job, self.now, &mut effects),
        };
        self.settle(effects, None);
    }

    pub(super) fn some_job(&mut self) -> Option<JobId> {
        let jobs = self.scheduler.newest_jobs(10);
        let at = self.dice.below(jobs.len());
        jobs.get(at).copied()
    }

    /// Lets every job go on that was stopped.
    pub(super) fn resume_all(&mut self) {
        for job in self.scheduler.newest_jobs(10) {
            let mut effects = Effects::default();
            let _ = self.scheduler.resume(job, self.now, &mut effects);
            self.settle(effects, None);
        }
    }

    /// A step without faults: everything sent arrives, everybody works.
    pub(super) fn calm_step(&mut self) {
        self.now += Duration::from_millis(500);
        let mut effects = Effects::default();
        self.scheduler.tick(self.now, &mut effects);
        self.settle(effects, None);
        self.act();
        for index in 0..self.workers.len() {
            self.work(index);
        }
        while !self.to_coordinator.is_empty() {
            self.deliver_to_coordinator();
        }
        self.flush();
        while !self.to_worker.is_empty() {
            self.deliver_to_worker();
        }
    }

    /// Does a piece of the slow work that the scheduler asked for.
    pub(super) fn act(&mut self) {
        if self.actions.is_empty() {
            return;
        }
        let at = self.dice.below(self.actions.len());
        let mut effects = Effects::default();
        match self.actions.remove(at) {
            Action::Plan(job, ticket, search) => {
                let Plan { shards, digest } = plan(&search, self.cut);
                // Parts of a plan reach the disk one by one.
                for part in shards.chunks(2) {
                    let part = Planned::Part(part.to_vec());
                    let mut effects = Effects::default();
                    self.scheduler
                        .planned(job, ticket, part, self.now, &mut effects);
                    self.settle(effects, None);
                    if self.dice.percent(self.faults.coordinator_crash) {
                        // The planner dies with its coordinator.
                        self.crash_coordinator();
                        return;
                    }
                }
                let whole = Planned::Whole(digest);
                self.scheduler
                    .planned(job, ticket, whole, self.now, &mut effects);
            }
            Action::Finish(work) => {
                self.scheduler
                    .finished(work.job, work.ticket, Ok(()), self.now, &mut effects);
            }
            Action::Judge { key, body, .. } => {
                let size = self.disk.jobs[&key.job].search.size;
                let found = fingerprint(&count(range(&body)), size);
                self.scheduler
                    .judged(key, Ok(Some(found)), self.now, &mut effects);
            }
            Action::Undo {
                job,
                ticket,
                doubts,
            } => {
                // The ledger is read after all that was written before.
                self.flush();
                let undo = self.disk.find_doubtful(job, &doubts);
                self.scheduler
                    .undone(job, ticket, undo, self.now, &mut effects);
            }
            Action::Abandon(_) | Action::Improved(..) => {}
            Action::NextRound(..) => unreachable!("the simulation has no such jobs"),
        }
        self.settle(effects, None);
    }

    pub(super) fn all_ended(&self) -> bool {
        let active = |job: &JobRecord| !job.phase.has_ended();
        !self.disk.jobs.values().any(active) && self.queue.iter().all(|(w, _)| w.is_empty())
    }
}
