//! The one thread that owns the store.
//!
//! Requests come through a queue. The thread takes all that wait, makes their
//! changes in one transaction, waits for the disk once, and then answers all:
//! the more load, the larger the groups, the cheaper each change.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

use tokio::sync::oneshot;

use super::{Batch, Catalog, StoreError};
use crate::model::{JobId, LedgerRecord, ShardId, Write};

/// Most requests in one group.
const GROUP: usize = 1024;
/// Ledger rows read at a time; others get their turn in between.
const PAGE: usize = 512;

type Done = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
type Query = Box<dyn FnOnce(Result<&Catalog, StoreError>) + Send>;

enum Request {
    Commit(Vec<Write>, Done),
    Read(Query),
    Tap(Sender<Batch>),
    Stop,
}

/// The running store thread. Whoever has it can end it.
#[derive(Debug)]
pub struct StoreThread {
    handle: StoreHandle,
    thread: JoinHandle<()>,
}

/// A way to the store. Clones lead to the same one.
#[derive(Clone)]
pub struct StoreHandle {
    queue: Sender<Request>,
    waiting: Arc<AtomicUsize>,
    commits: Arc<AtomicU64>,
}

impl fmt::Debug for StoreHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreHandle")
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

impl StoreThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(catalog: Catalog) -> std::io::Result<Self> {
        let (queue, requests) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let commits = Arc::new(AtomicU64::new(0));
        let handle = StoreHandle {
            queue,
            waiting: Arc::clone(&waiting),
            commits: Arc::clone(&commits),
        };
        let thread = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || serve(catalog, &requests, &waiting, &commits))?;
        Ok(Self { handle, thread })
    }

    /// A way to the store.
    pub fn handle(&self) -> StoreHandle {
        self.handle.clone()
    }

    /// Answers all that waits, then closes the store. Blocks until it is done.
    pub fn stop(self) {
        // A send fails only if the thread has ended already.
        let _ = self.handle.queue.send(Request::Stop);
        if self.thread.join().is_err() {
            tracing::error!("the store thread ended with a panic");
        }
    }
}

impl StoreHandle {
    /// Makes changes durable; `done` is called once they are, or cannot be.
    pub fn commit(
        &self,
        writes: Vec<Write>,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) {
        self.send(Request::Commit(writes, Box::new(done)));
    }

    /// Reads, after everything asked for before is durable.
    ///
    /// # Errors
    /// [`StoreError::Closed`], or what the query says.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Catalog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.send(Request::Read(Box::new(move |catalog| {
            // Nobody waits any more when the send fails.
            let _ = answer.send(catalog.and_then(query));
        })));
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Like [`read`](Self::read), for threads that may wait.
    ///
    /// # Errors
    /// [`StoreError::Closed`], or what the query says.
    pub fn read_blocking<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Catalog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = channel();
        self.send(Request::Read(Box::new(move |catalog| {
            // Nobody waits any more when the send fails.
            let _ = answer.send(catalog.and_then(query));
        })));
        answered.recv().unwrap_or(Err(StoreError::Closed))
    }

    /// Goes through the ledger of a job, page by page, in the order of the
    /// shards.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read to its end.
    pub async fn each_result(
        &self,
        job: JobId,
        mut take: impl FnMut(ShardId, LedgerRecord) + Send,
    ) -> Result<(), StoreError> {
        let mut from = None;
        loop {
            let read = self.read(move |catalog| catalog.ledger(job, from, PAGE));
            let page = read.await?;
            for (shard, row) in page.rows {
                take(shard, row);
            }
            from = page.next;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    /// From now on, sends every change that is durable down this channel too,
    /// until nobody listens any more.
    pub(super) fn tap(&self, tap: Sender<Batch>) {
        self.send(Request::Tap(tap));
    }

    /// Commits so far.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// Requests that wait to be served.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn send(&self, request: Request) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        if let Err(refused) = self.queue.send(request) {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            match refused.0 {
                Request::Commit(_, done) => done(Err(StoreError::Closed)),
                Request::Read(query) => query(Err(StoreError::Closed)),
                Request::Tap(_) | Request::Stop => {}
            }
        }
    }
}

fn serve(
    mut catalog: Catalog,
    requests: &Receiver<Request>,
    waiting: &AtomicUsize,
    commits: &AtomicU64,
) {
    let mut taps: Vec<Sender<Batch>> = Vec::new();
    let mut broken: Option<StoreError> = None;
    let mut stopping = false;
    while !stopping {
        let Ok(first) = requests.recv() else {
            return;
        };
        let mut group = vec![first];
        group.extend(requests.try_iter().take(GROUP - 1));
        let size = group.len();
        stopping = group.iter().any(|it| matches!(it, Request::Stop));
        let writes = group.iter().flat_map(|request| match request {
            Request::Commit(writes, _) => writes.as_slice(),
            _ => &[],
        });
        let mut writes = writes.peekable();
        if broken.is_none() && writes.peek().is_some() {
            match catalog.apply(writes) {
                Ok(batch) => {
                    commits.fetch_add(1, Ordering::Relaxed);
                    taps.retain(|tap| tap.send(batch.clone()).is_ok());
                }
                Err(error) => {
                    tracing::error!(%error, "the store failed");
                    broken = Some(error);
                }
            }
        }
        for request in group {
            let state = broken.clone().map_or(Ok(()), Err);
            match request {
                Request::Commit(_, done) => done(state),
                Request::Read(query) => query(state.map(|()| &catalog)),
                Request::Tap(tap) => taps.push(tap),
                Request::Stop => {}
            }
        }
        waiting.fetch_sub(size, Ordering::Relaxed);
    }
}
