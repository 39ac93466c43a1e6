//! The levels known from the start, brought in when there is time.

use std::time::Duration;

use soko::records::known;
use tokio::{sync::oneshot, time::sleep};
use tokio_util::sync::CancellationToken;

use super::seed_level;
use crate::hub::{HubClosed, HubHandle};

/// How long the first job has a head start.
const HEAD_START: Duration = Duration::from_secs(1);
/// How often to look whether jobs are running, and the rest before a level that
/// is imported although one is.
const LOOK: Duration = Duration::from_millis(200);
/// How long all levels together wait for quiet moments. A cluster under load may
/// have none for days, and its record table is not to stay empty for so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Solves the levels known from the start, small boards first, and offers
/// each to the record table. Gives way to jobs for a while; ends at the last level, when
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
    let mut seeds = known();
    if done >= seeds.len() as u64 {
        return Ok(());
    }
    seeds.sort_by_key(|seed| seed.level.bounding_box().size.area());
    let total = seeds.len() as u64;
    let mut patience = Patience {
        left: PATIENCE,
        look: LOOK,
    };
    for seed in seeds {
        let busy = || hub.call(|core, _, _| core.scheduler.is_busy());
        patience.give_way(busy).await?;
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

/// How the import gives way to jobs.
#[derive(Debug)]
struct Patience {
    /// How much longer it waits for them to end.
    left: Duration,
    look: Duration,
}

impl Patience {
    /// Waits for a quiet moment, as long as there is patience; without any, only
    /// a short rest.
    async fn give_way<E, F>(&mut self, mut busy: impl FnMut() -> F) -> Result<(), E>
    where
        F: Future<Output = Result<bool, E>>,
    {
        while busy().await? {
            sleep(self.look).await;
            if self.left.is_zero() {
                break;
            }
            self.left = self.left.saturating_sub(self.look);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::ready};

    use super::*;

    /// How often 67 levels look whether a job runs, with a patience of ten looks.
    async fn looks(busy: bool) -> u32 {
        let look = Duration::from_millis(1);
        let mut patience = Patience {
            left: look * 10,
            look,
        };
        let mut looks = 0;
        for _ in 0..67 {
            let looked = || {
                looks += 1;
                ready(Ok::<_, Infallible>(busy))
            };
            let Ok(()) = patience.give_way(looked).await;
        }
        looks
    }

    #[tokio::test]
    async fn jobs_that_never_end_hold_the_import_up_once_and_not_before_each_level() {
        assert_eq!(looks(true).await, 10 + 67);
    }

    #[tokio::test]
    async fn a_quiet_coordinator_imports_without_a_wait() {
        let mut patience = Patience {
            left: PATIENCE,
            look: Duration::MAX,
        };
        let quiet = || ready(Ok::<_, Infallible>(false));
        let Ok(()) = patience.give_way(quiet).await;
        assert_eq!((patience.left, looks(false).await), (PATIENCE, 67));
    }
}
