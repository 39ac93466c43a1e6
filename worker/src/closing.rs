//! How a worker leaves without losing work.
//!
//! Leases that have not begun are given back. Those that run are stopped (or,
//! in a drain, finished); what they have so far is handed in like any result,
//! with the rest as new shards. The session goes on meanwhile, so that results
//! are sent and confirmed, over a reconnect if need be.

use std::{future::Future, time::Duration};

use soko::rpc::{status_text, v1};
use tokio::{task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    WorkerError,
    core::{Core, Leave, Link},
    session,
};

/// How long to wait for confirmations after a stop. With the last call below
/// it stays within the 8 s that a process has to end.
const PATIENCE: Duration = Duration::from_secs(6);
/// How long the call that gives leases back may take.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

/// Leaves. `sessions` is the task that keeps the connection.
pub(crate) async fn close(
    core: &Core,
    why: Leave,
    sessions: &mut JoinHandle<WorkerError>,
    shutdown: &CancellationToken,
) -> Result<(), WorkerError> {
    core.leave(why);
    tracing::info!(?why, leases = core.holdings.count(), "leaving");
    let clean = tokio::select! {
        clean = hand_in(core, why, shutdown) => clean,
        fatal = sessions => return Err(session::fatal(fatal)),
    };
    if !clean {
        let left = core.outbox.len();
        let computing = core.holdings.count();
        tracing::warn!(left, computing, "left before all results were confirmed");
    }
    // The rest, and that the worker is gone.
    release(core, held_keys(core), true).await;
    Ok(())
}

/// Hands in what runs. `false` if the time was up before.
async fn hand_in(core: &Core, why: Leave, shutdown: &CancellationToken) -> bool {
    let everything = async {
        let queued = core.holdings.close();
        if !queued.is_empty() {
            release(core, queued, false).await;
        }
        core.holdings.at_most(0).await;
        core.outbox.emptied().await;
    };
    let stopped = async {
        if why != Leave::Stopped {
            shutdown.cancelled().await;
        }
        core.holdings.stop_running();
    };
    within_patience(everything, stopped).await
}

/// Waits for `everything`, but after `stopped` not for long.
async fn within_patience(everything: impl Future, stopped: impl Future) -> bool {
    let mut everything = std::pin::pin!(everything);
    tokio::select! {
        // What waits is withdrawn before what runs is stopped, or a thread that
        // has just stopped would begin with it.
        biased;
        _ = &mut everything => return true,
        _ = stopped => {}
    }
    timeout(PATIENCE, everything).await.is_ok()
}

fn held_keys(core: &Core) -> Vec<v1::LeaseKey> {
    let held = core.holdings.held();
    held.into_iter().filter_map(|held| held.key).collect()
}

/// Gives leases back. If it fails they end by themselves a little later.
async fn release(core: &Core, keys: Vec<v1::LeaseKey>, leaving: bool) {
    let Link::Up(mut client) = core.link.borrow().clone() else {
        return;
    };
    let leases = keys.len();
    let request = v1::ReleaseRequest {
        request_id: uuid::Uuid::new_v4().to_string(),
        worker: core.config.id.clone(),
        instance: core.instance.clone(),
        keys,
        leaving,
    };
    match timeout(RELEASE_TIMEOUT, client.release(request)).await {
        Ok(Ok(_)) => tracing::info!(leases, leaving, "leases given back"),
        Ok(Err(status)) => tracing::warn!(why = status_text(&status), "leases not given back"),
        Err(_) => tracing::warn!("leases not given back: no answer"),
    }
}
