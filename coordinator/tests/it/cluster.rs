//! A coordinator on port 0, and clients of it.

use std::{
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use soko::{
    plan::{Search, Shard},
    rpc::v1::{
        self, job_service_client::JobServiceClient, record_service_client::RecordServiceClient,
        report_reply, report_request, shard_result, work_service_client::WorkServiceClient,
    },
};
use soko_coord::{ServeError, ServeOptions, serve, store::Catalog};
use tokio::{net::TcpListener, sync::mpsc, task::JoinHandle, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Streaming, transport::Channel};

use super::toy::{self, Toy};

/// Long enough for anything here, short enough to notice a hang.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A running coordinator.
pub(crate) struct Cluster {
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    pub(crate) ended: JoinHandle<Result<(), ServeError>>,
}

impl Cluster {
    pub(crate) async fn in_memory() -> Self {
        Self::start(Catalog::in_memory().unwrap(), |_| {}).await
    }

    pub(crate) async fn on_disk(dir: &Path) -> Self {
        Self::start(Catalog::open(dir).unwrap(), |_| {}).await
    }

    pub(crate) async fn start(catalog: Catalog, change: impl FnOnce(&mut ServeOptions)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let mut options = ServeOptions::with_engine(Arc::new(Toy));
        options.import = false;
        options.hub.patience = Duration::from_millis(300);
        // Most tests count shards; those of second computations ask for them.
        options.hub.config.check_share = 0.0;
        options.hub.config.check_first = 0;
        change(&mut options);
        let ended = tokio::spawn(serve(listener, catalog, options, stop.clone()));
        Self {
            address,
            stop,
            ended,
        }
    }

    pub(crate) async fn channel(&self) -> Channel {
        let url = format!("http://{}", self.address);
        Channel::from_shared(url).unwrap().connect().await.unwrap()
    }

    pub(crate) async fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel().await)
    }

    pub(crate) async fn records(&self) -> RecordServiceClient<Channel> {
        RecordServiceClient::new(self.channel().await)
    }

    pub(crate) async fn submit(&self, search: &Search) -> v1::Job {
        let request = v1::SubmitJobRequest {
            request_id: uuid::Uuid::new_v4().to_string(),
            search: Some(search.into()),
            ..v1::SubmitJobRequest::default()
        };
        let filed = self.jobs().await.submit_job(request).await;
        filed.unwrap().into_inner()
    }

    /// Waits until the job has ended.
    pub(crate) async fn wait(&self, job: &str) -> v1::Job {
        let request = v1::GetJobRequest {
            job: job.to_owned(),
        };
        let states = self.jobs().await.watch_job(request).await.unwrap();
        let mut states = states.into_inner();
        let mut last = v1::Job::default();
        while let Some(state) = timeout(PATIENCE, states.message()).await.unwrap().unwrap() {
            assert!(state.progress >= last.progress, "progress fell");
            last = state;
        }
        last
    }

    pub(crate) async fn result(&self, job: &str) -> v1::JobResult {
        let request = v1::GetJobRequest {
            job: job.to_owned(),
        };
        let result = self.jobs().await.get_job_result(request).await;
        result.unwrap().into_inner()
    }

    /// Stops the coordinator and waits until it has ended.
    pub(crate) async fn shut_down(self) {
        self.stop.cancel();
        timeout(PATIENCE, self.ended)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
    }
}

/// A worker that does what it is told.
pub(crate) struct Puppet {
    pub(crate) client: WorkServiceClient<Channel>,
    pub(crate) name: String,
    pub(crate) instance: String,
    reports: mpsc::Sender<v1::ReportRequest>,
    replies: Streaming<v1::ReportReply>,
}

impl Puppet {
    pub(crate) async fn connect(cluster: &Cluster, name: &str) -> Self {
        Self::connect_holding(cluster, name, &[]).await.0
    }

    /// Connects as a worker with this engine.
    pub(crate) async fn connect_as(cluster: &Cluster, name: &str, engine: &str) -> Self {
        Self::connect_with(cluster, name, engine, &[]).await.0
    }

    /// Connects and presents leases; gives back those that are revoked.
    pub(crate) async fn connect_holding(
        cluster: &Cluster,
        name: &str,
        held: &[v1::Lease],
    ) -> (Self, Vec<v1::LeaseKey>) {
        Self::connect_with(cluster, name, "toy 1", held).await
    }

