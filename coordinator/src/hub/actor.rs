//! The task that owns scheduler and record table.

use std::{
    collections::HashMap,
    fmt,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

use soko::plan::Control;
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{
    Engine, HubClosed, HubHandle,
    handle::{Message, Release},
    parked::Parked,
    slow, undo,
    watchers::Watchers,
};
use crate::{
    model::{JobId, Write},
    records::RecordTable,
    scheduler::{Action, Config, Effects, Scheduler, Serials},
    store::{Catalog, StoreError, StoreHandle, StoreThread, export},
};

/// Numbers set aside for one run of the coordinator: at a million a second
/// they last for twelve days, and there are enough for 16 million runs.
const SERIALS: u64 = 1 << 40;
/// Events that may wait before those who send them have to.
const QUEUE: usize = 4096;
/// How long the export at the end may take; the whole end has a few seconds.
const EXPORT_AT_END: Duration = Duration::from_secs(2);
/// How often time passes for the scheduler and watchers see progress.
const TICK: Duration = Duration::from_millis(200);

/// How the hub is to work.
pub struct HubOptions {
    /// The numbers of the scheduler's rules.
    pub config: Config,
    /// What plans and finishes jobs.
    pub engine: Arc<dyn Engine>,
    /// Threads for finishing jobs; 0 = one for each core.
    pub threads: usize,
    /// How long a question for shards is kept open.
    pub patience: Duration,
    /// Data directory into which the store is exported at the end, if there is
    /// time.
    pub export: Option<PathBuf>,
}

impl fmt::Debug for HubOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubOptions")
            .field("config", &self.config)
            .field("engine", &self.engine.name())
            .field("threads", &self.threads)
            .field("patience", &self.patience)
            .field("export", &self.export)
            .finish()
    }
}

/// What the hub owns and events work on.
#[derive(Debug)]
pub struct Core {
    /// Jobs, shards, leases, workers.
    pub scheduler: Scheduler,
    /// The best known levels.
    pub records: RecordTable,
}

