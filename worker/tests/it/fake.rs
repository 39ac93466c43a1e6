//! A coordinator of a few lines that can be told to misbehave.

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    net::SocketAddr,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use soko::{
    plan::Shard,
    rpc::v1::{
        self,
        report_reply::Body as Reply,
        report_request::Body as Message,
        work_service_server::{WorkService, WorkServiceServer},
    },
};
use tokio::{
    net::{TcpListener, TcpSocket},
    sync::mpsc,
    task::JoinHandle,
    time::sleep,
};
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use crate::engine;

/// Beats of the workers of this coordinator.
const BEAT: Duration = Duration::from_millis(40);

/// When to send again a result that is answered with "later".
pub(crate) const RETRY_MS: u32 = 1200;

/// What the coordinator knows, what it saw, and how it should misbehave.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) open: VecDeque<Range<u64>>,
    pub(crate) leased: BTreeMap<u64, (u64, Range<u64>)>,
    /// Ranges whose results were stored.
    pub(crate) done: Vec<Range<u64>>,
    next: u64,
    answered: HashSet<String>,
    /// Answers to the requests for shards.
    granted: HashMap<String, Vec<v1::Lease>>,

    pub(crate) registrations: Vec<v1::RegisterRequest>,
    pub(crate) beats: Vec<v1::Beat>,
    /// Every result that arrived, repetitions included.
    pub(crate) results: Vec<v1::ShardResult>,
    pub(crate) releases: Vec<v1::ReleaseRequest>,
    pub(crate) streams: usize,

    pub(crate) budget_ms: u32,
    /// A worker takes half of it without an answer for a broken connection.
    pub(crate) lease_ms: u32,
    /// Refuses registrations with this.
    pub(crate) refuse: Option<Status>,
    pub(crate) revoke: Vec<v1::LeaseKey>,
    pub(crate) drain: bool,
    /// Answers the next beat with "unknown".
    pub(crate) forget: bool,
    /// Ends the stream at this many next results, before the answer.
    pub(crate) drop_streams: usize,
    /// Answers this many next results with "later".
    pub(crate) retry: usize,
    pub(crate) ack_delay: Duration,
    /// Says nothing on this many first streams.
    pub(crate) silent_streams: usize,
}

impl State {
    /// Number of different results.
    pub(crate) fn count_results(&self) -> usize {
        let ids: HashSet<_> = self.results.iter().map(|it| &it.request_id).collect();
        ids.len()
    }

    fn ack(&mut self, result: &v1::ShardResult) -> v1::AckStatus {
        if self.answered.contains(&result.request_id) {
            return v1::AckStatus::Stored;
        }
        let key = result.key.clone().unwrap();
        let Some((_, range)) = self
            .leased
            .remove(&key.shard)
            .filter(|it| it.0 == key.epoch)
        else {
            return v1::AckStatus::Stale;
        };
        self.answered.insert(result.request_id.clone());
        let Some(v1::shard_result::Outcome::Completed(completed)) = &result.outcome else {
            return v1::AckStatus::Stored;
        };
        let mut end = range.end;
        for shard in &completed.remainder {
            let rest = engine::range(&Shard::from_wire(shard, &engine::search()).unwrap());
            end = end.min(rest.start);
            self.open.push_back(rest);
        }
        self.done.push(range.start..end);
        v1::AckStatus::Stored
    }

    /// Numbers done, if none was done twice.
    pub(crate) fn count_done(&self) -> u64 {
        let mut done = self.done.clone();
        done.sort_by_key(|range| range.start);
        assert!(
            done.is_sorted_by(|a, b| a.end <= b.start),
            "twice: {done:?}"
        );
        done.iter().map(|range| range.end - range.start).sum()
    }

    /// Keys of the leases that are out.
    pub(crate) fn leased_keys(&self) -> Vec<v1::LeaseKey> {
        let keys = self
            .leased
            .iter()
            .map(|(&shard, &(epoch, _))| key(shard, epoch));
        keys.collect()
    }
}

