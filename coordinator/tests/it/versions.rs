//! Old and new on the two ends: it works, or is refused with a text that says
//! so. docs/api.md shows these texts.

use prost::Message;
use soko::rpc::v1;
use soko_coord::store::Catalog;
use tonic::Code;

use super::{
    cluster::{Cluster, Puppet, computed},
    input::reason,
    raw::call,
    toy,
};

/// The messages as they would be in a version without the newer fields.
mod old {
    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Search {
        #[prost(uint32, tag = "1")]
        pub(super) rows: u32,
        #[prost(uint32, tag = "2")]
        pub(super) cols: u32,
        #[prost(int32, tag = "3")]
        pub(super) mode: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct SubmitJobRequest {
        #[prost(string, tag = "1")]
        pub(super) request_id: String,
        #[prost(message, optional, tag = "2")]
        pub(super) search: Option<Search>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Job {
        #[prost(string, tag = "1")]
        pub(super) job: String,
        #[prost(int32, tag = "5")]
        pub(super) state: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct RegisterRequest {
        #[prost(string, tag = "1")]
        pub(super) worker: String,
        #[prost(string, tag = "2")]
        pub(super) instance: String,
        #[prost(string, tag = "3")]
        pub(super) engine: String,
        #[prost(uint32, tag = "4")]
        pub(super) threads: u32,
    }
}

/// Whether docs/api.md shows a text, numbers and names aside.
fn documented(text: &str) {
    let docs = include_str!("../../../docs/api.md");
    assert!(docs.contains(text), "docs/api.md does not show: {text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_the_newer_fields_is_served() {
    let cluster = Cluster::in_memory().await;
    let channel = cluster.channel().await;
    let request = old::SubmitJobRequest {
        request_id: "old".to_owned(),
        search: Some(old::Search {
            rows: 3,
            cols: 3,
            mode: 1,
        }),
    };
    let path = "/soko.v1.JobService/SubmitJob";
    let bytes = call(&channel, path, vec![request.encode_to_vec()]).await;
    // It reads the fields that it knows, and passes over the others.
    let job = old::Job::decode(bytes.unwrap().unwrap()).unwrap();
    assert_eq!(job.job.len(), 16);
    assert!(job.state > 0);
    let request = old::RegisterRequest {
        worker: "old".to_owned(),
        instance: "i".to_owned(),
        engine: "toy 1".to_owned(),
        threads: 1,
    };
    let path = "/soko.v1.WorkService/Register";
    let bytes = call(&channel, path, vec![request.encode_to_vec()]).await;
    let reply = v1::RegisterReply::decode(bytes.unwrap().unwrap()).unwrap();
    assert!(reply.beat_ms > 0 && reply.lease_ms > reply.beat_ms);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_newer_fields_is_served_and_newer_values_are_refused() {
    let cluster = Cluster::in_memory().await;
    let channel = cluster.channel().await;
    let mut search = v1::Search::from(&toy::search(3));
    let mut request = v1::SubmitJobRequest {
        request_id: "new".to_owned(),
        search: Some(search.clone()),
        ..v1::SubmitJobRequest::default()
    };
    let path = "/soko.v1.JobService/SubmitJob";
    // Field 1000, of which this version knows nothing.
    let newer = [request.encode_to_vec(), vec![0xc0, 0x3e, 1]].concat();
    let bytes = call(&channel, path, vec![newer]).await.unwrap().unwrap();
    assert_eq!(v1::Job::decode(bytes).unwrap().job.len(), 16);
    search.mode = 99;
    request.search = Some(search);
    let status = call(&channel, path, vec![request.encode_to_vec()])
        .await
        .unwrap_err();
    assert_eq!(
        (status.code(), &*reason(&status)),
        (Code::InvalidArgument, "INVALID_ARGUMENT")
    );
    assert_eq!(
        status.message(),
        "`mode` has the unknown value 99; is the other side of another version?"
    );
    documented(status.message());
    // A call that only newer versions know.
    for path in ["/soko.v1.JobService/Newer", "/soko.v2.JobService/GetJob"] {
        let status = call(&channel, path, vec![vec![]]).await.unwrap_err();
        assert_eq!(
            (status.code(), &*reason(&status)),
            (Code::Unimplemented, "NOT_IMPLEMENTED")
        );
    }
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_another_engine_is_told_so_and_takes_nothing() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 2;
    let job = cluster.submit(&search).await;
    for engine in ["toy 0", "toy 2"] {
        let mut worker = Puppet::connect_as(&cluster, "other", engine).await;
        // It may have to be planned first.
        let mut reply = worker.ask(1).await;
        for _ in 0..50 {
            if reply.reason.contains("engine") || !reply.leases.is_empty() {
                break;
            }
            reply = worker.ask(1).await;
        }
        assert!(reply.leases.is_empty());
        let why = format!("the open shards are of engine toy 1, this worker has {engine}");
        assert_eq!(reply.reason, why);
        let explain = v1::ExplainJobRequest {
            job: job.job.clone(),
            shard: None,
        };
        let explained = cluster.jobs().await.explain_job(explain).await.unwrap();
        let reasons = explained.into_inner().reasons.join("\n");
        let why = format!("worker other computes with engine {engine}, the job needs toy 1");
        assert!(reasons.contains(&why), "{reasons}");
    }
    documented("the open shards are of engine soko-growth 2, this worker has soko-growth 1");
    documented("worker w1 computes with engine soko-growth 1, the job needs soko-growth 2");
    // One that was replaced while it computed: its result is of another engine.
    let mut worker = Puppet::connect(&cluster, "a").await;
    let lease = worker.lease().await;
    let result = v1::ShardResult {
        engine: "toy 0".to_owned(),
        ..computed(&lease, false)
    };
    let ack = worker.report(result).await;
    assert_eq!(ack.status(), v1::AckStatus::Rejected);
    assert_eq!(
        ack.reason,
        "computed by engine toy 0, the job was planned by toy 1"
    );
    documented("computed by engine soko-growth 1, the job was planned by soko-growth 2");
    // And one that had the shard from a plan of another version.
    let lease = worker.lease().await;
    let other_plan = v1::ShardResult {
        plan: Some(v1::U128 { high: 1, low: 1 }),
        ..computed(&lease, false)
    };
    let ack = worker.report(other_plan).await;
    assert_eq!(ack.status(), v1::AckStatus::Rejected, "{}", ack.reason);
    worker.work_all().await;
    assert_eq!(cluster.wait(&job.job).await.state(), v1::JobState::Done);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_coordinator_goes_on_with_new_jobs_and_says_what_it_cannot() {
    let dir = tempfile::tempdir().unwrap();
    let cluster = Cluster::on_disk(dir.path()).await;
    let mut search = toy::search(3);
    search.shard_ms = 2;
    let job = cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.work(false).await;
    cluster.shut_down().await;
    let catalog = Catalog::open(dir.path()).unwrap();
    let newer = |options: &mut soko_coord::ServeOptions| {
        options.hub.config.engine = "toy 2".to_owned();
    };
    let cluster = Cluster::start(catalog, newer).await;
    let request = v1::GetJobRequest { job: job.job };
    let job = cluster
        .jobs()
        .await
        .get_job(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(job.state(), v1::JobState::Failed, "{}", job.reason);
    assert_eq!(
        job.reason,
        "it was planned by engine toy 1, this is toy 2; submit it again"
    );
    documented("it was planned by engine soko-growth 1, this is soko-growth 2; submit it again");
    cluster.shut_down().await;
}
