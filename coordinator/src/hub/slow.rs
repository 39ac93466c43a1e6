//! Planning and finishing, on threads of their own.
//!
//! They are plain threads and not tasks of the runtime: ending the program
//! must not wait for them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Instant,
};

use soko::{
    plan::{Control, Search, Tally},
    rpc::v1,
};
use tokio::sync::oneshot;

use super::{Engine, HubHandle, answer};
use crate::{
    model::{JobId, Write},
    store::StoreError,
};

/// Ledger rows read at a time.
const PAGE: usize = 512;

/// Runs a computation on a thread of its own; a panic in it is an error.
async fn apart<T: Send + 'static>(
    name: &str,
    computation: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (done, ended) = oneshot::channel();
    let started = thread::Builder::new().name(name.to_owned()).spawn(move || {
        // Nobody waits any more when the send fails.
        let _ = done.send(catch_unwind(AssertUnwindSafe(computation)));
    });
    started.map_err(|error| format!("no thread could be started: {error}"))?;
    match ended.await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) | Err(_) => Err(format!("the {name} of the job panicked; this is a bug")),
    }
}

/// Cuts a job into shards and tells the hub.
pub(super) async fn plan(hub: HubHandle, engine: Arc<dyn Engine>, job: JobId, search: Search) {
    let began = Instant::now();
    let plan = apart("planning", move || engine.plan(&search)).await;
    let plan = plan.and_then(|plan| plan);
    if let Ok(plan) = &plan {
        tracing::info!(
            %job,
            shards = plan.shards.len(),
            ms = began.elapsed().as_millis() as u64,
            "job planned"
        );
    }
    let told = hub.call(move |core, now, effects| core.scheduler.planned(job, plan, now, effects));
    // When the hub has closed, the next start plans the job again.
    let _ = told.await;
}

/// Runs the final step of a job and tells the hub.
pub(super) async fn finish(
    hub: HubHandle,
    engine: Arc<dyn Engine>,
    pool: Arc<rayon::ThreadPool>,
    job: JobId,
    search: Search,
    control: Arc<Control>,
) {
    let began = Instant::now();
    let total = match total(&hub, job, &search).await {
        Ok(total) => total,
        // The hub notices a broken store by itself.
        Err(error) => {
            tracing::error!(%job, %error, "the ledger cannot be read");
            return;
        }
    };
    let result = match total {
        Err(why) => Some(Err(why)),
        Ok((tally, shards)) => {
            let computation = {
                let search = search.clone();
                move || {
                    let answer = pool.install(|| engine.finish(&search, &tally, &control))?;
                    Some(answer::to_wire(&answer))
                }
            };
            apart("finishing", computation)
                .await
                .unwrap_or_else(|why| Some(Err(why)))
                .map(|result| result.map(|result| v1::JobResult { shards, ..result }))
        }
    };
    // Without a result the job was cancelled or the coordinator ends.
    let Some(result) = result else {
        return;
    };
    let ms = began.elapsed().as_millis() as u64;
    let told = hub.call(move |core, now, effects| {
        let (end, result) = match result {
            Ok(result) => (Ok(()), Some(result)),
            Err(why) => (Err(why), None),
        };
        if core.scheduler.finished(job, end, now, effects)
            && let Some(result) = result
        {
            tracing::info!(%job, ms, digest = result.digest, "job finished");
            if let Some(record) = answer::record(&search, &result, &job.to_string()) {
                effects.writes.extend(core.records.offer(record));
            }
            effects.writes.push(Write::Answer(job, Box::new(result)));
        }
    });
    // When the hub has closed, the next start finishes the job again.
    let _ = told.await;
}

/// The sum over the ledger of a job, and the number of its rows. The inner
/// error is about the job, the outer about the store.
async fn total(
    hub: &HubHandle,
    job: JobId,
    search: &Search,
) -> Result<Result<(Tally, u64), String>, StoreError> {
    let mut total = Tally::empty(search);
    let mut rows = 0;
    let mut from = None;
    loop {
        let page = hub
            .store()
            .read(move |catalog| catalog.ledger(job, from, PAGE))
            .await?;
        for (shard, row) in &page.rows {
            rows += 1;
            if !total.merge(&row.tally) {
                let why = format!("the result of shard {} is of another kind", shard.0);
                return Ok(Err(why));
            }
        }
        from = page.next;
        if from.is_none() {
            return Ok(Ok((total, rows)));
        }
    }
}
