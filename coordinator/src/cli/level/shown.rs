//! The moves that pictures and replays show.

use std::time::Duration;

use soko::level::Lurd;
use soko::level::format::Entry;
use soko::solve::boxes::{BeamOptions, Method, Order, Verdict};
use soko::solve::{DEFAULT_MEMORY, replay, shortest};

use super::Failure;
use super::input::{AnyLevel, MovesArgs};
use super::solve::failure;
use super::solve_boxes::solved_within;

/// How long a solution of several boxes is looked for.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The moves given or saved with a level, checked and with their case right;
/// else a solution that is found here.
pub(crate) fn shown_moves(
    level: &AnyLevel,
    entry: &Entry,
    args: &MovesArgs,
) -> Result<Lurd, Failure> {
    if let Some(moves) = args.moves(entry)? {
        let played = replay(level.classic(), &moves);
        return match played.first_bad_move {
            None => Ok(played.lurd),
            Some(index) => Err(Failure::new(
                "lurd",
                format!(
                    "move {} ('{}') is not possible",
                    index + 1,
                    moves.moves()[index].letter()
                ),
                "level verify tells more; without --lurd the level is solved",
            )),
        };
    }
    let unsolved = |message: &str| {
        Failure::new(
            "unsolved",
            message,
            "give moves with --lurd MOVES; level solve has more ways to look for them",
        )
    };
    match level {
        AnyLevel::One(level) => {
            let found = shortest(level).map_err(|error| failure(&error))?;
            let found = found.ok_or_else(|| unsolved("the level has no solution to show"))?;
            Ok(found.lurd)
        }
        AnyLevel::Several(level) => {
            let beam = BeamOptions::default();
            let limits = (TIMEOUT, DEFAULT_MEMORY);
            match solved_within(level, Order::Moves, Method::Auto, beam, limits).verdict {
                Verdict::Solved { lurd, .. } => Ok(lurd),
                Verdict::Unsolvable => Err(unsolved("the level has no solution to show")),
                Verdict::Unknown => Err(unsolved("no solution was found within a minute")),
            }
        }
    }
}
