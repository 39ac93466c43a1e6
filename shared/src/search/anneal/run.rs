//! One run: cool, walk the plateau, take the best goal.

use super::batch::Progress;
use super::elite::Elite;
use super::moves::{Move, Proposer};
use super::params::Params;
use super::temperature::{Cooling, Temperature};
use crate::search::field::Field;
use crate::search::random::Random;

/// Evaluations between two looks at the control, for boards of 64 cells; larger
/// boards look more often as their evaluations take longer.
const CONTROL_EVERY: usize = 1 << 12;

/// Counters of a batch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Effort {
    pub(super) evaluations: u64,
    /// Evaluations that led to a move.
    pub(super) accepted: u64,
}

/// What a run works with.
pub(super) struct Runner<'a, F: Field> {
    pub(super) field: F,
    pub(super) random: Random,
    pub(super) effort: Effort,
    pub(super) params: &'a Params,
    proposer: Proposer,
    control_every: u64,
    /// Evaluations, and proposals that cost none, until the next look.
    look: u64,
}

/// The best scores so far.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// Of the batch.
    best: u32,
    /// Of the run under way.
    run_best: u32,
}

impl Seen {
    const fn now(elite: &Elite, run_best: u32) -> Self {
        Self {
            best: elite.score(),
            run_best,
        }
    }
}

/// A temperature in moves.
fn moves(thousandths: u32) -> f64 {
    f64::from(thousandths) / 1e3
}

/// The control said stop; the batch is not what it should be.
#[derive(Debug)]
pub(in crate::search) struct Stopped;

impl<'a, F: Field> Runner<'a, F> {
    pub(super) fn new(field: F, params: &'a Params, random: Random) -> Self {
        let area = field.area();
        Self {
            control_every: (CONTROL_EVERY * 64 * 64 / (area * area).max(64 * 64)).max(1) as u64,
            field,
            random,
            effort: Effort::default(),
            params,
            proposer: Proposer::new(params.moves),
            look: 0,
        }
    }

    /// Share of the batch that is done, 0..=1.
    fn fraction(&self) -> f64 {
        (self.effort.evaluations as f64 / self.params.evaluations as f64).min(1.0)
    }

    /// One counted evaluation of the layout as it is; below `least` any number
    /// that is below it will do.
    #[inline]
    fn score(&mut self, goal: usize, least: u32) -> u32 {
        self.effort.evaluations += 1;
        self.field.score(goal, least)
    }

    /// Asks the control, if it is time.
    #[inline]
    fn look(
        &mut self,
        seen: Seen,
        control: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<(), Stopped> {
        self.look = self.look.saturating_sub(1);
        if self.look > 0 {
            return Ok(());
        }
        self.look = self.control_every;
        let progress = Progress {
            evaluations: self.effort.evaluations,
            accepted: self.effort.accepted,
            best: seen.best,
            run_best: seen.run_best,
            fraction: self.fraction(),
        };
        if control(&progress) {
            Ok(())
        } else {
            Err(Stopped)
        }
    }

    /// The best goal of the layout and its score; the lowest of equal ones. On
    /// a layout without floor the score is 0.
    fn best_goal(
        &mut self,
        seen: Seen,
        control: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<(usize, u32), Stopped> {
        let mut best = (0, 0);
        for goal in 0..self.field.area() {
            if self.field.is_floor(goal) {
                self.look(seen, control)?;
                let score = self.score(goal, best.1 + 1);
                if score > best.1 {
                    best = (goal, score);
                }
            }
        }
        Ok(best)
    }

    /// Runs from the layout in the field and this goal, which must be floor, and
    /// gives the best score of the run. `elite` sees every state at least as
    /// good as all before it in this run.
    pub(super) fn run(
        &mut self,
        mut goal: usize,
        hot: u32,
        evaluations: u64,
        elite: &mut Elite,
        control: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<u32, Stopped> {
        let start = self.effort.evaluations;
        let walk = evaluations / 100 * u64::from(self.params.plateau);
        let cool = evaluations - walk;
        let mut cooling = Cooling::new(moves(hot), moves(self.params.cold), cool);
        let frozen = Temperature::frozen();
        let mut score = self.score(goal, 0);
        let mut best = score;
        elite.offer(&self.field, goal, score);
        let mut proposals = 0;
        loop {
            let spent = self.effort.evaluations - start;
            // Impossible proposals are free, but a board may allow no other.
            if spent >= evaluations || proposals >= evaluations.saturating_mul(64) {
                break;
            }
            proposals += 1;
            let seen = Seen::now(elite, best);
            self.look(seen, control)?;
            let Some(proposed) = self.proposer.propose(&self.field, goal, &mut self.random) else {
                continue;
            };
            let temperature = if spent < cool {
                cooling.at(spent)
            } else {
                &frozen
            };
            let accepted;
            if proposed == Move::BestGoal {
                let (cell, to) = self.best_goal(seen, control)?;
                accepted = to > score;
                if accepted {
                    (goal, score) = (cell, to);
                }
            } else {
                proposed.toggle(&mut self.field);
                let to_goal = proposed.goal(goal);
                let to = self.score(to_goal, Temperature::least(score));
                accepted = temperature.accepts(score, to, &mut self.random);
                if accepted {
                    (goal, score) = (to_goal, to);
                } else {
                    proposed.toggle(&mut self.field);
                }
                self.field.keep();
            }
            self.effort.accepted += u64::from(accepted);
            if accepted && score >= best {
                best = score;
                elite.offer(&self.field, goal, score);
            }
        }
        let (cell, score) = self.best_goal(Seen::now(elite, best), control)?;
        if score > best {
            best = score;
            elite.offer(&self.field, cell, score);
        }
        Ok(best)
    }
}
