//! Worker of the soko cluster: leases shards from a coordinator, computes
//! them on all cores and reports what it found.
//!
//! [`run`] is the whole worker; the binary, the one-process mode of
//! `soko-coord` and the tests all start it. Inside, each file is one idea:
//!
//! | file | idea |
//! |---|---|
//! | `session` | one registered connection after the other, with backoff |
//! | `lease` | asks for shards whenever there is room for them |
//! | `executor` | computes shards on a rayon pool, one per thread |
//! | `holdings` | which leases are held, and how each is stopped |
//! | `outbox` | results until the coordinator has them on disk |
//! | `reporter` | beats and results out, answers in |
//! | `memory` | whether the threads fit into the memory |
//! | `access` | token and certificates that are shown |
//! | `closing` | how a worker leaves without losing work |
//! | `core` | what the tasks above share |
//! | [`cli`] | the command line |
//! | [`program`] | what it has in common with that of `soko-coord` |
//!
//! Leases and results outlive connections: when the coordinator is away, the
//! worker computes what it has, keeps the results and hands them in later.
//! Computing never happens on a tokio thread.

mod access;
mod backoff;
pub mod cli;
mod closing;
mod config;
mod core;
mod error;
mod executor;
mod health;
mod holdings;
mod lease;
mod logging;
mod memory;
mod outbox;
pub mod program;
mod reporter;
mod session;
mod signals;

pub use access::AccessArgs;
pub use config::{Compute, Config, Engine, default_id};
pub use error::WorkerError;
pub use health::{HealthError, check_health, default_health_file};
pub use logging::{LogArgs, LogFormat, log_to_stderr};
pub use memory::{check_memory, memory_needed};
pub use signals::stop_on_signals;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::core::{Core, Leave};

/// What a worker did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Results that the coordinator has stored.
    pub stored: u64,
    /// Results that could not be handed in before the end. With an outbox
    /// directory they are on disk and handed in by the next start.
    pub left: usize,
}

/// Works for a coordinator until `shutdown` is cancelled, the coordinator
/// drains the worker, or (if so configured) there is nothing to do.
///
/// After `shutdown` it returns within about seven seconds: computations are
/// stopped, and what they have so far is handed in with the rest as new
/// shards.
///
/// # Errors
/// [`WorkerError`] when going on makes no sense: the configuration is wrong or
/// the coordinator refuses the worker. An unreachable coordinator is no error;
/// the worker waits for it.
pub async fn run(config: Config, shutdown: CancellationToken) -> Result<Summary, WorkerError> {
    let span = tracing::info_span!("worker", worker = config.id);
    work(config, shutdown).instrument(span).await
}

async fn work(config: Config, shutdown: CancellationToken) -> Result<Summary, WorkerError> {
    let core = Core::start(config)?;
    let health = tokio::spawn(health::keep_writing(Arc::clone(&core)));
    let mut sessions = tokio::spawn(session::keep(Arc::clone(&core)).in_current_span());
    let end = tokio::select! {
        biased;
        () = shutdown.cancelled() => Ok(Leave::Stopped),
        why = core.leaving() => Ok(why),
        fatal = &mut sessions => Err(session::fatal(fatal)),
    };
    let end = match end {
        Ok(why) => closing::close(&core, why, &mut sessions, &shutdown).await,
        Err(error) => Err(error),
    };
    sessions.abort();
    health.abort();
    core.holdings.revoke_all();
    health::remove(&core);
    end.map(|()| core.summary())
}
