//! Refusals that the transport makes by itself get a reason like all others.

use std::collections::HashMap;

use tonic::{Code, Status, body::Body, codegen::http::Response};

use super::{MESSAGE_LIMIT, Reason};

/// What a message over the limit is refused with.
const MESSAGE_TOO_LARGE: &str =
    "the message is too large: more than 4 MiB, the most that is accepted";
const _: () = assert!(MESSAGE_LIMIT == 4 << 20, "the text above names the limit");

/// The same refusal with a reason, if it has none yet and is one of those that
/// the transport makes of a bad call. Others stay as they are.
pub fn named(status: Status) -> Status {
    if !status.details().is_empty() {
        return status;
    }
    let reason = match status.code() {
        // Nothing of ours fails so without a reason: the bytes were no message.
        Code::Internal | Code::InvalidArgument => Reason::MalformedMessage,
        Code::OutOfRange => Reason::MessageTooLarge,
        Code::Unimplemented => Reason::NotImplemented,
        Code::NotFound => Reason::NotFound,
        _ => return status,
    };
    let message = match status.message() {
        // The transport's own text is about its decoder.
        _ if reason == Reason::MessageTooLarge => MESSAGE_TOO_LARGE,
        "" => reason.meaning(),
        message => message,
    };
    reason.status(message, HashMap::new())
}

/// The same answer; a call that failed before its answer began has its status
/// here, and that gets a reason.
pub fn named_answer(answer: Response<Body>) -> Response<Body> {
    match Status::from_header_map(answer.headers()) {
        Some(status) if status.code() != Code::Ok => named(status).into_http(),
        _ => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_given_once() {
        let ours = Reason::Busy.status("later", HashMap::new());
        let again = named(ours.clone());
        assert_eq!(again.details(), ours.details());
        assert_eq!(again.code(), Code::ResourceExhausted);
        let theirs = named(Status::internal("failed to decode"));
        assert_eq!(theirs.code(), Code::InvalidArgument);
        assert_eq!(theirs.message(), "failed to decode");
        assert!(!theirs.details().is_empty());
    }

    #[test]
    fn a_message_that_is_too_large_is_refused_in_our_words() {
        let theirs = named(Status::out_of_range("decoded message length too large"));
        assert_eq!(theirs.code(), Code::OutOfRange);
        assert_eq!(theirs.message(), MESSAGE_TOO_LARGE);
    }

    #[test]
    fn what_nobody_expects_stays_as_it_is() {
        for status in [
            Status::ok(""),
            Status::cancelled("Timeout expired"),
            Status::deadline_exceeded("late"),
            Status::unavailable("away"),
        ] {
            let same = named(status.clone());
            assert_eq!(same.code(), status.code());
            assert_eq!(same.message(), status.message());
            assert!(same.details().is_empty());
        }
    }
}
