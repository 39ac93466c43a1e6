//! Every failure as a stable code.

use std::collections::HashMap;

use soko::{plan::SearchError, rpc::WireError};
use tonic::Status;

use super::Reason;
use crate::{
    checkpoint::BadCheckpoint, hub::HubClosed, model::JobId, records::NoTurn, scheduler::Refusal,
    store::StoreError,
};

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
    /// A checkpoint that cannot be gone on with.
    #[error("the checkpoint cannot be used: {0}")]
    Checkpoint(#[from] BadCheckpoint),
    /// A level was not solved.
    #[error(transparent)]
    NoTurn(#[from] NoTurn),
    /// The coordinator cannot answer.
    #[error(transparent)]
    Closed(#[from] HubClosed),
    /// The store cannot answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ServiceError {
    /// Its stable name. Clients may rely on it.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Invalid { .. } | Self::Wire(_) => Reason::InvalidArgument,
            Self::Search(_) => Reason::SearchNotPossible,
            Self::Refused(refusal) => match refusal {
                Refusal::NoSuchJob(_) => Reason::NoSuchJob,
                Refusal::Ambiguous(_) => Reason::AmbiguousJob,
                Refusal::WrongPhase { .. } => Reason::WrongPhase,
                Refusal::Conflict(_) => Reason::RequestConflict,
                Refusal::TooManyJobs(_) => Reason::TooManyJobs,
                Refusal::Numbers => Reason::NoNumbers,
                Refusal::TooManyWorkers(_) => Reason::TooManyWorkers,
                Refusal::UnknownWorker(_) => Reason::UnknownWorker,
                Refusal::NoSuchWorker(_) => Reason::NoSuchWorker,
                Refusal::NoSuchShard { .. } => Reason::NoSuchShard,
                Refusal::Replaced { .. } => Reason::WorkerReplaced,
            },
            Self::NotEnded { .. } => Reason::JobNotEnded,
            Self::NoRecord { .. } => Reason::NoRecord,
            Self::Checkpoint(_) => Reason::BadCheckpoint,
            Self::NoTurn(NoTurn::Busy) => Reason::Busy,
            Self::NoTurn(NoTurn::TooSlow) => Reason::TooSlow,
            Self::NoTurn(NoTurn::Panicked) => Reason::Internal,
            Self::Closed(HubClosed::Closing) => Reason::Closing,
            Self::Closed(HubClosed::Store(_)) | Self::Store(_) => Reason::StoreFailed,
        }
    }

    /// What it is about, for programs.
    fn details(&self) -> HashMap<String, String> {
        let one = |key: &str, value: String| [(key.to_owned(), value)].into();
        match self {
            Self::Invalid { field, .. } => one("field", (*field).to_owned()),
            Self::NotEnded { job, .. }
            | Self::Refused(Refusal::WrongPhase { job, .. } | Refusal::Conflict(job)) => {
                one("job", job.to_string())
            }
            Self::Refused(Refusal::TooManyJobs(limit) | Refusal::TooManyWorkers(limit)) => {
                one("limit", limit.to_string())
            }
            _ => HashMap::new(),
        }
    }
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        error.reason().status(error.to_string(), error.details())
    }
}
