//! The families of layouts around a level, each a numbered list.

use crate::board::{Board, Cell, Size, Symmetry};
use crate::level::Level;

/// A family of layouts around a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// One cell flipped.
    Flips,
    /// Two cells flipped.
    Pairs,
    /// The cells of a square window rewritten.
    Windows,
    /// A block mirrored or rotated.
    Blocks,
    /// The rows or columns of a square block moved on by one in a circle.
    Shifts,
    /// Two square blocks exchanged.
    Swaps,
    /// The board shifted as a torus.
    Torus,
    /// A square block taken from another level or one of its images.
    Grafts,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 8] = [
        Self::Flips,
        Self::Pairs,
        Self::Windows,
        Self::Blocks,
        Self::Shifts,
        Self::Swaps,
        Self::Torus,
        Self::Grafts,
    ];

    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flips => "flips",
            Self::Pairs => "pairs",
            Self::Windows => "windows",
            Self::Blocks => "blocks",
            Self::Shifts => "shifts",
            Self::Swaps => "swaps",
            Self::Torus => "torus",
            Self::Grafts => "grafts",
        }
    }
}

/// A layout and a goal.
pub(super) type State = (Board, Cell);

/// The numbered list of one kind of change, for instance of all blocks of one
/// size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum List {
    /// Cells flipped.
    Flips,
    /// Pairs of cells flipped.
    Pairs,
    /// Windows of this side with every choice of at most so many cells flipped.
    Windows { side: u16, radius: u32 },
    /// Blocks of these rows and columns under the symmetries that keep the shape.
    Blocks { rows: u16, cols: u16 },
    /// Square blocks of this side, moved on in four directions.
    Shifts { side: u16 },
    /// Pairs of square blocks of this side; those that overlap are skipped.
    Swaps { side: u16 },
    /// Every shift but the one that changes nothing.
    Torus,
    /// Square blocks of this side from the images of another level.
    Grafts { side: u16, images: Vec<Board> },
}

impl List {
    pub(super) const fn family(&self) -> Family {
        match self {
            Self::Flips => Family::Flips,
            Self::Pairs => Family::Pairs,
            Self::Windows { .. } => Family::Windows,
            Self::Blocks { .. } => Family::Blocks,
            Self::Shifts { .. } => Family::Shifts,
            Self::Swaps { .. } => Family::Swaps,
            Self::Torus => Family::Torus,
            Self::Grafts { .. } => Family::Grafts,
        }
    }

    /// Number of layouts.
    pub(super) fn len(&self, size: Size) -> u64 {
        let area = size.area() as u64;
        match *self {
            Self::Flips => area,
            Self::Pairs => area * (area - 1) / 2,
            Self::Windows { side, radius } => places(size, side, side) * subsets(side, radius),
            Self::Blocks { rows, cols } => {
                places(size, rows, cols) * (block_symmetries(rows, cols).len() as u64)
            }
            Self::Shifts { side } => places(size, side, side) * 4,
            Self::Swaps { side } => {
                let places = places(size, side, side);
                places * places.saturating_sub(1) / 2
            }
            Self::Torus => area - 1,
            Self::Grafts { side, ref images } => places(size, side, side) * images.len() as u64,
        }
    }

