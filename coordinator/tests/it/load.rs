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
    let catalog = Catalog::open(dir.path()).unwrap();
    println!("opened and checked in {:?}", began.elapsed());
    drop(catalog);
    let began = Instant::now();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    println!("serving after {:?}", began.elapsed());
    let rounds = 2_000;
    let began = Instant::now();
    worker.work_all_at_once(rounds).await;
    let each = began.elapsed() / rounds as u32;
    println!("one connection, eight shards at a time: {each:?} for each shard");
    cluster.shut_down().await;
}
