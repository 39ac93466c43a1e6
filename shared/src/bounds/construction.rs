//! A family of levels whose shortest solutions grow with n⁴/56.
//!
//! The box is pushed along a path of `bands` horizontal bands with `m` teeth
//! each; path and a closing walk form one loop. Each turn of the path has a
//! pocket of four cells, reached only from behind the turn, in which the
//! player must stand to push on; the only way there is around the whole loop.
//! From "关于单箱推箱子的最大最优步数" (2026-09), where it is proven that no
//! solution is shorter.

use super::construction_moves;
use crate::board::{Board, Cell, Dir, Size, SizeError};
use crate::level::{Level, LevelError, Lurd, Move};

/// Width of half a tooth, in cells.
const STEP: i32 = 4;
/// Height of a tooth.
const TOOTH: i32 = 3;
/// Distance of two bands.
const GAP: i32 = 7;

/// Why there is no such construction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    /// Too few teeth or bands.
    #[error(
        "the construction needs at least 2 teeth and an even number of at least 2 bands, not {m} and {bands}"
    )]
    Parameters {
        /// Teeth asked for.
        m: u64,
        /// Bands asked for.
        bands: u64,
    },
    /// The board would be larger than boards may be.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The board asked for is smaller than the construction.
    #[error("{m} teeth and {bands} bands need a board of {needed}x{needed}, not {n}x{n}")]
    TooSmall {
        /// Teeth asked for.
        m: u64,
        /// Bands asked for.
        bands: u64,
        /// Smallest side.
        needed: u64,
        /// Side asked for.
        n: u64,
    },
    /// A part is not where it should be; a fault of this program.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// A level of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Construction {
    /// Teeth of each band.
    pub m: u64,
    /// Number of bands.
    pub bands: u64,
    /// The level, on a square board.
    pub level: Level,
    /// A shortest solution.
    pub solution: Lurd,
    /// Length of the loop, in cells.
    pub loop_length: u64,
    /// Number of turns of the box path.
    pub turns: u64,
    /// Number of pushes: length of the box path.
    pub pushes: u64,
    /// Moves of a shortest solution by the formula.
    pub predicted_moves: u128,
}

/// The most bands that are no higher than `m` teeth are wide.
const fn default_bands(m: u64) -> u64 {
    2 * ((8 * m + 15) / 14)
}

/// The best teeth and bands that fit an n×n board; `None` for n < 30.
pub fn best_parameters(n: u64) -> Option<(u64, u64)> {
    if n < 30 {
        return None;
    }
    // The moves grow with both numbers, and neither takes room from the other.
    Some(((n - 14) / 8, 2 * ((n + 1) / 14)))
}

/// Builds the level with `m` teeth in each band, on the smallest square board
/// or one of the side `n`. Without a number of bands there are as many as fit
/// the width of the teeth.
///
/// # Errors
/// [`ConstructionError`] if there are too few teeth or bands, or the board
/// gets too large or is too small.
pub fn construct(
    m: u64,
    bands: Option<u64>,
    n: Option<u64>,
) -> Result<Construction, ConstructionError> {
    // No board has room for more teeth; refused before any arithmetic.
    if m > 1000 || bands.is_some_and(|bands| bands > 1000) {
        let side = 8 * u128::from(m) + 14;
        let side = side.max(7 * u128::from(bands.unwrap_or(0)));
        let side = u64::try_from(side).unwrap_or(u64::MAX);
        Size::new(side, side)?;
    }
    let bands = bands.unwrap_or_else(|| default_bands(m));
    if m < 2 || bands < 2 || bands % 2 == 1 {
        return Err(ConstructionError::Parameters { m, bands });
    }
    let needed = (8 * m + 14).max(7 * bands - 1);
    let side = n.unwrap_or(needed);
    if side < needed {
        return Err(ConstructionError::TooSmall {
            m,
            bands,
            needed,
            n: side,
        });
    }
    let size = Size::new(side, side)?;
    let plan = Plan::new(m as i32, bands as i32);
    Ok(Construction {
        m,
        bands,
        level: plan.level(size)?,
        solution: plan.solution(),
        loop_length: (plan.path.len() + plan.closure.len() - 2) as u64,
        turns: plan.turns().count() as u64,
        pushes: (plan.path.len() - 1) as u64,
        predicted_moves: construction_moves(m, bands),
    })
}

