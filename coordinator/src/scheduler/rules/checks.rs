//! Results that are computed a second time, and results that are taken back.

use std::collections::BTreeSet;

use soko::plan::{Shard, Tally};

use super::{super::*, bench::*};
use crate::model::*;

/// All results are computed twice where that is possible.
fn checked() -> Bench {
    let config = Config {
        check_share: 1.0,
        ..unchecked()
    };
    Bench::start(0, Snapshot::default(), config)
}

/// A result that is not that of an honest worker.
fn lie() -> Outcome {
    let tally = soko::search::census::Tally {
        digest: 99,
        ..Default::default()
    };
    Outcome::Completed {
        tally: Tally::Census(Box::new(tally)),
        remainder: vec![],
    }
}

fn truth() -> u128 {
    fingerprint(&Tally::empty(&search(3)), search(3).size)
}

impl Bench {
    fn judge(&mut self, truth: Result<Option<u128>, String>) {
        let orders = self.effects.actions.iter().rev();
        let mut orders = orders.filter_map(|action| match action {
            Action::Judge { key, .. } => Some(*key),
            _ => None,
        });
        let key = orders.next().unwrap();
        self.scheduler
            .judged(key, truth, self.now, &mut self.effects);
        self.scheduler.check();
    }

    /// Carries out the latest order to take results of a job back, as far as
    /// these are concerned.
    fn undo(&mut self, job: JobId, results: &[(LeaseKey, Shard)]) -> bool {
        let orders = self.effects.actions.iter().rev();
        let mut orders = orders.filter_map(|action| match action {
            Action::Undo {
                job: id, ticket, ..
            } if *id == job => Some(*ticket),
            _ => None,
        });
        let ticket = orders.next().unwrap();
        let back = results.iter().map(|(key, body)| {
            let body = std::sync::Arc::new(body.clone());
            (key.shard, key.epoch, body)
        });
        let undo = Undo {
            back: back.collect(),
            results: results.iter().map(|it| it.0.shard).collect(),
            ..Undo::default()
        };
        let had_answer = self
            .scheduler
            .undone(job, ticket, undo, self.now, &mut self.effects);
        self.scheduler.check();
        had_answer
    }

    fn quarantine_of(&self, worker: &str) -> String {
        let view = self.scheduler.worker_view(&name(worker), self.now);
        view.unwrap().quarantined
    }

    fn confirmed(&self) -> usize {
        let writes = self.effects.writes.iter();
        let confirmed = writes.filter(|write| matches!(write, Write::Checked(..)));
        confirmed.count()
    }
}

#[test]
fn v1_a_second_computation_is_never_the_first_workers() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    let first = bench.lease("a");
    bench.complete("a", first.key);
    // The job waits for it, and the first worker gets nothing.
    assert_eq!(bench.phase(job), Phase::Running);
    assert!(bench.ask("a", 5).leases.is_empty());
    let second = bench.lease("b");
    assert_ne!(first.key.shard, second.key.shard);
    assert_eq!(second.shard.work, first.shard.work);
    assert_eq!(bench.complete("b", second.key), Verdict::Stored);
    assert_eq!(bench.confirmed(), 1);
    assert_eq!(bench.phase(job), Phase::Finalizing);
    // It counts once.
    assert_eq!(bench.view(job).record.shards_done, 1);
    assert_eq!(bench.scheduler.stats().checked, 1);
}

#[test]
fn with_one_worker_nothing_is_computed_twice() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    assert_eq!(bench.phase(job), Phase::Finalizing);
    assert_eq!(bench.confirmed(), 0);
}

#[test]
fn a_second_worker_that_leaves_holds_nothing_up() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    let second = bench.lease("b");
    let now = bench.now;
    bench.scheduler.release(
        &name("b"),
        &instance("b"),
        &[second.key],
        true,
        now,
        &mut bench.effects,
    );
    bench.pass(1, &["a"]);
    assert_eq!(bench.phase(job), Phase::Finalizing);
    assert_eq!(bench.confirmed(), 0);
}

