//! Growths in a row.

use std::collections::BTreeMap;

use super::Params;
use crate::analysis::long_walks;
use crate::board::{Board, Cell, Size};
use crate::level::Level;
use crate::search::anneal::Progress;
use crate::search::field::{self, Field, WithField};
use crate::search::growth::{self, FloorSet};
use crate::search::hunt::hardest;
use crate::search::random::Random;
use crate::solve::shortest;

/// Levels kept at most.
const KEPT: usize = 16;

/// Sets grown between two looks at the control.
const STEP: usize = 64;

/// What a batch of growths gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grown {
    /// The best levels, all of the same moves, in the order in which they were
    /// found.
    pub levels: Vec<Level>,
    /// Backward searches made.
    pub evaluations: u64,
    /// Sets that were kept.
    pub accepted: u64,
    /// Number of growths by the best score that they reached.
    pub runs: BTreeMap<u32, u64>,
}

/// Grows levels. `control` is told of the progress and says whether to go on;
/// `None` if it said no.
pub fn run(
    size: Size,
    params: &Params,
    random: Random,
    control: &mut dyn FnMut(&Progress) -> bool,
) -> Option<Grown> {
    let task = Task {
        size,
        params,
        random,
        control,
    };
    field::with(size, task)
}

struct Task<'a> {
    size: Size,
    params: &'a Params,
    random: Random,
    control: &'a mut dyn FnMut(&Progress) -> bool,
}

impl WithField for Task<'_> {
    type Out = Option<Grown>;

    fn run<F: Field>(self, field: F) -> Option<Grown> {
        let goals = growth::goals_of(self.size);
        let goals: Vec<Cell> = goals
            .into_iter()
            .map(|(goal, _)| goal)
            .filter(|&goal| !growth::tree_roots(self.size, goal).is_empty())
            .collect();
        let evaluations = self.params.evaluations;
        let mut grower = Grower {
            task: self,
            field,
            grown: Grown::default(),
            best: 0,
        };
        while grower.grown.evaluations < evaluations {
            let goal = goals[grower.task.random.below(goals.len())];
            let best = grower.grow(goal)?;
            *grower.grown.runs.entry(best).or_default() += 1;
            // A growth that finds nothing to score would not count otherwise.
            grower.grown.evaluations += 1;
        }
        Some(grower.grown)
    }
}

struct Grower<'a, F> {
    task: Task<'a>,
    field: F,
    grown: Grown,
    best: u32,
}

impl<F: Field> Grower<'_, F> {
    /// One growth; the most moves that it reached.
    fn grow(&mut self, goal: Cell) -> Option<u32> {
        let size = self.task.size;
        let mut beam = growth::tree_roots(size, goal);
        let mut reached = 0;
        for cells in 3..=size.area() as u16 {
            let mut next: Vec<(u64, FloorSet)> = Vec::new();
            for roots in beam.chunks(STEP) {
                // A set that is too large to go on from ends the growth.
                for set in growth::layer(size, goal, roots, cells).unwrap_or_default() {
                    let (moves, rank) = self.rank(&set, goal);
                    reached = reached.max(moves);
                    next.push((rank, set));
                }
                let progress = Progress {
                    evaluations: self.grown.evaluations,
                    accepted: self.grown.accepted,
                    best: self.best,
                    run_best: reached,
                    fraction: (self.grown.evaluations as f64 / self.task.params.evaluations as f64)
                        .min(1.0),
                };
                if !(self.task.control)(&progress) {
                    return None;
                }
            }
            if next.is_empty() {
                break;
            }
            next.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            next.truncate(self.task.params.width as usize);
            self.grown.accepted += next.len() as u64;
            beam = next.into_iter().map(|(_, set)| set).collect();
        }
        Some(reached)
    }

    /// Moves of a set, and what it is ranked by: thousandths of a move.
    fn rank(&mut self, set: &FloorSet, goal: Cell) -> (u32, u64) {
        let params = self.task.params;
        let board = Board::from_floor(self.task.size, set.cells());
        self.field.load(&board);
        let number = self.field.number(goal);
        let moves = self.field.score(number, 0);
        self.grown.evaluations += 1;
        if moves > 0 && moves >= self.best {
            self.keep(&board, goal, moves);
        }
        let noise = self.task.random.below(params.noise as usize + 1) as u64;
        let walks = if params.walks > 0 {
            loops(&board, goal) * u64::from(params.walks)
        } else {
            0
        };
        (moves, u64::from(moves) * 1000 + noise + walks)
    }

    fn keep(&mut self, board: &Board, goal: Cell, moves: u32) {
        if moves > self.best {
            self.best = moves;
            self.grown.levels.clear();
        }
        if self.grown.levels.len() < KEPT {
            self.grown.levels.extend(hardest(board, goal));
        }
    }
}

/// Long walks of the hardest level.
fn loops(board: &Board, goal: Cell) -> u64 {
    let solution = hardest(board, goal).and_then(|level| shortest(&level).ok()?);
    let walks = solution.and_then(|solution| long_walks(&solution.lurd));
    walks.map_or(0, |walks| walks.loops as u64)
}
