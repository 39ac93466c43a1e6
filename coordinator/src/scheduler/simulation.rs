//! Thousands of short runs of the scheduler under a simulated clock, network
//! and disk: workers that crash, hang, repeat themselves and lie, messages
//! that are lost, doubled and overtake each other, a coordinator that is
//! killed between memory and disk. The seed of a failing run is printed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use soko::{
    board::{Cell, Size},
    plan::{Mode, Plan, Search, Shard, Tally, Work},
    search::growth::GoalTally,
};

use super::*;
use crate::model::{
    Epoch, InstanceId, JobId, JobRecord, LeaseKey, LedgerRecord, Phase, RequestId, ShardId,
    ShardRecord, Snapshot, StoredJob, WorkerName, Write,
};

const ENGINE: &str = "simulated 1";
/// Numbers for one start of the coordinator.
const BOOT: u64 = 1 << 20;

/// A small generator of random numbers (Steele et al., `SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit.max(1) as u64) as usize
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.roll() % 100 < chance
    }
}

/// What is on the simulated disk.
#[derive(Clone, Default)]
struct Disk {
    boots: u64,
    jobs: BTreeMap<JobId, JobRecord>,
    shards: BTreeMap<(JobId, ShardId), ShardRecord>,
    ledger: BTreeMap<(JobId, ShardId), LedgerRecord>,
}

