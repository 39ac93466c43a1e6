//! Workers that lie, and results that are taken back.

use std::time::Duration;

use soko::rpc::v1::{self, invalidate_request::What, shard_result::Outcome};
use soko_coord::store::Catalog;
use tokio::time::sleep;

use super::{
    cluster::{Cluster, Puppet, computed},
    toy,
};

/// All that can be is computed twice.
async fn strict(catalog: Catalog) -> Cluster {
    Cluster::start(catalog, |options| {
        options.hub.config.check_share = 1.0;
    })
    .await
}

/// Says that all of a shard is done after half of it.
fn lie(lease: &v1::Lease) -> v1::ShardResult {
    let mut result = computed(lease, true);
    if let Some(Outcome::Completed(completed)) = &mut result.outcome {
        completed.remainder.clear();
    }
    result
}

impl Puppet {
    /// Computes honestly until the job has ended.
    async fn work_until_done(&mut self, cluster: &Cluster, job: &str) {
        loop {
            let request = v1::GetJobRequest {
                job: job.to_owned(),
            };
            let shown = cluster.jobs().await.get_job(request).await.unwrap();
            if shown.into_inner().state() == v1::JobState::Done {
                return;
            }
            for lease in self.ask(2).await.leases {
                let result = computed(&lease, false);
                while self.report(result.clone()).await.status() == v1::AckStatus::Retry {
                    sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }
}

async fn quarantined(cluster: &Cluster, worker: &str) -> String {
    let request = v1::GetWorkerRequest {
        worker: worker.to_owned(),
    };
    let shown = cluster.jobs().await.get_worker(request).await.unwrap();
    shown.into_inner().quarantined
}

#[tokio::test(flavor = "multi_thread")]
async fn v1_v2_a_liar_is_found_and_the_answer_is_right() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = strict(Catalog::open(dir.path()).unwrap()).await;
    let mut search = toy::search(3);
    search.shard_ms = 20;
    let job = cluster.submit(&search).await.job;
    let mut honest = Puppet::connect(&cluster, "honest").await;
    let mut liar = Puppet::connect(&cluster, "liar").await;
    for _ in 0..5 {
        let lease = liar.lease().await;
        let ack = liar.report(lie(&lease)).await;
        assert_eq!(ack.status(), v1::AckStatus::Stored, "{}", ack.reason);
    }
    honest.work_until_done(&cluster, &job).await;
    let why = quarantined(&cluster, "liar").await;
    assert!(why.contains("not what others find"), "{why}");
    assert_eq!(quarantined(&cluster, "honest").await, "");
    let result = cluster.result(&job).await;
    assert_eq!(
        (result.floor_sets, result.digest),
        (
            toy::truth(&search).0,
            format!("{:032x}", toy::truth(&search).1)
        )
    );
    // Nobody was left to check what the honest one did afterwards.
    assert!(result.double_checked < result.shards);
    let request = v1::RegisterRequest {
        worker: "liar".to_owned(),
        instance: "another".to_owned(),
        engine: "toy 1".to_owned(),
        threads: 1,
        held: vec![],
    };
    liar.client.register(request).await.unwrap();
    assert!(!quarantined(&cluster, "liar").await.is_empty());
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn honest_workers_vouch_for_each_other() {
    let cluster = strict(Catalog::in_memory().unwrap()).await;
    let mut search = toy::search(3);
    search.shard_ms = 12;
    let job = cluster.submit(&search).await.job;
    let mut a = Puppet::connect(&cluster, "a").await;
    let mut b = Puppet::connect(&cluster, "b").await;
    tokio::join!(
        a.work_until_done(&cluster, &job),
        b.work_until_done(&cluster, &job)
    );
    let result = cluster.result(&job).await;
    assert_eq!(result.floor_sets, toy::truth(&search).0);
    assert_eq!(
        (result.double_checked, result.shards),
        (12, 12),
        "both were there all along"
    );
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn v8_invalidated_results_are_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = 9;
    let job = cluster.submit(&search).await.job;
    let mut a = Puppet::connect(&cluster, "a").await;
    let mut b = Puppet::connect(&cluster, "b").await;
    for _ in 0..3 {
        a.work(true).await;
    }
    b.work_until_done(&cluster, &job).await;
    let before = cluster.result(&job).await;
    let of = |what| v1::InvalidateRequest {
        what: Some(what),
        job: String::new(),
    };
    let mut jobs = cluster.jobs().await;
    // Of an engine that did nothing, nothing is taken back.
    let other = of(What::Engine("toy 0".to_owned()));
    let looked = jobs.invalidate(other).await.unwrap().into_inner();
    assert_eq!(looked.jobs, std::slice::from_ref(&job));
    sleep(Duration::from_millis(200)).await;
    assert_eq!(cluster.result(&job).await, before);
    // Of a worker: its three shards, and what was split off them.
    jobs.invalidate(of(What::Worker("a".to_owned())))
        .await
        .unwrap();
    let shown = loop {
        let request = v1::GetJobRequest { job: job.clone() };
        let shown = jobs.get_job(request).await.unwrap().into_inner();
        if shown.state() == v1::JobState::Running {
            break shown;
        }
        sleep(Duration::from_millis(10)).await;
    };
    assert_eq!((shown.shards_open, shown.shards_done), (3, 6));
    let record = v1::GetRecordRequest { rows: 3, cols: 3 };
    let record = cluster.records().await.get_record(record).await.unwrap();
    assert!(!record.into_inner().exact, "its proof is void");
    // It survives a restart in the middle.
    cluster.shut_down().await;
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut b = Puppet::connect(&cluster, "b").await;
    b.work_until_done(&cluster, &job).await;
    let after = cluster.result(&job).await;
    assert_eq!(
        (after.floor_sets, &after.digest),
        (before.floor_sets, &before.digest)
    );
    let record = v1::GetRecordRequest { rows: 3, cols: 3 };
    let record = cluster.records().await.get_record(record).await.unwrap();
    assert!(record.into_inner().exact);
    cluster.shut_down().await;
}
