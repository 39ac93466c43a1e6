//! Short runs one by one, for searches that have their own idea of where to
//! begin.

use super::Params;
use super::batch::{Progress, scatter};
use super::elite::Elite;
use super::run::{Runner, Stopped};
use crate::board::{Board, Cell};
use crate::search::field::Field;
use crate::search::random::Random;

/// How much longer a run from a random layout is.
const FROM_NOTHING: u64 = 10;

/// Makes short runs.
pub(in crate::search) struct Polisher<'a, F: Field> {
    runner: Runner<'a, F>,
}

impl<'a, F: Field> Polisher<'a, F> {
    pub(in crate::search) fn new(field: F, params: &'a Params, random: Random) -> Self {
        Self {
            runner: Runner::new(field, params, random),
        }
    }

    /// Backward searches made so far.
    pub(in crate::search) const fn evaluations(&self) -> u64 {
        self.runner.effort.evaluations
    }

    /// How many of them led to a move.
    pub(in crate::search) const fn accepted(&self) -> u64 {
        self.runner.effort.accepted
    }

    pub(in crate::search) const fn random(&mut self) -> &mut Random {
        &mut self.runner.random
    }

    /// A run from a layout and goal, which must be floor, or a longer one from a
    /// random layout. Gives the best state, if any has a level; `Err` if
    /// `control` said stop.
    pub(in crate::search) fn polish(
        &mut self,
        start: Option<(&Board, Cell)>,
        control: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Option<(Board, Cell)>, Stopped> {
        let runner = &mut self.runner;
        let params = runner.params;
        let (goal, hot, evaluations) = if let Some((board, goal)) = start {
            runner.field.load(board);
            (runner.field.number(goal), params.warm, params.run)
        } else {
            let goal = scatter(&mut runner.field, &mut runner.random);
            (goal, params.hot, params.run.saturating_mul(FROM_NOTHING))
        };
        let mut elite = Elite::default();
        runner.run(goal, hot, evaluations, &mut elite, control)?;
        let state = elite.states().next();
        Ok(state.map(|(board, goal)| (board.clone(), runner.field.cell(goal))))
    }
}
