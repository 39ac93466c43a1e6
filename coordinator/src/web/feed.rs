//! The one task that looks at the cluster for all viewers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::Value;
use soko::rpc::v1;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore},
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use super::{
    channel::{Channel, Events},
    error::WebError,
    goals::{self, GoalDocument, Ledger},
    trail::Trail,
};
use crate::{
    cli::{JobDocument, ResultDocument, WorkerDocument},
    hub::HubHandle,
    model::JobId,
    service::{Jobs, Records, ServiceError},
};

/// How often the feed looks at the cluster.
const LOOK: Duration = Duration::from_secs(1);
/// Jobs that are looked at, newest first.
const JOBS: u32 = 200;
/// Ended jobs that are shown.
const ENDED: usize = 40;
/// Most streams at a time.
pub(super) const MAX_VIEWERS: usize = 4096;
/// Reading a ledger may take this share of the time at most.
const LEDGER_SHARE: u32 = 20;

/// What viewers follow. Clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct Feed(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    active: Channel,
    ended: Channel,
    records: Channel,
    jobs: Mutex<HashMap<JobId, Arc<Channel>>>,
    /// Somebody follows what nobody followed before.
    wake: Notify,
    places: Arc<Semaphore>,
}

impl Feed {
    pub(super) fn new() -> Self {
        Self(Arc::new(Inner {
            active: Channel::new(),
            ended: Channel::new(),
            records: Channel::new(),
            jobs: Mutex::default(),
            wake: Notify::new(),
            places: Arc::new(Semaphore::new(MAX_VIEWERS)),
        }))
    }

    /// Open streams.
    pub(super) fn viewers(&self) -> usize {
        MAX_VIEWERS - self.0.places.available_permits()
    }

    /// A place for one more stream.
    pub(super) fn place(&self) -> Result<OwnedSemaphorePermit, WebError> {
        let place = Arc::clone(&self.0.places).try_acquire_owned();
        place.map_err(|_| WebError::busy("too many people are watching"))
    }

    fn follow(&self, channel: &Channel) -> Events {
        let events = channel.follow();
        if channel.is_empty() {
            self.0.wake.notify_one();
        }
        events
    }

    /// Records.
    pub(super) fn records(&self) -> Events {
        self.follow(&self.0.records)
    }

    /// Jobs, workers and records.
    pub(super) fn overview(&self) -> (Events, [Events; 2]) {
        let others = [self.follow(&self.0.ended), self.records()];
        (self.follow(&self.0.active), others)
    }

    /// One job.
    pub(super) fn job(&self, id: JobId) -> Events {
        let channel = Arc::clone(
            self.jobs()
                .entry(id)
                .or_insert_with(|| Arc::new(Channel::new())),
        );
        self.follow(&channel)
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, Arc<Channel>>> {
        self.0.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Jobs that somebody follows. Others are forgotten.
    fn followed_jobs(&self) -> Vec<(JobId, Arc<Channel>)> {
        let mut jobs = self.jobs();
        jobs.retain(|_, channel| channel.is_followed());
        jobs.iter()
            .map(|(&id, channel)| (id, Arc::clone(channel)))
            .collect()
    }

    /// Looks at the cluster until `closing` is cancelled or the hub closes,
    /// then ends all streams.
    pub(super) async fn run(self, hub: HubHandle, records: Records, closing: CancellationToken) {
        let mut looker = Looker {
            jobs: Jobs::new(hub.clone(), closing.clone()),
            records,
            hub,
            feed: self.clone(),
            trails: HashMap::new(),
            details: HashMap::new(),
            revision: None,
        };
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.0.wake.notified() => {}
                () = closing.cancelled() => break,
            }
            let looked = looker.look().await;
            if let Err(ServiceError::Closed(_) | ServiceError::Store(_)) = looked {
                break;
            }
        }
        let inner = &*self.0;
        for channel in [&inner.active, &inner.ended, &inner.records] {
            channel.end();
        }
        for channel in self.jobs().values() {
            channel.end();
        }
    }
}

/// What the feed remembers between two looks.
struct Looker {
    hub: HubHandle,
    jobs: Jobs,
    records: Records,
    feed: Feed,
    trails: HashMap<String, Trail>,
    details: HashMap<JobId, Detail>,
    /// Of the record table that was sent last.
    revision: Option<u64>,
}

/// What is kept about a followed job.
#[derive(Debug, Default)]
struct Detail {
    ledger: Ledger,
    /// Number of done shards in `ledger`.
    shards: Option<u64>,
    read: Option<Instant>,
    took: Duration,
    result: Option<Value>,
}

#[derive(Serialize)]
struct Active {
    jobs: Vec<JobDocument>,
    workers: Vec<WorkerDocument>,
}

#[derive(Serialize)]
struct JobPage<'a> {
    job: JobDocument,
    goals: Vec<GoalDocument>,
    /// Done shards by the moves that they found, where there are no goals.
    found: Vec<(u32, u64)>,
    trail: Option<&'a Trail>,
    result: Option<&'a Value>,
}

#[derive(Serialize)]
struct RecordLine {
    rows: u32,
    cols: u32,
    moves: u32,
    pushes: u32,
    floor: u32,
    exact: bool,
    title: String,
    author: String,
    source: String,
    job: String,
}

