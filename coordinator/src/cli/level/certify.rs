//! `level certify`: a proof of a level's optimum that needs no search.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde_json::json;
use soko::solve::certificate::{Certificate, CertificateError};
use soko::text::counted;

use super::{
    Failure, Report,
    input::{AnyLevel, InputArgs},
    read_bytes,
};

/// What a certificate is.
const CONDITIONS: &str = "\
A certificate is a json document: the level as XSB, its optimum, and the distance
of every state, by box and then player, floor cells in reading order. It proves
the optimum because three conditions hold at each state, none of which needs a
search: the box on the goal has distance 0; no distance is more than one above
that of a successor; every distance above 0 is one above that of some successor.";

/// Arguments of `level certify`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = CONDITIONS)]
pub(crate) struct Args {
    /// The level; of a file with several, the one that --level names. Or the
    /// certificate itself, with --check.
    #[command(flatten)]
    pub input: InputArgs,
    /// Write the certificate here.
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub to: Option<PathBuf>,
    /// FILE is a certificate: check it.
    #[arg(long, conflicts_with = "to")]
    pub check: bool,
}

/// Writes or checks a certificate. Exit code 1 if it proves nothing.
///
/// # Errors
/// [`Failure`] on bad input.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    if args.check {
        return check(args);
    }
    let entry = args.input.single()?;
    let AnyLevel::One(level) = AnyLevel::of(&entry)? else {
        return Err(Failure::new(
            "several_boxes",
            "a certificate is for a level with one box",
            "give a level with one box and one goal",
        ));
    };
    let certificate = Certificate::of(&level).map_err(|error| too_large(&error))?;
    if let Some(file) = &args.to {
        let written = serde_json::to_vec(&certificate)
            .map_err(std::io::Error::from)
            .and_then(|bytes| fs::write(file, bytes));
        written.map_err(|error| {
            Failure::new(
                "cannot_write",
                format!("{} cannot be written: {error}", file.display()),
                "name a file that may be written",
            )
        })?;
    }
    Ok(report(&certificate, "written"))
}

fn check(args: &Args) -> Result<Report, Failure> {
    let bytes = read_bytes(&args.input.file)?;
    let certificate: Certificate = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::new(
            "bad_certificate",
            format!(
                "{} is not a certificate: {error}",
                args.input.file.display()
            ),
            "give a file that `soko-coord level certify LEVEL --to FILE` wrote",
        )
    })?;
    Ok(match certificate.check() {
        Ok(_) => report(&certificate, "valid"),
        Err(error) => Report {
            text: format!("the certificate proves nothing: {error}\n"),
            json: json!({"valid": false, "why": error.to_string()}),
            quiet: "invalid\n".to_owned(),
            exit_code: 1,
        },
    })
}

fn report(certificate: &Certificate, done: &str) -> Report {
    let states = certificate.distances.len();
    let shown = counted(states, "state");
    let mut text = format!("{}\n", certificate.xsb.trim_end_matches('\n'));
    // Writing to a string cannot fail.
    let _ = match certificate.optimum {
        Some(moves) => {
            let moves = counted(moves, "move");
            writeln!(text, "{moves}; certificate of {shown} {done}")
        }
        None => writeln!(text, "no solution; certificate of {shown} {done}"),
    };
    Report {
        text,
        json: json!({
            "valid": true,
            "moves": certificate.optimum,
            "states": states,
            "xsb": certificate.xsb,
        }),
        quiet: certificate
            .optimum
            .map_or("none\n".to_owned(), |moves| format!("{moves}\n")),
        exit_code: 0,
    }
}

fn too_large(error: &CertificateError) -> Failure {
    Failure::new(
        "too_large",
        error.to_string(),
        "choose a level with less floor",
    )
}
