//! `level fit`.

use serde_json::json;
use soko::board::Size;
use soko::level::Level;
use soko::level::format::Entry;
use soko::search::fit;
use soko::solve::shortest_moves;
use soko::text::counted;
use soko_worker::program::whole;

use super::input::{InputArgs, each_with_one_box};
use super::{Failure, RULES, Report};

/// Arguments of `level fit`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = RULES)]
pub(crate) struct Args {
    /// Levels to make others of.
    #[command(flatten)]
    pub input: InputArgs,
    /// Rows and columns of the board to fill.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=64))]
    pub n: u16,
    /// Further goals that each layout is tried with, besides the level's own; the
    /// best layouts are tried with all.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = whole::<usize>)]
    pub goals: usize,
}

/// Gives the hardest level of this size that is made of each level of the file by
/// cutting out or doubling bands of rows and columns, by taking a window, or by
/// walls around it, with its markers chosen anew. Exit code 1 if there is none.
///
/// # Errors
/// [`Failure`] on bad input.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    each_with_one_box(&args.input, |entry, level| one(args, entry, level))
}

fn one(args: &Args, entry: &Entry, level: &Level) -> Result<Report, Failure> {
    let side = u64::from(args.n);
    let size = Size::new(side, side)
        .map_err(|error| Failure::new("bad_input", error.to_string(), "try --n 20"))?;
    // The frame of a level is no part of it.
    let cropped = level.cropped();
    let fitted = fit::fit(cropped.as_ref().unwrap_or(level), size, args.goals);
    let moves = fitted
        .as_ref()
        .and_then(|level| shortest_moves(level).ok()?);
    let (Some(fitted), Some(moves)) = (fitted, moves) else {
        return Ok(Report {
            text: "nothing of this size has a level\n".to_owned(),
            json: json!({"title": entry.name(), "xsb": null, "moves": null}),
            quiet: "none\n".to_owned(),
            exit_code: 1,
        });
    };
    let xsb = fitted.to_xsb();
    Ok(Report {
        text: format!("{xsb}; {}\n", counted(moves, "move")),
        json: json!({
            "title": entry.name(),
            "xsb": xsb,
            "moves": moves,
            "floor": fitted.floor(),
            "rows": side,
            "cols": side,
        }),
        quiet: xsb,
        exit_code: 0,
    })
}
