//! Thousands of short runs of the scheduler under a simulated clock, network
//! and disk: workers that crash, hang, repeat themselves and lie, messages
//! that are lost, doubled and overtake each other, a coordinator that is
//! killed between memory and disk. The seed of a failing run is printed.

mod dice;
mod disk;
mod network;
mod toy;
mod worker;
mod world;

use std::sync::Arc;

use soko::{
    board::Size,
    plan::{Mode, Search},
};

use self::{
    disk::Disk,
    toy::{count, piece},
    world::{CALM, World},
};
use crate::model::{Epoch, JobId, JobRecord, LedgerRecord, Phase, RequestId, ShardId, WorkerName};

const ENGINE: &str = "simulated 1";
/// Numbers for one start of the coordinator.
const BOOT: u64 = 1 << 20;

/// What the runs of a kind have in common.
#[derive(Clone, Copy)]
struct Script {
    /// Workers: these, and up to three more.
    workers: usize,
    /// Columns of the boards of the jobs; a column is ten units of work.
    jobs: [u64; 2],
    /// Steps with faults.
    steps: u32,
    /// Attempts before a shard is given up.
    attempts: u32,
    /// One worker lies.
    liars: bool,
}

const FEW: Script = Script {
    workers: 1,
    jobs: [3, 5],
    steps: 400,
    attempts: 1_000_000,
    liars: false,
};

/// One run: chaos for a while, then calm until all jobs have ended.
fn run(seed: u64, script: Script) -> World {
    let mut world = World::new(seed, script);
    let jobs = script.jobs.map(|cols| world.submit(cols));
    for _ in 0..script.steps {
        world.step();
    }
    world.faults = CALM;
    world.resume_all();
    let mut steps = 0;
    while !world.all_ended() {
        world.calm_step();
        steps += 1;
        assert!(steps < 3_000, "no end: {:?}", world.scheduler);
    }
    // A lie that nobody could check, for want of a second worker, stands; one
    // that was checked never does.
    let stands = |row: &&LedgerRecord| world.lies.contains(&row.request);
    let standing = world.disk.ledger.values().filter(stands).count();
    if standing == 0 {
        world.disk.check_conservation();
    }
    for (key, row) in &world.disk.ledger {
        assert!(!world.lies.contains(&row.request) || !world.disk.checked.contains(key));
    }
    for worker in &world.workers {
        let view = world.scheduler.worker_view(&worker.name, world.now);
        let quarantined = view.is_some_and(|view| !view.quarantined.is_empty());
        assert!(
            !quarantined || worker.liar,
            "an honest worker in quarantine"
        );
    }
    world.standing = standing as u64;
    for job in jobs {
        let record = &world.disk.jobs[&job];
        match record.phase {
            Phase::Done => {
                let left = world.disk.shards.keys().any(|key| key.0 == job);
                let rows = world.disk.ledger.iter().filter(|it| it.0.0 == job);
                let (rows, split) = rows.fold((0, 0), |(rows, split), it| {
                    (rows + 1, split + it.1.remainder.len() as u64)
                });
                assert_eq!(rows, record.planned + split, "a result is missing");
                assert_eq!(rows, record.shards_done);
                assert!(!left, "done with shards left");
            }
            Phase::Incomplete => assert!(script.attempts < 100),
            phase => panic!("ended as {phase:?}: {}", record.reason),
        }
    }
    for (key, request) in &world.acked {
        // Of a check, or taken back.
        let undone = (key.job, key.shard, key.epoch);
        if world.checks.contains(&(key.job, key.shard)) || world.disk.undone.contains(&undone) {
            continue;
        }
        let row = &world.disk.ledger[&(key.job, key.shard)];
        assert_eq!((row.epoch, &row.request), (key.epoch, request));
    }
    world
}

fn runs(seeds: std::ops::Range<u64>, script: Script) {
    let mut seen = [0; 5];
    let mut lies = [0; 3];
    for seed in seeds {
        let result = std::panic::catch_unwind(|| run(seed, script));
        let Ok(world) = result else {
            panic!("the run of seed {seed} failed");
        };
        seen[0] += world.adopted;
        seen[1] += world.totals.leased_again;
        seen[2] += world.totals.stale;
        seen[3] += world.acked.len() as u64;
        seen[4] += world.totals.checked + world.scheduler.stats().checked;
        lies[0] += world.lies.len() as u64;
        lies[1] += world.totals.undone + world.scheduler.stats().undone;
        lies[2] += world.standing;
    }
    // A simulation in which nothing ever goes wrong proves nothing.
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    println!("adopted, leased again, stale, acked, checked: {seen:?}");
    println!("lies, results taken back, lies that stand: {lies:?}");
    if script.liars {
        assert!(lies[1] > 100, "{lies:?}");
        // Only crashes in a row leave a liar without a second worker.
        assert!(lies[2] * 5 < lies[0], "{lies:?}");
    }
}

/// How many runs of each kind; more with the variable.
fn wanted() -> u64 {
    let wanted = std::env::var("SOKO_SIMULATION_RUNS").ok();
    wanted.and_then(|runs| runs.parse().ok()).unwrap_or(400)
}

#[test]
fn every_unit_counts_exactly_once_whatever_dies() {
    runs(0..wanted(), FEW);
}

#[test]
fn v2_issue_33_lies_are_found_and_taken_back() {
    let script = Script {
        workers: 3,
        liars: true,
        ..FEW
    };
    runs(2_000_000..2_000_000 + wanted(), script);
}

#[test]
fn jobs_end_even_when_shards_are_given_up() {
    let script = Script { attempts: 3, ..FEW };
    runs(1_000_000..1_000_000 + wanted(), script);
}

#[test]
fn a_thousand_workers_count_every_unit_once() {
    let script = Script {
        workers: 1_000,
        jobs: [250, 250],
        steps: 120,
        ..FEW
    };
    runs(3_000_003..3_000_003 + wanted().div_ceil(400), script);
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
        phase: Phase::Running,
        engine: ENGINE.to_owned(),
        shards_done: 1,
        ..JobRecord::new(JobId(1), 1, RequestId::new("s").unwrap(), search)
    };
    disk.jobs.insert(JobId(1), record);
    disk.ledger.insert((JobId(1), ShardId(1)), row.clone());
    let twice = std::panic::catch_unwind(|| disk.check_conservation());
    assert!(twice.is_err(), "half is missing");
}
