//! One generation of an island.

use super::params::Params;
use super::population::Population;
use crate::board::{Board, Cell, Size, Symmetry};
use crate::level::Level;
use crate::search::anneal::{self, Polisher, Progress};
use crate::search::field::{self, Field, WithField};
use crate::search::hunt::hardest;
use crate::search::random::Random;

/// What a generation gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// The island's levels, longest first.
    pub levels: Vec<Level>,
    /// Backward searches made.
    pub evaluations: u64,
    /// How many of them led to a move.
    pub accepted: u64,
}

/// Computes a generation of an island that begins with `starts`, or with random
/// layouts. `control` is told of the progress and says whether to go on; `None`
/// if it said no.
pub fn run(
    size: Size,
    params: &Params,
    random: Random,
    starts: &[Level],
    control: &mut dyn FnMut(&Progress) -> bool,
) -> Option<Generation> {
    let polishing = anneal::Params {
        evaluations: params.evaluations,
        run: params.polish,
        hot: params.warm.max(anneal::Params::for_size(size).hot),
        warm: params.warm,
        cold: (params.warm / 2).max(1),
        ..anneal::Params::for_size(size)
    };
    field::with(
        size,
        Task {
            size,
            params,
            polishing,
            random,
            starts,
            control,
        },
    )
}

struct Task<'a> {
    size: Size,
    params: &'a Params,
    polishing: anneal::Params,
    random: Random,
    starts: &'a [Level],
    control: &'a mut dyn FnMut(&Progress) -> bool,
}

impl WithField for Task<'_> {
    type Out = Option<Generation>;

    fn run<F: Field>(self, field: F) -> Option<Generation> {
        let Self {
            size,
            params,
            polishing,
            random,
            starts,
            control,
        } = self;
        let mut population = Population::new(params.population as usize);
        for start in starts {
            population.offer(start.clone());
        }
        let mut polisher = Polisher::new(field, &polishing, random);
        while polisher.evaluations() < params.evaluations {
            let born = if population.len() < 2 {
                None
            } else {
                Some(child(size, params, &population, polisher.random()))
            };
            let best = population.best();
            let mut watch = |progress: &Progress| {
                control(&Progress {
                    best: progress.best.max(best),
                    ..*progress
                })
            };
            let born = born.as_ref().map(|(board, goal)| (board, *goal));
            let polished = polisher.polish(born, &mut watch).ok()?;
            if let Some((board, goal)) = polished
                && let Some(level) = hardest(&board, goal)
            {
                population.offer(level);
            }
        }
        Some(Generation {
            levels: population.levels().cloned().collect(),
            evaluations: polisher.evaluations(),
            accepted: polisher.accepted(),
        })
    }
}

/// A level with a rectangle of an image of another one and some flipped cells,
/// and its goal, which is floor.
fn child(
    size: Size,
    params: &Params,
    population: &Population,
    random: &mut Random,
) -> (Board, Cell) {
    let parent = pick(population, random);
    let mut board = parent.board().clone();
    if random.below(100) >= params.single as usize {
        let symmetries = Symmetry::of(size);
        let symmetry = symmetries[random.below(symmetries.len())];
        let other = symmetry.apply_board(pick(population, random).board());
        let mut side = |length: u16| {
            let long = 1 + random.below(usize::from(length));
            let from = random.below(usize::from(length) - long + 1);
            from as u16..(from + long) as u16
        };
        let (rows, cols) = (side(size.rows()), side(size.cols()));
        for row in rows {
            for col in cols.clone() {
                let cell = size.cell(row, col);
                board.set_floor(cell, other.is_floor(cell));
            }
        }
    }
    for _ in 0..random.below(params.mutations as usize + 1) {
        let cell = Cell(random.below(size.area()) as u32);
        board.set_floor(cell, !board.is_floor(cell));
    }
    board.set_floor(parent.goal(), true);
    (board, parent.goal())
}

/// The longer of two random levels.
fn pick<'a>(population: &'a Population, random: &mut Random) -> &'a Level {
    let one = random.below(population.len());
    let other = random.below(population.len());
    population.level(one.min(other))
}
