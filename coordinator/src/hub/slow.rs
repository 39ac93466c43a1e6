//! Planning, finishing and judging, on threads of their own.
//!
//! They are plain threads and not tasks of the runtime: ending the program
//! must not wait for them.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use soko::{
    plan::{Control, Search, Shard, Tally},
    rpc::v1,
    text::counted,
};
use tokio::sync::oneshot;

use super::{Engine, HubHandle, answer};
use crate::{
    model::{JobId, LeaseKey, ShardId, Write, fingerprint},
    records,
    scheduler::{Gathering, Improvement, Planned, Ticket},
    store::StoreError,
};

/// Shards of a plan that are stored at a time.
const PLAN_PART: usize = 4096;

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

/// Cuts a job into shards and tells the hub, a part at a time: each part is on
/// disk before the next one comes.
pub(super) async fn plan(
    hub: HubHandle,
    engine: Arc<dyn Engine>,
    job: JobId,
    ticket: Ticket,
    search: Search,
) {
    let began = Instant::now();
    let plan = apart("planning", move || engine.plan(&search)).await;
    let tell = |news: Planned| {
        hub.call(move |core, now, effects| core.scheduler.planned(job, ticket, news, now, effects))
    };
    // When the hub has closed, the next start plans the job again.
    match plan.and_then(|plan| plan) {
        Err(why) => {
            let _ = tell(Planned::Failed(why)).await;
        }
        Ok(plan) => {
            let shards = plan.shards.len();
            let mut rest = plan.shards.into_iter();
            loop {
                let part: Vec<Shard> = rest.by_ref().take(PLAN_PART).collect();
                if part.is_empty() {
                    break;
                }
                if !matches!(tell(Planned::Part(part)).await, Ok(true)) {
                    return;
                }
            }
            let ms = began.elapsed().as_millis() as u64;
            if let Ok(true) = tell(Planned::Whole(plan.digest)).await {
                tracing::info!(%job, shards, ms, "job planned");
            }
        }
    }
}

/// Makes the shards of the round after `round` and tells the hub.
pub(super) async fn next_round(
    hub: HubHandle,
    engine: Arc<dyn Engine>,
    gathering: Gathering,
    round: u32,
) {
    let Gathering {
        job,
        ticket,
        search,
        planned,
    } = gathering;
    let shards = match total(&hub, job, &search, planned).await {
        Ok(Ok((tally, _))) => {
            let computation = move || engine.next_round(&search, round, &tally);
            apart("next round", computation).await
        }
        Ok(Err(why)) => Err(why),
        // The hub notices a broken store by itself.
        Err(error) => {
            tracing::error!(%job, %error, "the ledger cannot be read");
            return;
        }
    };
    let told = hub.call(move |core, now, effects| {
        core.scheduler.next_round(job, ticket, shards, now, effects);
    });
    // When the hub has closed, the next start makes the round again.
    let _ = told.await;
}

/// Solves a level that a running job found and offers it to the record table.
pub(super) async fn improved(hub: HubHandle, job: JobId, shard: ShardId, improvement: Improvement) {
    let solved = apart("solving", move || {
        records::improvement(job, shard, &improvement)
    })
    .await;
    match solved {
        Ok(Ok(record)) => {
            let offered = hub.call(|core, _, effects| {
                effects.writes.extend(core.records.offer(record));
            });
            let _ = offered.await;
        }
        Ok(Err(error)) => tracing::error!(%job, %error, "a level that was found cannot be solved"),
        Err(why) => tracing::error!(%job, why, "a level that was found was not checked"),
    }
}

/// Runs the final step of a job and tells the hub.
pub(super) async fn finish(
    hub: HubHandle,
    engine: Arc<dyn Engine>,
    pool: Arc<rayon::ThreadPool>,
    gathering: Gathering,
    control: Arc<Control>,
) {
    let Gathering {
        job,
        ticket,
        search,
        planned,
    } = gathering;
    let began = Instant::now();
    let total = match total(&hub, job, &search, planned).await {
        Ok(total) => total,
        // The hub notices a broken store by itself.
        Err(error) => {
            tracing::error!(%job, %error, "the ledger cannot be read");
            return;
        }
    };
    let checked = hub.store().read(move |catalog| catalog.checked(job));
    // The hub notices a broken store by itself.
    let Ok(double_checked) = checked.await else {
        return;
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
                .map(|result| {
                    result.map(|result| v1::JobResult {
                        shards,
                        double_checked,
                        ..result
                    })
                })
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
        if core.scheduler.finished(job, ticket, end, now, effects)
            && let Some(result) = result
        {
            tracing::info!(%job, ms, digest = result.digest, "job finished");
            for record in answer::records(&search, &result, &job.to_string()) {
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
///
/// Each shard of the plan and of every remainder has exactly one row; if the
/// numbers differ, something is missing or counted twice, and there is no
/// answer.
async fn total(
    hub: &HubHandle,
    job: JobId,
    search: &Search,
    planned: u64,
) -> Result<Result<(Tally, u64), String>, StoreError> {
    let mut total = Tally::empty(search);
    let mut rows = 0;
    let mut wanted = planned;
    let mut other_kind = None;
    let read = hub.store().each_result(job, |shard, row| {
        rows += 1;
        wanted += row.remainder.len() as u64;
        if other_kind.is_none() && !total.merge(&row.tally) {
            other_kind = Some(shard);
        }
    });
    read.await?;
    if let Some(shard) = other_kind {
        let why = format!("the result of shard {} is of another kind", shard.0);
        return Ok(Err(why));
    }
    if rows != wanted {
        let why = format!(
            "the ledger has {}, the plan and its remainders make {wanted}; submit the job \
             again",
            counted(rows, "result")
        );
        return Ok(Err(why));
    }
    Ok(Ok((total, rows)))
}

/// Computes a shard about which two workers disagree and tells the hub.
pub(super) async fn judge(
    hub: HubHandle,
    engine: Arc<dyn Engine>,
    key: LeaseKey,
    search: Search,
    body: Arc<Shard>,
    budget: Duration,
) {
    let size = search.size;
    let computation = move || {
        let control = Control::until(Some(Instant::now() + budget));
        engine.compute(&search, &body, &control)
    };
    let outcome = apart("judging", computation).await;
    let truth = outcome.and_then(|outcome| outcome).map(|outcome| {
        let whole = outcome.remainder.is_empty();
        whole.then(|| fingerprint(&outcome.tally, size))
    });
    let told = hub.call(move |core, now, effects| core.scheduler.judged(key, truth, now, effects));
    // When the hub has closed, the next start has it checked again.
    let _ = told.await;
}
