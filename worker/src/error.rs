//! Why a worker gives up.

use std::path::PathBuf;

use bytesize::ByteSize;
use soko::rpc::{AccessError, EndpointError};
use soko::text::counted;

use crate::program::config::ConfigError;

/// Why a worker gives up.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The address of the coordinator is not one.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Token or certificates cannot be used.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The name of the worker is not one.
    #[error("`{0}` cannot be the id of a worker")]
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
    /// The file of settings cannot be used.
    #[error(transparent)]
    Settings(#[from] ConfigError),
    /// Man pages cannot be written.
    #[error("cannot write man pages{}", .dir.as_ref().map_or_else(String::new, |dir| format!(
        " to {}", dir.display())))]
    Manual {
        /// Where they should go; to standard output otherwise.
        dir: Option<PathBuf>,
        /// What happened.
        #[source]
        source: std::io::Error,
    },
    /// The compute threads cannot be started.
    #[error("cannot start {}", counted(threads, "compute thread"))]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// What happened.
        #[source]
        source: rayon::ThreadPoolBuildError,
    },
    /// The threads do not fit into the memory.
    #[error(
        "computing on {} takes {needed}, {allowed} are allowed",
        counted(threads, "thread")
    )]
    Memory {
        /// How many threads were wanted.
        threads: usize,
        /// What they need.
        needed: ByteSize,
        /// What they may use.
        allowed: ByteSize,
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
            Self::Endpoint(_)
            | Self::Access(_)
            | Self::BadId(_)
            | Self::Outbox { .. }
            | Self::Manual { .. }
            | Self::Settings(_)
            | Self::Memory { .. } => 2,
            Self::Unauthorized { .. } | Self::Refused { .. } | Self::Unreachable { .. } => 3,
            Self::Threads { .. } | Self::Internal(_) => 1,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> &str {
        match self {
            Self::Endpoint(_) => "--coordinator takes http://HOST:PORT, or https:// with --tls-ca",
            Self::Access(_) => "see --token-file, --tls-ca, --tls-cert and --tls-key",
            Self::BadId(_) => "--id takes 1 to 64 characters of A-Z a-z 0-9 . _ -",
            Self::Outbox { .. } => "--outbox names a directory that can be written",
            Self::Manual { .. } => "--dir names a directory that can be written",
            Self::Settings(error) => &error.hint,
            Self::Threads { .. } => "use fewer with --threads",
            Self::Memory { .. } => "allow more with --memory, or use fewer --threads",
            Self::Unauthorized { .. } => {
                "check --token-file, --tls-cert and --tls-key against what that coordinator asks for"
            }
            Self::Refused { .. } => "use the same version of soko-worker and soko-coord",
            Self::Unreachable { .. } => {
                "is it up? --coordinator names another; without --exit-when-idle a worker waits for it"
            }
            Self::Internal(_) => "--log debug shows more",
        }
    }
}