#[test]
fn the_first_results_of_a_worker_are_computed_twice() {
    let config = Config {
        check_first: 2,
        ..unchecked()
    };
    let short = config.budget_new;
    let mut bench = Bench::start(0, Snapshot::default(), config);
    bench.job(1, 0, &[0.1; 10]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    for _ in 0..2 {
        let lease = bench.lease("a");
        assert_eq!(lease.budget, short, "what is done twice is short");
        bench.complete("a", lease.key);
        let check = bench.lease("b");
        bench.complete("b", check.key);
    }
    assert_eq!(bench.confirmed(), 2);
    // Both are known now.
    for worker in ["a", "b"] {
        let lease = bench.lease(worker);
        assert!(lease.budget > short);
        bench.complete(worker, lease.key);
    }
    bench.pass(1, &["a", "b"]);
    let open = bench.view(JobId(1)).open;
    assert_eq!(open, 6, "no further checks");
}

#[test]
fn v2_issue_33_a_wrong_result_is_found_and_taken_back() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("liar", "liar", vec![]);
    bench.register("b", "b", vec![]);
    let lease = bench.lease("liar");
    let unfinished = bench.lease("liar");
    let report = bench.report_of("liar", lease.key, lie());
    assert_eq!(bench.report(&report), Verdict::Stored);
    let check = bench.lease("b");
    bench.complete("b", check.key);
    assert!(bench.quarantine_of("liar").is_empty(), "not decided yet");
    bench.judge(Ok(Some(truth())));
    let why = bench.quarantine_of("liar");
    assert!(why.contains("not what others find"), "{why}");
    assert!(bench.quarantine_of("b").is_empty());
    // Nothing more is given to it, or taken from it.
    let refused = bench.complete("liar", unfinished.key);
    assert!(matches!(refused, Verdict::Rejected(_)), "{refused:?}");
    assert!(bench.ask("liar", 1).leases.is_empty());
    let told = bench.scheduler.explain(job, None, bench.now).unwrap();
    assert!(told.reasons[0].contains("taken back"), "{told:?}");
    // Until its results are found nothing goes on.
    assert!(bench.ask("b", 1).leases.is_empty());
    assert!(!bench.undo(job, &[(lease.key, (*lease.shard).clone())]));
    assert_eq!(bench.view(job).record.shards_done, 0);
    // Both shards are open again; the old result is too late.
    for _ in 0..2 {
        let again = bench.lease("b");
        assert_eq!(bench.complete("b", again.key), Verdict::Stored);
    }
    assert_eq!(bench.phase(job), Phase::Finalizing);
    let late = bench.report(&report);
    assert!(!matches!(late, Verdict::Stored), "{late:?}");
}

#[test]
fn a_wrong_second_result_harms_only_its_worker() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.register("liar", "liar", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    let check = bench.lease("liar");
    let report = bench.report_of("liar", check.key, lie());
    bench.report(&report);
    bench.judge(Ok(Some(truth())));
    assert!(bench.quarantine_of("a").is_empty());
    assert!(!bench.quarantine_of("liar").is_empty());
    assert_eq!(bench.confirmed(), 1, "the coordinator found it again");
    assert!(!bench.undo(job, &[]));
    assert_eq!(bench.phase(job), Phase::Finalizing);
    // The same process, or another one of that name, stays out.
    let instance = bench.register("liar", "another", vec![held(check.key)]);
    assert_eq!(instance.revoked, [check.key]);
    assert!(!bench.quarantine_of("liar").is_empty());
}

#[test]
fn a_remainder_that_makes_no_sense_is_a_lie_too() {
    let mut bench = checked();
    bench.job(1, 0, &[1.0]);
    bench.register("liar", "liar", vec![]);
    bench.register("b", "b", vec![]);
    let lease = bench.lease("liar");
    bench.complete("liar", lease.key);
    let check = bench.lease("b");
    bench.fail("b", check.key);
    bench.judge(Err("not under the shard".to_owned()));
    assert!(!bench.quarantine_of("liar").is_empty());
    assert!(bench.quarantine_of("b").is_empty());
}

#[test]
fn a_result_that_nobody_can_repeat_in_time_is_taken_back_alone() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    let check = bench.lease("b");
    let part = vec![shard(5, 10, 0.0)];
    let mut report = bench.report_of("b", check.key, done(part));
    report.core_ms = 1_000_000;
    bench.report(&report);
    bench.judge(Ok(None));
    assert!(bench.quarantine_of("a").is_empty());
    let doubts = &bench.view(job).record.doubts;
    assert_eq!(doubts, &[Doubt::Shard(lease.key.shard)]);
}

#[test]
fn a_check_that_was_stopped_is_done_by_the_next() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    for worker in ["a", "b", "c"] {
        bench.register(worker, worker, vec![]);
    }
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    let check = bench.lease("b");
    let report = bench.report_of("b", check.key, done(vec![shard(5, 10, 0.0)]));
    assert_eq!(bench.report(&report), Verdict::Stored);
    assert_eq!(bench.phase(job), Phase::Running);
    let check = bench.lease("c");
    bench.complete("c", check.key);
    assert_eq!(bench.phase(job), Phase::Finalizing);
}

