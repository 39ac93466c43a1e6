//! The coordinator ends and starts again on the same data.

use soko::rpc::v1;
use soko_coord::store::Catalog;

use super::{
    cluster::{Cluster, Puppet, computed},
    toy,
};

#[tokio::test(flavor = "multi_thread")]
async fn d1_r6_done_shards_stay_done_and_running_ones_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = 10;
    let job = cluster.submit(&search).await.job;
    let mut worker = Puppet::connect(&cluster, "a").await;
    for _ in 0..4 {
        worker.work(false).await;
    }
    let kept = worker.lease().await;
    let forgotten = worker.lease().await;
    cluster.shut_down().await;

    let cluster = Cluster::on_disk(dir.path()).await;
    let request = v1::GetJobRequest { job: job.clone() };
    let state = cluster
        .jobs()
        .await
        .get_job(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(state.shards_done, 4);
    assert!(state.progress >= 0.39, "{}", state.progress);
    let held = std::slice::from_ref(&kept);
    let (mut worker, revoked) = Puppet::connect_holding(&cluster, "a", held).await;
    assert!(revoked.is_empty());
    // A result of before the start, of a lease that was not presented.
    let ack = worker.report(computed(&forgotten, false)).await;
    assert_eq!(ack.status(), v1::AckStatus::Stored);
    let mut others = Puppet::connect(&cluster, "b").await;
    assert!(others.work_all().await >= 4);
    let ack = worker.report(computed(&kept, false)).await;
    assert_eq!(ack.status(), v1::AckStatus::Stored);
    assert_eq!(cluster.wait(&job).await.state(), v1::JobState::Done);
    let result = cluster.result(&job).await;
    assert_eq!(result.floor_sets, toy::truth(&search).0);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn l9_epochs_grow_over_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut search = toy::search(3);
    search.shard_ms = 1;
    let cluster = Cluster::on_disk(dir.path()).await;
    let job = cluster.submit(&search).await.job;
    let mut old = Puppet::connect(&cluster, "a").await;
    let before = old.lease().await;
    cluster.shut_down().await;
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut new = Puppet::connect(&cluster, "b").await;
    let after = new.lease().await;
    let key = |lease: &v1::Lease| lease.key.clone().unwrap();
    assert_eq!(key(&before).shard, key(&after).shard);
    assert!(key(&after).epoch > key(&before).epoch);
    // The stale result arrives while the new lease runs.
    let mut old = Puppet::connect(&cluster, "a").await;
    let ack = old.report(computed(&before, false)).await;
    assert_eq!(ack.status(), v1::AckStatus::Stale);
    let ack = new.report(computed(&after, false)).await;
    assert_eq!(ack.status(), v1::AckStatus::Stored);
    assert_eq!(cluster.wait(&job).await.state(), v1::JobState::Done);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn results_and_records_are_there_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = 3;
    let job = cluster.submit(&search).await.job;
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.work_all().await;
    cluster.wait(&job).await;
    let before = cluster.result(&job).await;
    cluster.shut_down().await;
    let cluster = Cluster::on_disk(dir.path()).await;
    assert_eq!(cluster.result(&job).await, before);
    let request = v1::GetRecordRequest { rows: 3, cols: 3 };
    let record = cluster.records().await.get_record(request).await.unwrap();
    assert!(record.into_inner().exact);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_job_is_held_or_resumed_by_an_equal_one() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = 8;
    let job = cluster.submit(&search).await.job;
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.work(false).await;
    cluster.shut_down().await;
    for round in 0..2 {
        let cluster = Cluster::start(Catalog::open(dir.path()).unwrap(), |options| {
            options.hub.config.hold_interrupted = true;
        })
        .await;
        let mut worker = Puppet::connect(&cluster, "a").await;
        assert!(worker.ask(1).await.leases.is_empty(), "held");
        let request = v1::SubmitJobRequest {
            request_id: format!("round {round}").replace(' ', "-"),
            search: Some((&search).into()),
            resume_equal: true,
            ..v1::SubmitJobRequest::default()
        };
        let resumed = cluster.jobs().await.submit_job(request).await.unwrap();
        let resumed = resumed.into_inner();
        assert!(resumed.resumed && resumed.job == job);
        if round == 1 {
            worker.work_all().await;
            assert_eq!(cluster.wait(&job).await.state(), v1::JobState::Done);
            assert_eq!(cluster.result(&job).await.floor_sets, toy::truth(&search).0);
        }
        cluster.shut_down().await;
    }
}
