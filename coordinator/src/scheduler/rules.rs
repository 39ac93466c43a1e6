//! The rules, one test each. Names start with the reported fault of similar
//! systems that the rule prevents.

use std::{sync::Arc, time::Duration};

use soko::{
    board::Size,
    plan::{Mode, Plan, Search, Shard, Tally, Work},
};

use super::*;
use crate::model::{
    Epoch, InstanceId, JobId, LeaseKey, Phase, RequestId, ShardId, ShardRecord, Snapshot,
    StoredJob, WorkerName, Write,
};

const PLAN: u128 = 77;
const ENGINE: &str = "test 1";

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn search(n: u64) -> Search {
    Search::new(Size::new(n, n).unwrap(), Mode::Census)
}

fn shard(from: u64, to: u64, weight: f64) -> Shard {
    Shard {
        weight,
        work: Work::Census { from, to },
    }
}

fn name(text: &str) -> WorkerName {
    WorkerName::new(text).unwrap()
}

fn instance(text: &str) -> InstanceId {
    InstanceId::new(text).unwrap()
}

fn request(text: &str) -> RequestId {
    RequestId::new(text).unwrap()
}

/// A scheduler with a clock and a source of request ids.
struct Bench {
    scheduler: Scheduler,
    now: Duration,
    requests: u64,
    effects: Effects,
}

impl Bench {
    fn new() -> Self {
        Self::start(0, Snapshot::default(), Config::new(ENGINE))
    }

    fn start(boot: u64, snapshot: Snapshot, config: Config) -> Self {
        let serials = Serials::new(boot * 1000..boot * 1000 + 1000);
        let (scheduler, effects) = Scheduler::new(config, serials, snapshot, Duration::ZERO);
        Self {
            scheduler,
            now: Duration::ZERO,
            requests: 0,
            effects,
        }
    }

    fn request(&mut self) -> RequestId {
        self.requests += 1;
        request(&self.requests.to_string())
    }

    /// Files a job with these weights and plans it.
    fn job(&mut self, id: u64, priority: i32, weights: &[f64]) -> JobId {
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
        let plan = Plan {
            shards,
            digest: PLAN,
        };
        self.scheduler
            .planned(job, Ok(plan), self.now, &mut self.effects);
        job
    }

