//! Connections break, coordinators restart, workers crash.

use std::time::Duration;

use soko_worker::{WorkerError, run};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::{
    engine::config,
    fake::{RETRY_MS, Server},
    work::ranges,
};

#[tokio::test(flavor = "multi_thread")]
async fn results_are_sent_again_after_a_broken_stream() {
    let server = Server::start(ranges(10, 5)).await;
    server.state().drop_streams = 4;
    let mut config = config(&server.url(), 2);
    config.exit_when_idle = true;
    let summary = run(config, CancellationToken::new()).await.unwrap();
    let state = server.state();
    assert_eq!(state.count_done(), 50, "{state:#?}");
    assert_eq!(summary.stored, 10);
    assert!(state.streams >= 5, "{} streams", state.streams);
    assert!(state.results.len() >= 14, "each broken stream lost one");
    assert_eq!(state.count_results(), 10, "a repeated result keeps its id");
}

#[tokio::test(flavor = "multi_thread")]
async fn r4_a_result_that_is_not_taken_is_sent_again_when_it_was_told() {
    let server = Server::start(ranges(3, 5)).await;
    server.state().retry = 2;
    let began = std::time::Instant::now();
    let mut config = config(&server.url(), 1);
    config.exit_when_idle = true;
    run(config, CancellationToken::new()).await.unwrap();
    let state = server.state();
    assert_eq!((state.count_done(), state.results.len()), (15, 5));
    assert_eq!(state.streams, 1);
    // Pauses are jittered by a quarter.
    let told = Duration::from_millis(u64::from(RETRY_MS) * 3 / 4);
    assert!(began.elapsed() >= told, "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn r6_l12_a_restarted_coordinator_gets_what_was_computed_meanwhile() {
    let server = Server::start(ranges(2, 300)).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 2), stop.clone()));
    server.until_running(2).await;
    let stopped = server.stop().await;
    // Both shards end while nobody listens.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(stopped.0.lock().unwrap().count_done(), 0);
    let server = Server::start_again(stopped).await;
    server
        .until("both results", |state| state.count_done() == 600)
        .await;
    stop.cancel();
    worker.await.unwrap().unwrap();
    let state = server.state();
    assert_eq!(state.registrations.last().unwrap().held.len(), 2);
    assert_eq!(state.count_results(), 2, "nothing was computed again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_worker_registers_again_and_goes_on() {
    let server = Server::start(ranges(4, 250)).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server.until_running(1).await;
    server.state().forget = true;
    server
        .until("all done", |state| state.count_done() == 1000)
        .await;
    stop.cancel();
    worker.await.unwrap().unwrap();
    let state = server.state();
    assert_eq!(state.registrations.len(), 2);
    assert_eq!(
        state.registrations[0].instance,
        state.registrations[1].instance
    );
    assert!(
        !state.registrations[1].held.is_empty(),
        "what runs is presented"
    );
    assert_eq!(state.count_results(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn r5_a_silent_coordinator_counts_as_gone() {
    let server = Server::start(ranges(1, 5)).await;
    server.state().silent_streams = 1;
    // Long enough that a busy machine is not taken for a silent one.
    server.state().lease_ms = 4000;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(config(&server.url(), 1), stop.clone()));
    server
        .until("all done", |state| state.count_done() == 5)
        .await;
    stop.cancel();
    worker.await.unwrap().unwrap();
    assert_eq!(server.state().streams, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_waits_for_its_coordinator() {
    let stopped = Server::start(ranges(2, 5)).await.stop().await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(run(
        config(&stopped.1.address().to_string(), 1),
        stop.clone(),
    ));
    sleep(Duration::from_millis(300)).await;
    assert!(!worker.is_finished());
    let server = Server::start_again(stopped).await;
    server
        .until("all done", |state| state.count_done() == 10)
        .await;
    stop.cancel();
    worker.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn u2_r5_refusals_are_final() {
    for (status, is_auth) in [
        (Status::unauthenticated("no token"), true),
        (Status::permission_denied("wrong token"), true),
        (
            Status::already_exists("a newer process has this name"),
            false,
        ),
    ] {
        let server = Server::start([]).await;
        server.state().refuse = Some(status);
        let end = run(config(&server.url(), 1), CancellationToken::new());
        let error = timeout(Duration::from_secs(5), end)
            .await
            .unwrap()
            .unwrap_err();
        assert_eq!(
            matches!(error, WorkerError::Unauthorized { .. }),
            is_auth,
            "{error}"
        );
        assert_eq!(error.exit_code(), 3);
        assert_eq!(server.state().registrations.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_settings_are_refused_before_anything_starts() {
    let id = soko_worker::Config {
        id: "a b".into(),
        ..config("127.0.0.1:1", 1)
    };
    let https = config("https://127.0.0.1:1", 1);
    let outbox = soko_worker::Config {
        outbox: Some("/proc/nowhere".into()),
        ..config("127.0.0.1:1", 1)
    };
    for config in [id, https, outbox] {
        let error = run(config, CancellationToken::new()).await.unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unconfirmed_results_survive_a_crash_of_the_worker() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(ranges(2, 5)).await;
    server.state().ack_delay = Duration::from_mins(1);
    server.state().retry = 1000;
    let with_outbox = || soko_worker::Config {
        outbox: Some(dir.path().to_owned()),
        ..config(&server.url(), 1)
    };
    let worker = tokio::spawn(run(with_outbox(), CancellationToken::new()));
    server
        .until("both results", |state| state.results.len() >= 2)
        .await;
    worker.abort();
    let _ = worker.await;
    {
        let mut state = server.state();
        assert_eq!(state.count_done(), 0);
        state.ack_delay = Duration::ZERO;
        state.retry = 0;
        state.registrations.clear();
    }
    let mut config = with_outbox();
    config.exit_when_idle = true;
    let summary = run(config, CancellationToken::new()).await.unwrap();
    assert_eq!((summary.stored, summary.left), (2, 0));
    let state = server.state();
    assert_eq!(state.count_done(), 10);
    assert_eq!(state.registrations[0].held.len(), 2);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
