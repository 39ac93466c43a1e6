//! Every failure as a stable code.

use std::time::Duration;

use soko::{plan::SearchError, rpc::WireError};
use tonic::{Code, Status, metadata::MetadataValue};

use crate::{hub::HubClosed, model::JobId, scheduler::Refusal, store::StoreError};

/// Metadata key of the stable name of an error.
pub const CODE_KEY: &str = "soko-code";
/// Metadata key of the time after which to try again, in milliseconds.
pub const RETRY_KEY: &str = "retry-after-ms";

/// Why a call fails.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ServiceError {
    /// A field has a value that is not accepted.
    #[error("`{field}` is not valid: {why}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is accepted.
        why: String,
    },
    /// A message that cannot be what it claims to be.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The search cannot be done.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The scheduler refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The job has not ended.
    #[error(
        "job {job} is {phase} and has no answer yet; `soko-coord jobs wait {job}` waits for it"
    )]
    NotEnded {
        /// The job.
        job: JobId,
        /// Its phase.
        phase: &'static str,
    },
    /// No level is known for a board size.
    #[error("no level is known for {rows}x{cols}; `soko-coord records list` shows what is known")]
    NoRecord {
        /// Rows.
        rows: u32,
        /// Columns.
        cols: u32,
    },
    /// The coordinator cannot answer.
    #[error(transparent)]
    Closed(#[from] HubClosed),
    /// The store cannot answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// Its stable name. Clients may rely on it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Invalid { .. } | Self::Wire(_) => "invalid-argument",
            Self::Search(_) => "search-not-possible",
            Self::Refused(refusal) => match refusal {
                Refusal::NoSuchJob(_) => "no-such-job",
                Refusal::Ambiguous(_) => "ambiguous-job",
                Refusal::WrongPhase { .. } => "wrong-phase",
                Refusal::Conflict(_) => "request-conflict",
                Refusal::TooManyJobs(_) => "too-many-jobs",
                Refusal::TooManyWorkers { .. } => "too-many-workers",
                Refusal::UnknownWorker(_) => "unknown-worker",
                Refusal::Replaced { .. } => "worker-replaced",
            },
            Self::NotEnded { .. } => "job-not-ended",
            Self::NoRecord { .. } => "no-record",
            Self::Closed(HubClosed::Closing) => "closing",
            Self::Closed(HubClosed::Store(_)) | Self::Store(_) => "store-failed",
        }
    }

    const fn code(&self) -> Code {
        match self {
            Self::Invalid { .. } | Self::Wire(_) | Self::Search(_) => Code::InvalidArgument,
            Self::Refused(refusal) => match refusal {
                Refusal::NoSuchJob(_) | Refusal::UnknownWorker(_) => Code::NotFound,
                Refusal::Ambiguous(_) => Code::InvalidArgument,
                Refusal::WrongPhase { .. } => Code::FailedPrecondition,
                Refusal::Conflict(_) | Refusal::Replaced { .. } => Code::AlreadyExists,
                Refusal::TooManyJobs(_) | Refusal::TooManyWorkers { .. } => Code::ResourceExhausted,
            },
            Self::NotEnded { .. } => Code::FailedPrecondition,
            Self::NoRecord { .. } => Code::NotFound,
            Self::Closed(_) | Self::Store(_) => Code::Unavailable,
        }
    }

    const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(Refusal::TooManyWorkers { retry_after, .. }) => Some(*retry_after),
            Self::Refused(Refusal::TooManyJobs(_)) => Some(Duration::from_secs(10)),
            Self::Closed(_) | Self::Store(_) => Some(Duration::from_secs(1)),
            _ => None,
        }
    }
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        let mut status = Self::new(error.code(), error.to_string());
        let metadata = status.metadata_mut();
        metadata.insert(CODE_KEY, MetadataValue::from_static(error.name()));
        if let Some(pause) = error.retry_after() {
            let millis = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
            metadata.insert(RETRY_KEY, MetadataValue::from(millis));
        }
        status
    }
}
