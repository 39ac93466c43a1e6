//! What can be set, and the defaults for a size.

use serde::{Deserialize, Serialize};

use crate::board::Size;

/// The largest board that is annealed, in cells; its scorer takes 36 MB.
pub const MAX_AREA: usize = 64 * 64;

/// The largest weight of a kind of move.
const MAX_WEIGHT: u32 = 1_000_000;

/// How often each kind of move is tried, relative to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moves {
    /// Open or fill a cell.
    pub flip: u32,
    /// Open one cell and fill another, wherever they are.
    pub swap: u32,
    /// A wall and a floor cell next to it change places.
    pub shift: u32,
    /// The goal goes to a neighbouring cell.
    pub goal: u32,
    /// The goal goes to the best cell of the layout; costs an evaluation for
    /// every goal.
    pub best_goal: u32,
}

/// The parameters of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Params {
    /// Evaluations of a batch.
    pub evaluations: u64,
    /// Evaluations of a run.
    pub run: u64,
    /// Temperature at the start of a run from a random layout, in moves: a loss
    /// of that many is accepted with probability 1/e.
    pub hot: f64,
    /// Temperature at the start of a run from a level.
    pub warm: f64,
    /// Temperature at the end of the cooling.
    pub cold: f64,
    /// Share of a run, in per cent, that walks the plateau at its end: no loss
    /// is accepted any more.
    pub plateau: u32,
    /// Share of the runs, in per cent, that start from the best level of the
    /// batch so far; the others start from a random layout. While there are
    /// given starts that had no turn yet, they come first.
    pub restart: u32,
    /// How often each kind of move is tried.
    pub moves: Moves,
}

/// Why parameters cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// A batch or a run would be over before it begins.
    #[error("a batch and a run need at least one evaluation each")]
    NoEvaluations,
    /// A temperature is not a positive number, or it would rise.
    #[error("temperatures must be positive, and the cold one the lowest")]
    Temperature,
    /// A share is beyond 100 %.
    #[error("shares are per cent, at most 100")]
    Share,
    /// A kind of move is weighted beyond what can be told apart.
    #[error("weights of moves are at most {MAX_WEIGHT}")]
    Weight,
    /// No kind of move would be tried.
    #[error("at least one kind of move must change the layout (flip, swap or shift)")]
    NoMoves,
}

impl Params {
    /// Defaults for boards of this size: compared on squares from 8×8 to 10×10,
    /// carried on from there to larger boards.
    pub fn for_size(size: Size) -> Self {
        // Good levels of larger boards are farther apart, so their runs are
        // longer, until evaluations become so slow that batches would be too
        // coarse for shards.
        let area = size.area();
        let (run, evaluations) = match area {
            0..=49 => (100_000, 5_000_000),
            50..=64 => (300_000, 6_000_000),
            65..=81 => (1_000_000, 3_000_000),
            82..=122 => (1_000_000, 2_000_000),
            123..=305 => (300_000, 300_000),
            _ => (100_000, 100_000),
        };
        // What a changed cell costs grows with the board.
        let scale = (area as f64 / 81.0).max(0.75);
        Self {
            evaluations,
            run,
            hot: 4.0 * scale,
            warm: 2.0 * scale,
            cold: 1.2 * scale,
            plateau: 10,
            restart: 25,
            moves: Moves {
                flip: 300,
                swap: 300,
                shift: 300,
                goal: 90,
                best_goal: 0,
            },
        }
    }

    /// Checks that a batch with these parameters does something and ends.
    ///
    /// # Errors
    /// [`ParamsError`] says what is wrong.
    pub fn check(&self) -> Result<(), ParamsError> {
        if self.evaluations == 0 || self.run == 0 {
            return Err(ParamsError::NoEvaluations);
        }
        let positive = |t: f64| t.is_finite() && t > 0.0;
        if !(positive(self.hot) && positive(self.warm) && positive(self.cold))
            || self.cold > self.hot
            || self.cold > self.warm
        {
            return Err(ParamsError::Temperature);
        }
        if self.plateau > 100 || self.restart > 100 {
            return Err(ParamsError::Share);
        }
        let Moves {
            flip,
            swap,
            shift,
            goal,
            best_goal,
        } = self.moves;
        if [flip, swap, shift, goal, best_goal]
            .iter()
            .any(|&weight| weight > MAX_WEIGHT)
        {
            return Err(ParamsError::Weight);
        }
        if flip == 0 && swap == 0 && shift == 0 {
            return Err(ParamsError::NoMoves);
        }
        Ok(())
    }
}
