//! Asks for shards whenever there is room for them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use soko::rpc::v1;
use tokio::time::{sleep, timeout};

use crate::{
    backoff::jittered,
    core::{Client, Core, Leave},
    session::{Broken, broken},
};

/// How long the answer may take: the coordinator may keep the question open
/// until there is work.
const LEASE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long there must have been nothing to do before a worker that leaves
/// when idle does so: a job that was just filed is still being planned.
const IDLE: Duration = Duration::from_secs(2);
/// The longest pause before asking again, whatever the coordinator says.
const MAX_PAUSE: Duration = Duration::from_mins(1);

/// How many leases may wait besides those that run, so that no thread idles
/// while a result travels. Not more than there are threads: each then waits
/// for one computation at most, far less than a lease lives.
fn prefetch(threads: usize) -> usize {
    threads.min(2 + threads / 4)
}

/// Asks for shards until the session breaks. When the worker is leaving it
/// asks no more and waits for the end of the session.
pub(crate) async fn run(core: Arc<Core>, mut client: Client) -> Broken {
    let threads = core.config.threads;
    let room = threads + prefetch(threads);
    // Asking for one shard at a time would double the number of messages.
    let wanted = prefetch(threads).div_ceil(2);
    let mut idle = IdleLog::default();
    loop {
        core.holdings.at_most(room - wanted).await;
        let slots = room.saturating_sub(core.holdings.count());
        let reply = tokio::select! {
            reply = ask(&core, &mut client, slots) => reply,
            _ = core.leaving() => std::future::pending().await,
        };
        let reply = match reply {
            Ok(reply) => reply,
            Err(broken) => return broken,
        };
        let granted = reply.leases.len();
        accept(&core, reply.leases);
        if reply.drain {
            tracing::info!("the coordinator drains this worker");
            core.leave(Leave::Drained);
            continue;
        }
        if granted > 0 {
            idle = IdleLog::default();
        }
        if granted >= slots {
            continue;
        }
        if core.holds_nothing() {
            idle.note(&reply.reason);
            if core.config.exit_when_idle && idle.lasts() >= IDLE {
                tracing::info!("nothing to do; leaving");
                core.leave(Leave::Idle);
                continue;
            }
        }
        let pause = Duration::from_millis(reply.retry_after_ms.into()).min(MAX_PAUSE);
        sleep(jittered(pause)).await;
    }
}

/// Asks for so many shards, or repeats the question that has no answer yet.
async fn ask(core: &Core, client: &mut Client, slots: usize) -> Result<v1::LeaseReply, Broken> {
    let question = || core.question.lock().expect("no panic while it is held");
    let request = question()
        .get_or_insert_with(|| v1::LeaseRequest {
            request_id: uuid::Uuid::new_v4().to_string(),
            worker: core.config.id.clone(),
            instance: core.instance.clone(),
            slots: slots.clamp(1, 256) as u32,
        })
        .clone();
    match timeout(LEASE_TIMEOUT, client.lease(request)).await {
        Ok(Ok(reply)) => {
            *question() = None;
            Ok(reply.into_inner())
        }
        Ok(Err(status)) => Err(broken(core, &status)),
        Err(_) => Err(Broken::Lost(
            "no answer to the request for shards".to_owned(),
        )),
    }
}

fn accept(core: &Core, leases: Vec<v1::Lease>) {
    for lease in leases {
        let (Some(key), Some(plan)) = (lease.key.clone(), lease.plan) else {
            tracing::error!("ignored a lease without key or plan");
            continue;
        };
        tracing::debug!(
            job = key.job,
            shard = key.shard,
            epoch = key.epoch,
            "lease taken"
        );
        // Not taken when the answer to a repeated question comes twice, or
        // when the worker has begun to leave; then the lease goes back with
        // the farewell.
        if let Some(holding) = core.holdings.insert(key, plan) {
            core.executor.submit(lease, holding);
        }
    }
}

/// Says why there is nothing to do, once per reason.
#[derive(Debug, Default)]
struct IdleLog {
    since: Option<Instant>,
    reason: String,
}

impl IdleLog {
    fn note(&mut self, reason: &str) {
        let first = self.since.is_none();
        self.since.get_or_insert_with(Instant::now);
        if first || self.reason != reason {
            reason.clone_into(&mut self.reason);
            tracing::info!(reason, "idle");
        }
    }

    fn lasts(&self) -> Duration {
        self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_leases_wait_but_never_more_than_run() {
        assert_eq!([1, 2, 4, 64].map(prefetch), [1, 2, 3, 18]);
    }
}