    /// The layout of a number below [`List::len`], and where the goal goes.
    /// `None` if the number stands for no change of this list.
    pub(super) fn state(&self, level: &Level, number: u64) -> Option<State> {
        let size = level.size();
        let mut board = level.board().clone();
        let mut goal = level.goal();
        let flip = |board: &mut Board, cell: Cell| board.set_floor(cell, !board.is_floor(cell));
        match *self {
            Self::Flips => flip(&mut board, Cell(number as u32)),
            Self::Pairs => {
                let (low, high) = pair(number);
                flip(&mut board, Cell(low as u32));
                flip(&mut board, Cell(high as u32));
            }
            Self::Windows { side, radius } => {
                let subsets = subsets(side, radius);
                let window = Window::new(size, side, side, number / subsets);
                for index in subset(number % subsets, u32::from(side).pow(2), radius) {
                    flip(&mut board, window.cell(index));
                }
            }
            Self::Blocks { rows, cols } => {
                let symmetries = block_symmetries(rows, cols);
                let count = symmetries.len() as u64;
                let window = Window::new(size, rows, cols, number / count);
                let symmetry = symmetries[(number % count) as usize];
                let shape = Size::new(rows.into(), cols.into()).ok()?;
                window.rearrange(level, &mut board, &mut goal, |index| {
                    symmetry.apply(shape, Cell(index)).0
                });
            }
            Self::Shifts { side } => {
                let window = Window::new(size, side, side, number / 4);
                let side = u32::from(side);
                window.rearrange(level, &mut board, &mut goal, |index| {
                    let (row, col) = (index / side, index % side);
                    match number % 4 {
                        0 => (row + 1) % side * side + col,
                        1 => (row + side - 1) % side * side + col,
                        2 => row * side + (col + 1) % side,
                        _ => row * side + (col + side - 1) % side,
                    }
                });
            }
            Self::Swaps { side } => {
                let (low, high) = pair(number);
                let one = Window::new(size, side, side, low);
                let other = Window::new(size, side, side, high);
                if one.overlaps(&other) {
                    return None;
                }
                for index in 0..one.area() {
                    let (here, there) = (one.cell(index), other.cell(index));
                    board.set_floor(there, level.board().is_floor(here));
                    board.set_floor(here, level.board().is_floor(there));
                    if level.goal() == here {
                        goal = there;
                    } else if level.goal() == there {
                        goal = here;
                    }
                }
            }
            Self::Torus => {
                let by = Cell((number + 1) as u32);
                let moved = |cell: Cell| {
                    let row = (size.row(cell) + size.row(by)) % size.rows();
                    let col = (size.col(cell) + size.col(by)) % size.cols();
                    size.cell(row, col)
                };
                board = Board::from_floor(size, level.board().floor_cells().map(moved));
                goal = moved(goal);
            }
            Self::Grafts { side, ref images } => {
                let count = images.len() as u64;
                let window = Window::new(size, side, side, number / count);
                let image = images.get((number % count) as usize)?;
                for index in 0..window.area() {
                    let cell = window.cell(index);
                    board.set_floor(cell, image.is_floor(cell));
                }
            }
        }
        Some((board, goal))
    }
}

/// A rectangle of cells of a board.
struct Window {
    size: Size,
    top: u16,
    left: u16,
    rows: u16,
    cols: u16,
}

impl Window {
    /// The window at a place, counted in reading order.
    fn new(size: Size, rows: u16, cols: u16, place: u64) -> Self {
        let across = u64::from(size.cols() - cols + 1);
        Self {
            size,
            top: (place / across) as u16,
            left: (place % across) as u16,
            rows,
            cols,
        }
    }

    fn area(&self) -> u32 {
        u32::from(self.rows) * u32::from(self.cols)
    }

    fn cell(&self, index: u32) -> Cell {
        let (row, col) = (index / u32::from(self.cols), index % u32::from(self.cols));
        self.size
            .cell(self.top + row as u16, self.left + col as u16)
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.top.abs_diff(other.top) < self.rows && self.left.abs_diff(other.left) < self.cols
    }

    /// Moves every cell of the window to another place in it.
    fn rearrange(
        &self,
        level: &Level,
        board: &mut Board,
        goal: &mut Cell,
        moved: impl Fn(u32) -> u32,
    ) {
        for index in 0..self.area() {
            let (from, to) = (self.cell(index), self.cell(moved(index)));
            board.set_floor(to, level.board().is_floor(from));
            if level.goal() == from {
                *goal = to;
            }
        }
    }
}

/// Number of places for a window; none if it is larger than the board.
fn places(size: Size, rows: u16, cols: u16) -> u64 {
    if rows == 0 || cols == 0 || rows > size.rows() || cols > size.cols() {
        return 0;
    }
    u64::from(size.rows() - rows + 1) * u64::from(size.cols() - cols + 1)
}

/// The symmetries of a block of these sides, without the identity.
fn block_symmetries(rows: u16, cols: u16) -> &'static [Symmetry] {
    let shape = Size::new(rows.into(), cols.into());
    shape.map_or(&[], |shape| &Symmetry::of(shape)[1..])
}

/// The pair (low, high), low < high, of a number: pairs in the order of their
/// higher member.
fn pair(number: u64) -> (u64, u64) {
    // high (high - 1) / 2 <= number; the root may be off by one.
    let mut high = ((2.0 * number as f64 + 0.25).sqrt() + 0.5) as u64;
    while high * (high - 1) / 2 > number {
        high -= 1;
    }
    while high * (high + 1) / 2 <= number {
        high += 1;
    }
    (number - high * (high - 1) / 2, high)
}