/// A point: column to the right, row downwards; the box starts at (0, 0).
type Point = (i32, i32);

const fn add(a: Point, b: Point) -> Point {
    (a.0 + b.0, a.1 + b.1)
}

const fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

/// Box path and closing walk as cells.
struct Plan {
    /// From the box to the goal.
    path: Vec<Point>,
    /// From the box to the goal the other way; the ends are those of the path.
    closure: Vec<Point>,
}

impl Plan {
    fn new(m: i32, bands: i32) -> Self {
        let width = 2 * STEP * m;
        let mut corners = vec![(0, 0)];
        for band in 0..bands {
            let y = GAP * band;
            let forward = band % 2 == 0;
            let x = |x: i32| if forward { x } else { width - x };
            for tooth in 0..m {
                let left = 2 * STEP * tooth;
                corners.push((x(left + STEP), y));
                corners.push((x(left + STEP), y + TOOTH));
                corners.push((x(left + 2 * STEP), y + TOOTH));
                corners.push((x(left + 2 * STEP), y));
            }
            if band < bands - 1 {
                let (edge, outside) = if forward {
                    (width, width + STEP)
                } else {
                    (0, -STEP)
                };
                corners.push((outside, y));
                corners.push((outside, y + GAP));
                corners.push((edge, y + GAP));
            }
        }
        let goal = (0, GAP * (bands - 1) - TOOTH);
        corners.push(goal);
        let far = -2 * STEP;
        Self {
            path: cells_between(&corners),
            closure: cells_between(&[(0, 0), (far, 0), (far, goal.1), goal]),
        }
    }

    /// The turns of the box path: index in the path, direction before and
    /// behind the turn.
    fn turns(&self) -> impl Iterator<Item = (usize, Point, Point)> + '_ {
        self.path
            .windows(3)
            .enumerate()
            .filter_map(|(index, three)| {
                let before = minus(three[1], three[0]);
                let behind = minus(three[2], three[1]);
                (before != behind).then_some((index + 1, before, behind))
            })
    }

    fn floor(&self) -> Vec<Point> {
        let mut floor = self.path.clone();
        floor.extend(&self.closure);
        for (index, before, behind) in self.turns() {
            let turn = self.path[index];
            floor.push(minus(turn, behind));
            floor.push(minus(add(turn, before), behind));
            floor.push(add(turn, before));
            floor.push(add(add(turn, before), behind));
        }
        floor
    }

    fn level(&self, size: Size) -> Result<Level, LevelError> {
        let floor = self.floor();
        let left = floor.iter().map(|point| point.0).min().unwrap_or_default();
        let top = floor.iter().map(|point| point.1).min().unwrap_or_default();
        let cell =
            |point: Point| -> Cell { size.cell((point.1 - top) as u16, (point.0 - left) as u16) };
        let (start, goal) = (self.path[0], self.path[self.path.len() - 1]);
        Level::new(
            Board::from_floor(size, floor.iter().map(|&point| cell(point))),
            cell((start.0 - 1, start.1)),
            cell(start),
            cell(goal),
        )
    }

    /// Pushes along the path, and at each turn once around the loop and through
    /// the turn's pocket.
    fn solution(&self) -> Lurd {
        let mut moves = Vec::new();
        let mut turns = self.turns().peekable();
        for index in 1..self.path.len() {
            let at_turn = turns.next_if(|&(turn, _, _)| turn == index - 1);
            if let Some((turn, before, behind)) = at_turn {
                let around = self.path[..turn].iter().rev();
                let around = around.chain(&self.closure[1..self.closure.len() - 1]);
                let around: Vec<Point> = around
                    .chain(self.path[turn + 1..].iter().rev())
                    .copied()
                    .collect();
                let way = around.windows(2).map(|pair| minus(pair[1], pair[0]));
                let back = (-behind.0, -behind.1);
                let pocket = [before, back, back, (-before.0, -before.1)];
                moves.extend(way.chain(pocket).map(|step| walk(step, false)));
            }
            let push = minus(self.path[index], self.path[index - 1]);
            moves.push(walk(push, true));
        }
        moves.into_iter().collect()
    }
}