    fn register(&mut self, worker: &str, process: &str, held: Vec<Held>) -> Registered {
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

    fn ask(&mut self, worker: &str, slots: u32) -> Grant {
        let ask = Ask {
            request: self.request(),
            worker: name(worker),
            instance: instance(worker),
            slots,
        };
        self.scheduler.lease(&ask, self.now).unwrap()
    }

    fn lease(&mut self, worker: &str) -> Granted {
        self.ask(worker, 1).leases.remove(0)
    }

    fn beat(&mut self, worker: &str, running: &[(LeaseKey, u64)]) -> BeatReply {
        let running: Vec<Progress> = running
            .iter()
            .map(|&(key, work)| Progress {
                key,
                work,
                fraction: 0.5,
                best_moves: 0,
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

    fn report_of(&mut self, worker: &str, key: LeaseKey, outcome: Outcome) -> Report {
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

    fn report(&mut self, report: &Report) -> Verdict {
        self.scheduler.report(report, self.now, &mut self.effects)
    }

    fn complete(&mut self, worker: &str, key: LeaseKey) -> Verdict {
        let report = self.report_of(worker, key, done(vec![]));
        self.report(&report)
    }

    fn fail(&mut self, worker: &str, key: LeaseKey) -> Verdict {
        let report = self.report_of(worker, key, Outcome::Failed("broken".to_owned()));
        self.report(&report)
    }

    /// Lets time pass in ticks of a second, workers beating all the while.
    fn pass(&mut self, seconds: u64, beating: &[&str]) {
        for _ in 0..seconds {
            self.now += secs(1);
            for worker in beating {
                self.beat(worker, &[]);
            }
            self.scheduler.tick(self.now, &mut self.effects);
            self.scheduler.check();
        }
    }

    fn view(&mut self, job: JobId) -> JobView {
        self.scheduler.view(job, self.now).unwrap()
    }

    fn phase(&mut self, job: JobId) -> Phase {
        self.view(job).record.phase
    }
}

fn done(remainder: Vec<Shard>) -> Outcome {
    Outcome::Completed {
        tally: Tally::empty(&search(3)),
        remainder,
    }
}

/// A job found running on disk with these shards.
fn stored(shards: &[u64]) -> Snapshot {
    let mut bench = Bench::new();
    let job = bench.job(9, 0, &[]);
    let mut record = bench.view(job).record;
    record.phase = Phase::Running;
    let shards = shards.iter().map(|&id| {
        let body = Arc::new(shard(id, id + 1, 1.0 / shards.len() as f64));
        let record = ShardRecord {
            body,
            attempts: 0,
            failed: None,
            poisoned: false,
        };
        (ShardId(id), record)
    });
    let shards = shards.collect();
    Snapshot {
        jobs: vec![StoredJob { record, shards }],
    }
}

fn key(shard: u64, epoch: u64) -> LeaseKey {
    LeaseKey {
        job: JobId(9),
        shard: ShardId(shard),
        epoch: Epoch(epoch),
    }
}

fn held(key: LeaseKey) -> Held {
    Held { key, plan: PLAN }
}

#[test]
fn a_job_runs_to_its_end() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let first = bench.lease("a");
    assert_eq!(bench.complete("a", first.key), Verdict::Stored);
    assert!((bench.view(job).record.progress - 0.5).abs() < 1e-9);
    let parts = vec![shard(10, 14, 0.2), shard(14, 20, 0.3)];
    let second = bench.lease("a");
    let report = bench.report_of("a", second.key, done(parts));
    assert_eq!(bench.report(&report), Verdict::Stored);
    for _ in 0..2 {
        let part = bench.lease("a");
        bench.complete("a", part.key);
    }
    assert_eq!(bench.phase(job), Phase::Finalizing);
    assert!(
        bench
            .scheduler
            .finished(job, Ok(()), bench.now, &mut bench.effects)
    );
    let view = bench.view(job);
    assert_eq!(view.record.phase, Phase::Done);
    assert_eq!(view.record.shards_done, 4);
    assert_eq!(view.record.core_ms, 20);
}

#[test]
fn a_plan_without_shards_is_finished_at_once() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[]);
    assert_eq!(bench.phase(job), Phase::Finalizing);
    assert!(matches!(
        bench.effects.actions[..],
        [Action::Plan(..), Action::Finish(..)]
    ));
}

#[test]
fn l9_a_stale_result_loses_while_the_new_lease_runs() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    let old = bench.lease("a");
    bench.pass(40, &["b"]);
    let new = bench.lease("b");
    assert_eq!(new.key.shard, old.key.shard);
    assert!(new.key.epoch > old.key.epoch);
    assert!(matches!(bench.complete("a", old.key), Verdict::Ledger(_)));
    assert_eq!(bench.complete("b", new.key), Verdict::Stored);
}

#[test]
fn an_expired_lease_that_nobody_else_got_still_counts() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.pass(40, &[]);
    assert_eq!(bench.scheduler.stats().lost(Loss::Silent), 1);
    assert_eq!(bench.complete("a", lease.key), Verdict::Stored);
}

#[test]
fn issue_32_a_result_sent_twice_counts_once() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    let report = bench.report_of("a", lease.key, done(vec![]));
    assert_eq!(bench.report(&report), Verdict::Stored);
    assert!(matches!(bench.report(&report), Verdict::Ledger(_)));
    assert_eq!(bench.view(job).record.shards_done, 1);
}

#[test]
fn l1_beats_without_progress_lose_the_lease() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    for _ in 0..40 {
        bench.beat("a", &[(lease.key, 7)]);
        bench.pass(1, &[]);
    }
    assert_eq!(bench.scheduler.stats().lost(Loss::Stalled), 1);
    assert_eq!(bench.beat("a", &[(lease.key, 8)]).revoked, [lease.key]);
}

#[test]
fn l31_l6_a_long_shard_with_progress_keeps_its_lease() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    for work in 1..300 {
        assert!(bench.beat("a", &[(lease.key, work)]).revoked.is_empty());
        bench.pass(1, &[]);
    }
    assert_eq!(bench.complete("a", lease.key), Verdict::Stored);
}

#[test]
fn three_missed_beats_lose_nobody() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[1.0]);
    bench.pass(60, &[]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.pass(20, &[]);
    assert!(bench.beat("a", &[(lease.key, 1)]).revoked.is_empty());
}

#[test]
fn l2_l7_nobody_is_lost_after_a_start_or_a_stall() {
    let mut bench = Bench::start(1, stored(&[1]), Config::new(ENGINE));
    bench.register("a", "a", vec![held(key(1, 5))]);
    bench.pass(29, &[]);
    assert_eq!(bench.scheduler.stats().lost(Loss::Silent), 0);
    bench.beat("a", &[(key(1, 5), 1)]);
    // The coordinator's process stands still for ten minutes.
    bench.now += secs(600);
    bench.scheduler.tick(bench.now, &mut bench.effects);
    bench.pass(20, &[]);
    assert_eq!(bench.scheduler.stats().lost(Loss::Silent), 0);
    assert_eq!(bench.complete("a", key(1, 5)), Verdict::Stored);
}

