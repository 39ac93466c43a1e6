//! What can be set, and the defaults for a size.

use crate::board::Size;
use crate::search::score::pushes;

/// The largest board that is annealed, in cells.
pub const MAX_AREA: usize = pushes::MAX_AREA;

/// The largest weight of a kind of move.
const MAX_WEIGHT: u32 = 1_000_000;

/// How often each kind of move is tried, relative to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    /// Evaluations of a batch.
    pub evaluations: u64,
    /// Evaluations of a run.
    pub run: u64,
    /// Temperature at the start of a run from a random layout, in thousandths of
    /// a move: a loss of that much is accepted with probability 1/e.
    pub hot: u32,
    /// Temperature at the start of a run from a level.
    pub warm: u32,
    /// Temperature at the end of the cooling.
    pub cold: u32,
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// A batch or a run would be over before it begins.
    #[error("a batch and a run need at least one evaluation each")]
    NoEvaluations,
    /// A temperature is 0, or it would rise.
    #[error(
        "temperatures are thousandths of a move, more than 0, and cold is the lowest; \
         these are hot={hot}, warm={warm}, cold={cold}"
    )]
    Temperature {
        /// [`Params::hot`].
        hot: u32,
        /// [`Params::warm`].
        warm: u32,
        /// [`Params::cold`].
        cold: u32,
    },
    /// A share is beyond 100 %.
    #[error("shares are per cent, at most 100")]
    Share,
    /// A kind of move is weighted beyond what can be told apart.
    #[error("weights of moves are at most {MAX_WEIGHT}")]
    Weight,
    /// No kind of move would be tried.
    #[error("at least one kind of move must change the layout (flip, swap or shift)")]
    NoMoves,
    /// There is no parameter of this name.
    #[error("there is no such parameter; there are {0}")]
    Unknown(String),
    /// A value that is too large for its parameter.
    #[error("the value of {0} is too large")]
    TooLarge(&'static str),
}

impl Params {
    /// Defaults for boards of this size: compared on squares from 8×8 to 12×12,
    /// carried on from there to larger boards.
    pub fn for_size(size: Size) -> Self {
        // Good levels of larger boards are farther apart, so their runs are
        // longer, until evaluations become so slow that batches would be too
        // coarse for shards.
        let area = size.area();
        let (run, evaluations) = match area {
            0..=49 => (100_000, 5_000_000),
            50..=64 => (300_000, 6_000_000),
            65..=122 => (1_000_000, 3_000_000),
            123..=576 => (1_000_000, 1_000_000),
            _ => (100_000, 100_000),
        };
        // What a changed cell costs grows with the board.
        let scaled = |thousandths: usize| (thousandths * area.max(61) / 100) as u32;
        Self {
            evaluations,
            run,
            hot: scaled(4938),
            warm: scaled(2469),
            cold: scaled(1482),
            plateau: 10,
            restart: 25,
            moves: Moves {
                flip: 300,
                swap: if area <= 81 { 300 } else { 60 },
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
        if self.cold == 0 || self.cold > self.hot || self.cold > self.warm {
            return Err(ParamsError::Temperature {
                hot: self.hot,
                warm: self.warm,
                cold: self.cold,
            });
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

    /// The parameters by the names under which they can be set.
    fn named(&mut self) -> [(&'static str, Number<'_>); 12] {
        use Number::{Large, Small};
        let moves = &mut self.moves;
        [
            ("evaluations", Large(&mut self.evaluations)),
            ("run", Large(&mut self.run)),
            ("hot", Small(&mut self.hot)),
            ("warm", Small(&mut self.warm)),
            ("cold", Small(&mut self.cold)),
            ("plateau", Small(&mut self.plateau)),
            ("restart", Small(&mut self.restart)),
            ("flip", Small(&mut moves.flip)),
            ("swap", Small(&mut moves.swap)),
            ("shift", Small(&mut moves.shift)),
            ("goal", Small(&mut moves.goal)),
            ("best-goal", Small(&mut moves.best_goal)),
        ]
    }

    /// Sets one parameter by its name.
    ///
    /// # Errors
    /// [`ParamsError::Unknown`], [`ParamsError::TooLarge`].
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ParamsError> {
        let mut named = self.named();
        let Some((name, number)) = named.iter_mut().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = named.iter().map(|(known, _)| *known).collect();
            return Err(ParamsError::Unknown(known.join(", ")));
        };
        match number {
            Number::Large(number) => **number = value,
            Number::Small(number) => {
                **number = u32::try_from(value).map_err(|_| ParamsError::TooLarge(name))?;
            }
        }
        Ok(())
    }
}

/// Where a parameter is kept.
enum Number<'a> {
    Small(&'a mut u32),
    Large(&'a mut u64),
}
