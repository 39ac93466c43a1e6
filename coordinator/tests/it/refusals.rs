//! Each reason of docs/api.md, met.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use soko::{
    plan::Search,
    rpc::v1::{self, job_service_client::JobServiceClient, work_service_client::WorkServiceClient},
};
use soko_coord::{ServeOptions, access::Tokens, records::Turns, service::Reason, store::Catalog};
use tonic::{Request, Status};
use tonic_types::StatusExt;

use super::{cluster::Cluster, input::reason, raw::call, toy};

async fn cluster(change: impl FnOnce(&mut ServeOptions)) -> Cluster {
    Cluster::start(Catalog::in_memory().unwrap(), change).await
}

fn submit(request_id: &str, search: &Search) -> v1::SubmitJobRequest {
    v1::SubmitJobRequest {
        request_id: request_id.to_owned(),
        search: Some(search.into()),
        ..v1::SubmitJobRequest::default()
    }
}

fn register(worker: &str, instance: &str) -> v1::RegisterRequest {
    v1::RegisterRequest {
        worker: worker.to_owned(),
        instance: instance.to_owned(),
        engine: "toy 1".to_owned(),
        threads: 1,
        held: vec![],
    }
}

fn ask(worker: &str, instance: &str) -> v1::LeaseRequest {
    v1::LeaseRequest {
        request_id: "q".to_owned(),
        worker: worker.to_owned(),
        instance: instance.to_owned(),
        slots: 1,
    }
}

/// Of jobs, records and messages.
async fn of_jobs() -> Vec<Status> {
    let cluster = cluster(|_| {}).await;
    let mut jobs = cluster.jobs().await;
    let channel = cluster.channel().await;
    let get = |job: &str| v1::GetJobRequest {
        job: job.to_owned(),
    };
    let mut search = toy::search(3);
    search.shard_ms = 1;
    let filed = jobs.submit_job(submit("r", &search)).await;
    let running = filed.unwrap().into_inner().job;
    // Two of them begin with the same digit.
    for number in 0..16 {
        jobs.submit_job(submit(&number.to_string(), &search))
            .await
            .unwrap();
    }
    let mut met = Vec::new();
    for digit in "0123456789abcdef".chars() {
        met.extend(jobs.get_job(get(&digit.to_string())).await.err());
    }
    met.push(jobs.get_job(get("no id")).await.unwrap_err());
    let shard = v1::ExplainJobRequest {
        job: running.clone(),
        shard: Some(99),
    };
    let unknown = v1::GetWorkerRequest {
        worker: "nobody".to_owned(),
    };
    let board = v1::GetRecordRequest { rows: 9, cols: 9 };
    let nothing = tokio_stream::empty::<v1::CheckpointEntry>();
    let mut records = cluster.records().await;
    met.extend([
        jobs.submit_job(submit("", &search)).await.unwrap_err(),
        jobs.submit_job(submit("r", &toy::search(12)))
            .await
            .unwrap_err(),
        jobs.submit_job(submit("r", &toy::search(4)))
            .await
            .unwrap_err(),
        jobs.get_job_result(get(&running)).await.unwrap_err(),
        jobs.delete_job(get(&running)).await.unwrap_err(),
        jobs.explain_job(shard).await.unwrap_err(),
        jobs.get_worker(unknown).await.unwrap_err(),
        jobs.import_job(nothing).await.unwrap_err(),
        records.get_record(board).await.unwrap_err(),
    ]);
    for (path, bytes) in [
        ("/soko.v1.JobService/GetJob", vec![0xff]),
        ("/soko.v1.JobService/GetJob", vec![0; 5 << 20]),
        ("/soko.v1.JobService/Newer", vec![]),
        ("/grpc.health.v1.Health/Check", b"\x0a\x01x".to_vec()),
    ] {
        met.push(call(&channel, path, vec![bytes]).await.unwrap_err());
    }
    let mut states = jobs.watch_job(get(&running)).await.unwrap().into_inner();
    cluster.shut_down().await;
    met.push(loop {
        match states.message().await {
            Ok(state) => assert!(state.is_some(), "it ended as if the job had"),
            Err(status) => break status,
        }
    });
    met
}

