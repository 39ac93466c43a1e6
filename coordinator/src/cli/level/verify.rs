//! `level verify`.

use std::fmt::Write as _;

use serde_json::json;
use soko::level::Lurd;
use soko::solve::{Metrics, replay, shortest_within};
use soko::text::counted;
use soko_worker::program::whole;

use super::input::{AnyLevel, InputArgs, MovesArgs};
use super::solve::failure;
use super::{Failure, Report};

/// What the measures mean, and the rules behind them.
const MEASURES: &str = "\
Measures; a solution of one push has 1 in each:
  moves             all steps of the player, pushes included
  pushes            steps that push a box
  box lines         runs of pushes in one direction, nothing between them
  box changes       times that another box than before is pushed: with one box 1
  pushing sessions  runs of pushes in any directions, nothing between them
  player lines      runs of moves in one direction, pushes or not

The player is replayed up to the first move that is not possible or to the first
time that every box is on a goal. Everything outside the board is wall; boxes can
be pushed one at a time, never pulled. Indices in json count from 0.";

/// Arguments of `level verify`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = MEASURES)]
pub(crate) struct Args {
    /// The level; of a file with several, the one that --level names.
    #[command(flatten)]
    pub input: InputArgs,
    /// The moves to check.
    #[command(flatten)]
    pub moves: MovesArgs,
    /// Megabytes that the search for the optimum may use.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = whole::<u64>)]
    pub memory: u64,
}

/// Replays a solution. Exit code 1 if it does not solve the level.
///
/// # Errors
/// [`Failure`] on bad input.
pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let entry = args.input.single()?;
    let lurd = args.moves.moves(&entry)?.ok_or_else(|| {
        Failure::new(
            "usage",
            "there is no solution to check",
            "give it with --lurd MOVES or --lurd-file FILE",
        )
    })?;
    let level = AnyLevel::of(&entry)?;
    check(&level, &lurd, args.memory.saturating_mul(1 << 20))
}

fn check(level: &AnyLevel, lurd: &Lurd, memory: u64) -> Result<Report, Failure> {
    let found = replay(level.classic(), lurd);
    let metrics = Metrics::of(&found);
    let valid = found.is_solution();
    // With several boxes the optimum may be out of reach.
    let (best, known) = match level {
        AnyLevel::One(level) => {
            let best = shortest_within(level, memory).map_err(|error| failure(&error))?;
            (best, true)
        }
        AnyLevel::Several(_) => (None, false),
    };
    let optimal_moves = best.as_ref().map(|best| best.moves);
    let optimal = known.then_some(valid && optimal_moves == Some(metrics.moves as u32));
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
            "not a solution: the moves are possible, but not every box is on a goal".to_owned()
        }
        (None, Some(_)) => "a solution".to_owned(),
    };
    let _ = writeln!(text, "{verdict}");
    if valid {
        let standing = match (optimal, optimal_moves) {
            (Some(true), _) => "fewest possible".to_owned(),
            (_, Some(best)) => format!("fewest possible: {best}"),
            (Some(false), None) => "the level has no solution".to_owned(),
            (None, None) => "the fewest possible: see level solve".to_owned(),
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
            "not played, because the level was solved before: {}",
            counted(found.moves_after_goal, "move")
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
