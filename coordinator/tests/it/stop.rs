//! The coordinator ends in time, whatever its clients do.

use std::time::{Duration, Instant};

use soko::rpc::v1;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::timeout};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

use super::{
    cluster::{Cluster, PATIENCE, Puppet},
    toy,
};

#[tokio::test(flavor = "multi_thread")]
async fn s1_s2_the_end_waits_for_nobody() {
    let cluster = Cluster::in_memory().await;
    let mut search = toy::search(3);
    search.shard_ms = 4;
    let job = cluster.submit(&search).await.job;
    // A watcher, a worker with an open stream and an open question, a
    // connection that says nothing, and one that stops in the middle.
    let request = v1::GetJobRequest { job };
    let mut states = cluster
        .jobs()
        .await
        .watch_job(request)
        .await
        .unwrap()
        .into_inner();
    states.message().await.unwrap();
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.ask(256).await;
    let mut other = Puppet::connect(&cluster, "b").await;
    let question = tokio::spawn(async move {
        let request = v1::LeaseRequest {
            request_id: "q".to_owned(),
            worker: other.name.clone(),
            instance: other.instance.clone(),
            slots: 1,
        };
        other.client.lease(request).await
    });
    let silent = TcpStream::connect(cluster.address).await.unwrap();
    let mut half = TcpStream::connect(cluster.address).await.unwrap();
    half.write_all(b"PRI * HTTP/2.0\r\n").await.unwrap();
    let began = Instant::now();
    cluster.stop.cancel();
    timeout(PATIENCE, cluster.ended)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    let _ = question.await.unwrap();
    drop((silent, half));
    // The stream ended with an error that says so, or with the connection.
    let end = timeout(PATIENCE, async {
        loop {
            match states.message().await {
                Ok(Some(_)) => {}
                end => return end,
            }
        }
    });
    assert!(end.await.unwrap().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_reflection_answer() {
    let cluster = Cluster::in_memory().await;
    let mut health = HealthClient::new(cluster.channel().await);
    for service in [
        "",
        "soko.v1.WorkService",
        "soko.v1.JobService",
        "soko.v1.RecordService",
    ] {
        let request = HealthCheckRequest {
            service: service.to_owned(),
        };
        let reply = health.check(request).await.unwrap().into_inner();
        assert_eq!(reply.status, 1, "{service} serves");
    }
    {
        use tonic_reflection::pb::v1::{
            ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
            server_reflection_request::MessageRequest,
        };
        let mut client = ServerReflectionClient::new(cluster.channel().await);
        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let replies = client
            .server_reflection_info(tokio_stream::once(request))
            .await;
        let reply = replies.unwrap().into_inner().message().await.unwrap();
        let text = format!("{reply:?}");
        assert!(text.contains("soko.v1.JobService") && text.contains("grpc.health.v1.Health"));
    }
    {
        use tonic_reflection::pb::v1alpha::{
            ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
            server_reflection_request::MessageRequest,
        };
        let mut client = ServerReflectionClient::new(cluster.channel().await);
        let symbol = "soko.v1.WorkService".to_owned();
        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::FileContainingSymbol(symbol)),
        };
        let replies = client
            .server_reflection_info(tokio_stream::once(request))
            .await;
        let reply = replies.unwrap().into_inner().message().await.unwrap();
        assert!(format!("{reply:?}").contains("FileDescriptorResponse"));
    }
    cluster.shut_down().await;
}
