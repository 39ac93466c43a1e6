//! `soko-coord records submit`: a level from outside for the record table.

use std::path::{Path, PathBuf};

use clap::Args;
use prost::Message;
use serde::Serialize;
use soko::rpc::v1::{self, RefusalReason as Reason, Verdict};

use super::{
    CliError,
    client::ClientArgs,
    level::read_bytes,
    output::{Output, Show},
    text::number_or_none,
};
use crate::service::MESSAGE_LIMIT;

#[derive(Debug, Args)]
pub(super) struct HandInArgs {
    /// File with one level in XSB format, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The square board that it is for [default: what the player can reach].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    n: Option<u32>,
    /// A solution, which is then replayed [default: the one in the file].
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    lurd: String,
    /// Who made it [default: the author named in the file].
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    author: String,
    /// What people should know of it.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    note: String,
    #[command(flatten)]
    client: ClientArgs,
}

/// What became of a level.
#[derive(Debug, Serialize)]
struct HandedIn {
    verdict: &'static str,
    /// Why it was refused.
    reason: Option<&'static str>,
    message: String,
    /// Where the text is malformed.
    line: Option<u32>,
    column: Option<u32>,
    n: Option<u32>,
    moves: Option<u32>,
    pushes: Option<u32>,
    record_moves: Option<u32>,
    #[serde(skip)]
    exit: u8,
}

impl TryFrom<v1::SubmitRecordReply> for HandedIn {
    type Error = CliError;

    fn try_from(reply: v1::SubmitRecordReply) -> Result<Self, CliError> {
        let (verdict, exit) = match reply.verdict() {
            Verdict::Stored => ("stored", 0),
            Verdict::Kept => ("kept", 0),
            Verdict::Refused => ("refused", exit_code(reply.reason())),
            Verdict::Unspecified => {
                return Err(CliError::other_version(
                    format!(
                        "the coordinator answered with verdict {}, which is not known here",
                        reply.verdict
                    ),
                    "use the same version of soko-coord on both sides; `soko-coord records show` \
                     tells whether the level is in the table",
                ));
            }
        };
        let reason = (verdict == "refused").then(|| reason_name(reply.reason()));
        Ok(Self {
            verdict,
            reason,
            line: number_or_none(reply.line),
            column: number_or_none(reply.column),
            n: number_or_none(reply.n),
            moves: number_or_none(reply.moves),
            pushes: number_or_none(reply.pushes),
            record_moves: number_or_none(reply.record_moves),
            message: reply.message,
            exit,
        })
    }
}

const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Unspecified => "unknown",
        Reason::Malformed => "malformed",
        Reason::NotOneLevel => "not_one_level",
        Reason::SeveralBoxes => "several_boxes",
        Reason::NotSquare => "not_square",
        Reason::DoesNotFit => "does_not_fit",
        Reason::TooLarge => "too_large",
        Reason::Unsolvable => "unsolvable",
        Reason::MalformedSolution => "malformed_solution",
        Reason::WrongSolution => "wrong_solution",
        Reason::NotBetter => "not_better",
        Reason::Known => "known",
        Reason::ContradictsProof => "contradicts_proof",
    }
}

/// 1 where the answer is no, 2 where the question makes no sense.
const fn exit_code(reason: Reason) -> u8 {
    match reason {
        Reason::Malformed
        | Reason::NotOneLevel
        | Reason::SeveralBoxes
        | Reason::NotSquare
        | Reason::DoesNotFit
        | Reason::TooLarge
        | Reason::MalformedSolution => 2,
        Reason::Unspecified
        | Reason::Unsolvable
        | Reason::WrongSolution
        | Reason::NotBetter
        | Reason::Known
        | Reason::ContradictsProof => 1,
    }
}

impl Show for HandedIn {
    fn text(&self) -> String {
        format!("{}: {}", self.verdict, self.message)
    }

    fn quiet(&self) -> String {
        self.verdict.to_owned()
    }
}

pub(super) async fn run(args: HandInArgs, output: Output) -> Result<u8, CliError> {
    let xsb = String::from_utf8(read_bytes(&args.file)?).map_err(|_| {
        CliError::bad_input(
            format!("{} is not UTF-8 text", args.file.display()),
            "save the file as UTF-8",
        )
    })?;
    let request = v1::SubmitRecordRequest {
        xsb,
        lurd: args.lurd,
        n: args.n.unwrap_or_default(),
        author: args.author,
        note: args.note,
    };
    check_length(&args.file, request.encoded_len())?;
    let client = args.client.connect().await?;
    let mut records = client.records();
    let reply = client.call(records.submit_record(request)).await?;
    let document = HandedIn::try_from(reply)?;
    output.show(&document)?;
    Ok(document.exit)
}

/// Refuses what is too long for a message: the transport would, with a text about
/// messages and not about levels.
fn check_length(file: &Path, length: usize) -> Result<(), CliError> {
    if length <= MESSAGE_LIMIT {
        return Ok(());
    }
    Err(CliError::bad_input(
        format!(
            "{} is too large to hand in: with what goes with it, it has {length} bytes, and a \
             message has at most {MESSAGE_LIMIT}",
            file.display()
        ),
        "hand in one level by itself, without comments and without walls that nothing touches",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_room_in_a_message_or_is_refused_by_name() {
        let file = Path::new("large.xsb");
        assert_eq!(check_length(file, MESSAGE_LIMIT), Ok(()));
        let error = check_length(file, MESSAGE_LIMIT + 1).unwrap_err();
        assert_eq!((error.code, error.exit), ("bad_input", 2));
        for text in ["large.xsb", "4194305", "at most 4194304"] {
            assert!(error.message.contains(text), "{error}");
        }
    }

    #[test]
    fn a_verdict_that_is_not_known_is_an_error() {
        for verdict in [0, 99] {
            let reply = v1::SubmitRecordReply {
                verdict,
                ..v1::SubmitRecordReply::default()
            };
            let error = HandedIn::try_from(reply).unwrap_err();
            assert_eq!((error.code, error.exit), ("other_version", 3));
            assert!(error.message.contains(&format!("verdict {verdict},")));
            assert!(error.hint.contains("same version"), "{}", error.hint);
        }
        let reply = v1::SubmitRecordReply {
            verdict: Verdict::Kept.into(),
            ..v1::SubmitRecordReply::default()
        };
        assert_eq!(HandedIn::try_from(reply).unwrap().verdict, "kept");
    }
}
