//! `construct`.

use std::fmt::Write as _;

use serde_json::json;
use soko::bounds::{Construction, best_parameters, construct};
use soko::solve::shortest;
use soko_worker::program::whole;

use super::solve::failure;
use super::{Failure, Report};

/// Arguments of `construct`.
#[derive(Debug, Clone, clap::Args)]
#[command(group = clap::ArgGroup::new("size").required(true).args(["m", "n"]))]
pub(crate) struct Args {
    /// Teeth of each band, at least 2.
    #[arg(long, value_name = "TEETH", conflicts_with = "n", value_parser = whole::<u64>)]
    pub m: Option<u64>,
    /// Number of bands, even; without it as many as fit the width of the teeth.
    #[arg(long, value_name = "BANDS", requires = "m", value_parser = whole::<u64>)]
    pub r: Option<u64>,
    /// The longest that fits an n×n board, n from 30 to 256.
    #[arg(long, value_parser = whole::<u64>)]
    pub n: Option<u64>,
    /// Do not solve the level; boards of more than 126×126 never are.
    #[arg(long)]
    pub no_solve: bool,
}

/// The largest board that is solved to check the formula.
const SOLVED_SIDE: u16 = 126;

/// Builds the lower-bound construction. Exit code 1 if solving it does not
/// give the predicted moves.
///
/// # Errors
/// [`Failure`] if the numbers fit no board.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let built = build(args)?;
    let side = built.level.size().rows();
    let solved = if args.no_solve || side > SOLVED_SIDE {
        None
    } else {
        let solution = shortest(&built.level).map_err(|error| failure(&error))?;
        Some(solution.map(|solution| solution.moves))
    };
    let agrees = solved.is_none_or(|moves| moves.map(u128::from) == Some(built.predicted_moves));
    let xsb = built.level.to_xsb();
    let json = json!({
        "m": built.m,
        "r": built.bands,
        "n": side,
        "loop_length": built.loop_length,
        "turns": built.turns,
        "pushes": built.pushes,
        "predicted_moves": built.predicted_moves as u64,
        "solved_moves": solved.flatten(),
        "floor": built.level.floor(),
        "xsb": xsb,
        "lurd": built.solution.to_string(),
    });
    let mut text = xsb;
    let _ = writeln!(
        text,
        "Title: construction m = {}, r = {}\n\n{side}×{side}, loop {}, {} turns, {} pushes, {} moves by the formula",
        built.m, built.bands, built.loop_length, built.turns, built.pushes, built.predicted_moves
    );
    match solved {
        Some(Some(moves)) => {
            let _ = writeln!(text, "{moves} moves by solving it");
        }
        Some(None) => text.push_str("no solution found\n"),
        None => text.push_str("not solved\n"),
    }
    let _ = writeln!(text, "{}", built.solution.to_run_lengths());
    Ok(Report {
        text,
        json,
        quiet: format!("{}\n", built.predicted_moves),
        exit_code: u8::from(!agrees),
    })
}

fn build(args: &Args) -> Result<Construction, Failure> {
    let refused = |message: String| {
        Failure::new(
            "construct",
            message,
            "use --m 2 to --m 30, with an even --r up to 36, or --n 30 to --n 256",
        )
    };
    let (m, bands) = match (args.m, args.n) {
        (Some(m), _) => (m, args.r),
        (None, Some(n)) => {
            let (m, bands) = best_parameters(n)
                .ok_or_else(|| refused(format!("no construction fits a {n}x{n} board")))?;
            (m, Some(bands))
        }
        (None, None) => return Err(refused("neither --m nor --n is given".to_owned())),
    };
    construct(m, bands, args.n).map_err(|error| refused(error.to_string()))
}