fn key(shard: u64, epoch: u64) -> v1::LeaseKey {
    v1::LeaseKey {
        job: "job".into(),
        shard,
        epoch,
    }
}

/// Handle to the coordinator; its state survives restarts.
#[derive(Debug, Clone)]
pub(crate) struct Fake {
    state: Arc<Mutex<State>>,
    stop: CancellationToken,
}

/// A running coordinator.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) fake: Fake,
    port: Port,
    task: JoinHandle<()>,
}

/// A port that nobody else gets while nobody listens: a socket is bound to it
/// that never does.
#[derive(Debug)]
pub(crate) struct Port {
    held: TcpSocket,
}

impl Port {
    fn new() -> Self {
        let held = TcpSocket::new_v4().unwrap();
        held.set_reuseaddr(true).unwrap();
        held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self { held }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.held.local_addr().unwrap()
    }
}

impl Server {
    /// Starts a coordinator with these shards.
    pub(crate) async fn start(open: impl IntoIterator<Item = Range<u64>>) -> Self {
        let state = State {
            open: open.into_iter().collect(),
            budget_ms: 60_000,
            lease_ms: 20_000,
            ..State::default()
        };
        Self::serve(Arc::new(Mutex::new(state)), Port::new()).await
    }

    async fn serve(state: Arc<Mutex<State>>, port: Port) -> Self {
        let listener = TcpListener::bind(port.address()).await.unwrap();
        let stop = CancellationToken::new();
        let fake = Fake {
            state,
            stop: stop.clone(),
        };
        let service = WorkServiceServer::new(fake.clone());
        let server = tonic::transport::Server::builder()
            .add_service(service)
            .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async move {
                stop.cancelled().await;
            });
        let task = tokio::spawn(async move { server.await.unwrap() });
        Self { fake, port, task }
    }

    pub(crate) fn url(&self) -> String {
        self.port.address().to_string()
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.fake.state.lock().unwrap()
    }

    /// Stops listening and breaks all streams.
    pub(crate) async fn stop(self) -> (Arc<Mutex<State>>, Port) {
        self.fake.stop.cancel();
        self.task.await.unwrap();
        (self.fake.state, self.port)
    }

    /// Starts again on the same port, as a process that knows what was stored.
    pub(crate) async fn start_again((state, port): (Arc<Mutex<State>>, Port)) -> Self {
        Self::serve(state, port).await
    }

    /// Waits until so many shards are being computed.
    pub(crate) async fn until_running(&self, count: usize) {
        let running = |beat: &v1::Beat| beat.running.iter().filter(|it| it.work > 0).count();
        let last = |state: &State| state.beats.last().map_or(0, running);
        self.until("running", |state| last(state) == count).await;
    }

    /// Waits until the state is so.
    pub(crate) async fn until(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !is_so(&self.state()) {
            assert!(Instant::now() < deadline, "{what}: {:#?}", self.state());
            sleep(Duration::from_millis(2)).await;
        }
    }
}

impl Fake {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn lease_one(state: &mut State) -> Option<v1::Lease> {
        let range = state.open.pop_front()?;
        state.next += 1;
        let number = state.next;
        state.leased.insert(number, (number, range.clone()));
        let search = engine::search();
        Some(v1::Lease {
            key: Some(key(number, number)),
            search: Some((&search).into()),
            shard: Some(engine::shard(range).to_wire(search.size)),
            plan: Some(7.into()),
            budget_ms: state.budget_ms,
        })
    }

    fn beat(&self, beat: v1::Beat) -> v1::BeatReply {
        let mut state = self.state();
        state.beats.push(beat);
        v1::BeatReply {
            revoked: state.revoke.clone(),
            drain: state.drain,
            unknown: std::mem::take(&mut state.forget),
        }
    }
}

