//! The answer of a finished search.

use std::collections::{BTreeMap, BTreeSet};

use super::{Control, ENGINE, Mode, Search, Tally};
use crate::{
    board::{Cell, Size},
    level::Level,
    search::{
        Convention, Counts, census,
        growth::{self, GoalTally},
        hunt::{self, Found},
    },
};

/// How many witnesses an answer holds at most.
pub const MAX_WITNESSES: usize = census::MAX_WITNESSES;

/// The answer of a finished search.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// True when the answer is proven to be the maximum.
    pub proven: bool,
    /// The maximum and the levels that attain it, by [`Convention`].
    pub optimum: [Optimum; 2],
    /// One level per class of optimal levels, the player anywhere: those with
    /// the player off the goal first, then by floor and board; at most
    /// [`MAX_WITNESSES`]. In mode floor, one level for each number of cells
    /// that allows more moves than one cell less. Of a hunt: the best levels
    /// found, in their order.
    pub witnesses: Vec<Witness>,
    /// Classes of optimal levels without a witness in the list.
    pub witnesses_left_out: u64,
    /// Minimal sets (exhaustive).
    pub floor_sets: u64,
    /// Pairs of a minimal set and a state it is minimal for (exhaustive).
    pub states: u64,
    /// Wall layouts up to symmetry (census).
    pub canonical_layouts: u64,
    /// Layouts by the best number of moves that they admit (census).
    pub histogram: Vec<HistogramBin>,
    /// What the hunt did (heuristic modes).
    pub hunt: Option<Effort>,
    /// The maximum for each limit on the number of floor cells (floor).
    pub by_floor_limit: Vec<FloorLimit>,
    /// Version of the engine.
    pub engine: &'static str,
    /// Digest of all that was visited; independent of how it was cut.
    pub digest: u128,
}

impl Answer {
    /// The optimum under a convention.
    pub fn optimum(&self, convention: Convention) -> &Optimum {
        &self.optimum[convention as usize]
    }

    /// Puts the levels, one per class, in order and keeps the first.
    fn set_witnesses(&mut self, levels: &[Level], moves: u32) {
        let mut levels: Vec<Level> = levels.iter().map(Level::canonical).collect();
        levels.sort_by_cached_key(|level| (level.player_on_goal(), level.floor(), level.clone()));
        self.witnesses_left_out = levels.len().saturating_sub(MAX_WITNESSES) as u64;
        levels.truncate(MAX_WITNESSES);
        let witness = |level| Witness { level, moves };
        self.witnesses = levels.into_iter().map(witness).collect();
    }
}

/// A level that attains a maximum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The level.
    pub level: Level,
    /// Length of its shortest solution, as the engine found it.
    pub moves: u32,
}

/// The largest shortest solution with at most so many floor cells, in the
/// unbounded plane, the player anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloorLimit {
    /// The most floor cells.
    pub floor: u32,
    /// Moves.
    pub max_moves: u32,
}

/// The largest shortest solution, and all levels that have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Optimum {
    /// Moves; `None` when no level exists.
    pub max_moves: Option<u32>,
    /// All optimal levels.
    pub total: Counts,
    /// The same by number of floor cells, ascending.
    pub by_floor: Vec<FloorCount>,
    /// True when more starts attain the maximum than a tally keeps, so that
    /// the counts are lower bounds.
    pub counts_are_lower_bounds: bool,
}

impl Optimum {
    fn new(max_moves: Option<u32>, capped: bool, by_floor: BTreeMap<u32, Counts>) -> Self {
        let mut total = Counts::default();
        let count = |(floor, count)| {
            total += count;
            FloorCount { floor, count }
        };
        let by_floor = by_floor.into_iter().map(count).collect();
        Self {
            max_moves,
            total,
            by_floor,
            counts_are_lower_bounds: capped,
        }
    }
}

/// What a hunt did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effort {
    /// Batches completed.
    pub batches: u64,
    /// Layouts scored.
    pub evaluations: u64,
    /// How many of them were accepted as the next state.
    pub accepted: u64,
    /// Number of runs by the best score that they reached.
    pub runs: BTreeMap<u32, u64>,
    /// Moves of the best level of each round that found any.
    pub by_round: BTreeMap<u32, u32>,
    /// Layouts covered around levels, by the name of their family.
    pub covered: BTreeMap<&'static str, u64>,
    /// Levels that layouts were covered around.
    pub centres: u64,
}

/// Numbers of levels with so many floor cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloorCount {
    /// Floor cells.
    pub floor: u32,
    /// Levels and layouts.
    pub count: Counts,
}

/// Numbers of layouts whose best level has so many moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistogramBin {
    /// Moves; 0 = no level on the layout.
    pub moves: u32,
    /// Layouts up to the symmetries of the board.
    pub canonical_layouts: u64,
    /// All layouts.
    pub layouts: u64,
}

/// The final step of a search: counts all optimal levels. Runs on the present
/// rayon pool; `None` if `control` stopped it.
pub fn finish(search: &Search, tally: &Tally, control: &Control) -> Option<Answer> {
    let answer = Answer {
        proven: true,
        optimum: Default::default(),
        witnesses: Vec::new(),
        witnesses_left_out: 0,
        floor_sets: 0,
        states: 0,
        canonical_layouts: 0,
        histogram: Vec::new(),
        hunt: None,
        by_floor_limit: Vec::new(),
        engine: ENGINE,
        digest: tally.digest(),
    };
    match tally {
        Tally::Growth(goals) if search.mode == Mode::Floor => {
            Some(finish_floor(search.size, goals, answer))
        }
        Tally::Growth(goals) => finish_growth(search.size, goals, control, answer),
        Tally::Census(tally) => Some(finish_census(search.size, tally, answer)),
        Tally::Hunt(tally) => Some(finish_hunt(tally, answer)),
    }
}

