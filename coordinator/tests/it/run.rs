//! Jobs from submit to result.

use std::time::{Duration, Instant};

use soko::rpc::v1;
use soko_coord::store::Catalog;
use tokio::time::timeout;

use super::{
    cluster::{Cluster, PATIENCE, Puppet, computed},
    toy,
};

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_end_a_job_with_the_exact_total() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 40;
    let job = cluster.submit(&search).await;
    let mut a = Puppet::connect(&cluster, "a").await;
    let mut b = Puppet::connect(&cluster, "b").await;
    let (done_a, done_b) = tokio::join!(a.work_all(), b.work_all());
    assert!(done_a + done_b > 40);
    let ended = cluster.wait(&job.job).await;
    assert_eq!(ended.state(), v1::JobState::Done);
    assert!((ended.progress - 1.0).abs() < f64::EPSILON);
    assert_eq!(ended.core_ms, 3 * (done_a + done_b) as u64);
    let result = cluster.result(&job.job[..6]).await;
    let (sets, digest) = toy::truth(&search);
    assert_eq!(result.floor_sets, sets);
    assert_eq!(result.digest, format!("{digest:032x}"));
    assert_eq!(result.shards, (done_a + done_b) as u64);
    assert_eq!(result.witnesses[0].moves, 10);
    assert_eq!(result.witnesses[0].lurd.len(), 10);
    // The proven level is the record of its board.
    let mut client = cluster.records().await;
    let records = client.list_records(v1::ListRecordsRequest::default()).await;
    let records = records.unwrap().into_inner().records;
    assert_eq!(records.len(), 1);
    assert!(records[0].exact && records[0].job == job.job);
    let workers = cluster
        .jobs()
        .await
        .list_workers(v1::ListWorkersRequest {})
        .await;
    let workers = workers.unwrap().into_inner().workers;
    assert_eq!(
        workers.iter().map(|worker| worker.completed).sum::<u64>(),
        result.shards
    );
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_worker_hears_of_a_new_job_at_once() {
    let cluster = Cluster::start(Catalog::in_memory().unwrap(), |options| {
        options.hub.patience = Duration::from_secs(15);
    })
    .await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let asking = tokio::spawn(async move { worker.ask(1).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!asking.is_finished(), "the question is kept open");
    let mut search = toy::search(3);
    search.shard_ms = 1;
    cluster.submit(&search).await;
    let reply = timeout(Duration::from_secs(2), asking)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(reply.leases.len(), 1);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_cannot_be_planned_fails_and_says_why() {
    let cluster = Cluster::in_memory().await;
    for (seed, why) in [(13, "does not like"), (14, "panicked")] {
        let mut search = toy::search(3);
        search.seed = seed;
        let job = cluster.submit(&search).await;
        let ended = cluster.wait(&job.job).await;
        assert_eq!(ended.state(), v1::JobState::Failed);
        assert!(ended.reason.contains(why), "{}", ended.reason);
    }
    // The next one is planned all the same.
    let job = cluster.submit(&toy::search(3)).await;
    assert_eq!(cluster.wait(&job.job).await.state(), v1::JobState::Done);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_without_levels_has_an_empty_answer() {
    let cluster = Cluster::in_memory().await;
    let job = cluster.submit(&toy::search(2)).await;
    assert_eq!(cluster.wait(&job.job).await.state(), v1::JobState::Done);
    let result = cluster.result(&job.job).await;
    assert!(result.proven && result.witnesses.is_empty());
    assert_eq!(result.any_start.unwrap().max_moves, None);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_l11_a_result_counts_once_on_every_path() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 2;
    let job = cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let lease = worker.lease().await;
    let result = computed(&lease, false);
    for _ in 0..3 {
        let ack = worker.report(result.clone()).await;
        assert_eq!(ack.status(), v1::AckStatus::Stored);
    }
    // The same lease again under another request is not the stored result.
    let other = computed(&lease, false);
    let ack = worker.report(other).await;
    assert_eq!(ack.status(), v1::AckStatus::Stale);
    assert_eq!(worker.work(false).await.status(), v1::AckStatus::Stored);
    cluster.wait(&job.job).await;
    // Even after the job has ended.
    let ack = worker.report(result).await;
    assert_eq!(ack.status(), v1::AckStatus::Stored);
    assert_eq!(
        cluster.result(&job.job).await.floor_sets,
        toy::truth(&search).0
    );
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_job_is_left_alone_by_its_workers() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 5;
    let job = cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let lease = worker.lease().await;
    let request = v1::GetJobRequest {
        job: job.job.clone(),
    };
    cluster.jobs().await.cancel_job(request).await.unwrap();
    let progress = v1::Progress {
        key: lease.key.clone(),
        ..v1::Progress::default()
    };
    assert_eq!(
        worker.beat(vec![progress]).await.revoked,
        [lease.key.clone().unwrap()]
    );
    let ack = worker.report(computed(&lease, false)).await;
    assert_eq!(ack.status(), v1::AckStatus::Stale);
    assert_eq!(
        cluster.wait(&job.job).await.state(),
        v1::JobState::Cancelled
    );
    let result = cluster.result(&job.job).await;
    assert_eq!(result.job.unwrap().state(), v1::JobState::Cancelled);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn issue_33_a_forged_result_is_rejected() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 1;
    cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let lease = worker.lease().await;
    let mut forged = computed(&lease, false);
    if let Some(v1::shard_result::Outcome::Completed(completed)) = &mut forged.outcome
        && let Some(v1::tally::Kind::Growth(growth)) = completed
            .tally
            .as_mut()
            .and_then(|tally| tally.kind.as_mut())
    {
        growth.goals[0].any_start = Some(v1::GrowthBest {
            moves: 999,
            ..v1::GrowthBest::default()
        });
    }
    let ack = worker.report(forged).await;
    assert_eq!(ack.status(), v1::AckStatus::Rejected);
    assert!(ack.reason.contains("any_start"), "{}", ack.reason);
    // The shard goes out again.
    let again = worker.lease().await;
    assert_eq!(again.key.as_ref().unwrap().shard, lease.key.unwrap().shard);
    let mut other_goal = computed(&again, false);
    if let Some(v1::shard_result::Outcome::Completed(completed)) = &mut other_goal.outcome
        && let Some(v1::tally::Kind::Growth(growth)) = completed
            .tally
            .as_mut()
            .and_then(|tally| tally.kind.as_mut())
    {
        growth.goals[0].goal = 1;
    }
    let ack = worker.report(other_goal).await;
    assert_eq!(ack.status(), v1::AckStatus::Rejected);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn known_levels_are_imported_and_solved() {
    let cluster = Cluster::start(Catalog::in_memory().unwrap(), |options| {
        options.import = true;
    })
    .await;
    let mut client = cluster.records().await;
    let wanted = v1::GetRecordRequest { rows: 10, cols: 10 };
    let found = timeout(PATIENCE, async {
        loop {
            match client.get_record(wanted).await {
                Ok(record) => return record.into_inner(),
                Err(status) => assert_eq!(status.code(), tonic::Code::NotFound),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let record = found.await.unwrap();
    let level = record.level.unwrap();
    assert_eq!(level.moves, record.max_moves);
    assert_eq!(level.lurd.len() as u32, record.max_moves);
    assert!(!record.exact && !record.source.is_empty());
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn u3_a_small_job_on_disk_ends_fast() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    let mut search = toy::search(3);
    search.shard_ms = 60;
    let began = Instant::now();
    let job = cluster.submit(&search).await;
    // Results are sent without waiting for the answer to the one before.
    let working = tokio::spawn(async move {
        worker.work_all_at_once(60).await;
    });
    let ended = cluster.wait(&job.job).await;
    let took = began.elapsed();
    working.await.unwrap();
    assert_eq!(ended.state(), v1::JobState::Done);
    println!("60 shards on disk took {took:?}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    cluster.shut_down().await;
}