impl Disk {
    fn apply(&mut self, write: Write) {
        match write {
            Write::Job(record) => {
                self.jobs.insert(record.id, record);
            }
            Write::Shard(job, shard, record) => {
                assert!(
                    !self.ledger.contains_key(&(job, shard)),
                    "a done shard is back"
                );
                self.shards.insert((job, shard), record);
            }
            Write::Done(job, shard, row) => {
                assert!(self.shards.remove(&(job, shard)).is_some());
                let old = self.ledger.insert((job, shard), row);
                assert!(old.is_none(), "a shard was counted twice");
            }
            Write::DropShards(job) => self.shards.retain(|key, _| key.0 != job),
            Write::DropJob(job) => {
                self.jobs.remove(&job);
                self.shards.retain(|key, _| key.0 != job);
                self.ledger.retain(|key, _| key.0 != job);
            }
            Write::Answer(..) | Write::Record(_) | Write::Imported(_) | Write::Serials(_) => {
                unreachable!("not for the scheduler to write")
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        let jobs = self.jobs.values().map(|record| StoredJob {
            record: record.clone(),
            shards: self
                .shards
                .range((record.id, ShardId(0))..=(record.id, ShardId(u64::MAX)))
                .map(|(key, shard)| (key.1, shard.clone()))
                .collect(),
        });
        Snapshot {
            jobs: jobs.collect(),
        }
    }

    /// Every unit of a planned job is in the ledger or in a shard to be done,
    /// exactly once: both a count and a sum of hashes say so.
    fn check_conservation(&self) {
        for record in self.jobs.values() {
            let cancelled = record.phase == Phase::Cancelled;
            if record.engine.is_empty() || cancelled {
                continue;
            }
            let mut total = Tally::empty(&record.search);
            for (key, row) in &self.ledger {
                if key.0 == record.id {
                    assert!(total.merge(&row.tally));
                }
            }
            for (key, shard) in &self.shards {
                if key.0 == record.id {
                    assert!(total.merge(&count(range(&shard.body))));
                }
            }
            assert_eq!(total, count((0, units(&record.search))));
        }
    }
}

fn units(search: &Search) -> u64 {
    u64::from(search.size.cols()) * 10
}

fn range(shard: &Shard) -> (u64, u64) {
    match shard.work {
        Work::Census { from, to } => (from, to),
        Work::Growth { .. } => unreachable!("the simulation has no such shards"),
    }
}

fn piece(from: u64, to: u64) -> Shard {
    Shard {
        weight: (to - from) as f64 / 100.0,
        work: Work::Census { from, to },
    }
}

/// The tally of the units of a range.
fn count((from, to): (u64, u64)) -> Tally {
    let mut tally = GoalTally {
        nodes: to - from,
        ..GoalTally::default()
    };
    for unit in from..to {
        let mut dice = Dice(unit);
        let hash = u128::from(dice.roll()) << 64 | u128::from(dice.roll());
        tally.digest = tally.digest.wrapping_add(hash);
    }
    Tally::Growth([(Cell(0), tally)].into())
}

fn plan(search: &Search, cut: u64) -> Plan {
    let total = units(search);
    let shards = (0..total)
        .step_by(cut as usize)
        .map(|from| piece(from, (from + cut).min(total)))
        .collect();
    Plan {
        shards,
        digest: u128::from(total) << 64 | u128::from(cut),
    }
}

enum ToCoordinator {
    Register(Registration),
    Ask(Ask),
    Beat(WorkerName, InstanceId, Vec<Progress>),
    Report(Report),
    Release(WorkerName, InstanceId, Vec<LeaseKey>, bool),
}

enum ToWorker {
    Registered(Registered),
    Refused(Refusal),
    Grant(Grant),
    Beat(BeatReply),
    Ack(RequestId, Verdict),
}

/// A message to a process of a worker.
type Answer = (usize, InstanceId, ToWorker);

struct Running {
    granted: Granted,
    work: u64,
}

struct SimWorker {
    name: WorkerName,
    instance: InstanceId,
    registered: bool,
    running: BTreeMap<LeaseKey, Running>,
    outbox: BTreeMap<RequestId, Report>,
    silent: bool,
}

/// Faults of a run, in percent per step.
struct Faults {
    loss: u64,
    double: u64,
    worker_crash: u64,
    coordinator_crash: u64,
    silence: u64,
    failure: u64,
    lie: u64,
}

const CALM: Faults = Faults {
    loss: 0,
    double: 0,
    worker_crash: 0,
    coordinator_crash: 0,
    silence: 0,
    failure: 0,
    lie: 0,
};

struct World {
    dice: Dice,
    faults: Faults,
    config: Config,
    now: Duration,
    scheduler: Scheduler,
    disk: Disk,
    /// Changes on their way to the disk, each with the answer that waits.
    queue: Vec<(Vec<Write>, Option<Answer>)>,
    actions: Vec<Action>,
    to_coordinator: Vec<(usize, ToCoordinator)>,
    to_worker: Vec<Answer>,
    workers: Vec<SimWorker>,
    next_id: u64,
    cut: u64,
    /// Every lease ever given.
    given: BTreeMap<Epoch, (JobId, ShardId, InstanceId)>,
    newest: BTreeMap<(JobId, ShardId), Epoch>,
    /// Results whose workers were told that they are stored.
    acked: BTreeSet<(LeaseKey, RequestId)>,
    totals: Stats,
    adopted: u64,
}

impl World {
    fn new(seed: u64, attempts: u32) -> Self {
        let mut dice = Dice(seed);
        let faults = Faults {
            loss: dice.roll() % 20,
            double: dice.roll() % 20,
            worker_crash: dice.roll() % 4,
            coordinator_crash: dice.roll() % 3,
            silence: dice.roll() % 5,
            failure: dice.roll() % 10,
            lie: dice.roll() % 10,
        };
        let config = Config {
            attempts,
            quarantine_after: 1_000_000,
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
            dice,
        };
        for i in 0..=world.dice.below(4) {
            let instance = world.instance();
            world.workers.push(SimWorker {
                name: WorkerName::new(&format!("w{i}")).unwrap(),
                instance,
                registered: false,
                running: BTreeMap::new(),
                outbox: BTreeMap::new(),
                silent: false,
            });
        }
        world
    }

    fn fresh(&mut self) -> RequestId {
        self.next_id += 1;
        RequestId::new(&format!("r{}", self.next_id)).unwrap()
    }

    fn instance(&mut self) -> InstanceId {
        self.next_id += 1;
        InstanceId::new(&format!("i{}", self.next_id)).unwrap()
    }

    /// Submits until the job is on disk, as a client does.
    fn submit(&mut self, cols: u64) -> JobId {
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
    fn settle(&mut self, effects: Effects, answer: Option<Answer>) {
        self.scheduler.check();
        self.actions.extend(effects.actions);
        self.queue.push((effects.writes, answer));
    }

    fn flush(&mut self) {
        for (writes, answer) in std::mem::take(&mut self.queue) {
            let changed = !writes.is_empty();
            for write in writes {
                self.disk.apply(write);
            }
            if changed {
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

    fn crash_coordinator(&mut self) {
        self.queue.clear();
        self.actions.clear();
        if self.dice.percent(50) {
            self.to_worker.clear();
        }
        self.adopted += self.scheduler.stats().adopted;
        self.totals.leased_again += self.scheduler.stats().leased_again;
        self.totals.stale += self.scheduler.stats().stale;
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

    fn step(&mut self) {
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

    /// A step without faults: everything sent arrives, everybody works.
    fn calm_step(&mut self) {
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
    fn act(&mut self) {
        if self.actions.is_empty() {
            return;
        }
        let at = self.dice.below(self.actions.len());
        let mut effects = Effects::default();
        match self.actions.remove(at) {
            Action::Plan(job, search) => {
                let plan = Ok(plan(&search, self.cut));
                self.scheduler.planned(job, plan, self.now, &mut effects);
            }
            Action::Finish(job, _) => {
                self.scheduler.finished(job, Ok(()), self.now, &mut effects);
            }
            Action::Abandon(_) => {}
        }
        self.settle(effects, None);
    }

    fn send(&mut self, from: usize, message: ToCoordinator) {
        if !self.dice.percent(self.faults.loss) {
            self.to_coordinator.push((from, message));
        }
    }

    fn deliver_to_coordinator(&mut self) {
        if self.to_coordinator.is_empty() {
            return;
        }
        let at = self.dice.below(self.to_coordinator.len());
        let double = self.dice.percent(self.faults.double);
        let (from, message) = self.to_coordinator.swap_remove(at);
        let mut effects = Effects::default();
        let now = self.now;
        let (instance, answer, again) = match message {
            ToCoordinator::Register(registration) => {
                let instance = registration.instance.clone();
                let again = registration.clone();
                let reply = self.scheduler.register(registration, now, &mut effects);
                let reply = reply.map_or_else(ToWorker::Refused, ToWorker::Registered);
                (instance, Some(reply), ToCoordinator::Register(again))
            }
            ToCoordinator::Ask(ask) => {
                let reply = self.scheduler.lease(&ask, now);
                if let Ok(grant) = &reply {
                    self.check_grant(grant, &ask.instance);
                }
                let reply = reply.map_or_else(ToWorker::Refused, ToWorker::Grant);
                (ask.instance.clone(), Some(reply), ToCoordinator::Ask(ask))
            }
            ToCoordinator::Beat(name, instance, running) => {
                let reply = self
                    .scheduler
                    .beat(&name, &instance, &running, now, &mut effects);
                let again = ToCoordinator::Beat(name, instance.clone(), running);
                (instance, Some(ToWorker::Beat(reply)), again)
            }
            ToCoordinator::Report(report) => {
                let verdict = self.scheduler.report(&report, now, &mut effects);
                let reply = ToWorker::Ack(report.request.clone(), verdict);
                let instance = report.instance.clone();
                (instance, Some(reply), ToCoordinator::Report(report))
            }
            ToCoordinator::Release(name, instance, keys, leaving) => {
                self.scheduler
                    .release(&name, &instance, &keys, leaving, now, &mut effects);
                let again = ToCoordinator::Release(name, instance.clone(), keys, leaving);
                (instance, None, again)
            }
        };
        if double {
            self.to_coordinator.push((from, again));
        }
        self.settle(effects, answer.map(|answer| (from, instance, answer)));
    }

    /// No lease is given twice, and the epochs of a shard only grow.
    fn check_grant(&mut self, grant: &Grant, to: &InstanceId) {
        for lease in &grant.leases {
            let key = lease.key;
            let holder = (key.job, key.shard, to.clone());
            if let Some(before) = self.given.insert(key.epoch, holder.clone()) {
                assert_eq!(before, holder, "one epoch, two leases");
            } else {
                let before = self.newest.insert((key.job, key.shard), key.epoch);
                assert!(before < Some(key.epoch), "epochs have to grow");
            }
        }
    }

    fn deliver_to_worker(&mut self) {
        if self.to_worker.is_empty() {
            return;
        }
        let at = self.dice.below(self.to_worker.len());
        let (to, instance, message) = self.to_worker.swap_remove(at);
        let worker = &mut self.workers[to];
        if worker.instance != instance || self.dice.percent(self.faults.loss) {
            return;
        }
        match message {
            ToWorker::Registered(reply) => {
                worker.registered = true;
                for key in reply.revoked {
                    worker.running.remove(&key);
                }
            }
            ToWorker::Refused(Refusal::Replaced { .. }) => self.restart_worker(to),
            ToWorker::Refused(_) => worker.registered = false,
            ToWorker::Grant(grant) => {
                for granted in grant.leases {
                    let running = Running { granted, work: 0 };
                    worker.running.insert(running.granted.key, running);
                }
            }
            ToWorker::Beat(reply) => {
                worker.registered &= !reply.unknown;
                for key in reply.revoked {
                    worker.running.remove(&key);
                }
            }
            ToWorker::Ack(request, verdict) => {
                if let Verdict::Retry(_) = verdict {
                    return;
                }
                if let Some(report) = worker.outbox.remove(&request)
                    && verdict == Verdict::Stored
                    && matches!(report.outcome, Outcome::Completed { .. })
                {
                    self.acked.insert((report.key, request));
                }
            }
        }
    }

    /// The worker's process dies and another one starts under its name, with
    /// or without what was in the outbox.
    fn restart_worker(&mut self, index: usize) {
        let instance = self.instance();
        let keep_outbox = self.dice.percent(50);
        let worker = &mut self.workers[index];
        worker.instance = instance;
        worker.registered = false;
        worker.running.clear();
        if !keep_outbox {
            worker.outbox.clear();
        }
    }

    fn work(&mut self, index: usize) {
        if self.dice.percent(self.faults.silence) {
            self.workers[index].silent ^= true;
        }
        if self.faults.silence == 0 {
            self.workers[index].silent = false;
        }
        if self.workers[index].silent {
            return;
        }
        if self.dice.percent(self.faults.worker_crash) {
            self.restart_worker(index);
            return;
        }
        let worker = &self.workers[index];
        let (name, instance) = (worker.name.clone(), worker.instance.clone());
        if !worker.registered {
            let held = worker.running.values().map(|running| Held {
                key: running.granted.key,
                plan: running.granted.plan,
            });
            let unacked = worker.outbox.values().map(|report| Held {
                key: report.key,
                plan: report.plan,
            });
            let registration = Registration {
                worker: name,
                instance,
                engine: ENGINE.to_owned(),
                threads: 2,
                held: held.chain(unacked).collect(),
            };
            self.send(index, ToCoordinator::Register(registration));
            return;
        }
        match self.dice.below(10) {
            0 | 1 => {
                let ask = Ask {
                    request: self.fresh(),
                    worker: name,
                    instance,
                    slots: 1 + self.dice.below(3) as u32,
                };
                self.send(index, ToCoordinator::Ask(ask));
            }
            2 | 3 => {
                let worker = &mut self.workers[index];
                let running = worker.running.values_mut().map(|running| {
                    running.work += 1;
                    Progress {
                        key: running.granted.key,
                        work: running.work,
                        fraction: 0.3,
                        best_moves: 0,
                    }
                });
                let running = running.collect();
                self.send(index, ToCoordinator::Beat(name, instance, running));
            }
            4 if self.faults.lie > 0 && self.dice.percent(10) => {
                let keys: Vec<LeaseKey> = self.workers[index].running.keys().copied().collect();
                self.workers[index].running.clear();
                let leaving = self.dice.percent(20);
                self.workers[index].registered &= !leaving;
                self.send(index, ToCoordinator::Release(name, instance, keys, leaving));
            }
            4..=7 => self.finish_one(index),
            _ => {
                let reports: Vec<Report> = self.workers[index].outbox.values().cloned().collect();
                for report in reports {
                    self.send(index, ToCoordinator::Report(report));
                }
            }
        }
    }

    /// Computes one of the running shards, wholly or in part.
    fn finish_one(&mut self, index: usize) {
        let count_running = self.workers[index].running.len();
        if count_running == 0 {
            return;
        }
        let at = self.dice.below(count_running);
        let key = *self.workers[index].running.keys().nth(at).unwrap();
        let running = self.workers[index].running.remove(&key).unwrap();
        let (from, to) = range(&running.granted.shard);
        let outcome = if self.dice.percent(self.faults.failure) {
            Outcome::Failed("simulated".to_owned())
        } else {
            let stop = if self.dice.percent(40) {
                from + 1 + self.dice.roll() % (to - from)
            } else {
                to
            };
            let middle = stop + (to - stop) / 2;
            let parts = [(stop, middle), (middle, to)];
            let parts = parts.into_iter().filter(|(from, to)| from < to);
            Outcome::Completed {
                tally: count((from, stop)),
                remainder: parts.map(|(from, to)| piece(from, to)).collect(),
            }
        };
        let request = self.fresh();
        let worker = &mut self.workers[index];
        let report = Report {
            request: request.clone(),
            worker: worker.name.clone(),
            instance: worker.instance.clone(),
            key,
            plan: running.granted.plan,
            engine: ENGINE.to_owned(),
            core_ms: 1,
            outcome,
        };
        worker.outbox.insert(request.clone(), report.clone());
        if self.dice.percent(self.faults.lie) {
            // The same shard under epochs that are not the worker's.
            let mut lie = report;
            let shift = 1 + self.dice.roll() % 5;
            lie.key.epoch = Epoch(if self.dice.percent(50) {
                key.epoch.0.saturating_sub(shift)
            } else {
                key.epoch.0 + shift
            });
            lie.request = self.fresh();
            self.send(index, ToCoordinator::Report(lie));
        }
    }

    fn all_ended(&self) -> bool {
        let active = |job: &JobRecord| !job.phase.has_ended();
        !self.disk.jobs.values().any(active) && self.queue.iter().all(|(w, _)| w.is_empty())
    }
}

/// One run: chaos for a while, then calm until all jobs have ended.
fn run(seed: u64, attempts: u32) -> World {
    let mut world = World::new(seed, attempts);
    let jobs = [world.submit(3), world.submit(5)];
    for _ in 0..400 {
        world.step();
    }
    world.faults = CALM;
    let mut steps = 0;
    while !world.all_ended() {
        world.calm_step();
        steps += 1;
        assert!(steps < 3_000, "no end: {:?}", world.scheduler);
    }
    world.disk.check_conservation();
    for job in jobs {
        let record = &world.disk.jobs[&job];
        match record.phase {
            Phase::Done => {
                let left = world.disk.shards.keys().any(|key| key.0 == job);
                assert!(!left, "done with shards left");
            }
            Phase::Incomplete => assert!(attempts < 100),
            phase => panic!("ended as {phase:?}: {}", record.reason),
        }
    }
    for (key, request) in &world.acked {
        let row = &world.disk.ledger[&(key.job, key.shard)];
        assert_eq!((row.epoch, &row.request), (key.epoch, request));
    }
    world
}

fn runs(seeds: std::ops::Range<u64>, attempts: u32) {
    let mut seen = [0; 4];
    for seed in seeds {
        let result = std::panic::catch_unwind(|| run(seed, attempts));
        let Ok(world) = result else {
            panic!("the run of seed {seed} failed");
        };
        seen[0] += world.adopted;
        seen[1] += world.totals.leased_again;
        seen[2] += world.totals.stale;
        seen[3] += world.acked.len() as u64;
    }
    // A simulation in which nothing ever goes wrong proves nothing.
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    println!("adopted, leased again, stale, acked: {seen:?}");
}

/// How many runs of each kind; more with the variable.
fn wanted() -> u64 {
    let wanted = std::env::var("SOKO_SIMULATION_RUNS").ok();
    wanted.and_then(|runs| runs.parse().ok()).unwrap_or(400)
}

#[test]
fn every_unit_counts_exactly_once_whatever_dies() {
    runs(0..wanted(), 1_000_000);
}

#[test]
fn jobs_end_even_when_shards_are_given_up() {
    runs(1_000_000..1_000_000 + wanted(), 3);
}

#[test]
fn the_simulation_notices_a_double_count() {
    let mut disk = Disk::default();
    let row = LedgerRecord {
        epoch: Epoch(1),
        request: RequestId::new("r").unwrap(),
        worker: WorkerName::new("w").unwrap(),
        engine: ENGINE.to_owned(),
        core_ms: 0,
        body: Arc::new(piece(0, 5)),
        tally: count((0, 5)),
        remainder: vec![],
    };
    let search = Search::new(Size::new(1, 1).unwrap(), Mode::Exhaustive);
    let record = JobRecord {
        id: JobId(1),
        seq: 1,
        request: RequestId::new("s").unwrap(),
        name: String::new(),
        priority: 0,
        search,
        phase: Phase::Running,
        reason: String::new(),
        engine: ENGINE.to_owned(),
        plan: 0,
        shards_done: 1,
        progress: 0.0,
        best_moves: 0,
        work_done: 0,
        core_ms: 0,
        elapsed: Duration::ZERO,
    };
    disk.jobs.insert(JobId(1), record);
    disk.ledger.insert((JobId(1), ShardId(1)), row.clone());
    let twice = std::panic::catch_unwind(|| disk.check_conservation());
    assert!(twice.is_err(), "half is missing");
}
