//! The stable names of all refusals, in one table.

use std::{collections::HashMap, time::Duration};

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// Domain of the reasons in `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "soko";

macro_rules! reasons {
    ($($reason:ident, $name:literal, $code:ident, $retry_ms:literal, $doc:literal;)*) => {
        /// Why a call is refused. Clients may rely on names and codes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $doc] $reason,)*
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$reason,)*];

            /// Its name, as in `google.rpc.ErrorInfo`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$reason => $name,)* }
            }

            /// What it says, for people.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$reason => $doc,)* }
            }

            /// The gRPC code that it comes with.
            pub const fn code(self) -> Code {
                match self { $(Self::$reason => Code::$code,)* }
            }

            /// After which time the same call may succeed, as in
            /// `google.rpc.RetryInfo`; `None` if repeating it does not help.
            pub const fn retry_after(self) -> Option<Duration> {
                match match self { $(Self::$reason => $retry_ms,)* } {
                    0 => None,
                    millis => Some(Duration::from_millis(millis)),
                }
            }
        }
    };
}

reasons! {
    InvalidArgument, "INVALID_ARGUMENT", InvalidArgument, 0, "A field has a value that is not accepted.";
    SearchNotPossible, "SEARCH_NOT_POSSIBLE", InvalidArgument, 0, "The search cannot be done.";
    AmbiguousJob, "AMBIGUOUS_JOB", InvalidArgument, 0, "Several jobs have ids that start so.";
    BadCheckpoint, "BAD_CHECKPOINT", InvalidArgument, 0, "The checkpoint cannot be gone on with.";
    MalformedMessage, "MALFORMED_MESSAGE", InvalidArgument, 0, "The bytes are no message of this call.";
    MessageTooLarge, "MESSAGE_TOO_LARGE", OutOfRange, 0, "The message is larger than is accepted.";
    NoSuchJob, "NO_SUCH_JOB", NotFound, 0, "There is no such job.";
    NoSuchShard, "NO_SUCH_SHARD", NotFound, 0, "The job has no such shard that is to be done.";
    NoSuchWorker, "NO_SUCH_WORKER", NotFound, 0, "There is no such worker.";
    UnknownWorker, "UNKNOWN_WORKER", NotFound, 0, "The worker has to register first.";
    NoRecord, "NO_RECORD", NotFound, 0, "No level is known for this board.";
    NotFound, "NOT_FOUND", NotFound, 0, "There is no such thing.";
    WrongPhase, "WRONG_PHASE", FailedPrecondition, 0, "The state of the job does not allow it.";
    JobNotEnded, "JOB_NOT_ENDED", FailedPrecondition, 0, "The job has no answer yet.";
    RequestConflict, "REQUEST_CONFLICT", AlreadyExists, 0, "The request id was used for something else.";
    WorkerReplaced, "WORKER_REPLACED", AlreadyExists, 0, "A newer process uses the name of the worker.";
    Busy, "BUSY", ResourceExhausted, 5_000, "Too many levels are being solved.";
    TooSlow, "TOO_SLOW", ResourceExhausted, 0, "The level was not solved in time.";
    TooManyJobs, "TOO_MANY_JOBS", ResourceExhausted, 10_000, "Too many jobs have not ended.";
    TooManyWorkers, "TOO_MANY_WORKERS", ResourceExhausted, 30_000, "Too many workers are known.";
    TooManyConnections, "TOO_MANY_CONNECTIONS", ResourceExhausted, 5_000, "Too many connections are open.";
    NoNumbers, "NO_NUMBERS", ResourceExhausted, 0, "The coordinator has to be started again.";
    NoToken, "NO_TOKEN", Unauthenticated, 0, "The call has no token.";
    UnknownToken, "UNKNOWN_TOKEN", Unauthenticated, 0, "The token is none of this coordinator's.";
    WrongRole, "WRONG_ROLE", PermissionDenied, 0, "The role of the token does not allow the call.";
    NotImplemented, "NOT_IMPLEMENTED", Unimplemented, 0, "The coordinator does not know the call.";
    Closing, "CLOSING", Unavailable, 1_000, "The coordinator shuts down.";
    StoreFailed, "STORE_FAILED", Unavailable, 1_000, "The coordinator cannot store anything.";
    Internal, "INTERNAL", Internal, 0, "A bug.";
}

impl Reason {
    /// The reason that a status has, if it is one of these.
    pub fn of(status: &Status) -> Option<Self> {
        let info = status.get_details_error_info()?;
        let ours = Self::ALL.iter().filter(|_| info.domain == DOMAIN);
        ours.copied().find(|reason| reason.name() == info.reason)
    }

    /// The status of a call that is refused for this reason. `details` say more
    /// for programs.
    pub(crate) fn status(
        self,
        message: impl Into<String>,
        details: HashMap<String, String>,
    ) -> Status {
        let mut all = ErrorDetails::new();
        all.set_error_info(self.name(), DOMAIN, details);
        if let Some(pause) = self.retry_after() {
            all.set_retry_info(Some(pause));
        }
        Status::with_error_details(self.code(), message, all)
    }
}