#[test]
fn r6_a_lease_is_taken_up_again_after_a_restart() {
    let mut bench = Bench::start(1, stored(&[1, 2]), Config::new(ENGINE));
    let reply = bench.register("a", "a", vec![held(key(1, 5)), held(key(3, 6))]);
    assert_eq!(reply.revoked, [key(3, 6)], "there is no shard 3");
    assert_eq!(bench.scheduler.stats().adopted, 1);
    bench.register("b", "b", vec![]);
    assert_eq!(bench.lease("b").key.shard, ShardId(2));
    assert_eq!(bench.complete("a", key(1, 5)), Verdict::Stored);
}

#[test]
fn a_lease_of_another_plan_or_leased_since_the_start_is_not_taken_up() {
    let mut bench = Bench::start(1, stored(&[1]), Config::new(ENGINE));
    let other_plan = Held {
        key: key(1, 5),
        plan: 1,
    };
    let reply = bench.register("a", "a", vec![other_plan]);
    assert_eq!(reply.revoked.len(), 1);
    let lease = bench.lease("a");
    assert!(lease.key.epoch >= Epoch(1000));
    let reply = bench.register("b", "b", vec![held(key(1, 5))]);
    assert_eq!(reply.revoked.len(), 1);
    assert!(matches!(bench.complete("b", key(1, 5)), Verdict::Ledger(_)));
}

#[test]
fn of_two_leases_from_before_a_restart_the_newer_wins() {
    let mut bench = Bench::start(1, stored(&[1]), Config::new(ENGINE));
    bench.register("a", "a", vec![held(key(1, 5))]);
    assert!(
        bench
            .register("b", "b", vec![held(key(1, 6))])
            .revoked
            .is_empty()
    );
    bench.scheduler.check();
    assert_eq!(bench.beat("a", &[(key(1, 5), 1)]).revoked, [key(1, 5)]);
    assert!(matches!(bench.complete("a", key(1, 5)), Verdict::Ledger(_)));
    assert_eq!(bench.complete("b", key(1, 6)), Verdict::Stored);
}

#[test]
fn running_shards_are_likely_left_alone_right_after_a_restart() {
    let mut snapshot = stored(&[1, 2, 3]);
    for (id, record) in &mut snapshot.jobs[0].shards {
        record.body = Arc::new(shard(id.0, id.0 + 1, 1.0 / id.0 as f64));
    }
    let mut bench = Bench::start(1, snapshot, Config::new(ENGINE));
    bench.register("a", "a", vec![]);
    assert_eq!(bench.lease("a").key.shard, ShardId(3), "lightest first");
    bench.pass(11, &["a"]);
    assert_eq!(bench.lease("a").key.shard, ShardId(1), "heaviest first");
}

#[test]
fn l3_a_restarted_worker_is_welcome_and_its_leases_return_once() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let kept = bench.lease("a");
    bench.lease("a");
    bench.register("a", "a2", vec![held(kept.key)]);
    assert_eq!(bench.scheduler.stats().lost(Loss::Replaced), 1);
    let view = bench.view(job);
    assert_eq!((view.open, view.leased), (1, 1));
    // The old process is told to go, and cannot come back.
    let reply = bench.beat("a", &[(kept.key, 1)]);
    assert!(reply.drain && !reply.unknown && reply.revoked == [kept.key]);
    let again = Registration {
        worker: name("a"),
        instance: instance("a"),
        engine: ENGINE.to_owned(),
        threads: 1,
        held: vec![],
    };
    let refused = bench
        .scheduler
        .register(again, bench.now, &mut bench.effects);
    assert!(matches!(refused, Err(Refusal::Replaced { .. })));
}

#[test]
fn l5_a_lease_that_never_arrived_returns_without_an_attempt() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    bench.lease("a");
    bench.pass(16, &["a"]);
    assert_eq!(bench.scheduler.stats().lost(Loss::Unclaimed), 1);
    assert_eq!(bench.view(job).open, 2);
    let attempts = bench
        .effects
        .writes
        .iter()
        .any(|write| matches!(write, Write::Shard(_, _, record) if record.attempts > 0));
    assert!(!attempts);
}

