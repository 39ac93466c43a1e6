//! What a command failed with.

use soko::{
    board::SizeError,
    plan::SearchError,
    rpc::{EndpointError, FailureClass, classify, status_text},
};
use tonic::{Code, Status};

/// Why a command failed: what happened, what to do next, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CliError {
    /// Stable name of the kind of error, for programs.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// Exit code of the process.
    pub exit: u8,
}

impl CliError {
    fn new(
        code: &'static str,
        exit: u8,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            hint: hint.into(),
            exit,
        }
    }

    /// The arguments are wrong.
    pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("usage", 2, message, hint)
    }

    /// What was given makes no sense.
    pub(super) fn bad_input(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("bad_input", 2, message, hint)
    }

    /// The coordinator cannot be reached.
    pub(super) fn unreachable(url: &str, why: &str) -> Self {
        Self::new(
            "unreachable",
            3,
            format!("the coordinator at {url} cannot be reached: {why}"),
            "start one with `soko-coord serve`, or name another with --coordinator",
        )
    }

    /// The job did not end as it should.
    pub(super) fn not_done(state: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::new(state, 4, message, hint)
    }

    /// Something that should not happen.
    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(
            "internal",
            3,
            message,
            "SOKO_LOG=debug shows more; the coordinator's log may too",
        )
    }

    /// A call to the coordinator at `url` failed.
    pub(super) fn call(url: &str, status: &Status) -> Self {
        let why = status_text(status);
        match classify(status) {
            FailureClass::Unreachable if status.code() == Code::ResourceExhausted => {
                Self::new("busy", 3, why, "try again a little later")
            }
            FailureClass::Unreachable => Self::unreachable(url, &why),
            FailureClass::Unauthorized => Self::new(
                "unauthorized",
                3,
                format!("the coordinator at {url} does not authorise this: {why}"),
                "check which credentials that coordinator asks for",
            ),
            FailureClass::Refused => match status.code() {
                Code::NotFound => Self::new(
                    "not_found",
                    2,
                    why,
                    "`soko-coord jobs list` and `soko-coord records list` show what there is",
                ),
                Code::InvalidArgument | Code::OutOfRange => {
                    Self::bad_input(why, "`soko-coord COMMAND --help` tells what is possible")
                }
                Code::FailedPrecondition | Code::AlreadyExists => Self::new(
                    "not_possible",
                    2,
                    why,
                    "`soko-coord jobs show JOB` tells the state of a job",
                ),
                Code::Unimplemented => Self::new(
                    "other_version",
                    3,
                    format!("the coordinator at {url} does not know this request: {why}"),
                    "use the same version of soko-coord on both sides",
                ),
                _ => Self::internal(format!("the coordinator at {url} failed: {why}")),
            },
        }
    }
}

impl From<EndpointError> for CliError {
    fn from(error: EndpointError) -> Self {
        Self::usage(error.to_string(), "--coordinator takes http://HOST:PORT")
    }
}

impl From<SizeError> for CliError {
    fn from(error: SizeError) -> Self {
        Self::bad_input(error.to_string(), "try --n 5, or --rows 3 --cols 4")
    }
}

impl From<SearchError> for CliError {
    fn from(error: SearchError) -> Self {
        Self::bad_input(error.to_string(), "`soko-coord run --help` lists the modes")
    }
}
