//! Sizes, cells and directions.

use serde::{Deserialize, Serialize};

/// The longest side of a board that the product accepts, in cells.
pub const MAX_SIDE: u16 = 256;

/// The four directions of a move.
pub const DIRS: [Dir; 4] = [Dir::Left, Dir::Up, Dir::Right, Dir::Down];

/// A direction of a move, in LURD order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dir {
    /// Towards column 0.
    Left,
    /// Towards row 0.
    Up,
    /// Towards the last column.
    Right,
    /// Towards the last row.
    Down,
}

impl Dir {
    /// The direction that undoes this one.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
        }
    }

    /// Position of this direction in [`DIRS`], 0..4.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Row and column offset of one step.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::Left => (0, -1),
            Self::Up => (-1, 0),
            Self::Right => (0, 1),
            Self::Down => (1, 0),
        }
    }
}

/// A cell of a board: its index in reading order, `row * cols + col`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell(pub u32);

impl Cell {
    /// The cell as an index into a table with one entry per cell.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a pair of numbers is not a board size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a board has between 1 and {MAX_SIDE} rows and columns, not {rows}x{cols}")]
pub struct SizeError {
    /// Rows asked for.
    pub rows: u64,
    /// Columns asked for.
    pub cols: u64,
}

/// Rows and columns of a board, each in `1..=MAX_SIDE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Size {
    rows: u16,
    cols: u16,
}

impl Size {
    /// A size, if both sides are in `1..=MAX_SIDE`.
    ///
    /// # Errors
    /// [`SizeError`] names the numbers that were asked for.
    pub fn new(rows: u64, cols: u64) -> Result<Self, SizeError> {
        let ok = |side: u64| (1..=u64::from(MAX_SIDE)).contains(&side);
        if ok(rows) && ok(cols) {
            Ok(Self {
                rows: rows as u16,
                cols: cols as u16,
            })
        } else {
            Err(SizeError { rows, cols })
        }
    }

    /// Number of rows.
    pub const fn rows(self) -> u16 {
        self.rows
    }

    /// Number of columns.
    pub const fn cols(self) -> u16 {
        self.cols
    }

    /// The smallest square that holds a board of this size.
    #[must_use]
    pub const fn squared(self) -> Self {
        let side = if self.rows > self.cols {
            self.rows
        } else {
            self.cols
        };
        Self {
            rows: side,
            cols: side,
        }
    }

    /// Number of cells.
    pub const fn area(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Whether rows and columns are equally many.
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The size with rows and columns exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
        }
    }

    /// The cell in this row and column, which must be on the board.
    pub const fn cell(self, row: u16, col: u16) -> Cell {
        debug_assert!(row < self.rows && col < self.cols);
        Cell(row as u32 * self.cols as u32 + col as u32)
    }

    /// Row of a cell.
    pub const fn row(self, cell: Cell) -> u16 {
        (cell.0 / self.cols as u32) as u16
    }

    /// Column of a cell.
    pub const fn col(self, cell: Cell) -> u16 {
        (cell.0 % self.cols as u32) as u16
    }

    /// All cells in reading order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.area() as u32).map(Cell)
    }

    /// The neighbour of `cell` in direction `dir`, or `None` beyond the edge.
    pub fn step(self, cell: Cell, dir: Dir) -> Option<Cell> {
        let (dr, dc) = dir.delta();
        let row = i32::from(self.row(cell)) + dr;
        let col = i32::from(self.col(cell)) + dc;
        let inside =
            row >= 0 && col >= 0 && row < i32::from(self.rows) && col < i32::from(self.cols);
        inside.then(|| self.cell(row as u16, col as u16))
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_the_edge() {
        let size = Size::new(2, 3).unwrap();
        let corner = size.cell(1, 2);
        assert_eq!(size.step(corner, Dir::Right), None);
        assert_eq!(size.step(corner, Dir::Down), None);
        assert_eq!(size.step(corner, Dir::Left), Some(size.cell(1, 1)));
        assert_eq!(size.step(corner, Dir::Up), Some(size.cell(0, 2)));
    }

    #[test]
    fn a_step_and_its_opposite_cancel() {
        let size = Size::new(3, 3).unwrap();
        let centre = size.cell(1, 1);
        for dir in DIRS {
            let there = size.step(centre, dir).unwrap();
            assert_eq!(size.step(there, dir.opposite()), Some(centre));
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert!(Size::new(0, 3).is_err());
        assert!(Size::new(3, 99_999_999_999).is_err());
        assert!(Size::new(256, 256).is_ok());
    }
}