#[test]
fn doubts_and_checks_survive_a_restart() {
    let mut snapshot = stored(&[1]);
    snapshot.jobs[0].record.doubts = vec![Doubt::Worker(name("liar"))];
    let check = ShardRecord {
        check: Some(Check {
            of: ShardId(5),
            worker: name("a"),
            found: truth(),
            core_ms: 1,
        }),
        ..ShardRecord::new(std::sync::Arc::new(shard(5, 6, 0.0)))
    };
    snapshot.jobs[0].shards.push((ShardId(7), check));
    let mut bench = Bench::start(1, snapshot, unchecked());
    bench.register("a", "a", vec![]);
    bench.register("b", "b", vec![]);
    assert!(bench.ask("b", 2).leases.is_empty());
    assert!(!bench.undo(JobId(9), &[]));
    let lease = bench.lease("a");
    assert_eq!(lease.key.shard, ShardId(1));
    let lease = bench.lease("b");
    assert_eq!(lease.key.shard, ShardId(7));
    bench.complete("b", lease.key);
    assert_eq!(bench.confirmed(), 1);
}

/// The first worker that is back after a restart is not believed because it is
/// alone for a moment.
#[test]
fn whoever_is_back_first_after_a_restart_is_checked_when_others_are() {
    let config = Config {
        check_share: 1.0,
        ..unchecked()
    };
    let mut bench = Bench::start(1, stored(&[1]), config.clone());
    bench.register("liar", "liar", vec![]);
    let lease = bench.lease("liar");
    let report = bench.report_of("liar", lease.key, lie());
    bench.report(&report);
    bench.pass(1, &["liar"]);
    let job = lease.key.job;
    assert_eq!(bench.phase(job), Phase::Running, "it waits for a second");
    bench.register("b", "b", vec![]);
    let check = bench.lease("b");
    bench.complete("b", check.key);
    bench.judge(Ok(Some(truth())));
    assert!(!bench.quarantine_of("liar").is_empty());

    // Nobody else comes back: after a lease's time it stands.
    let mut bench = Bench::start(1, stored(&[1]), config);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    assert_eq!(bench.phase(job), Phase::Running);
    bench.pass(31, &["a"]);
    assert_eq!(bench.phase(job), Phase::Finalizing);
}

#[test]
fn v8_an_engine_version_is_withdrawn() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    bench.finish(job);
    assert_eq!(bench.phase(job), Phase::Done);
    let doubt = Doubt::Engine(ENGINE.to_owned());
    let (now, effects) = (bench.now, &mut bench.effects);
    assert_eq!(
        bench.scheduler.invalidate(&doubt, None, now, effects),
        [job]
    );
    // The answer stands until something of that version is found.
    assert_eq!(bench.phase(job), Phase::Done);
    let result = (lease.key, (*lease.shard).clone());
    assert!(bench.undo(job, &[result]), "its proof is void");
    assert_eq!(bench.phase(job), Phase::Running);
    let again = bench.lease("a");
    assert_eq!(again.key.shard, lease.key.shard);
    assert!(again.key.epoch > lease.key.epoch);
    bench.complete("a", again.key);
    bench.finish(job);
    assert_eq!(bench.phase(job), Phase::Done);
}

#[test]
fn v8_a_job_of_another_engine_is_planned_anew() {
    let mut snapshot = stored(&[]);
    let record = &mut snapshot.jobs[0].record;
    record.phase = Phase::Done;
    record.engine = "test 0".to_owned();
    record.shards_done = 1;
    let mut bench = Bench::start(1, snapshot, unchecked());
    let doubt = Doubt::Engine("test 0".to_owned());
    let (now, effects) = (bench.now, &mut bench.effects);
    bench.scheduler.invalidate(&doubt, None, now, effects);
    let body = shard(0, 1, 1.0);
    assert!(bench.undo(JobId(9), &[(key(3, 4), body)]));
    bench.plan(JobId(9), vec![shard(0, 1, 1.0)]);
    let view = bench.view(JobId(9));
    assert_eq!((view.open, view.record.shards_done), (1, 0));
    assert_eq!(view.record.engine, ENGINE);
}

#[test]
fn a_doubt_during_the_last_step_stops_it() {
    let mut bench = checked();
    let job = bench.job(1, 0, &[1.0]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    bench.complete("a", lease.key);
    assert_eq!(bench.phase(job), Phase::Finalizing);
    let doubt = Doubt::Shard(lease.key.shard);
    let (now, effects) = (bench.now, &mut bench.effects);
    bench.scheduler.invalidate(&doubt, Some(job), now, effects);
    assert!(!bench.finish(job), "nobody waits for that answer");
    bench.undo(job, &[(lease.key, (*lease.shard).clone())]);
    let open: BTreeSet<Phase> = [bench.phase(job)].into();
    assert_eq!(open, [Phase::Running].into());
    assert_eq!(bench.view(job).open, 1);
}