#[test]
fn l10_the_same_question_gets_the_same_leases() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[0.3, 0.3, 0.4]);
    bench.register("a", "a", vec![]);
    let ask = Ask {
        request: request("once"),
        worker: name("a"),
        instance: instance("a"),
        slots: 1,
    };
    let first = bench.scheduler.lease(&ask, bench.now).unwrap();
    let again = bench.scheduler.lease(&ask, bench.now).unwrap();
    assert_eq!(first.leases[0].key, again.leases[0].key);
    assert_ne!(bench.lease("a").key, first.leases[0].key);
    bench.complete("a", first.leases[0].key);
    assert!(
        bench
            .scheduler
            .lease(&ask, bench.now)
            .unwrap()
            .leases
            .is_empty()
    );
}

#[test]
fn l16_a_job_without_workers_is_starved_and_recovers() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.lease("a");
    bench.pass(5, &["a"]);
    assert!(!bench.view(job).starved);
    bench.pass(40, &[]);
    assert!(bench.view(job).starved);
    bench.register("b", "b", vec![]);
    bench.pass(1, &["b"]);
    assert!(!bench.view(job).starved);
    let lease = bench.lease("b");
    assert_eq!(bench.complete("b", lease.key), Verdict::Stored);
}

#[test]
fn v4_handing_back_is_not_an_attempt_but_failing_is() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    for _ in 0..20 {
        let lease = bench.lease("a");
        let (worker, process) = (name("a"), instance("a"));
        let keys = [lease.key, lease.key];
        let now = bench.now;
        bench
            .scheduler
            .release(&worker, &process, &keys, false, now, &mut bench.effects);
    }
    assert_eq!(bench.phase(job), Phase::Running);
    for i in 0..5 {
        // Another worker each time: five failures of one are a quarantine.
        let worker = format!("w{i}");
        bench.register(&worker, &worker, vec![]);
        let lease = bench.lease(&worker);
        let report = bench.report_of(&worker, lease.key, Outcome::Failed(String::new()));
        assert_eq!(bench.report(&report), Verdict::Stored);
        assert_eq!(
            bench.report(&report),
            Verdict::Stored,
            "a replay is a no-op"
        );
        bench.scheduler.check();
    }
    assert_eq!(bench.phase(job), Phase::Incomplete);
    assert_eq!(bench.scheduler.stats().failed, 5);
    let now = bench.now;
    assert_eq!(bench.scheduler.retry(job, now, &mut bench.effects), Ok(1));
    assert_eq!(bench.phase(job), Phase::Running);
    let lease = bench.lease("w0");
    bench.complete("w0", lease.key);
    assert_eq!(bench.phase(job), Phase::Finalizing);
}

#[test]
fn v3_v6_a_failing_worker_is_quarantined_and_the_job_goes_on() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.1; 10]);
    bench.register("bad", "bad", vec![]);
    bench.register("good", "good", vec![]);
    let leases = bench.ask("bad", 5).leases;
    for lease in leases {
        bench.fail("bad", lease.key);
    }
    let grant = bench.ask("bad", 5);
    assert!(grant.leases.is_empty() && grant.reason.contains("5 failures in a row"));
    assert!(
        !bench.scheduler.worker_views(bench.now)[0]
            .quarantined
            .is_empty()
    );
    for _ in 0..10 {
        let lease = bench.lease("good");
        bench.complete("good", lease.key);
    }
    assert_eq!(bench.phase(job), Phase::Finalizing);
}

#[test]
fn priority_first_then_equal_shares() {
    let mut bench = Bench::new();
    let low = bench.job(1, 0, &[0.1; 10]);
    let high = bench.job(2, 5, &[0.5; 2]);
    let also_low = bench.job(3, 0, &[0.1; 10]);
    bench.register("a", "a", vec![]);
    let order: Vec<JobId> = (0..6).map(|_| bench.lease("a").key.job).collect();
    assert_eq!(order, [high, high, low, also_low, low, also_low]);
}

#[test]
fn the_first_to_ask_does_not_take_all() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[0.1; 10]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    assert_eq!(bench.ask("a", 256).leases.len(), 5);
}

#[test]
fn cancel_pause_and_resume() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    let now = bench.now;
    bench.scheduler.pause(job, now, &mut bench.effects).unwrap();
    assert!(bench.ask("a", 1).leases.is_empty());
    assert_eq!(bench.complete("a", lease.key), Verdict::Stored);
    bench
        .scheduler
        .resume(job, now, &mut bench.effects)
        .unwrap();
    let lease = bench.lease("a");
    bench
        .scheduler
        .cancel(job, now, &mut bench.effects)
        .unwrap();
    bench
        .scheduler
        .cancel(job, now, &mut bench.effects)
        .unwrap();
    assert_eq!(bench.beat("a", &[(lease.key, 1)]).revoked, [lease.key]);
    assert!(matches!(bench.complete("a", lease.key), Verdict::Ledger(_)));
    let refused = bench.scheduler.resume(job, now, &mut bench.effects);
    assert!(matches!(refused, Err(Refusal::WrongPhase { .. })));
    bench.scheduler.check();
}

