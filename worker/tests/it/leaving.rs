//! Workers leave: stop, drain, second thoughts of the coordinator.

use std::time::{Duration, Instant};

use soko_worker::run;
use tokio_util::sync::CancellationToken;

use crate::{
    engine::{HANGS, config},
    fake::{Server, remainder},
    work::ranges,
};

#[tokio::test(flavor = "multi_thread")]
async fn s8_a_stopped_worker_hands_in_what_it_has_and_gives_back_the_rest() {
    let server = Server::start(ranges(4, 60_000)).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 2), stop.clone()));
    server.until_running(2).await;
    let stopped = Instant::now();
    stop.cancel();
    let summary = worker.await.unwrap().unwrap();
    assert!(
        stopped.elapsed() < Duration::from_secs(3),
        "{:?}",
        stopped.elapsed()
    );
    assert_eq!((summary.stored, summary.left), (2, 0));
    let state = server.state();
    assert!(state.leased.is_empty(), "{:?}", state.leased);
    assert!(state.results.iter().all(|result| remainder(result) > 0));
    assert!(state.count_done() >= 2);
    let open: u64 = state.open.iter().map(|range| range.end - range.start).sum();
    assert_eq!(
        state.count_done() + open,
        240_000,
        "nothing lost, nothing twice"
    );
    assert!(state.releases.last().unwrap().leaving);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_worker_finishes_what_runs_and_gives_back_what_waits() {
    let server = Server::start(ranges(4, 1000)).await;
    let worker = tokio::spawn(run(config(&server.url(), 2), CancellationToken::new()));
    server
        .until("four leases", |state| state.leased.len() == 4)
        .await;
    server.until_running(2).await;
    server.state().drain = true;
    let summary = worker.await.unwrap().unwrap();
    assert_eq!((summary.stored, summary.left), (2, 0));
    let state = server.state();
    assert_eq!(state.count_done(), 2000);
    assert!(state.results.iter().all(|result| remainder(result) == 0));
    assert_eq!(state.open.len(), 2);
    assert!(state.releases.last().unwrap().leaving);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_during_a_drain_is_quick() {
    let server = Server::start([0..60_000]).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server.until_running(1).await;
    server.state().drain = true;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!worker.is_finished());
    stop.cancel();
    assert_eq!(worker.await.unwrap().unwrap().stored, 1);
    assert_eq!(server.state().open.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_without_a_coordinator_ends_within_eight_seconds() {
    let server = Server::start([0..60_000]).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server.until_running(1).await;
    let _gone = server.stop().await;
    let stopped = Instant::now();
    stop.cancel();
    let summary = worker.await.unwrap().unwrap();
    assert_eq!((summary.stored, summary.left), (0, 1));
    assert!(
        stopped.elapsed() < Duration::from_secs(8),
        "{:?}",
        stopped.elapsed()
    );
}

/// The computation is beyond reach; the process ends all the same, and the lease
/// is given back.
#[tokio::test(flavor = "multi_thread")]
async fn s3_a_shard_that_never_ends_holds_nobody_up() {
    let server = Server::start([HANGS..HANGS + 10]).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server.until_running(1).await;
    let stopped = Instant::now();
    stop.cancel();
    let summary = worker.await.unwrap().unwrap();
    assert_eq!(summary.stored, 0);
    assert!(
        stopped.elapsed() < Duration::from_secs(8),
        "{:?}",
        stopped.elapsed()
    );
    let state = server.state();
    let release = state.releases.last().unwrap();
    assert!(release.leaving);
    assert_eq!(release.keys.len(), 1);
}