fn finish_growth(
    size: Size,
    goals: &BTreeMap<Cell, GoalTally>,
    control: &Control,
    mut answer: Answer,
) -> Option<Answer> {
    answer.floor_sets = goals.values().map(GoalTally::sets).sum();
    answer.states = goals.values().map(GoalTally::states).sum();
    for convention in Convention::ALL {
        let best = || {
            goals
                .iter()
                .map(|(&goal, tally)| (goal, tally.best(convention)))
        };
        let moves = best().map(|(_, best)| best.moves).max().unwrap_or(0);
        let optimal = growth::all_optimal(size, best(), || control.should_stop())?;
        let capped = best().any(|(_, best)| best.moves == moves && best.is_capped());
        answer.optimum[convention as usize] =
            Optimum::new((moves > 0).then_some(moves), capped, optimal.by_floor);
        if convention == Convention::AnyStart {
            let levels = optimal.classes.iter().filter_map(|class| {
                let (board, player, box_cell, goal) = class.parts(size);
                Level::new(board, player, box_cell, goal).ok()
            });
            answer.set_witnesses(&levels.collect::<Vec<_>>(), moves);
        }
    }
    Some(answer)
}

/// Counts the levels that were found and their images: lower bounds.
fn finish_hunt(tally: &hunt::Tally, mut answer: Answer) -> Answer {
    answer.proven = false;
    for convention in Convention::ALL {
        let counts =
            |found: &&Found| convention == Convention::AnyStart || !found.level.player_on_goal();
        let mut by_floor: BTreeMap<u32, Counts> = BTreeMap::new();
        let mut layouts = BTreeSet::new();
        for found in tally.found.iter().filter(counts) {
            let line = by_floor.entry(found.floor).or_default();
            line.levels += found.level.orbit().len() as u64;
            line.level_classes += 1;
            let layout = found.level.board().canonical();
            if layouts.insert(layout.clone()) {
                line.layouts += layout.orbit_size() as u64;
                line.layout_classes += 1;
            }
        }
        let moves = (!by_floor.is_empty()).then_some(tally.moves);
        answer.optimum[convention as usize] = Optimum::new(moves, true, by_floor);
    }
    let levels = tally.found.iter();
    answer.witnesses = levels
        .map(|found| Witness {
            level: found.level.clone(),
            moves: tally.moves,
        })
        .collect();
    answer.hunt = Some(Effort {
        batches: tally.batches,
        evaluations: tally.evaluations,
        accepted: tally.accepted,
        runs: tally.runs.clone(),
        by_round: tally.by_round.clone(),
        covered: tally
            .covered
            .iter()
            .map(|(family, &layouts)| (family.name(), layouts))
            .collect(),
        centres: tally.centres,
    });
    answer
}

/// The running maximum over the layers. Nothing is counted: in the plane each
/// level has infinitely many copies with more floor out of reach.
fn finish_floor(size: Size, goals: &BTreeMap<Cell, GoalTally>, mut answer: Answer) -> Answer {
    answer.floor_sets = goals.values().map(GoalTally::sets).sum();
    answer.states = goals.values().map(GoalTally::states).sum();
    for convention in Convention::ALL {
        let best = goals.values().map(|tally| tally.best(convention).moves);
        let moves = best.max().filter(|&moves| moves > 0);
        answer.optimum[convention as usize].max_moves = moves;
    }
    let mut max_moves = 0;
    let limit = size.rows().div_ceil(2);
    for cells in 3..=usize::from(limit) {
        for (&goal, tally) in goals {
            let Some(layer) = tally.layers.get(cells) else {
                continue;
            };
            if let Some(start) = &layer.start
                && layer.moves > max_moves
                && let Some(level) = start.level(size, goal)
            {
                max_moves = layer.moves;
                let moves = layer.moves;
                answer.witnesses.push(Witness { level, moves });
            }
        }
        answer.by_floor_limit.push(FloorLimit {
            floor: cells as u32,
            max_moves,
        });
    }
    answer
}

fn finish_census(size: Size, tally: &census::Tally, mut answer: Answer) -> Answer {
    let histogram = &tally.histogram.anywhere;
    answer.canonical_layouts = tally.layouts().canonical;
    answer.histogram = [(0, histogram.without_level)]
        .into_iter()
        .chain(
            histogram
                .by_moves
                .iter()
                .map(|(&moves, &layouts)| (moves, layouts)),
        )
        .map(|(moves, layouts)| HistogramBin {
            moves,
            canonical_layouts: layouts.canonical,
            layouts: layouts.raw,
        })
        .collect();
    let optimal = &tally.optimal;
    for (convention, optimal) in Convention::ALL
        .into_iter()
        .zip([&optimal.off_goal, &optimal.anywhere])
    {
        answer.optimum[convention as usize] =
            Optimum::new(optimal.moves, false, optimal.by_floor.clone());
    }
    let best = &optimal.anywhere;
    let levels = best.witnesses.iter().filter_map(|witness| {
        let (board, start) = witness.level(size, best.moves?)?;
        Level::new(board, start.player, start.box_cell, start.goal).ok()
    });
    answer.set_witnesses(&levels.collect::<Vec<_>>(), best.moves.unwrap_or(0));
    let classes = best.counts().level_classes;
    answer.witnesses_left_out = classes.saturating_sub(answer.witnesses.len() as u64);
    answer
}
