//! A wall layout.

use super::{Cell, Dir, Size};

/// A wall layout: which cells of a rectangle are floor. Outside is wall.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    size: Size,
    /// One bit per cell in reading order, 1 = floor; the bits beyond the last
    /// cell are 0, so that equal boards are equal bit for bit.
    floor: Vec<u64>,
}

impl Board {
    /// A board that is all wall.
    pub fn walls(size: Size) -> Self {
        Self {
            size,
            floor: vec![0; size.area().div_ceil(64)],
        }
    }

    /// A board that is all floor.
    pub fn open(size: Size) -> Self {
        Self::from_floor(size, size.cells())
    }

    /// A board whose floor is exactly these cells.
    pub fn from_floor(size: Size, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut board = Self::walls(size);
        for cell in cells {
            board.set_floor(cell, true);
        }
        board
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whether `cell` is floor.
    pub fn is_floor(&self, cell: Cell) -> bool {
        let i = cell.index();
        self.floor[i / 64] >> (i % 64) & 1 == 1
    }

    /// Opens (`true`) or fills (`false`) a cell.
    pub fn set_floor(&mut self, cell: Cell, floor: bool) {
        let i = cell.index();
        debug_assert!(i < self.size.area());
        let bit = 1 << (i % 64);
        if floor {
            self.floor[i / 64] |= bit;
        } else {
            self.floor[i / 64] &= !bit;
        }
    }

    /// The floor cells in reading order.
    pub fn floor_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.size.cells().filter(|&cell| self.is_floor(cell))
    }

    /// Number of floor cells.
    pub fn floor_count(&self) -> usize {
        self.floor
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The floor neighbour of `cell` in direction `dir`, or `None` if that is
    /// wall or outside.
    pub fn floor_step(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        self.size
            .step(cell, dir)
            .filter(|&next| self.is_floor(next))
    }
}