#[test]
fn an_interrupted_job_is_held_and_taken_up_by_an_equal_search() {
    let config = Config {
        hold_interrupted: true,
        ..Config::new(ENGINE)
    };
    let mut bench = Bench::start(1, stored(&[1]), config);
    bench.register("a", "a", vec![]);
    assert!(bench.ask("a", 1).leases.is_empty());
    let mut submission = Submission {
        id: JobId(2),
        request: request("new"),
        search: search(4),
        name: String::new(),
        priority: 0,
        resume_equal: true,
    };
    let (now, effects) = (bench.now, &mut bench.effects);
    let other = bench.scheduler.submit(submission.clone(), now, effects);
    assert_eq!(other.map(|it| (it.job, it.resumed)), Ok((JobId(2), false)));
    submission.request = request("newer");
    submission.search = search(3);
    let equal = bench.scheduler.submit(submission.clone(), now, effects);
    assert_eq!(
        equal.clone().map(|it| (it.job, it.resumed)),
        Ok((JobId(9), true))
    );
    let again = bench.scheduler.submit(submission.clone(), now, effects);
    assert_eq!(again, equal);
    submission.search = search(5);
    let conflict = bench.scheduler.submit(submission, now, effects);
    assert_eq!(conflict, Err(Refusal::Conflict(JobId(9))));
    assert_eq!(bench.lease("a").key.job, JobId(9));
}

#[test]
fn d3_ended_jobs_are_forgotten() {
    let config = Config {
        kept_jobs: 10,
        ..Config::new(ENGINE)
    };
    let mut bench = Bench::start(0, Snapshot::default(), config);
    for id in 0..100 {
        let job = bench.job(id, 0, &[]);
        let now = bench.now;
        bench
            .scheduler
            .finished(job, Ok(()), now, &mut bench.effects);
    }
    assert_eq!(bench.scheduler.newest_jobs(1000).len(), 10);
    let dropped = bench.effects.writes.iter();
    let dropped = dropped.filter(|write| matches!(write, Write::DropJob(_)));
    assert_eq!(dropped.count(), 90);
}

#[test]
fn jobs_are_found_by_a_unique_prefix() {
    let mut bench = Bench::new();
    bench.job(0x1234_0000_0000_0000, 0, &[1.0]);
    bench.job(0x1235_0000_0000_0001, 0, &[1.0]);
    let find = |text: &str| bench.scheduler.find_job(text);
    assert_eq!(find("1234"), Ok(JobId(0x1234_0000_0000_0000)));
    assert_eq!(find("1235000000000001"), Ok(JobId(0x1235_0000_0000_0001)));
    assert!(matches!(find("123"), Err(Refusal::Ambiguous(_))));
    for nonsense in ["", "9", "xyz", "12350000000000011", "+1"] {
        assert!(
            matches!(find(nonsense), Err(Refusal::NoSuchJob(_))),
            "{nonsense}"
        );
    }
}

#[test]
fn issue_33_a_remainder_that_is_not_part_of_the_shard_is_rejected() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    let report = bench.report_of("a", lease.key, done(vec![shard(5, 11, 0.1)]));
    assert!(matches!(bench.report(&report), Verdict::Rejected(_)));
    assert_eq!(bench.view(job).record.shards_done, 0);
}

#[test]
fn issue_35_progress_never_falls_nor_leaves_its_range() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    let report = Progress {
        key: lease.key,
        work: 1,
        fraction: f64::INFINITY,
        best_moves: 0,
    };
    let (worker, process) = (name("a"), instance("a"));
    let mut last = 0.0;
    for fraction in [0.2, f64::NAN, 9.0, -3.0, 0.1] {
        let running = [Progress { fraction, ..report }];
        let now = bench.now;
        bench
            .scheduler
            .beat(&worker, &process, &running, now, &mut bench.effects);
        let progress = bench.view(job).record.progress;
        assert!((last..=1.0).contains(&progress));
        last = progress;
    }
    // A remainder that claims to weigh more than its shard.
    let heavy = vec![shard(0, 5, 9.0), shard(5, 10, f64::NAN)];
    let report = bench.report_of("a", lease.key, done(heavy));
    assert_eq!(bench.report(&report), Verdict::Stored);
    bench.scheduler.check();
    assert!((last..=1.0).contains(&bench.view(job).record.progress));
}
