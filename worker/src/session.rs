//! One registered connection after the other.
//!
//! A session is a registration and what depends on it: the report stream and
//! the lease loop. When any of these breaks, the session ends and another one
//! begins, to which nothing is lost: leases and results live outside of it.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use soko::rpc::{FailureClass, classify, error_chain, status_text, v1};
use tokio::{
    task::{JoinError, JoinSet},
    time::timeout,
};
use tonic::{Code, Status};

use crate::{
    WorkerError,
    backoff::Backoff,
    core::{Client, Core, Leave, Link},
    lease, reporter,
};

/// How long a registration may take.
const REGISTER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a worker that leaves when idle waits for an absent coordinator.
const ABSENCE: Duration = Duration::from_mins(1);

/// Why a session ended.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The connection or the coordinator is gone.
    Lost(String),
    /// The coordinator does not know the worker: it was restarted, or has not
    /// heard of the worker for too long.
    Unknown,
    /// Another attempt would end in the same way.
    Fatal(WorkerError),
}

/// The pace that the coordinator wants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Time between two beats.
    pub(crate) beat: Duration,
    /// How long a silent coordinator counts as being there.
    pub(crate) patience: Duration,
}

impl Pace {
    fn new(reply: &v1::RegisterReply) -> Self {
        let beat = match reply.beat_ms {
            0 => Duration::from_secs(5),
            millis => Duration::from_millis(millis.into()),
        };
        let lease = Duration::from_millis(reply.lease_ms.into());
        Self {
            beat,
            // Each beat is answered; half a lease leaves time to register
            // again before it ends.
            patience: (beat * 4).max(lease / 2),
        }
    }
}

/// Keeps a session open until something fatal happens.
pub(crate) async fn keep(core: Arc<Core>) -> WorkerError {
    let mut backoff = Backoff::new(core.config.max_backoff);
    let mut reached = Instant::now();
    let mut registered_once = false;
    loop {
        let broken = session(&core, &mut backoff, &mut registered_once).await;
        if let Link::Up(_) = *core.link.borrow() {
            reached = Instant::now();
        }
        let pause = backoff.pause();
        match broken {
            Broken::Fatal(error) => return error,
            Broken::Unknown => {
                tracing::info!("the coordinator does not know this worker; registering again");
                core.link.send_replace(Link::Down("registering".to_owned()));
            }
            Broken::Lost(why) => {
                let coordinator = &core.config.coordinator;
                let retry_ms = pause.as_millis();
                tracing::warn!(coordinator, why, retry_ms, "coordinator not reachable");
                if core.config.exit_when_idle && core.holds_nothing() && reached.elapsed() > ABSENCE
                {
                    if !registered_once {
                        let coordinator = coordinator.clone();
                        return WorkerError::Unreachable { coordinator, why };
                    }
                    core.leave(Leave::Idle);
                }
                core.link.send_replace(Link::Down(why));
            }
        }
        tokio::time::sleep(pause).await;
    }
}

/// What the end of [`keep`] means.
pub(crate) fn fatal(end: Result<WorkerError, JoinError>) -> WorkerError {
    end.unwrap_or_else(|error| WorkerError::Internal(format!("the session ended: {error}")))
}

async fn session(core: &Arc<Core>, backoff: &mut Backoff, registered_once: &mut bool) -> Broken {
    let channel = match core.endpoint.connect().await {
        Ok(channel) => channel,
        Err(error) => return Broken::Lost(error_chain(&error)),
    };
    let mut client = Client::new(core.config.access.connection(channel));
    let reply = match register(core, &mut client).await {
        Ok(reply) => reply,
        Err(broken) => return broken,
    };
    core.holdings.revoke(&reply.revoked);
    let pace = Pace::new(&reply);
    tracing::info!(
        worker = core.config.id,
        coordinator = core.config.coordinator,
        threads = core.config.threads,
        "registered"
    );
    *registered_once = true;
    core.link.send_replace(Link::Up(client.clone()));
    let began = Instant::now();
    // Dropping the set at the end aborts the other task.
    let mut tasks = JoinSet::new();
    tasks.spawn(reporter::run(Arc::clone(core), client.clone(), pace));
    tasks.spawn(lease::run(Arc::clone(core), client));
    let broken = match tasks.join_next().await {
        Some(Ok(broken)) => broken,
        Some(Err(error)) => Broken::Fatal(WorkerError::Internal(error.to_string())),
        None => Broken::Lost("no task runs".to_owned()),
    };
    // A coordinator that takes registrations and then fails at once is not
    // asked any faster for it.
    if began.elapsed() > pace.beat {
        backoff.reset();
    }
    broken
}

async fn register(core: &Core, client: &mut Client) -> Result<v1::RegisterReply, Broken> {
    let leases = core.holdings.held().into_iter().chain(core.outbox.held());
    // A result may have entered the outbox in between: present it once.
    let held: HashMap<_, _> = leases.map(|held| (held.key.clone(), held)).collect();
    let request = v1::RegisterRequest {
        worker: core.config.id.clone(),
        instance: core.instance.clone(),
        engine: core.config.engine.name.to_owned(),
        threads: core.config.threads as u32,
        held: held.into_values().collect(),
    };
    match timeout(REGISTER_TIMEOUT, client.register(request)).await {
        Ok(Ok(reply)) => Ok(reply.into_inner()),
        Ok(Err(status)) => Err(broken(core, &status)),
        Err(_) => Err(Broken::Lost("no answer to the registration".to_owned())),
    }
}

/// What a failed call means for the session.
pub(crate) fn broken(core: &Core, status: &Status) -> Broken {
    let coordinator = core.config.coordinator.clone();
    let why = status_text(status);
    match classify(status) {
        FailureClass::Unreachable => Broken::Lost(why),
        FailureClass::Unauthorized => Broken::Fatal(WorkerError::Unauthorized { coordinator, why }),
        FailureClass::Refused => match status.code() {
            Code::NotFound => Broken::Unknown,
            // Misconfigured for good: a name that is not one, a newer process
            // with the same name, a service that is no coordinator.
            Code::InvalidArgument
            | Code::FailedPrecondition
            | Code::AlreadyExists
            | Code::Unimplemented => Broken::Fatal(WorkerError::Refused { coordinator, why }),
            // Trouble inside the coordinator.
            _ => Broken::Lost(why),
        },
    }
}
