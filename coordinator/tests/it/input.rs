//! Whatever a client sends, it gets a typed answer.

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use soko::rpc::v1;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::{
    cluster::{Cluster, Puppet},
    toy,
};

/// The reason in the details of a status.
pub(crate) fn reason(status: &Status) -> String {
    let info = status.get_details_error_info();
    info.map_or("none".to_owned(), |info| info.reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_have_stable_codes() {
    let cluster = Cluster::in_memory().await;
    let mut jobs = cluster.jobs().await;
    let get = |job: &str| v1::GetJobRequest {
        job: job.to_owned(),
    };
    for job in ["", "xyz", "0123456789abcdef", &"f".repeat(100)] {
        let status = jobs.get_job(get(job)).await.unwrap_err();
        assert_eq!(
            (status.code(), &*reason(&status)),
            (Code::NotFound, "NO_SUCH_JOB")
        );
    }
    let submit = |search: Option<v1::Search>| v1::SubmitJobRequest {
        request_id: "r".to_owned(),
        search,
        ..v1::SubmitJobRequest::default()
    };
    let search = |rows, cols, mode: i32| {
        Some(v1::Search {
            rows,
            cols,
            mode,
            ..v1::Search::default()
        })
    };
    for bad in [
        None,
        search(0, 3, 1),
        search(3, u32::MAX, 1),
        search(3, 3, 0),
        search(3, 3, 99),
        search(200, 200, 1),
    ] {
        let status = jobs.submit_job(submit(bad)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert_ne!(reason(&status), "none");
    }
    let mut long = submit(search(3, 3, 1));
    for name in ["x".repeat(201), "\u{1b}[2J".to_owned(), "a\nb".to_owned()] {
        long.name = name;
        let status = jobs.submit_job(long.clone()).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    }
    let job = jobs
        .submit_job(submit(search(3, 3, 1)))
        .await
        .unwrap()
        .into_inner();
    let again = jobs
        .submit_job(submit(search(3, 3, 1)))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(job.job, again.job, "the same request is the same job");
    let status = jobs.submit_job(submit(search(4, 4, 1))).await.unwrap_err();
    assert_eq!(
        (status.code(), &*reason(&status)),
        (Code::AlreadyExists, "REQUEST_CONFLICT")
    );
    cluster.wait(&job.job).await;
    let status = jobs.cancel_job(get(&job.job)).await.unwrap_err();
    assert_eq!(
        (status.code(), &*reason(&status)),
        (Code::FailedPrecondition, "WRONG_PHASE")
    );
    let mut running = toy::search(3);
    running.shard_ms = 1;
    let running = cluster.submit(&running).await;
    let status = jobs.get_job_result(get(&running.job)).await.unwrap_err();
    assert_eq!(
        (status.code(), &*reason(&status)),
        (Code::FailedPrecondition, "JOB_NOT_ENDED")
    );
    let list = v1::ListJobsRequest { limit: 5000 };
    assert_eq!(
        jobs.list_jobs(list).await.unwrap_err().code(),
        Code::InvalidArgument
    );
    let record = v1::GetRecordRequest { rows: 0, cols: 7 };
    let status = cluster
        .records()
        .await
        .get_record(record)
        .await
        .unwrap_err();
    assert_eq!(reason(&status), "NO_RECORD");
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.name = "b".to_owned();
    let ask = v1::LeaseRequest {
        request_id: "q".to_owned(),
        worker: "b".to_owned(),
        instance: "i".to_owned(),
        slots: 1,
    };
    let status = worker.client.lease(ask).await.unwrap_err();
    assert_eq!(
        (status.code(), &*reason(&status)),
        (Code::NotFound, "UNKNOWN_WORKER")
    );
    assert!(worker.beat(vec![]).await.unknown);
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn d6_a_message_that_is_too_large_breaks_only_its_call() {
    let cluster = Cluster::in_memory().await;
    let mut jobs = cluster.jobs().await;
    let huge = v1::GetJobRequest {
        job: "0".repeat(5 << 20),
    };
    let status = jobs.get_job(huge).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange);
    assert!(
        status.message().contains("too large"),
        "{}",
        status.message()
    );
    jobs.list_jobs(v1::ListJobsRequest::default())
        .await
        .unwrap();
    cluster.shut_down().await;
}

fn any_key() -> impl Strategy<Value = Option<v1::LeaseKey>> {
    let job = prop_oneof!["[0-9a-f]{16}", "\\PC{0,20}"];
    prop::option::of((job, any::<u64>(), any::<u64>()))
        .prop_map(|key| key.map(|(job, shard, epoch)| v1::LeaseKey { job, shard, epoch }))
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a".to_owned()), "[a-z]{0,70}", "\\PC{0,70}"]
}

#[derive(Debug, Clone)]
enum Call {
    Register(v1::RegisterRequest),
    Lease(v1::LeaseRequest),
    Release(v1::ReleaseRequest),
    Submit(v1::SubmitJobRequest),
    Report(v1::ReportRequest),
}

fn any_call() -> impl Strategy<Value = Call> {
    let keys = || prop::collection::vec(any_key(), 0..4);
    let names = || (any_name(), any_name(), any_name());
    prop_oneof![
        (names(), any::<u32>(), keys()).prop_map(|((worker, instance, engine), threads, keys)| {
            let held = keys
                .into_iter()
                .map(|key| v1::HeldLease { key, plan: None });
            Call::Register(v1::RegisterRequest {
                worker,
                instance,
                engine,
                threads,
                held: held.collect(),
            })
        }),
        (names(), any::<u32>()).prop_map(|((worker, instance, request_id), slots)| {
            Call::Lease(v1::LeaseRequest {
                request_id,
                worker,
                instance,
                slots,
            })
        }),
        (names(), keys(), any::<bool>()).prop_map(
            |((worker, instance, request_id), keys, leaving)| {
                Call::Release(v1::ReleaseRequest {
                    request_id,
                    worker,
                    instance,
                    keys: keys.into_iter().flatten().collect(),
                    leaving,
                })
            }
        ),
        (names(), any::<[u32; 3]>(), any::<i32>()).prop_map(
            |((request_id, name, _), [rows, cols, shard_ms], number)| {
                Call::Submit(v1::SubmitJobRequest {
                    request_id,
                    search: Some(v1::Search {
                        rows: rows % 20,
                        cols: cols % 20,
                        mode: number % 5,
                        seed: 13,
                        connected: number % 7 == 0,
                        shard_ms,
                        hunt: None,
                    }),
                    name,
                    priority: number % 200,
                    resume_equal: true,
                })
            }
        ),
        (names(), any_key(), any::<f64>(), any::<u8>()).prop_map(
            |((worker, instance, engine), key, fraction, kind)| {
                let body = match kind % 3 {
                    0 => None,
                    1 => Some(v1::report_request::Body::Beat(v1::Beat {
                        running: vec![v1::Progress {
                            key,
                            work: u64::MAX,
                            fraction,
                            best_moves: u32::MAX,
                            accepted: u64::MAX,
                            queued: kind % 2 == 0,
                        }],
                    })),
                    _ => Some(v1::report_request::Body::Result(v1::ShardResult {
                        request_id: engine.clone(),
                        key,
                        plan: None,
                        engine,
                        outcome: None,
                        core_ms: u64::MAX,
                    })),
                };
                Call::Report(v1::ReportRequest {
                    worker,
                    instance,
                    body,
                })
            }
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn d1_nothing_a_client_sends_is_a_panic() {
    let cluster = Cluster::in_memory().await;
    let worker = Puppet::connect(&cluster, "a").await;
    let mut jobs = cluster.jobs().await;
    let calls = {
        let mut runner = TestRunner::deterministic();
        let strategy = prop::collection::vec(any_call(), 400);
        strategy.new_tree(&mut runner).unwrap().current()
    };
    for call in calls {
        let mut client = worker.client.clone();
        let shown = format!("{call:?}");
        let status = match call {
            Call::Register(request) => client.register(request).await.err(),
            // A question of a known worker is kept open; it ends by itself.
            Call::Lease(request) => client.lease(request).await.err(),
            Call::Release(request) => client.release(request).await.err(),
            Call::Submit(request) => jobs.submit_job(request).await.err(),
            Call::Report(request) => {
                let replies = client.report(tokio_stream::once(request)).await;
                replies.unwrap().into_inner().message().await.err()
            }
        };
        if let Some(status) = status {
            let expected = [
                Code::InvalidArgument,
                Code::NotFound,
                Code::AlreadyExists,
                Code::ResourceExhausted,
            ];
            assert!(expected.contains(&status.code()), "{status} to {shown}");
            assert_ne!(reason(&status), "none");
        }
    }
    jobs.list_jobs(v1::ListJobsRequest::default())
        .await
        .unwrap();
    cluster.shut_down().await;
}
