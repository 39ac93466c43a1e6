//! Work gets done: leases, budgets, beats, failures of shards.

use std::time::Duration;

use soko::rpc::v1::shard_result::Outcome;
use soko_worker::run;
use tokio_util::sync::CancellationToken;

use crate::{
    engine::{PANICS, REFUSED, config},
    fake::{Server, State, outcome},
};

/// Ranges of `len` numbers.
pub(crate) fn ranges(count: u64, len: u64) -> impl Iterator<Item = std::ops::Range<u64>> {
    (0..count).map(move |i| i * len..(i + 1) * len)
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_computed_exactly_once_and_an_idle_worker_leaves() {
    let server = Server::start(ranges(20, 5)).await;
    let mut config = config(&server.url(), 2);
    config.exit_when_idle = true;
    let summary = run(config, CancellationToken::new()).await.unwrap();
    assert_eq!((summary.stored, summary.left), (20, 0));
    let state = server.state();
    assert_eq!(state.count_done(), 100);
    let most = state.beats.iter().map(|beat| beat.running.len()).max();
    assert!(most <= Some(4), "{most:?} leases at once");
    assert!(state.releases.last().unwrap().leaving);
    let request = &state.registrations[0];
    assert_eq!((request.worker.as_str(), request.threads), ("w", 2));
    assert_eq!(state.results[0].engine, "numbers 1");
    assert_eq!(state.results[0].plan, Some(7.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_budget_hands_back_the_rest() {
    let server = Server::start([0..300]).await;
    server.state().budget_ms = 30;
    let mut config = config(&server.url(), 2);
    config.exit_when_idle = true;
    run(config, CancellationToken::new()).await.unwrap();
    let state = server.state();
    assert_eq!(state.count_done(), 300);
    assert!(state.done.len() > 3, "{:?}", state.done);
}

#[tokio::test(flavor = "multi_thread")]
async fn l6_beats_go_on_while_all_threads_compute() {
    let server = Server::start([0..60_000]).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server.until_running(1).await;
    let before = server.state().beats.len();
    let work = |state: &State| -> Vec<u64> {
        let beats = state.beats[before..].iter();
        beats.map(|beat| beat.running[0].work).collect()
    };
    let growing = |state: &State| {
        let mut seen = work(state);
        seen.dedup();
        seen.len() >= 4
    };
    server
        .until("four beats with more work each", growing)
        .await;
    let seen = work(&server.state());
    assert!(seen.is_sorted(), "{seen:?}");
    stop.cancel();
    worker.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn r8_late_acks_keep_no_thread_waiting() {
    let server = Server::start(ranges(10, 10)).await;
    server.state().ack_delay = Duration::from_secs(1);
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    // Waiting for each ack would take ten seconds.
    tokio::time::timeout(
        Duration::from_secs(5),
        server.until("all results", |state| state.results.len() >= 10),
    )
    .await
    .unwrap();
    stop.cancel();
    assert_eq!(worker.await.unwrap().unwrap().stored, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_panics_or_is_refused_is_reported_and_the_rest_goes_on() {
    let shards = [PANICS..PANICS + 1, REFUSED..REFUSED + 1, 0..5];
    let server = Server::start(shards).await;
    let mut config = config(&server.url(), 1);
    config.exit_when_idle = true;
    run(config, CancellationToken::new()).await.unwrap();
    let state = server.state();
    let texts: Vec<_> = state
        .results
        .iter()
        .filter_map(|result| match outcome(result) {
            Outcome::Failure(failure) => Some(failure.message.as_str()),
            Outcome::Completed(_) => None,
        })
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[0].contains("told to panic"), "{texts:?}");
    assert!(texts[1].contains("told to refuse"), "{texts:?}");
    assert_eq!(state.count_done(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_makes_no_sense_is_reported() {
    let server = Server::start([5..5]).await;
    let mut config = config(&server.url(), 1);
    config.exit_when_idle = true;
    run(config, CancellationToken::new()).await.unwrap();
    let state = server.state();
    let Outcome::Failure(failure) = outcome(&state.results[0]) else {
        panic!("{:?}", state.results);
    };
    assert!(failure.message.contains("cannot be read"), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_lease_is_stopped_and_its_result_is_not_sent() {
    let server = Server::start([0..60_000, 60_000..60_005]).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server
        .until("both leases", |state| state.leased.len() == 2)
        .await;
    {
        let mut state = server.state();
        state.revoke = state.leased_keys()[..1].to_vec();
    }
    // The thread is free for the other one at once.
    server
        .until("the other result", |state| state.done == [60_000..60_005])
        .await;
    stop.cancel();
    worker.await.unwrap().unwrap();
    assert_eq!(server.state().results.len(), 1);
}
