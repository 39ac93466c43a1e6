//! `level verify`.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::json;
use soko::level::{Level, Lurd};
use soko::solve::{Metrics, replay, shortest_within};

use super::input::{InputArgs, one_box, read_bytes};
use super::solve::failure;
use super::{Failure, Report};

/// What the measures mean, and the rules behind them.
const MEASURES: &str = "\
Measures; a solution of one push has 1 in each:
  moves             all steps of the player, pushes included
  pushes            steps that push the box
  box lines         runs of pushes in one direction, nothing between them
  box changes       times that another box than before is pushed: with one box 1
  pushing sessions  runs of pushes in any directions, nothing between them
  player lines      runs of moves in one direction, pushes or not

The player is replayed up to the first move that is not possible or to the first
time that the box is on the goal. Everything outside the board is wall; the box
can be pushed, never pulled. Indices in json count from 0.";

/// Arguments of `level verify`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = MEASURES)]
pub(crate) struct Args {
    /// The level; of a file with several, the one that --level names.
    #[command(flatten)]
    pub input: InputArgs,
    /// The moves: l u r d, the case does not matter; 3r4U and 2(dR) are read.
    #[arg(
        long,
        value_name = "MOVES",
        conflicts_with = "lurd_file",
        allow_hyphen_values = true
    )]
    pub lurd: Option<String>,
    /// A file with the moves, or - for standard input. Without both, the
    /// solution saved with the level is checked.
    #[arg(long, value_name = "FILE")]
    pub lurd_file: Option<PathBuf>,
    /// Megabytes that the search for the optimum may use.
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub memory: u64,
}

/// Replays a solution. Exit code 1 if it does not solve the level.
///
/// # Errors
/// [`Failure`] on bad input.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let entries = args.input.collection(false)?.entries;
    let [entry] = entries.as_slice() else {
        return Err(Failure::new(
            "usage",
            format!(
                "the file has {} levels, and one solution is checked at a time",
                entries.len()
            ),
            "choose one with --level NUMBER",
        ));
    };
    let text = match (&args.lurd, &args.lurd_file, entry.solutions.first()) {
        (Some(text), _, _) => text.clone(),
        (None, Some(file), _) => String::from_utf8_lossy(&read_bytes(file)?).into_owned(),
        (None, None, Some(saved)) => saved.clone(),
        (None, None, None) => {
            return Err(Failure::new(
                "usage",
                "there is no solution to check",
                "give it with --lurd MOVES or --lurd-file FILE",
            ));
        }
    };
    let lurd: Lurd = text.parse().map_err(|error: soko::level::LurdError| {
        Failure::new(
            "lurd",
            error.to_string(),
            "write moves as l u r d, pushes as L U R D",
        )
    })?;
    check(&one_box(entry)?, &lurd, args.memory.saturating_mul(1 << 20))
}

fn check(level: &Level, lurd: &Lurd, memory: u64) -> Result<Report, Failure> {
    let found = replay(level, lurd);
    let metrics = Metrics::of(&found.lurd);
    let valid = found.is_solution();
    let best = shortest_within(level, memory).map_err(|error| failure(&error))?;
    let optimal_moves = best.as_ref().map(|best| best.moves);
    let optimal = valid && optimal_moves == Some(metrics.moves as u32);
    let json = json!({
        "valid": valid,
        "moves": metrics.moves,
        "pushes": metrics.pushes,
        "box_lines": metrics.box_lines,
        "box_changes": metrics.box_changes,
        "pushing_sessions": metrics.pushing_sessions,
        "player_lines": metrics.player_lines,
        "optimal": optimal,
        "optimal_moves": optimal_moves,
        "optimal_pushes": best.as_ref().map(|best| best.pushes),
        "first_bad_move": found.first_bad_move,
        "moves_after_goal": found.moves_after_goal,
        "first_wrong_case": found.first_wrong_case,
        "lurd": found.lurd.to_string(),
    });
    let mut text = String::new();
    let verdict = match (found.first_bad_move, found.solved_after) {
        (Some(index), _) => format!(
            "not a solution: move {} ('{}') is not possible (index {index} from 0)",
            index + 1,
            lurd.moves()[index].letter()
        ),
        (None, None) => {
            "not a solution: the moves are possible, but the box is not on the goal".to_owned()
        }
        (None, Some(_)) => "a solution".to_owned(),
    };
    let _ = writeln!(text, "{verdict}");
    if valid {
        let standing = match optimal_moves {
            Some(_) if optimal => "fewest possible".to_owned(),
            Some(best) => format!("fewest possible: {best}"),
            None => "the level has no solution".to_owned(),
        };
        let _ = writeln!(text, "moves             {} ({standing})", metrics.moves);
    } else {
        let _ = writeln!(text, "moves             {}", metrics.moves);
    }
    let _ = writeln!(text, "pushes            {}", metrics.pushes);
    let _ = writeln!(text, "box lines         {}", metrics.box_lines);
    let _ = writeln!(text, "box changes       {}", metrics.box_changes);
    let _ = writeln!(text, "pushing sessions  {}", metrics.pushing_sessions);
    let _ = writeln!(text, "player lines      {}", metrics.player_lines);
    if found.moves_after_goal > 0 {
        let _ = writeln!(
            text,
            "{} moves after the box reached the goal were not played",
            found.moves_after_goal
        );
    }
    if let Some(index) = found.first_wrong_case {
        let _ = writeln!(
            text,
            "upper and lower case is wrong from move {}; corrected: {}",
            index + 1,
            found.lurd
        );
    }
    Ok(Report {
        text,
        json,
        quiet: format!("{}\n", if valid { "valid" } else { "invalid" }),
        exit_code: u8::from(!valid),
    })
}
