//! A range of the layouts around a level, scored.

use std::collections::BTreeMap;
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::trim::{Trimmer, trim};
use super::{Family, Params, Space};
use crate::board::{Board, Cell};
use crate::level::Level;
use crate::search::field::{self, Field, WithField};
use crate::search::hunt::hardest;

/// Layouts in a chunk. Ranges begin and end with chunks, and the levels that
/// are kept are chosen chunk by chunk, so that they do not depend on how a
/// search is cut.
pub(in crate::search) const CHUNK: u64 = 64;

/// Evaluations between two looks at the control, times the square of the cells:
/// an evaluation takes no longer than so many states.
const LOOK_EVERY: usize = 1 << 24;

/// Levels kept of a chunk at most.
const KEPT: usize = 2;

/// What a range of layouts gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explored {
    /// Levels at least as long as the one in the middle, trimmed: of each chunk
    /// the longest ones.
    pub levels: Vec<Level>,
    /// Backward searches made.
    pub evaluations: u64,
    /// Layouts whose best goal is at least as good as the level in the middle.
    pub accepted: u64,
    /// Layouts covered, by family.
    pub covered: BTreeMap<Family, u64>,
    /// The first chunk that was not covered.
    pub next: u64,
    /// Wrapping sum of a hash of each chunk and what it gave.
    pub digest: u128,
}

/// How far a range is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Backward searches made.
    pub evaluations: u64,
    /// Largest number of moves found.
    pub best: u32,
    /// Share of the range that is done, 0..=1.
    pub fraction: f64,
}

/// Number of chunks of a space.
pub(in crate::search) fn chunks(space: &Space) -> u64 {
    space.len().div_ceil(CHUNK)
}

/// When the control is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// A chunk is done: "no" ends the range here, and nothing is lost.
    Between,
    /// In the middle of a chunk: "no" gives the chunk up.
    Within,
}

/// Told of the progress; says whether to go on.
pub type Control<'a> = dyn FnMut(&Progress, Asked) -> bool + 'a;

/// Scores the layouts of some chunks. `control` is told of the progress every few
/// milliseconds; at least one chunk is done unless it says no within that.
pub fn explore(
    space: &Space,
    params: &Params,
    range: Range<u64>,
    control: &mut Control<'_>,
) -> Explored {
    let size = space.level().size();
    field::with(
        size,
        Task {
            space,
            params,
            range,
            control,
        },
    )
}

struct Task<'a, 'b> {
    space: &'a Space,
    params: &'a Params,
    range: Range<u64>,
    control: &'a mut Control<'b>,
}

impl WithField for Task<'_, '_> {
    type Out = Explored;

    fn run<F: Field>(self, mut field: F) -> Explored {
        let Self {
            space,
            params,
            range,
            control,
        } = self;
        let level = space.level();
        field.load(level.board());
        let goal = field.number(level.goal());
        let moves = field.score(goal, 0);
        let area = level.size().area();
        let mut scorer = Scorer {
            field,
            params,
            space,
            moves,
            worth: match params.slack {
                0 => u32::MAX,
                slack => moves - moves * slack / 100,
            },
            every: (LOOK_EVERY / (area * area)).max(1) as u64,
            look: 0,
            progress: Progress {
                evaluations: 0,
                best: moves,
                fraction: 0.0,
            },
            control,
            given_up: false,
        };
        let mut explored = Explored {
            next: range.start,
            ..Explored::default()
        };
        while explored.next < range.end {
            let before = scorer.progress.evaluations;
            let Some(chunk) = scorer.chunk(explored.next) else {
                break;
            };
            explored.take(chunk);
            explored.evaluations += scorer.progress.evaluations - before;
            let done = (explored.next - range.start) as f64;
            scorer.progress.fraction = done / (range.end - range.start) as f64;
            if !(scorer.control)(&scorer.progress, Asked::Between) {
                break;
            }
        }
        explored
    }
}

/// What one chunk gave.
#[derive(Default)]
struct Chunk {
    levels: Vec<Level>,
    accepted: u64,
    covered: BTreeMap<Family, u64>,
    digest: u128,
}

impl Explored {
    fn take(&mut self, chunk: Chunk) {
        self.levels.extend(chunk.levels);
        self.accepted += chunk.accepted;
        for (family, layouts) in chunk.covered {
            *self.covered.entry(family).or_default() += layouts;
        }
        self.digest = self.digest.wrapping_add(chunk.digest);
        self.next += 1;
    }
}

