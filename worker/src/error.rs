//! Why a worker gives up.

use std::path::PathBuf;

use soko::rpc::EndpointError;

/// Why a worker gives up.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The address of the coordinator is not one.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The name of the worker is not one.
    #[error("`{0}` cannot be the id of a worker: use 1 to 64 characters of A-Z a-z 0-9 . _ -")]
    BadId(String),
    /// The outbox directory cannot be used.
    #[error("cannot use the outbox directory {}", path.display())]
    Outbox {
        /// The directory.
        path: PathBuf,
        /// What happened.
        #[source]
        source: std::io::Error,
    },
    /// The compute threads cannot be started.
    #[error("cannot start {threads} compute threads")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// What happened.
        #[source]
        source: rayon::ThreadPoolBuildError,
    },
    /// The coordinator does not let the worker in.
    #[error("the coordinator at {coordinator} does not authorise this worker: {why}")]
    Unauthorized {
        /// Its address.
        coordinator: String,
        /// What it said.
        why: String,
    },
    /// The coordinator refuses the worker for good.
    #[error("the coordinator at {coordinator} refuses this worker: {why}")]
    Refused {
        /// Its address.
        coordinator: String,
        /// What it said.
        why: String,
    },
    /// The coordinator was never reached by a worker that leaves when idle.
    #[error("the coordinator at {coordinator} cannot be reached: {why}")]
    Unreachable {
        /// Its address.
        coordinator: String,
        /// The last failure.
        why: String,
    },
    /// A task of the worker ended that should not; a bug.
    #[error("internal error: {0}")]
    Internal(String),
}

impl WorkerError {
    /// The exit code of the process, as documented for the command line.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Endpoint(_) | Self::BadId(_) | Self::Outbox { .. } => 2,
            Self::Unauthorized { .. } | Self::Refused { .. } | Self::Unreachable { .. } => 3,
            Self::Threads { .. } | Self::Internal(_) => 1,
        }
    }
}
