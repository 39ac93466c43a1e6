//! Leases, workers and results.

use std::sync::Arc;

use super::{super::*, bench::*};
use crate::model::*;

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
fn a_waiting_shard_keeps_its_lease_while_another_one_makes_progress() {
    let mut bench = Bench::new();
    bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let (computed, waiting) = (bench.lease("a").key, bench.lease("a").key);
    let beat = |bench: &mut Bench, work| {
        let progress = |key, work, queued| Progress {
            key,
            work,
            fraction: 0.0,
            best_moves: 0,
            accepted: 0,
            queued,
        };
        let running = [progress(waiting, 0, true), progress(computed, work, false)];
        let (now, effects) = (bench.now, &mut bench.effects);
        bench
            .scheduler
            .beat(&name("a"), &instance("a"), &running, now, effects)
    };
    for work in 1..60 {
        bench.pass(1, &[]);
        assert!(beat(&mut bench, work).revoked.is_empty());
    }
    // When nothing makes progress, nothing waits for anything (L1).
    for _ in 0..40 {
        bench.pass(1, &[]);
        beat(&mut bench, 59);
    }
    assert_eq!(bench.scheduler.stats().lost(Loss::Stalled), 2);
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
    let mut bench = Bench::start(1, stored(&[1]), unchecked());
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
    let mut bench = Bench::start(1, stored(&[1, 2]), unchecked());
    let reply = bench.register("a", "a", vec![held(key(1, 5)), held(key(3, 6))]);
    assert_eq!(reply.revoked, [key(3, 6)], "there is no shard 3");
    assert_eq!(bench.scheduler.stats().adopted, 1);
    bench.register("b", "b", vec![]);
    assert_eq!(bench.lease("b").key.shard, ShardId(2));
    assert_eq!(bench.complete("a", key(1, 5)), Verdict::Stored);
}

#[test]
fn a_lease_of_another_plan_or_leased_since_the_start_is_not_taken_up() {
    let mut bench = Bench::start(1, stored(&[1]), unchecked());
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
    let mut bench = Bench::start(1, stored(&[1]), unchecked());
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
    let mut bench = Bench::start(1, snapshot, unchecked());
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
fn issue_33_a_remainder_that_is_not_part_of_the_shard_is_rejected() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    let report = bench.report_of("a", lease.key, done(vec![shard(5, 11, 0.1)]));
    assert!(matches!(bench.report(&report), Verdict::Rejected(_)));
    assert_eq!(bench.view(job).record.shards_done, 0);
}
