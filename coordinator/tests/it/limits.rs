//! Connections and calls have limits, and who meets one is told so.

use std::time::Duration;

use soko::rpc::v1;
use soko_coord::{access::Limits, service::Reason, store::Catalog};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tonic::transport::Channel;

use super::{
    cluster::{Cluster, PATIENCE, Puppet},
    toy,
};

async fn limited(change: impl FnOnce(&mut Limits)) -> Cluster {
    let catalog = Catalog::in_memory().unwrap();
    Cluster::start(catalog, |options| {
        change(&mut options.limits);
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grpc_connection_too_many_is_told_so_and_the_others_go_on() {
    let cluster = limited(|limits| limits.grpc = 2).await;
    let mut first = cluster.jobs().await;
    let second = cluster.jobs().await;
    let list = v1::ListJobsRequest::default;
    first.list_jobs(list()).await.unwrap();
    let url = format!("http://{}", cluster.address);
    let third = Channel::from_shared(url.clone()).unwrap().connect_lazy();
    let mut third = v1::job_service_client::JobServiceClient::new(third);
    let status = third.list_jobs(list()).await.unwrap_err();
    let why = Reason::of(&status);
    assert_eq!(why, Some(Reason::TooManyConnections), "{status:?}");
    first.list_jobs(list()).await.unwrap();
    // A place that is given back can be taken.
    drop(second);
    let again = async {
        while third.list_jobs(list()).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, again).await.unwrap();
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_too_many_is_told_so() {
    let http = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = http.local_addr().unwrap();
    let cluster = Cluster::start(Catalog::in_memory().unwrap(), |options| {
        options.limits.web = 1;
        options.http = Some(http);
    })
    .await;
    let mut first = TcpStream::connect(address).await.unwrap();
    let request = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    first.write_all(request).await.unwrap();
    let mut answer = [0; 12];
    first.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    let mut second = TcpStream::connect(address).await.unwrap();
    second.write_all(request).await.unwrap();
    let mut heard = String::new();
    let hearing = second.read_to_string(&mut heard);
    timeout(PATIENCE, hearing).await.unwrap().unwrap();
    assert!(heard.starts_with("HTTP/1.1 503 "), "{heard}");
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_says_nothing_gives_its_place_back() {
    let cluster = limited(|limits| {
        limits.grpc = 1;
        limits.idle = Duration::from_millis(500);
    })
    .await;
    let mut silent = TcpStream::connect(cluster.address).await.unwrap();
    let mut said = Vec::new();
    // The server's first frame, and then the end.
    let ended = timeout(PATIENCE, silent.read_to_end(&mut said)).await;
    assert!(ended.is_ok(), "it is closed: {said:?}");
    let again = async {
        let list = v1::ListJobsRequest::default;
        while cluster.jobs().await.list_jobs(list()).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, again).await.unwrap();
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beyond_the_limit_of_a_connection_wait_for_their_turn() {
    let cluster = limited(|limits| limits.calls = 2).await;
    let mut search = toy::search(3);
    search.shard_ms = 1;
    let job = cluster.submit(&search).await;
    let client = cluster.jobs().await;
    let request = v1::GetJobRequest { job: job.job };
    let watch = || {
        let (mut client, request) = (client.clone(), request.clone());
        async move { client.watch_job(request).await.unwrap().into_inner() }
    };
    let _first = watch().await;
    let second = watch().await;
    let mut third = tokio::spawn(watch());
    // Another connection is not concerned.
    let mut puppet = Puppet::connect(&cluster, "a").await;
    puppet.beat(vec![]).await;
    // Nothing that happens tells that a call waits: only time does.
    let early = timeout(Duration::from_millis(300), &mut third).await;
    assert!(early.is_err(), "it does not wait");
    drop(second);
    let mut third = timeout(PATIENCE, third).await.unwrap().unwrap();
    assert!(third.message().await.unwrap().is_some());
    cluster.shut_down().await;
}