/// Of workers, and of what there is too much of.
async fn of_limits() -> Vec<Status> {
    let cluster = cluster(|options| {
        options.hub.config.max_workers = 1;
        options.hub.config.max_active_jobs = 1;
        options.limits.grpc = 3;
        options.turns = Turns::new(1, 0, Duration::from_secs(1));
    })
    .await;
    let mut work = WorkServiceClient::new(cluster.channel().await);
    let mut jobs = cluster.jobs().await;
    let mut records = cluster.records().await;
    let mut search = toy::search(3);
    search.shard_ms = 1;
    jobs.submit_job(submit("a", &search)).await.unwrap();
    work.register(register("a", "old")).await.unwrap();
    work.register(register("a", "new")).await.unwrap();
    let level = v1::SubmitRecordRequest::default();
    let met = vec![
        work.lease(ask("a", "old")).await.unwrap_err(),
        work.lease(ask("b", "new")).await.unwrap_err(),
        work.register(register("b", "new")).await.unwrap_err(),
        jobs.submit_job(submit("b", &search)).await.unwrap_err(),
        records.submit_record(level).await.unwrap_err(),
        cluster
            .jobs()
            .await
            .get_job(v1::GetJobRequest::default())
            .await
            .unwrap_err(),
    ];
    cluster.shut_down().await;
    met
}

/// Of a level that is not solved in time.
async fn of_time() -> Vec<Status> {
    let turns = Turns::new(1, 1, Duration::ZERO);
    let cluster = cluster(|options| options.turns = turns).await;
    let side = 30;
    let mut rows = vec!["-".repeat(side); side];
    rows[0].replace_range(0..1, "@");
    rows[5].replace_range(5..6, "$");
    rows[9].replace_range(9..10, ".");
    let level = v1::SubmitRecordRequest {
        xsb: rows.join("\n"),
        ..v1::SubmitRecordRequest::default()
    };
    let mut records = cluster.records().await;
    let status = records.submit_record(level).await.unwrap_err();
    let retry = status.get_details_retry_info();
    assert!(retry.is_none_or(|it| it.retry_delay.is_none()));
    cluster.shut_down().await;
    vec![status]
}

async fn of_tokens() -> Vec<Status> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tokens.txt");
    std::fs::write(&file, "reader 0123456789abcdef\n").unwrap();
    let tokens = Arc::new(Tokens::load(&file).unwrap());
    let cluster = cluster(|options| options.tokens = Some(tokens)).await;
    let mut met = Vec::new();
    for token in [
        None,
        Some("Bearer fedcba9876543210"),
        Some("Bearer 0123456789abcdef"),
    ] {
        let mut request = Request::new(submit("r", &toy::search(3)));
        if let Some(token) = token {
            request
                .metadata_mut()
                .insert("authorization", token.parse().unwrap());
        }
        let mut jobs = JobServiceClient::new(cluster.channel().await);
        met.push(jobs.submit_job(request).await.unwrap_err());
    }
    cluster.shut_down().await;
    met
}

#[tokio::test(flavor = "multi_thread")]
async fn each_reason_can_be_met_and_has_its_code() {
    let met = [
        of_jobs().await,
        of_limits().await,
        of_time().await,
        of_tokens().await,
    ]
    .concat();
    let mut names = BTreeSet::new();
    for status in met {
        let name = reason(&status);
        let known = Reason::ALL.iter().find(|it| it.name() == name);
        assert_eq!(known.map(|it| it.code()), Some(status.code()), "{status:?}");
        assert!(!status.message().is_empty(), "{status:?}");
        names.insert(name);
    }
    let all = Reason::ALL.iter().map(|it| it.name().to_owned());
    let left: Vec<_> = all.filter(|name| !names.contains(name)).collect();
    // Those that only a broken coordinator gives.
    assert_eq!(left, ["NO_NUMBERS", "STORE_FAILED", "INTERNAL"]);
}