impl From<v1::Record> for RecordLine {
    fn from(record: v1::Record) -> Self {
        let level = record.level.unwrap_or_default();
        Self {
            rows: record.rows,
            cols: record.cols,
            moves: record.max_moves,
            pushes: level.pushes,
            floor: level.floor,
            exact: record.exact,
            title: record.title,
            author: record.author,
            source: record.source,
            job: record.job,
        }
    }
}

fn has_ended(job: &v1::Job) -> bool {
    use v1::JobState as State;
    matches!(
        job.state(),
        State::Done | State::Incomplete | State::Cancelled | State::Failed
    )
}

fn send(channel: &Channel, event: &str, document: &impl Serialize) {
    match serde_json::to_string(document) {
        Ok(text) => channel.send(event, &text),
        Err(error) => tracing::error!(%error, event, "an event cannot be written as JSON"),
    }
}

impl Looker {
    async fn look(&mut self) -> Result<(), ServiceError> {
        let jobs = self.jobs.list(JOBS).await?.jobs;
        self.trails
            .retain(|id, _| jobs.iter().any(|job| job.job == *id));
        for job in &jobs {
            if !has_ended(job) || self.trails.contains_key(&job.job) {
                let trail = self.trails.entry(job.job.clone()).or_default();
                trail.note(job.elapsed_ms as f64 / 1e3, job.best_moves);
            }
        }
        self.send_lists(jobs).await?;
        self.send_records().await?;
        let followed = self.feed.followed_jobs();
        self.details
            .retain(|id, _| followed.iter().any(|(followed, _)| followed == id));
        for (id, channel) in followed {
            self.send_job(id, &channel).await?;
        }
        Ok(())
    }

    async fn send_lists(&self, jobs: Vec<v1::Job>) -> Result<(), ServiceError> {
        let inner = &self.feed.0;
        for channel in [&inner.active, &inner.ended] {
            if !channel.is_followed() {
                channel.clear();
            }
        }
        if !inner.active.is_followed() {
            return Ok(());
        }
        let (ended, active): (Vec<_>, Vec<_>) = jobs.into_iter().partition(has_ended);
        let workers = self.jobs.workers().await?.workers;
        let active = Active {
            jobs: active.into_iter().map(JobDocument::from).collect(),
            workers: workers.into_iter().map(WorkerDocument::from).collect(),
        };
        send(&inner.active, "active", &active);
        let ended = ended.into_iter().take(ENDED).map(JobDocument::from);
        send(&inner.ended, "ended", &ended.collect::<Vec<_>>());
        Ok(())
    }

    async fn send_records(&mut self) -> Result<(), ServiceError> {
        let channel = &self.feed.0.records;
        if !channel.is_followed() {
            channel.clear();
            self.revision = None;
            return Ok(());
        }
        let revision = self.hub.call(|core, _, _| core.records.revision()).await?;
        if self.revision != Some(revision) || channel.is_empty() {
            let records = self.records.list(false).await?;
            let lines = records.into_iter().map(RecordLine::from);
            send(channel, "records", &lines.collect::<Vec<_>>());
            self.revision = Some(revision);
        }
        Ok(())
    }

    async fn send_job(&mut self, id: JobId, channel: &Channel) -> Result<(), ServiceError> {
        let job = match self.jobs.view(id.to_string()).await {
            Ok(view) => view,
            Err(ServiceError::Refused(_)) => {
                channel.end();
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let is_over = job.record.phase.has_ended();
        let search = job.record.search.clone();
        let wire = crate::service::job_message(&job);
        self.update_detail(id, &wire, is_over).await?;
        let left = self
            .hub
            .call(move |core, _, _| core.scheduler.goal_views(id));
        let left = left.await?;
        let detail = self.details.entry(id).or_default();
        let goals = if goals::has_goals(&search) {
            goals::documents(search.size, &detail.ledger, &left, is_over)
        } else {
            Vec::new()
        };
        let page = JobPage {
            trail: self.trails.get(&wire.job),
            job: wire.into(),
            goals,
            found: detail.ledger.found.iter().map(|(&m, &n)| (m, n)).collect(),
            result: detail.result.as_ref(),
        };
        send(channel, "job", &page);
        Ok(())
    }

    /// Reads the ledger again if shards were done since, not too often; and the
    /// answer when the job has one.
    async fn update_detail(
        &mut self,
        id: JobId,
        job: &v1::Job,
        is_over: bool,
    ) -> Result<(), ServiceError> {
        let detail = self.details.entry(id).or_default();
        let due = detail
            .read
            .is_none_or(|read| read.elapsed() > detail.took * LEDGER_SHARE);
        let changed = detail.shards != Some(job.shards_done);
        if changed && (due || is_over) {
            let began = Instant::now();
            detail.ledger = goals::ledger(&self.hub, id).await?;
            detail.shards = Some(job.shards_done);
            detail.took = began.elapsed();
            detail.read = Some(Instant::now());
        }
        if is_over && detail.result.is_none() {
            let result = self.jobs.result(id.to_string()).await?;
            detail.result = serde_json::to_value(ResultDocument::from(result)).ok();
        }
        Ok(())
    }
}
