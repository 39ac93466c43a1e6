//! Figures of the coordinator alone. Run by hand, in release:
//! `cargo test --release -p soko-coord --test it -- --ignored --nocapture load`.

use std::time::Instant;

use soko_coord::store::Catalog;

use super::{
    cluster::{Cluster, Puppet},
    toy,
};

fn count(variable: &str, default: u32) -> u32 {
    let value = std::env::var(variable).ok();
    value.and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn load_start_with_many_shards() {
    let shards = count("SOKO_LOAD_SHARDS", 1_000_000);
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = shards;
    let began = Instant::now();
    cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.work(false).await;
    println!(
        "{shards} shards planned and stored in {:?}",
        began.elapsed()
    );
    cluster.shut_down().await;
    let began = Instant::now();
    let mut catalog = Catalog::open(dir.path()).unwrap();
    println!("opened and checked in {:?}", began.elapsed());
    let snapshot = catalog.load().unwrap();
    println!("opened and read in {:?}", began.elapsed());
    drop((snapshot, catalog));
    println!("and forgotten in {:?}", began.elapsed());
    let began = Instant::now();
    let cluster = Cluster::on_disk(dir.path()).await;
    println!("started after {:?}", began.elapsed());
    let mut worker = Puppet::connect(&cluster, "a").await;
    println!("serving after {:?}", began.elapsed());
    let rounds = 2_000;
    let began = Instant::now();
    worker.work_all_at_once(rounds).await;
    let each = began.elapsed() / rounds as u32;
    println!("one connection, eight shards at a time: {each:?} for each shard");
    cluster.shut_down().await;
}

/// Kilobytes that this process holds in memory.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.unwrap().parse().unwrap()
}

fn bytes_of(dir: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(dir).unwrap().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_of(&entry.path()),
        about => about.map_or(0, |about| about.len()),
    });
    sizes.sum()
}

/// Report D3: what has ended is forgotten, on disk and in memory.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn load_d3_ten_thousand_jobs() {
    let jobs = count("SOKO_LOAD_JOBS", 10_000);
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let mut search = toy::search(3);
    search.shard_ms = 20;
    let mut settled = None;
    let began = Instant::now();
    for number in 1..=jobs {
        let job = cluster.submit(&search).await;
        worker.work_all_at_once(20).await;
        cluster.wait(&job.job).await;
        if number % (jobs / 5) == 0 {
            let (memory, disk) = (resident_kib() / 1024, bytes_of(dir.path()) >> 20);
            println!("{number} jobs: {memory} MiB in memory, {disk} MiB on disk");
            // As many as are kept have ended by now.
            let (memory_then, disk_then) = *settled.get_or_insert((memory, disk));
            assert!(memory <= memory_then + 50, "it grows");
            assert!(disk <= 2 * disk_then + 16, "it grows");
        }
    }
    println!("{:?} for each job of 20 shards", began.elapsed() / jobs);
    cluster.shut_down().await;
    let catalog = Catalog::open(dir.path()).unwrap().load().unwrap();
    println!("{} jobs are kept", catalog.jobs.len());
    assert!(catalog.jobs.len() <= 1_000);
}
