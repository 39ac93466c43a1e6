//! The levels known from the start, brought in when there is time.

use std::time::Duration;

use soko::records::seeds;
use tokio::{sync::oneshot, time::sleep};
use tokio_util::sync::CancellationToken;

use super::seed_level;
use crate::hub::{HubClosed, HubHandle};

/// How long the first job has a head start.
const HEAD_START: Duration = Duration::from_secs(1);
/// How often to look whether jobs are running.
const LOOK: Duration = Duration::from_millis(200);
/// The longest wait for a quiet moment, before each level.
const PATIENCE: Duration = Duration::from_secs(30);

/// Solves the levels known from the start, small boards first, and offers
/// each to the record table. Gives way to jobs; ends at the last level, when
/// `shutdown` is cancelled, or when the hub closes. Done once for each
/// data directory.
pub async fn import_seeds(hub: HubHandle, shutdown: CancellationToken) {
    let import = async {
        sleep(HEAD_START).await;
        // An error is the hub's end, and so the import's.
        let _ = import(&hub).await;
    };
    tokio::select! {
        () = import => {}
        () = shutdown.cancelled() => {}
    }
}

async fn import(hub: &HubHandle) -> Result<(), HubClosed> {
    let done = hub.call(|core, _, _| core.records.imported()).await?;
    let mut seeds = seeds();
    if done >= seeds.len() as u64 {
        return Ok(());
    }
    seeds.sort_by_key(|seed| seed.level.bounding_box().size.area());
    let total = seeds.len() as u64;
    for seed in seeds {
        wait_for_quiet(hub).await?;
        // A thread that nobody waits for at the end of the program.
        let (solved, result) = oneshot::channel();
        let started = std::thread::Builder::new()
            .name("import".to_owned())
            .spawn(move || {
                let _ = solved.send(seed_level(&seed));
            });
        if let Err(error) = started {
            tracing::warn!(%error, "no thread for the import of known levels");
            return Ok(());
        }
        match result.await {
            Ok(Ok(record)) => {
                hub.call(|core, _, effects| effects.writes.extend(core.records.offer(record)))
                    .await?;
            }
            Ok(Err(error)) => tracing::warn!(%error, "a known level was not imported"),
            Err(_) => tracing::error!("the solver panicked on a known level; this is a bug"),
        }
    }
    hub.call(move |core, _, effects| effects.writes.push(core.records.note_import(total)))
        .await?;
    tracing::info!(levels = total, "known levels imported");
    Ok(())
}

async fn wait_for_quiet(hub: &HubHandle) -> Result<(), HubClosed> {
    let mut waited = Duration::ZERO;
    while waited < PATIENCE && hub.call(|core, _, _| core.scheduler.is_busy()).await? {
        sleep(LOOK).await;
        waited += LOOK;
    }
    Ok(())
}
