//! A batch: runs in a row, their starts and their yield.

use std::collections::BTreeMap;

use super::elite::Elite;
use super::params::{MAX_AREA, Params, ParamsError};
use super::run::{Runner, Stopped};
use crate::board::{Board, Cell, Size};
use crate::level::Level;
use crate::search::field::{self, Field, WithField};
use crate::search::hunt::hardest;
use crate::search::random::Random;
use crate::search::score;

/// A level to start from: only the layout and the goal matter, box and player
/// follow from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// The layout.
    pub board: Board,
    /// The goal, which must be floor.
    pub goal: Cell,
}

/// The result of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The best levels, all of the same moves, those with the least floor
    /// first; at most [`MAX_KEPT`](super::MAX_KEPT). Images of each other may be among them.
    pub best: Vec<Level>,
    /// Backward searches made.
    pub evaluations: u64,
    /// How many of them led to a move.
    pub accepted: u64,
    /// Number of runs by the best score that they reached.
    pub runs: BTreeMap<u32, u64>,
    /// Whether the batch was stopped early. What it found is real, but a stopped
    /// batch is not the result of its shard.
    pub stopped: bool,
}

impl From<&Level> for Seed {
    fn from(level: &Level) -> Self {
        Self {
            board: level.board().clone(),
            goal: level.goal(),
        }
    }
}

/// How far a batch has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Backward searches made.
    pub evaluations: u64,
    /// How many of them led to a move.
    pub accepted: u64,
    /// Best score of the batch, in moves.
    pub best: u32,
    /// Best score of the run under way, in moves.
    pub run_best: u32,
    /// Share of the batch that is done, 0..=1.
    pub fraction: f64,
}

/// Why a batch cannot run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnnealError {
    /// The parameters make no sense.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// The board is larger than the scorer takes.
    #[error("boards of at most {MAX_AREA} cells are annealed, not {0}")]
    TooLarge(Size),
    /// No layout of this size has a level.
    #[error("no level exists on a {0} board")]
    NoLevel(Size),
    /// A start has another size than the board.
    #[error("start {index} is {found}, the board {expected}")]
    StartSize {
        /// Which of the starts.
        index: usize,
        /// Size of the start.
        found: Size,
        /// Size of the board.
        expected: Size,
    },
    /// A start's goal is a wall, or no start of it is solvable.
    #[error("start {index} has no solvable level with its goal")]
    StartUnsolvable {
        /// Which of the starts.
        index: usize,
    },
}

/// Checks that boards of this size can be annealed with these parameters.
///
/// # Errors
/// Why they cannot.
pub fn check(size: Size, params: &Params) -> Result<(), AnnealError> {
    params.check()?;
    if size.area() > MAX_AREA {
        return Err(AnnealError::TooLarge(size));
    }
    if size.rows().max(size.cols()) < 3 {
        return Err(AnnealError::NoLevel(size));
    }
    Ok(())
}

/// Runs a batch of a job.
///
/// With `starts`, the runs begin from each of them in turn; without, from random
/// layouts. Either way a share of them begins from the best of the batch.
/// `control` is told of the progress every few milliseconds and says whether to
/// go on.
///
/// # Errors
/// If the parameters, the board or a start cannot be used.
pub fn run(
    size: Size,
    params: &Params,
    random: Random,
    starts: &[Seed],
    control: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Batch, AnnealError> {
    check(size, params)?;
    for (index, start) in starts.iter().enumerate() {
        if start.board.size() != size {
            return Err(AnnealError::StartSize {
                index,
                found: start.board.size(),
                expected: size,
            });
        }
        if score::best_for_goal(&start.board, start.goal)
            .anywhere
            .is_none()
        {
            return Err(AnnealError::StartUnsolvable { index });
        }
    }
    let task = Task {
        params,
        random,
        starts,
        control,
    };
    Ok(field::with(size, task))
}

struct Task<'a> {
    params: &'a Params,
    random: Random,
    starts: &'a [Seed],
    control: &'a mut dyn FnMut(&Progress) -> bool,
}

impl WithField for Task<'_> {
    type Out = Batch;

    fn run<F: Field>(self, field: F) -> Batch {
        let params = self.params;
        let mut runner = Runner::new(field, params, self.random);
        let mut elite = Elite::default();
        let mut runs = BTreeMap::new();
        let mut stopped = false;
        let mut turns = self.starts.iter().cycle();
        // Every given start has its turn before the first restart.
        let mut untried = self.starts.len();
        while !stopped && runner.effort.evaluations < params.evaluations {
            let restart = untried == 0 && runner.random.below(100) < params.restart as usize;
            untried = untried.saturating_sub(1);
            let again = restart.then(|| elite.draw(&mut runner.random)).flatten();
            let (goal, hot) = if let Some((board, goal)) = again {
                runner.field.load(board);
                (goal, params.warm)
            } else if let Some(start) = turns.next() {
                runner.field.load(&start.board);
                (runner.field.number(start.goal), params.warm)
            } else {
                (scatter(&mut runner.field, &mut runner.random), params.hot)
            };
            let left = params.evaluations - runner.effort.evaluations;
            match runner.run(goal, hot, params.run.min(left), &mut elite, self.control) {
                Ok(best) => *runs.entry(best).or_default() += 1,
                Err(Stopped) => stopped = true,
            }
        }
        let best = elite
            .states()
            .filter_map(|(board, goal)| hardest(board, runner.field.cell(goal)))
            .collect();
        Batch {
            best,
            evaluations: runner.effort.evaluations,
            accepted: runner.effort.accepted,
            runs,
            stopped,
        }
    }
}

/// Fills the field with random walls, 20 to 40 % of its cells, and gives a goal
/// on the floor.
pub(super) fn scatter<F: Field>(field: &mut F, random: &mut Random) -> usize {
    let walls = 20 + random.below(21);
    for cell in 0..field.area() {
        let wall = random.below(100) < walls;
        if wall == field.is_floor(cell) {
            field.toggle(cell);
        }
    }
    let goal = random.below(field.area());
    if !field.is_floor(goal) {
        field.toggle(goal);
    }
    goal
}
