//! Filing, planning, steering and finishing jobs.

use super::{super::*, bench::*};
use crate::model::*;

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
    assert!(bench.finish(job));
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
    bench.cancel(job).unwrap();
    bench.cancel(job).unwrap();
    assert_eq!(bench.beat("a", &[(lease.key, 1)]).revoked, [lease.key]);
    assert!(matches!(bench.complete("a", lease.key), Verdict::Ledger(_)));
    bench.scheduler.check();
}

#[test]
fn a_cancelled_job_goes_on_with_what_it_has() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.25; 4]);
    bench.register("a", "a", vec![]);
    let first = bench.lease("a");
    bench.complete("a", first.key);
    let second = bench.lease("a");
    bench.cancel(job).unwrap();
    assert!(bench.ask("a", 4).leases.is_empty());
    assert!((bench.view(job).record.progress - 0.25).abs() < 1e-9);
    bench.resume(job).unwrap();
    // Resuming once more changes nothing.
    bench.resume(job).unwrap();
    // Nobody else has the shard, so the late result is as good as any.
    assert_eq!(bench.complete("a", second.key), Verdict::Stored);
    for _ in 0..2 {
        let lease = bench.lease("a");
        bench.complete("a", lease.key);
    }
    // Cancelled in its last step, and resumed: the step begins anew, and the
    // first attempt at it is not listened to.
    let before = bench.effects.actions.clone();
    bench.cancel(job).unwrap();
    bench.resume(job).unwrap();
    assert_eq!(bench.phase(job), Phase::Finalizing);
    let all = std::mem::replace(&mut bench.effects.actions, before);
    assert!(!bench.finish(job), "nobody waits for the first attempt");
    bench.effects.actions = all;
    assert!(bench.finish(job));
    let refused = bench.resume(job);
    assert!(matches!(refused, Err(Refusal::WrongPhase { .. })));
    bench.scheduler.check();
}

#[test]
fn a_job_cancelled_while_it_is_planned_is_planned_again() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[]);
    bench.finish(job);
    let submission = Submission {
        id: JobId(2),
        request: request("two"),
        search: search(3),
        name: String::new(),
        priority: 0,
        resume_equal: false,
    };
    let now = bench.now;
    bench
        .scheduler
        .submit(submission, now, &mut bench.effects)
        .unwrap();
    let job = JobId(2);
    let Some(&Action::Plan(_, old, _)) = bench.effects.actions.last() else {
        panic!("it is to be planned");
    };
    let part = |from| Planned::Part(vec![shard(from, from + 1, 0.5)]);
    let effects = &mut bench.effects;
    assert!(bench.scheduler.planned(job, old, part(0), now, effects));
    bench.cancel(job).unwrap();
    bench.resume(job).unwrap();
    let effects = &mut bench.effects;
    assert!(!bench.scheduler.planned(job, old, part(1), now, effects));
    bench.plan(job, vec![shard(0, 1, 0.5), shard(1, 2, 0.5)]);
    assert_eq!(bench.view(job).open, 2);
    assert_eq!(bench.view(job).record.planned, 2);
}

#[test]
fn parts_of_a_plan_are_forgotten_when_the_coordinator_dies() {
    let mut snapshot = stored(&[1, 2]);
    let job = &mut snapshot.jobs[0].record;
    job.phase = Phase::Queued;
    job.engine.clear();
    let mut bench = Bench::start(1, snapshot, unchecked());
    let dropped = |write: &Write| matches!(write, Write::DropShards(JobId(9)));
    assert!(bench.effects.writes.iter().any(dropped));
    bench.plan(JobId(9), vec![shard(0, 1, 1.0)]);
    assert_eq!(bench.view(JobId(9)).open, 1);
}

#[test]
fn a_job_whose_shards_were_forgotten_never_goes_on() {
    let mut snapshot = stored(&[]);
    snapshot.jobs[0].record.phase = Phase::Cancelled;
    snapshot.jobs[0].record.forgotten = true;
    let mut bench = Bench::start(1, snapshot, unchecked());
    let refused = bench.resume(JobId(9)).unwrap_err();
    assert!(refused.to_string().contains("submit it again"), "{refused}");
}

#[test]
fn u1_u5_a_job_that_does_not_run_says_why() {
    let mut bench = Bench::new();
    let job = bench.job(1, 0, &[0.5, 0.5]);
    let why = |bench: &Bench| {
        let told = bench.scheduler.explain(job, None, bench.now).unwrap();
        (told.reasons.join("; "), told.hint)
    };
    let (reason, hint) = why(&bench);
    assert!(reason.contains("no worker is connected"), "{reason}");
    assert!(hint.contains("soko-worker"), "{hint}");
    bench.register("a", "a", vec![]);
    let lease = bench.lease("a");
    assert!(why(&bench).0.contains("1 shard being computed, 1 waiting"));
    for _ in 0..5 {
        let lease = bench.lease("a");
        bench.fail("a", lease.key);
    }
    // The worker is in quarantine now, and says so; the shard is given up.
    let (reason, hint) = why(&bench);
    assert!(reason.contains("quarantined"), "{reason}");
    assert!(reason.contains("1 shard given up"), "{reason}");
    assert!(!hint.is_empty());
    let told = bench.scheduler.explain(job, None, bench.now).unwrap();
    assert_eq!(told.shards.len(), 2);
    assert_eq!(told.shards[0].state, ShardState::Poisoned);
    assert_eq!(told.shards[0].failure, "broken");
    let shard = Some(lease.key.shard);
    let told = bench.scheduler.explain(job, shard, bench.now).unwrap();
    assert!(matches!(told.shards[0].state, ShardState::Leased { .. }));
    let none = bench
        .scheduler
        .explain(job, Some(ShardId(999)), bench.now)
        .unwrap_err();
    assert!(matches!(none, Refusal::NoSuchShard { .. }));
    let now = bench.now;
    bench.scheduler.pause(job, now, &mut bench.effects).unwrap();
    assert!(why(&bench).1.contains("jobs resume"));
}

#[test]
fn an_interrupted_job_is_held_and_taken_up_by_an_equal_search() {
    let config = Config {
        hold_interrupted: true,
        ..unchecked()
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
        ..unchecked()
    };
    let mut bench = Bench::start(0, Snapshot::default(), config);
    for id in 0..100 {
        let job = bench.job(id, 0, &[]);
        bench.finish(job);
    }
    assert_eq!(bench.scheduler.newest_jobs(1000).len(), 10);
    let dropped = bench.effects.writes.iter();
    let dropped = dropped.filter(|write| matches!(write, Write::DropJob(_)));
    assert_eq!(dropped.count(), 90);
}

#[test]
fn d3_shards_of_ended_jobs_are_bounded() {
    let config = Config {
        kept_shards: 10,
        ..unchecked()
    };
    let mut bench = Bench::start(0, Snapshot::default(), config);
    for id in 0..10 {
        let job = bench.job(id, 0, &[0.25; 4]);
        bench.cancel(job).unwrap();
    }
    assert_eq!(bench.scheduler.newest_jobs(1000), [JobId(9), JobId(8)]);
    bench.scheduler.check();
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
        accepted: 0,
        queued: false,
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
