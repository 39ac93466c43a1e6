//! What a command failed with.

use soko::{
    board::SizeError,
    plan::SearchError,
    rpc::{AccessError, EndpointError, FailureClass, classify, status_text},
};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::{
    access::{TlsError, TokensError},
    service::Reason,
};

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
            if url.starts_with("https") {
                "is it up, does it speak TLS, and is its certificate one of --tls-ca's for this host?"
            } else {
                "start one with `soko-coord serve`, or name another with --coordinator; \
                 one that speaks TLS is https:// and takes --tls-ca"
            },
        )
    }

    /// The job did not end as it should.
    pub(super) fn not_done(state: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::new(state, 4, message, hint)
    }

    /// The coordinator is of another version.
    pub(super) fn other_version(message: impl Into<String>, hint: &str) -> Self {
        Self::new("other_version", 3, message, hint)
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
        match Reason::of(status) {
            Some(Reason::NoNumbers) => {
                let hint = "stop the coordinator and start it again; it goes on where it was";
                return Self::new("restart_needed", 3, why, hint);
            }
            Some(Reason::RequestConflict) => {
                let hint = "repeat the command, which takes a new request id each time";
                return Self::new("not_possible", 2, why, hint);
            }
            Some(Reason::WorkerReplaced) => {
                let hint = "give each worker its own --id; `soko-coord workers list` shows those \
                            in use";
                return Self::new("not_possible", 2, why, hint);
            }
            Some(Reason::MessageTooLarge) => {
                return Self::bad_input(why, "give less at a time: fewer or smaller levels");
            }
            Some(Reason::TooSlow) => {
                let hint = "hand in a smaller level, or again when the coordinator has less to do";
                return Self::new("not_possible", 2, why, hint);
            }
            _ => {}
        }
        match classify(status) {
            FailureClass::Unreachable if status.code() == Code::ResourceExhausted => {
                let after = status.get_details_retry_info();
                let hint = match after.and_then(|it| it.retry_delay) {
                    Some(pause) => format!("try again in {}", humantime::format_duration(pause)),
                    None => "try again a little later".to_owned(),
                };
                Self::new("busy", 3, why, hint)
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
                    "`soko-coord jobs list`, `workers list` and `records list` show what there is",
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
                Code::Unimplemented => Self::other_version(
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

impl From<AccessError> for CliError {
    fn from(error: AccessError) -> Self {
        Self::bad_input(
            error.to_string(),
            "see --token-file, --tls-ca, --tls-cert and --tls-key",
        )
    }
}

impl From<TlsError> for CliError {
    fn from(error: TlsError) -> Self {
        Self::bad_input(
            error.to_string(),
            "see --tls-cert, --tls-key and --tls-client-ca; `soko-coord tls init` makes such files",
        )
    }
}

impl From<TokensError> for CliError {
    fn from(error: TokensError) -> Self {
        Self::bad_input(error.to_string(), "`soko-coord tls init` makes such a file")
    }
}

impl From<SizeError> for CliError {
    fn from(error: SizeError) -> Self {
        Self::bad_input(error.to_string(), "try --n 5, or --rows 3 --cols 4")
    }
}

impl From<SearchError> for CliError {
    fn from(error: SearchError) -> Self {
        let hint = match error {
            SearchError::TooLarge { .. } => "--mode anneal takes boards of up to 4096 cells",
            _ => "`soko-coord run --help` lists the modes and what they take",
        };
        Self::bad_input(error.to_string(), hint)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn call(reason: Reason) -> CliError {
        CliError::call("http://here", &reason.status("why", HashMap::new()))
    }

    #[test]
    fn the_hint_is_that_of_the_reason() {
        let busy = call(Reason::Busy);
        assert_eq!((busy.code, &*busy.hint), ("busy", "try again in 5s"));
        let bare = CliError::call("http://here", &Status::resource_exhausted("why"));
        assert_eq!(bare.hint, "try again a little later");
        for (reason, code, exit, hint) in [
            (Reason::NoNumbers, "restart_needed", 3, "start it again"),
            (Reason::RequestConflict, "not_possible", 2, "new request id"),
            (Reason::WorkerReplaced, "not_possible", 2, "its own --id"),
            (Reason::TooSlow, "not_possible", 2, "smaller level"),
            (Reason::MessageTooLarge, "bad_input", 2, "less at a time"),
            (Reason::WrongPhase, "not_possible", 2, "jobs show JOB"),
            (Reason::UnknownWorker, "not_found", 2, "workers list"),
        ] {
            let error = call(reason);
            assert_eq!((error.code, error.exit), (code, exit), "{reason:?}");
            assert!(error.hint.contains(hint), "{reason:?}: {}", error.hint);
        }
    }

    #[test]
    fn reasons_of_others_are_none_of_ours() {
        for reason in Reason::ALL {
            let status = reason.status("why", HashMap::new());
            assert_eq!(Reason::of(&status), Some(*reason));
        }
        let details = tonic_types::ErrorDetails::with_error_info("BUSY", "other", []);
        let status = Status::with_error_details(Code::Internal, "why", details);
        assert_eq!(Reason::of(&status), None);
        assert_eq!(Reason::of(&Status::internal("why")), None);
    }
}