fn walk(step: Point, push: bool) -> Move {
    let dir = match step {
        (-1, _) => Dir::Left,
        (1, _) => Dir::Right,
        (_, -1) => Dir::Up,
        _ => Dir::Down,
    };
    Move { dir, push }
}

/// All cells of a line through these corners.
fn cells_between(corners: &[Point]) -> Vec<Point> {
    let mut cells = vec![corners[0]];
    for pair in corners.windows(2) {
        let (dx, dy) = minus(pair[1], pair[0]);
        let step = (dx.signum(), dy.signum());
        for _ in 0..dx.abs().max(dy.abs()) {
            cells.push(add(cells[cells.len() - 1], step));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::seeds;
    use crate::solve::{Metrics, replay, shortest};

    fn built(m: u64) -> Construction {
        construct(m, None, None).unwrap()
    }

    #[test]
    fn the_published_30x30_board() {
        let published = &seeds()[23].level;
        assert_eq!(&built(2).level, published);
    }

    /// Side, loop, turns and moves as published; the moves by formula, by the
    /// built solution and by solving.
    #[test]
    fn published_constructions() {
        for (m, bands, side, loop_length, turns, moves) in [
            (2, 4, 30, 194, 37, 7412),
            (4, 6, 46, 462, 105, 49_134),
            (6, 8, 62, 842, 205, 173_800),
            (7, 10, 70, 1194, 297, 356_330),
        ] {
            let found = built(m);
            assert_eq!(found.bands, bands);
            assert_eq!(found.level.size(), Size::new(side, side).unwrap());
            assert_eq!(found.loop_length, loop_length);
            assert_eq!(found.turns, turns);
            assert_eq!(found.predicted_moves, moves);
            let replay = replay(&found.level, &found.solution);
            assert!(replay.is_solution() && replay.first_wrong_case.is_none());
            let metrics = Metrics::of(&replay);
            assert_eq!(metrics.moves as u128, moves);
            assert_eq!(metrics.pushes as u64, found.pushes);
            let solved = shortest(&found.level).unwrap().unwrap();
            assert_eq!(u128::from(solved.moves), moves);
            assert_eq!(u64::from(solved.pushes), found.pushes);
        }
    }

    /// Other numbers of bands, also taller than wide.
    #[test]
    fn any_number_of_bands() {
        for (m, bands) in [(2, 2), (2, 6), (3, 2), (3, 4)] {
            let found = construct(m, Some(bands), None).unwrap();
            let solved = shortest(&found.level).unwrap().unwrap();
            assert_eq!(u128::from(solved.moves), found.predicted_moves);
            assert!(replay(&found.level, &found.solution).is_solution());
            assert_eq!(found.solution.len() as u128, found.predicted_moves);
        }
    }

    #[test]
    fn the_best_that_fits() {
        assert_eq!(best_parameters(29), None);
        assert_eq!(best_parameters(30), Some((2, 4)));
        for n in 30..200 {
            let (m, bands) = best_parameters(n).unwrap();
            let width = |m: u64| 8 * m + 14;
            let height = |bands: u64| 7 * bands - 1;
            assert!(width(m) <= n && width(m + 1) > n);
            assert!(height(bands) <= n && height(bands + 2) > n);
        }
        let found = construct(2, Some(4), Some(37)).unwrap();
        assert_eq!(found.level.size(), Size::new(37, 37).unwrap());
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        assert!(matches!(
            construct(1, None, None),
            Err(ConstructionError::Parameters { .. })
        ));
        assert!(matches!(
            construct(2, Some(3), None),
            Err(ConstructionError::Parameters { .. })
        ));
        assert!(matches!(
            construct(31, None, None),
            Err(ConstructionError::Size(_))
        ));
        assert!(matches!(
            construct(u64::MAX, None, None),
            Err(ConstructionError::Size(_))
        ));
        assert!(matches!(
            construct(2, Some(u64::MAX - 1), None),
            Err(ConstructionError::Size(_))
        ));
        assert!(matches!(
            construct(2, None, Some(29)),
            Err(ConstructionError::TooSmall { .. })
        ));
    }
}
