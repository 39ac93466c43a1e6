//! The coordinator alone, measured: workers that compute nothing.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde::Serialize;
use serde_json::Value;
use soko::plan::{Control, Outcome, Search, SearchError, Shard, Tally};
use soko_worker::{Config, Engine};
use tokio_util::sync::CancellationToken;

use crate::{arguments::LoadArgs, process::ask, proxy::Proxy, service::Service};

/// Shards computed, and how long one takes, in microseconds: the engine of a
/// worker is a plain function.
static COMPUTED: AtomicU64 = AtomicU64::new(0);
static PAUSE: AtomicU64 = AtomicU64::new(0);

/// How long workers may take to be there, at first and after an outage.
const GATHERING: Duration = Duration::from_mins(5);

#[derive(Debug, Serialize)]
struct Report {
    workers: usize,
    shard_seconds: f64,
    seconds: f64,
    shards: u64,
    shards_per_second: f64,
    coordinator_cores: f64,
    coordinator_ms_per_shard: f64,
    coordinator_mib: u64,
    outage: Option<Outage>,
}

/// The coordinator is killed and away for a while.
#[derive(Debug, Serialize)]
struct Outage {
    seconds: u64,
    /// From its start to the last worker's return.
    seconds_until_all_were_back: f64,
    /// Most connections that the workers tried to open in one second, while it
    /// was away and when it was back.
    most_connections_in_a_second: u64,
}

/// Waits, and finds nothing.
#[expect(clippy::unnecessary_wraps, reason = "an engine may fail")]
fn nothing(search: &Search, _: &Shard, _: &Control) -> Result<Outcome, SearchError> {
    std::thread::sleep(Duration::from_micros(PAUSE.load(Ordering::Relaxed)));
    COMPUTED.fetch_add(1, Ordering::Relaxed);
    Ok(Outcome {
        tally: Tally::empty(search),
        remainder: Vec::new(),
    })
}

pub(crate) fn start(args: &LoadArgs) -> anyhow::Result<()> {
    let micros = (args.shard_seconds * 1e6) as u64;
    PAUSE.store(micros, Ordering::Relaxed);
    let scratch = tempfile::tempdir()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(run(args, scratch.path()))?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}

async fn run(args: &LoadArgs, dir: &Path) -> anyhow::Result<Report> {
    // Nothing would be found again by others.
    let flags = ["--double-check", "0"];
    let mut service = Service::start(dir, &flags)?;
    service.wait_until_it_serves()?;
    let url = service.url();
    for _ in 0..args.jobs {
        ask(&url, &["submit", "--n", "8", "--shard-ms", "200"])?;
    }
    planned(&url).await?;
    let proxy = Proxy::start(service.address()).await?;
    let stop = CancellationToken::new();
    for number in 0..args.workers {
        let config = Config {
            id: format!("null{number}"),
            threads: 1,
            engine: Engine {
                compute: nothing,
                ..Engine::default()
            },
            ..Config::new(format!("http://{}", proxy.address))
        };
        tokio::spawn(soko_worker::run(config, stop.clone()));
    }
    gather(&url, args.workers).await?;
    eprintln!("{} workers are there", args.workers);
    let (cpu, done, begun) = (
        cpu_seconds(&service)?,
        COMPUTED.load(Ordering::Relaxed),
        Instant::now(),
    );
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let seconds = begun.elapsed().as_secs_f64();
    let shards = COMPUTED.load(Ordering::Relaxed) - done;
    let cpu = cpu_seconds(&service)? - cpu;
    ensure!(open_shards(&url)? > 0, "the jobs ended early: more --jobs");
    let memory = status_kib(&service, "VmRSS:")? / 1024;
    let outage = match args.outage {
        0 => None,
        seconds => Some(outage(&mut service, &proxy, seconds, args.workers).await?),
    };
    stop.cancel();
    Ok(Report {
        workers: args.workers,
        shard_seconds: args.shard_seconds,
        seconds,
        shards,
        shards_per_second: shards as f64 / seconds,
        coordinator_cores: cpu / seconds,
        coordinator_ms_per_shard: cpu * 1000.0 / shards as f64,
        coordinator_mib: memory,
        outage,
    })
}

async fn outage(
    service: &mut Service,
    proxy: &Proxy,
    seconds: u64,
    workers: usize,
) -> anyhow::Result<Outage> {
    let before = proxy.accepted();
    service.process.kill();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    service.restart()?;
    service.wait_until_it_serves()?;
    let begun = Instant::now();
    gather(&service.url(), workers).await?;
    let took = begun.elapsed().as_secs_f64();
    let mut by_second: BTreeMap<u64, u64> = BTreeMap::new();
    for moment in &proxy.accepted()[before.len()..] {
        *by_second.entry(moment.as_secs()).or_default() += 1;
    }
    Ok(Outage {
        seconds,
        seconds_until_all_were_back: took,
        most_connections_in_a_second: by_second.into_values().max().unwrap_or(0),
    })
}

/// Waits until all jobs are planned: that is work of another kind.
async fn planned(url: &str) -> anyhow::Result<()> {
    until(|| {
        let list = ask(url, &["jobs", "list"])?;
        let jobs = list["jobs"].as_array().context("no jobs")?;
        let waits = |job: &&Value| matches!(job["state"].as_str(), Some("queued" | "planning"));
        let waiting = jobs.iter().filter(waits).count();
        Ok((waiting > 0).then(|| format!("{waiting} jobs are not planned")))
    })
    .await
}

/// Waits until so many workers are connected.
async fn gather(url: &str, wanted: usize) -> anyhow::Result<()> {
    until(|| {
        let list = ask(url, &["workers", "list"])?;
        let live = list["workers"].as_array().map_or(0, Vec::len);
        Ok((live < wanted).then(|| format!("{live} of {wanted} workers came")))
    })
    .await
}

/// Looks until nothing is missing any more.
async fn until(missing: impl Fn() -> anyhow::Result<Option<String>>) -> anyhow::Result<()> {
    let begun = Instant::now();
    while let Some(what) = missing()? {
        ensure!(begun.elapsed() < GATHERING, "{what}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(())
}

fn open_shards(url: &str) -> anyhow::Result<u64> {
    let list = ask(url, &["jobs", "list"])?;
    let jobs = list["jobs"].as_array().context("no jobs")?;
    let open = jobs.iter().map(|job| job["shards"]["open"].as_u64());
    Ok(open.flatten().sum())
}

/// Processor time of the coordinator, user's and system's.
fn cpu_seconds(service: &Service) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", service.process.id()))?;
    // The name of the program may hold anything but this.
    let (_, rest) = stat.rsplit_once(')').context("no name in stat")?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|it| it.parse::<u64>().ok()).sum();
    // Linux tells it in hundredths of a second.
    Ok(ticks as f64 / 100.0)
}

fn status_kib(service: &Service, name: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", service.process.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let value = line.and_then(|line| line.split_whitespace().next());
    Ok(value.context("no such line")?.parse()?)
}
