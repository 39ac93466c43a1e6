//! One run from start to verdict.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::ensure;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde::Serialize;

use crate::{
    arguments::RunArgs,
    books::{self, Seen},
    cluster::Cluster,
    faults::{Budget, Fault, happen},
    jobs::{Client, known},
};

/// How long the jobs may take after the last fault.
const CALM: Duration = Duration::from_mins(10);

/// What a run has shown.
#[derive(Debug, Serialize)]
struct Report {
    seed: u64,
    seconds: f64,
    faults: BTreeMap<String, u32>,
    jobs: usize,
    double_checked: String,
    shards_given_up_and_tried_again: u64,
    bytes_through_the_network: u64,
    seen: Seen,
    seconds_to_end: BTreeMap<String, f64>,
}

pub(crate) fn start(args: &RunArgs) -> anyhow::Result<()> {
    let seed = args.seed.unwrap_or_else(|| rand::rng().random());
    eprintln!("seed {seed}");
    let scratch = tempfile::tempdir()?;
    let dir: PathBuf = args
        .keep
        .clone()
        .unwrap_or_else(|| scratch.path().to_owned());
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(run(args, seed, &dir))?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    let seen = &report.seen;
    ensure!(seen.acked_and_lost == 0, "acknowledged results were lost");
    ensure!(seen.leased_twice == 0, "an epoch was leased twice");
    ensure!(seen.slandered == 0, "an honest worker was taken for a liar");
    // A run in which nothing goes wrong proves nothing.
    for (what, count) in [
        ("acknowledged results", seen.acked),
        ("leases given again", seen.leased_again),
        ("leases taken up again", seen.taken_up_again),
        ("stale results", seen.stale),
    ] {
        ensure!(count > 0, "there were no {what}: seed {seed}");
    }
    eprintln!("all answers are those of a single process");
    Ok(())
}

async fn run(args: &RunArgs, seed: u64, dir: &Path) -> anyhow::Result<Report> {
    let mut dice = StdRng::seed_from_u64(seed);
    let known = known(args.n, dir)?;
    let begun = Instant::now();
    let mut cluster = Cluster::start(dir, args.workers).await?;
    let mut client = Client::new(cluster.coordinator.url(), known);
    let mut budget = Budget::new(
        &mut dice,
        args.coordinator_kills,
        args.worker_kills,
        args.others,
    );
    while let Some((fault, pause)) = budget.next(&mut dice) {
        eprintln!(
            "{:6.1} s, {} left: {}",
            begun.elapsed().as_secs_f64(),
            budget.left(),
            fault.name()
        );
        happen(fault, &mut cluster, &mut dice).await?;
        tokio::time::sleep(pause).await;
        cluster.mend()?;
        if matches!(fault, Fault::KillCoordinator | Fault::FullDisk) {
            cluster.coordinator.wait_until_it_serves()?;
        }
        client.look()?;
        client.keep_busy()?;
        if dice.random_range(0..10) == 0 {
            client.steer(dice.random())?;
        }
    }
    // Calm: honest workers only, and no more faults.
    cluster.end_rogues();
    let calm = Instant::now();
    while client.look()? > 0 {
        cluster.mend()?;
        ensure!(calm.elapsed() < CALM, "the jobs do not end");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    ensure!(!client.right.is_empty(), "no job was computed");
    let bytes = cluster.workers.iter().map(|it| it.proxy.passed()).sum();
    let data = cluster.coordinator.data();
    let ended = cluster.shut_down()?;
    let seen = books::read(dir, &data)?;
    let spent = budget.spent.iter();
    Ok(Report {
        seed,
        seconds: begun.elapsed().as_secs_f64(),
        faults: spent.map(|(fault, &count)| (fault.name(), count)).collect(),
        jobs: client.right.len(),
        double_checked: format!("{}/{}", client.double_checked.0, client.double_checked.1),
        shards_given_up_and_tried_again: client.retried,
        bytes_through_the_network: bytes,
        seen,
        seconds_to_end: ended
            .into_iter()
            .map(|(name, time)| (name, time.as_secs_f64()))
            .collect(),
    })
}
