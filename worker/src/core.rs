//! What the tasks of a worker share.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use soko::rpc::{
    Link as Connection,
    v1::{self, work_service_client::WorkServiceClient},
};
use tokio::sync::watch;
use tonic::transport::Endpoint;

use crate::{
    Config, Summary, WorkerError, check_memory, config::is_valid_id, executor::Executor,
    holdings::Holdings, outbox::Outbox,
};

/// A client of the coordinator.
pub(crate) type Client = WorkServiceClient<Connection>;

/// Why a worker leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// It was told to stop, now.
    Stopped,
    /// The coordinator asked it to finish what is running and leave.
    Drained,
    /// There is nothing to do.
    Idle,
}

/// The connection to the coordinator, as the rest of the worker sees it.
#[derive(Debug, Clone)]
pub(crate) enum Link {
    /// Not registered; the text says why.
    Down(String),
    /// Registered.
    Up(Client),
}

/// What the tasks of a worker share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) config: Config,
    pub(crate) endpoint: Endpoint,
    /// Random id of this run; the coordinator tells restarts by it.
    pub(crate) instance: String,
    /// Leases that are queued or computed. Filled by the lease loop, emptied
    /// when their results are in the outbox.
    pub(crate) holdings: Holdings,
    /// Results that the coordinator has not confirmed.
    pub(crate) outbox: Outbox,
    pub(crate) executor: Executor,
    /// The lease loop's question that has no answer yet. The next session asks
    /// it again under the same id, so that leases which got lost with a
    /// connection are found again.
    pub(crate) question: Mutex<Option<v1::LeaseRequest>>,
    /// Written by the session only.
    pub(crate) link: watch::Sender<Link>,
    leave: watch::Sender<Option<Leave>>,
    stored: AtomicU64,
}

impl Core {
    /// Checks the configuration, loads the outbox and starts the compute
    /// threads.
    pub(crate) fn start(config: Config) -> Result<Arc<Self>, WorkerError> {
        if !is_valid_id(&config.id) {
            return Err(WorkerError::BadId(config.id));
        }
        check_memory(config.threads, config.memory)?;
        let endpoint = soko::rpc::endpoint(&config.coordinator, config.access.tls.clone())?;
        let outbox = Outbox::open(config.outbox.as_deref())?;
        let holdings = Holdings::default();
        let executor = Executor::start(
            config.engine,
            config.threads,
            holdings.clone(),
            outbox.clone(),
        )?;
        Ok(Arc::new(Self {
            config,
            endpoint,
            instance: uuid::Uuid::new_v4().to_string(),
            holdings,
            outbox,
            executor,
            question: Mutex::new(None),
            link: watch::Sender::new(Link::Down("starting".to_owned())),
            leave: watch::Sender::new(None),
            stored: AtomicU64::new(0),
        }))
    }

    /// Asks the worker to leave. The first reason stays.
    pub(crate) fn leave(&self, why: Leave) {
        self.leave.send_if_modified(|leave| {
            let first = leave.is_none();
            leave.get_or_insert(why);
            first
        });
    }

    /// Waits until the worker is asked to leave.
    pub(crate) async fn leaving(&self) -> Leave {
        let mut leave = self.leave.subscribe();
        let why = leave.wait_for(Option::is_some).await;
        let why = why.expect("the sender lives in self");
        why.expect("it was waited for")
    }

    /// Whether nothing is computed and nothing waits to be confirmed.
    pub(crate) fn holds_nothing(&self) -> bool {
        self.holdings.count() == 0 && self.outbox.is_empty()
    }

    pub(crate) fn count_stored(&self) {
        self.stored.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary {
            stored: self.stored.load(Ordering::Relaxed),
            left: self.outbox.len(),
        }
    }
}