struct Scorer<'a, 'b, F> {
    field: F,
    params: &'a Params,
    space: &'a Space,
    /// Moves of the level in the middle.
    moves: u32,
    /// Layouts of at least this many moves are tried with every goal.
    worth: u32,
    /// Evaluations between two looks at the control.
    every: u64,
    look: u64,
    progress: Progress,
    control: &'a mut Control<'b>,
    /// The control said no within a chunk.
    given_up: bool,
}

impl<F: Field> Scorer<'_, '_, F> {
    /// Scores a chunk; `None` if it was given up.
    fn chunk(&mut self, index: u64) -> Option<Chunk> {
        let mut chunk = Chunk::default();
        let before = self.progress.evaluations;
        let mut longest: Vec<(Board, Cell)> = Vec::new();
        let mut longest_moves = self.moves.max(1);
        self.field.load(self.space.level().board());
        self.field.keep();
        let first = index * CHUNK;
        for number in first..(first + CHUNK).min(self.space.len()) {
            let Some((family, state)) = self.space.state(number) else {
                break;
            };
            *chunk.covered.entry(family).or_default() += 1;
            let Some((board, goal)) = state else {
                continue;
            };
            let (goal, score) = self.best_goal(&board, goal);
            self.progress.best = self.progress.best.max(score);
            chunk.accepted += u64::from(score >= self.moves);
            if score > longest_moves {
                longest_moves = score;
                longest.clear();
            }
            if score == longest_moves && longest.len() < KEPT {
                longest.push((board, goal));
            }
        }
        for (board, goal) in longest {
            chunk.levels.extend(self.level(&board, goal));
        }
        if self.given_up {
            return None;
        }
        let mut hash = Sha256::new();
        hash.update(self.space.level().to_xsb());
        let evaluations = self.progress.evaluations - before;
        for number in [index, evaluations, chunk.accepted] {
            hash.update(number.to_be_bytes());
        }
        for level in &chunk.levels {
            hash.update(level.to_xsb());
        }
        let hash = hash.finalize();
        let bytes = hash.iter().take(16);
        chunk.digest = bytes.fold(0, |sum, &byte| sum << 8 | u128::from(byte));
        Some(chunk)
    }

    /// The best goal that is tried on a layout, and its moves; 0 if there is no
    /// level.
    fn best_goal(&mut self, board: &Board, goal: Cell) -> (Cell, u32) {
        self.field.load(board);
        let mut best = (goal, 0);
        self.try_goal(board, goal, &mut best);
        let near = self.params.near as u16;
        let size = board.size();
        let (row, col) = (size.row(goal), size.col(goal));
        for r in row.saturating_sub(near)..=(row + near).min(size.rows() - 1) {
            for c in col.saturating_sub(near)..=(col + near).min(size.cols() - 1) {
                if (r, c) != (row, col) {
                    self.try_goal(board, size.cell(r, c), &mut best);
                }
            }
        }
        if best.1 >= self.worth {
            for cell in board.floor_cells() {
                let is_near =
                    size.row(cell).abs_diff(row) <= near && size.col(cell).abs_diff(col) <= near;
                if !is_near {
                    self.try_goal(board, cell, &mut best);
                }
            }
        }
        best
    }

    fn try_goal(&mut self, board: &Board, goal: Cell, best: &mut (Cell, u32)) {
        if board.is_floor(goal) && !self.given_up {
            let number = self.field.number(goal);
            // What is below both decides nothing.
            let least = self.worth.min(self.moves).max(best.1 + 1);
            let moves = self.field.score(number, least);
            if moves > best.1 {
                *best = (goal, moves);
            }
            self.count();
        }
    }

    /// An evaluation was made; `false` if the chunk is given up.
    fn count(&mut self) -> bool {
        self.progress.evaluations += 1;
        if self.progress.evaluations >= self.look {
            self.look = self.progress.evaluations + self.every;
            self.given_up |= !(self.control)(&self.progress, Asked::Within);
        }
        !self.given_up
    }

    /// The hardest level of a layout and goal, trimmed.
    fn level(&mut self, board: &Board, goal: Cell) -> Option<Level> {
        let level = hardest(board, goal)?;
        let mut board = connected(&level)?;
        trim(self, &mut board, goal);
        hardest(&board, goal)
    }
}

impl<F: Field> Trimmer for Scorer<'_, '_, F> {
    type Field = F;

    fn field(&mut self) -> &mut F {
        &mut self.field
    }

    fn go_on(&mut self) -> bool {
        self.count()
    }
}

/// The reachable floor of a level, if its box and goal are on it.
pub(super) fn connected(level: &Level) -> Option<Board> {
    let board = level.reachable_floor();
    (board.is_floor(level.goal()) && board.is_floor(level.box_cell())).then_some(board)
}
