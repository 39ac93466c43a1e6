//! What a failed call means.

use std::error::Error;

use tonic::{Code, Status};

/// What to do about a failed call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// The coordinator cannot be reached or is busy: try again later.
    Unreachable,
    /// The coordinator does not let us: trying again does not help.
    Unauthorized,
    /// The coordinator understood the request and refuses it.
    Refused,
}

/// What to do about a failed call.
pub fn classify(status: &Status) -> FailureClass {
    match status.code() {
        Code::Unauthenticated | Code::PermissionDenied => FailureClass::Unauthorized,
        Code::Unavailable
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Cancelled => FailureClass::Unreachable,
        // tonic reports a connection that broke in the middle of a call as
        // Unknown or Internal with the transport's error as its source.
        Code::Unknown | Code::Internal if Error::source(status).is_some() => {
            FailureClass::Unreachable
        }
        _ => FailureClass::Refused,
    }
}

/// The text of an error and of everything that caused it: the text of a
/// failed connection alone is only "transport error".
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        // Many errors repeat their cause's text in their own.
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        next = cause.source();
    }
    text
}

/// The text of a failed call for people: the message and what caused it,
/// without the metadata that `Status` prints.
pub fn status_text(status: &Status) -> String {
    let text = match status.message() {
        "" => status.code().description().to_owned(),
        message => message.to_owned(),
    };
    match Error::source(status) {
        Some(cause) => {
            let cause = error_chain(cause);
            if cause.starts_with(&text) {
                cause
            } else {
                format!("{text}: {cause}")
            }
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("failed: {0}")]
    struct Repeats(#[source] std::io::Error);

    #[test]
    fn the_chain_names_every_cause_once() {
        let cause = std::io::Error::other("connection refused");
        assert_eq!(error_chain(&Outer(cause)), "outer: connection refused");
        let cause = std::io::Error::other("no route");
        assert_eq!(error_chain(&Repeats(cause)), "failed: no route");
    }

    #[test]
    fn a_broken_connection_is_not_a_refusal() {
        let broken = Status::from_error(Box::new(Outer(std::io::Error::other("reset"))));
        assert_eq!(broken.code(), Code::Unknown);
        assert_eq!(classify(&broken), FailureClass::Unreachable);
        assert_eq!(status_text(&broken), "outer: reset");
        assert_eq!(classify(&Status::unknown("?")), FailureClass::Refused);
        assert_eq!(
            classify(&Status::permission_denied("no")),
            FailureClass::Unauthorized
        );
        assert_eq!(
            classify(&Status::unavailable("down")),
            FailureClass::Unreachable
        );
    }
}