/// The hub, ready to run.
pub struct Hub {
    core: Core,
    first: Effects,
    options: HubOptions,
    store: StoreThread,
    handle: HubHandle,
    queue: mpsc::Receiver<Message>,
    clock: Instant,
    parked: Parked,
    watchers: Watchers,
    pool: Arc<rayon::ThreadPool>,
    /// Final steps that run.
    finishing: HashMap<JobId, Arc<Control>>,
    /// Set by the store's thread when it fails.
    broken: Arc<OnceLock<StoreError>>,
    broken_now: CancellationToken,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Hub {
    /// A hub that goes on from what is in the catalog. Blocks while it reads.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn new(mut catalog: Catalog, options: HubOptions) -> Result<Self, StoreError> {
        let snapshot = catalog.load()?;
        let records = RecordTable::new(catalog.records()?, catalog.imported()?);
        // The end of the numbers is on disk before the first one is used.
        let start = catalog.serials()?;
        let end = start.saturating_add(SERIALS);
        catalog.apply(&[Write::Serials(end)])?;
        let jobs = snapshot.jobs.len();
        let shards: usize = snapshot.jobs.iter().map(|job| job.shards.len()).sum();
        tracing::info!(jobs, shards, records = records.len(), "store opened");
        let io_error = |detail: String| StoreError::Io {
            dir: std::path::PathBuf::new(),
            detail,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .thread_name(|index| format!("finish-{index}"))
            .build()
            .map_err(|error| io_error(error.to_string()))?;
        let store = StoreThread::start(catalog).map_err(|error| io_error(error.to_string()))?;
        let (sender, queue) = mpsc::channel(QUEUE);
        let serials = Serials::new(start..end);
        let (scheduler, first) =
            Scheduler::new(options.config.clone(), serials, snapshot, Duration::ZERO);
        Ok(Self {
            core: Core { scheduler, records },
            first,
            options,
            handle: HubHandle {
                queue: sender,
                store: store.handle(),
            },
            store,
            queue,
            clock: Instant::now(),
            parked: Parked::default(),
            watchers: Watchers::default(),
            pool: Arc::new(pool),
            finishing: HashMap::new(),
            broken: Arc::default(),
            broken_now: CancellationToken::new(),
        })
    }

    /// A way to the hub.
    pub fn handle(&self) -> HubHandle {
        self.handle.clone()
    }

    /// Runs until `shutdown` is cancelled or the store fails, then makes
    /// everything durable and closes the store.
    ///
    /// # Errors
    /// [`HubClosed::Store`] if the store failed.
    pub async fn run(mut self, shutdown: CancellationToken) -> Result<(), HubClosed> {
        let first = std::mem::take(&mut self.first);
        self.settle(first, Box::new(|_| {}));
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = self.queue.recv() => match message {
                    Some(message) => self.handle_message(message),
                    // Never happens: the hub itself has a handle.
                    None => break,
                },
                _ = ticks.tick() => self.tick(),
                () = self.broken_now.cancelled() => break,
                () = shutdown.cancelled() => break,
            }
        }
        self.close().await
    }

    async fn close(mut self) -> Result<(), HubClosed> {
        for control in self.finishing.values() {
            control.stop();
        }
        // What has been sent is still handled; nothing new is accepted.
        self.queue.close();
        while let Ok(message) = self.queue.try_recv() {
            self.handle_message(message);
        }
        let Self {
            store,
            options,
            broken,
            parked,
            watchers,
            ..
        } = self;
        drop((parked, watchers));
        // The store's thread may be waiting for the disk.
        let stopped = tokio::task::spawn_blocking(move || {
            if let Some(data) = options.export {
                let deadline = Some(std::time::Instant::now() + EXPORT_AT_END);
                if let Err(error) = export(&store.handle(), &data, deadline) {
                    tracing::warn!(%error, "not exported; earlier exports are as they were");
                }
            }
            store.stop();
        })
        .await;
        if stopped.is_err() {
            tracing::error!("the store could not be closed in order");
        }
        match broken.get() {
            None => Ok(()),
            Some(error) => Err(HubClosed::Store(error.clone())),
        }
    }

    fn now(&self) -> Duration {
        self.clock.elapsed()
    }

    fn handle_message(&mut self, message: Message) {
        let now = self.now();
        match message {
            Message::Call(call) => {
                let mut effects = Effects::default();
                let release = call(&mut self.core, now, &mut effects);
                self.settle(effects, release);
            }
            Message::Ask(ask, reply) => {
                let patience = self.options.patience;
                let scheduler = &mut self.core.scheduler;
                self.parked.ask(scheduler, ask, reply, patience, now);
            }
            Message::Follow(job, reply) => {
                let scheduler = &mut self.core.scheduler;
                let _ = reply.send(self.watchers.follow(scheduler, job, now));
            }
        }
    }

    fn tick(&mut self) {
        // Nobody is lost while its beat waits here to be read.
        for _ in 0..self.queue.len() {
            match self.queue.try_recv() {
                Ok(message) => self.handle_message(message),
                Err(_) => break,
            }
        }
        let now = self.now();
        let mut effects = Effects::default();
        self.core.scheduler.tick(now, &mut effects);
        self.settle(effects, Box::new(|_| {}));
        self.parked.expire(&mut self.core.scheduler, now);
        self.watchers.publish_all(&mut self.core.scheduler, now);
    }

    /// Takes the effects of an event, and lets its answer go when its changes
    /// are durable.
    fn settle(&mut self, effects: Effects, release: Release) {
        let now = self.now();
        for action in effects.actions {
            self.start(action);
        }
        if effects.writes.is_empty() && !effects.barrier {
            release(Ok(()));
        } else {
            commit(
                &self.handle.store,
                effects.writes,
                release,
                Arc::clone(&self.broken),
                self.broken_now.clone(),
            );
        }
        if effects.work {
            self.parked.serve(&mut self.core.scheduler, now);
        }
        self.watchers
            .publish(&mut self.core.scheduler, &effects.changed, now);
    }

    fn start(&mut self, action: Action) {
        let hub = self.handle();
        let engine = Arc::clone(&self.options.engine);
        match action {
            Action::Plan(job, ticket, search) => {
                let span = tracing::info_span!("job", %job);
                tokio::spawn(slow::plan(hub, engine, job, ticket, search).instrument(span));
            }
            Action::NextRound(gathering, round) => {
                let span = tracing::info_span!("job", job = %gathering.job);
                tokio::spawn(slow::next_round(hub, engine, gathering, round).instrument(span));
            }
            Action::Improved(job, shard, improvement) => {
                let span = tracing::info_span!("job", %job);
                tokio::spawn(slow::improved(hub, job, shard, *improvement).instrument(span));
            }
            Action::Finish(gathering) => {
                let job = gathering.job;
                let control = Arc::new(Control::new());
                self.finishing.retain(|_, it| Arc::strong_count(it) > 1);
                self.finishing.insert(job, Arc::clone(&control));
                let pool = Arc::clone(&self.pool);
                let span = tracing::info_span!("job", %job);
                let finishing = slow::finish(hub, engine, pool, gathering, control);
                tokio::spawn(finishing.instrument(span));
            }
            Action::Judge {
                key,
                search,
                body,
                budget,
            } => {
                tokio::spawn(slow::judge(hub, engine, key, search, body, budget));
            }
            Action::Undo {
                job,
                ticket,
                doubts,
            } => {
                tokio::spawn(undo::undo(hub, job, ticket, doubts));
            }
            Action::Abandon(job) => {
                if let Some(control) = self.finishing.remove(&job) {
                    control.stop();
                }
            }
        }
    }
}

fn commit(
    store: &StoreHandle,
    writes: Vec<Write>,
    release: Release,
    broken: Arc<OnceLock<StoreError>>,
    broken_now: CancellationToken,
) {
    store.commit(writes, move |stored| {
        if let Err(error) = &stored {
            broken.get_or_init(|| error.clone());
            broken_now.cancel();
        }
        release(stored);
    });
}