#[tonic::async_trait]
impl WorkService for Fake {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterReply>, Status> {
        let mut state = self.state();
        state.registrations.push(request.into_inner());
        if let Some(status) = &state.refuse {
            return Err(status.clone());
        }
        Ok(Response::new(v1::RegisterReply {
            beat_ms: BEAT.as_millis() as u32,
            lease_ms: state.lease_ms,
            revoked: Vec::new(),
        }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseReply>, Status> {
        let request = request.into_inner();
        let mut state = self.state();
        let leases = if let Some(leases) = state.granted.get(&request.request_id) {
            leases.clone()
        } else {
            let leases = std::iter::from_fn(|| Self::lease_one(&mut state));
            let leases: Vec<_> = leases.take(request.slots as usize).collect();
            state.granted.insert(request.request_id, leases.clone());
            leases
        };
        Ok(Response::new(v1::LeaseReply {
            leases,
            retry_after_ms: 10,
            reason: "nothing there".into(),
            drain: state.drain,
        }))
    }

    type ReportStream = ReceiverStream<Result<v1::ReportReply, Status>>;

    async fn report(
        &self,
        request: Request<Streaming<v1::ReportRequest>>,
    ) -> Result<Response<Self::ReportStream>, Status> {
        let silent = {
            let mut state = self.state();
            state.streams += 1;
            state.streams <= state.silent_streams
        };
        let (replies, outgoing) = mpsc::channel(64);
        let fake = self.clone();
        tokio::spawn(async move {
            let mut messages = request.into_inner();
            let send = |body| replies.try_send(Ok(v1::ReportReply { body: Some(body) }));
            loop {
                let message = tokio::select! {
                    message = messages.message() => message,
                    () = fake.stop.cancelled() => {
                        let _ = replies.send(Err(Status::unavailable("stopping"))).await;
                        return;
                    }
                };
                let Ok(Some(message)) = message else { return };
                if silent {
                    continue;
                }
                match message.body.unwrap() {
                    Message::Beat(beat) => {
                        let _ = send(Reply::Beat(fake.beat(beat)));
                    }
                    Message::Result(result) => {
                        let request_id = result.request_id.clone();
                        let (status, delay) = {
                            let mut state = fake.state();
                            state.results.push(result.clone());
                            if state.drop_streams > 0 {
                                state.drop_streams -= 1;
                                return;
                            }
                            let status = if state.retry > 0 {
                                state.retry -= 1;
                                v1::AckStatus::Retry
                            } else {
                                state.ack(&result)
                            };
                            (status, state.ack_delay)
                        };
                        let replies = replies.clone();
                        tokio::spawn(async move {
                            sleep(delay).await;
                            let body = Reply::Ack(v1::Ack {
                                request_id,
                                status: status.into(),
                                reason: String::new(),
                                // Long enough to tell it from the worker's own pause.
                                retry_after_ms: RETRY_MS,
                            });
                            let _ = replies.send(Ok(v1::ReportReply { body: Some(body) })).await;
                        });
                    }
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(outgoing)))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseReply>, Status> {
        let request = request.into_inner();
        let mut state = self.state();
        for key in &request.keys {
            if let Some((_, range)) = state.leased.remove(&key.shard) {
                state.open.push_back(range);
            }
        }
        state.releases.push(request);
        Ok(Response::new(v1::ReleaseReply {}))
    }
}

/// The outcome that a result carries.
pub(crate) fn outcome(result: &v1::ShardResult) -> &v1::shard_result::Outcome {
    result.outcome.as_ref().unwrap()
}

/// What a completed result left over.
pub(crate) fn remainder(result: &v1::ShardResult) -> u64 {
    match outcome(result) {
        v1::shard_result::Outcome::Completed(completed) => completed
            .remainder
            .iter()
            .map(|shard| engine::range(&Shard::from_wire(shard, &engine::search()).unwrap()))
            .map(|range| range.end - range.start)
            .sum(),
        v1::shard_result::Outcome::Failure(failure) => panic!("{failure:?}"),
    }
}