/// The number of choices, `u64::MAX` if that is too many to be counted on the way.
fn choose(from: u32, count: u32) -> u64 {
    let more = |sum: u64, taken: u32| {
        let product = sum.checked_mul(u64::from(from.saturating_sub(taken)))?;
        Some(product / u64::from(taken + 1))
    };
    (0..count).try_fold(1, more).unwrap_or(u64::MAX)
}

/// The most choices of cells of one window: those of all windows of a board can be
/// counted.
const MAX_SUBSETS: u64 = 1 << 40;

/// The largest radius that keeps the choices of cells of a window in bounds.
pub(super) fn max_radius(side: u16) -> u32 {
    let area = u32::from(side).pow(2);
    let fits = |&radius: &u32| subsets(side, radius) <= MAX_SUBSETS;
    (0..=area).take_while(fits).last().unwrap_or(0)
}

/// Number of choices of at most `radius` cells of a square, the empty one
/// included.
fn subsets(side: u16, radius: u32) -> u64 {
    let area = u32::from(side).pow(2);
    (0..=radius.min(area))
        .map(|count| choose(area, count))
        .fold(0, u64::saturating_add)
}

/// The choice of a number: smaller choices first, in the combinatorial number
/// system.
fn subset(mut number: u64, area: u32, radius: u32) -> impl Iterator<Item = u32> {
    let mut count = 0;
    while count < radius.min(area) && number >= choose(area, count) {
        number -= choose(area, count);
        count += 1;
    }
    let mut below = area;
    std::iter::from_fn(move || {
        if count == 0 {
            return None;
        }
        // The largest member: the largest cell with choose(cell, count) <= number.
        let (mut cell, mut above) = (0, below);
        while above - cell > 1 {
            let middle = cell.midpoint(above);
            if choose(middle, count) > number {
                above = middle;
            } else {
                cell = middle;
            }
        }
        number -= choose(cell, count);
        below = cell;
        count -= 1;
        Some(cell)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_of_pairs_and_choices_are_complete() {
        let pairs: BTreeSet<_> = (0..45).map(pair).collect();
        assert_eq!(pairs.len(), 45);
        assert!(pairs.iter().all(|&(low, high)| low < high && high < 10));
        for big in [79_799, 1 << 30, 1 << 40] {
            let (low, high) = pair(big);
            assert_eq!(high * (high - 1) / 2 + low, big);
        }
        for radius in 0..=9 {
            let count = subsets(3, radius);
            let all: BTreeSet<Vec<u32>> = (0..count)
                .map(|number| subset(number, 9, radius).collect())
                .collect();
            assert_eq!(all.len() as u64, count);
            assert!(all.iter().all(|it| it.len() <= radius as usize));
            assert!(all.iter().flatten().all(|&cell| cell < 9));
        }
        assert_eq!(subsets(3, 9), 512);
        assert_eq!(subsets(5, 3), 1 + 25 + 300 + 2300);
        // A window of the whole board, up to three cells: all triples, too.
        let count = subsets(20, 3);
        assert_eq!(count, 1 + 400 + 79_800 + 10_586_800);
        for number in [0, 1, 400, 401, 80_200, 80_201, count / 2, count - 1] {
            let cells: Vec<u32> = subset(number, 400, 3).collect();
            assert!(cells.is_sorted_by(|a, b| a > b) && cells.iter().all(|&cell| cell < 400));
            let smaller = (0..cells.len() as u32).map(|count| choose(400, count));
            let ranked = (1..=cells.len() as u32).rev().zip(&cells);
            let rank: u64 = ranked.map(|(count, &cell)| choose(cell, count)).sum();
            assert_eq!(smaller.sum::<u64>() + rank, number);
        }
    }

    #[test]
    fn the_choices_of_a_window_stay_in_bounds() {
        assert_eq!([1, 2, 3, 6].map(max_radius), [1, 4, 9, 36]);
        for side in 7..=64 {
            let radius = max_radius(side);
            assert!(radius >= 3, "{side}");
            assert!(
                subsets(side, radius) <= MAX_SUBSETS && subsets(side, radius + 1) > MAX_SUBSETS
            );
        }
        assert!(subsets(64, 4096) > MAX_SUBSETS);
    }
}