    async fn connect_with(
        cluster: &Cluster,
        name: &str,
        engine: &str,
        held: &[v1::Lease],
    ) -> (Self, Vec<v1::LeaseKey>) {
        let mut client = WorkServiceClient::new(cluster.channel().await);
        let instance = uuid::Uuid::new_v4().to_string();
        let held = held.iter().map(|lease| v1::HeldLease {
            key: lease.key.clone(),
            plan: lease.plan,
        });
        let request = v1::RegisterRequest {
            worker: name.to_owned(),
            instance: instance.clone(),
            engine: engine.to_owned(),
            threads: 2,
            held: held.collect(),
        };
        let registered = client.register(request).await.unwrap().into_inner();
        let (reports, outgoing) = mpsc::channel(16);
        let replies = client.report(ReceiverStream::new(outgoing)).await.unwrap();
        let puppet = Self {
            client,
            name: name.to_owned(),
            instance,
            reports,
            replies: replies.into_inner(),
        };
        (puppet, registered.revoked)
    }

    pub(crate) async fn ask(&mut self, slots: u32) -> v1::LeaseReply {
        let request = v1::LeaseRequest {
            request_id: uuid::Uuid::new_v4().to_string(),
            worker: self.name.clone(),
            instance: self.instance.clone(),
            slots,
        };
        self.client.lease(request).await.unwrap().into_inner()
    }

    pub(crate) async fn lease(&mut self) -> v1::Lease {
        for _ in 0..50 {
            if let Some(lease) = self.ask(1).await.leases.pop() {
                return lease;
            }
        }
        panic!("no shard was given");
    }

    pub(crate) async fn send(&mut self, body: report_request::Body) -> report_reply::Body {
        let request = v1::ReportRequest {
            worker: self.name.clone(),
            instance: self.instance.clone(),
            body: Some(body),
        };
        self.reports.send(request).await.unwrap();
        let reply = timeout(PATIENCE, self.replies.message()).await.unwrap();
        reply.unwrap().unwrap().body.unwrap()
    }

    pub(crate) async fn report(&mut self, result: v1::ShardResult) -> v1::Ack {
        match self.send(report_request::Body::Result(result)).await {
            report_reply::Body::Ack(ack) => ack,
            report_reply::Body::Beat(_) => panic!("an answer to something else"),
        }
    }

    pub(crate) async fn beat(&mut self, running: Vec<v1::Progress>) -> v1::BeatReply {
        let beat = v1::Beat { running };
        match self.send(report_request::Body::Beat(beat)).await {
            report_reply::Body::Beat(reply) => reply,
            report_reply::Body::Ack(_) => panic!("an answer to something else"),
        }
    }

    /// Computes one shard, or the first half of it, and reports it.
    pub(crate) async fn work(&mut self, half: bool) -> v1::Ack {
        let lease = self.lease().await;
        let result = computed(&lease, half);
        self.report(result).await
    }

    /// Computes this many shards, as many at a time as it gets.
    pub(crate) async fn work_all_at_once(&mut self, count: usize) {
        let mut done = 0;
        while done < count {
            let leases = self.ask(8).await.leases;
            for lease in &leases {
                let request = v1::ReportRequest {
                    worker: self.name.clone(),
                    instance: self.instance.clone(),
                    body: Some(report_request::Body::Result(computed(lease, false))),
                };
                self.reports.send(request).await.unwrap();
            }
            for _ in &leases {
                let reply = timeout(PATIENCE, self.replies.message()).await.unwrap();
                assert!(matches!(reply, Ok(Some(_))));
            }
            done += leases.len();
        }
    }

    /// Computes shards until there are none.
    pub(crate) async fn work_all(&mut self) -> usize {
        let mut done = 0;
        let began = Instant::now();
        loop {
            let v1::LeaseReply { leases, reason, .. } = self.ask(4).await;
            if leases.is_empty() {
                // A job that was just filed is still being planned.
                if done == 0 && reason.contains("planned") && began.elapsed() < PATIENCE / 2 {
                    continue;
                }
                return done;
            }
            for lease in leases {
                let result = computed(&lease, done % 3 == 0);
                let ack = self.report(result).await;
                assert_eq!(ack.status(), v1::AckStatus::Stored, "{}", ack.reason);
                done += 1;
            }
        }
    }
}

/// The result of a lease, or of the first half of its shard.
pub(crate) fn computed(lease: &v1::Lease, half: bool) -> v1::ShardResult {
    let search = Search::try_from(lease.search.as_ref().unwrap()).unwrap();
    let shard = Shard::from_wire(lease.shard.as_ref().unwrap(), &search).unwrap();
    let outcome = toy::compute(&shard, half).to_wire(search.size);
    v1::ShardResult {
        request_id: uuid::Uuid::new_v4().to_string(),
        key: lease.key.clone(),
        plan: lease.plan,
        engine: "toy 1".to_owned(),
        outcome: Some(shard_result::Outcome::Completed(outcome)),
        core_ms: 3,
    }
}
