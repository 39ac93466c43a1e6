//! Computes shards on a rayon pool, one shard per thread.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use soko::{
    cpu::CpuTimer,
    plan::{Search, Shard},
    rpc::{WireError, v1},
};
use tokio::sync::mpsc;

use crate::{
    WorkerError,
    config::Engine,
    holdings::{Holding, Holdings},
    outbox::Outbox,
};

/// Handle to the compute threads.
#[derive(Debug)]
pub(crate) struct Executor {
    pool: rayon::ThreadPool,
    engine: Engine,
    /// To the task that puts results into the outbox. Bounded: a thread that
    /// is ahead of the disk waits.
    done: mpsc::Sender<Done>,
}

/// The end of a lease.
#[derive(Debug)]
struct Done {
    key: v1::LeaseKey,
    /// `None` if nobody wants it.
    result: Option<v1::ShardResult>,
}

/// A lease that makes sense.
#[derive(Debug)]
struct Task {
    search: Search,
    shard: Shard,
    budget: Option<Duration>,
}

impl Executor {
    /// Starts the threads, and the task that collects their results.
    pub(crate) fn start(
        engine: Engine,
        threads: usize,
        holdings: Holdings,
        outbox: Outbox,
    ) -> Result<Self, WorkerError> {
        let threads = threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("shard-{index}"))
            .build()
            .map_err(|source| WorkerError::Threads { threads, source })?;
        let (done, results) = mpsc::channel(2 * threads);
        tokio::spawn(collect(results, holdings, outbox));
        Ok(Self { pool, engine, done })
    }

    /// Queues a lease. `holding` is its entry in the holdings, which it leaves
    /// when its result is in the outbox.
    pub(crate) fn submit(&self, lease: v1::Lease, holding: Arc<Holding>) {
        let engine = self.engine;
        let done = self.done.clone();
        let key = lease.key.clone().unwrap_or_default();
        // Inside the worker's span, which the pool's threads do not have.
        let span =
            tracing::info_span!("shard", job = key.job, shard = key.shard, epoch = key.epoch);
        // First in, first out: the coordinator sends the heavy ones first.
        self.pool.spawn_fifo(move || {
            let result = span.in_scope(|| {
                tracing::debug!("shard begins");
                work(engine, &lease, &holding)
            });
            // Fails only when the worker has ended.
            let _ = done.blocking_send(Done { key, result });
        });
    }
}

/// Puts results into the outbox, and only then forgets their leases, so that
/// at no moment a lease is in neither.
async fn collect(mut results: mpsc::Receiver<Done>, holdings: Holdings, outbox: Outbox) {
    while let Some(Done { key, result }) = results.recv().await {
        if let Some(result) = result {
            outbox.put(result).await;
        }
        holdings.remove(&key);
    }
}

fn work(engine: Engine, lease: &v1::Lease, holding: &Holding) -> Option<v1::ShardResult> {
    let timer = CpuTimer::start();
    let outcome = match read(lease) {
        Ok(task) => compute(engine, &task, holding)?,
        Err(error) => failure(format!("the lease cannot be read: {error}")),
    };
    holding.is_wanted().then(|| v1::ShardResult {
        request_id: uuid::Uuid::new_v4().to_string(),
        key: lease.key.clone(),
        plan: lease.plan,
        engine: engine.name.to_owned(),
        outcome: Some(outcome),
        core_ms: timer.elapsed().as_millis() as u64,
    })
}

fn read(lease: &v1::Lease) -> Result<Task, WireError> {
    let search = lease.search.as_ref().ok_or(WireError::Missing("search"))?;
    let search = Search::try_from(search)?;
    let shard = lease.shard.as_ref().ok_or(WireError::Missing("shard"))?;
    let shard = Shard::from_wire(shard, &search)?;
    let budget = match lease.budget_ms {
        0 => None,
        millis => Some(Duration::from_millis(millis.into())),
    };
    Ok(Task {
        search,
        shard,
        budget,
    })
}

/// `None` if the lease was dropped before it began.
fn compute(engine: Engine, task: &Task, holding: &Holding) -> Option<v1::shard_result::Outcome> {
    let control = holding.begin(task.budget)?;
    // A panic concerns this shard only: the engine keeps no state between
    // shards, so nothing broken can be seen afterwards.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        (engine.compute)(&task.search, &task.shard, &control)
    }));
    Some(match outcome {
        Ok(Ok(outcome)) => v1::shard_result::Outcome::Completed(outcome.to_wire(task.search.size)),
        Ok(Err(error)) => failure(error.to_string()),
        Err(panic) => failure(format!("the engine panicked: {}", panic_text(&*panic))),
    })
}

fn failure(message: String) -> v1::shard_result::Outcome {
    tracing::error!(message, "a shard failed");
    v1::shard_result::Outcome::Failure(v1::Failure { message })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
