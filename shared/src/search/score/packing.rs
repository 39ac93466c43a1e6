//! Boards as single machine words.

use super::word::{Pair, Word};
use crate::board::{Board, Cell, Size};

/// How a board of at most 122 cells is laid into a word.
///
/// Rows follow each other without padding. A board that is wider than tall is
/// laid down transposed, so the columns of the packed board are at most 11 and
/// the hot loops can have them as a compile-time constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    size: Size,
    /// Rows of the packed board.
    pub rows: u32,
    /// Columns of the packed board, never more than its rows.
    pub cols: u32,
}

/// Something generic over the word and the columns of packed boards; a closure
/// cannot be.
pub trait Generic {
    /// What it answers.
    type Out;
    /// Does it, for boards of this packing.
    fn call<W: Word, const COLS: usize>(self, packing: Packing) -> Self::Out;
}

impl Packing {
    /// The packing of boards of this size, if they have at most 122 cells.
    pub fn new(size: Size) -> Option<Self> {
        let (rows, cols) = (u32::from(size.rows()), u32::from(size.cols()));
        (rows * cols <= Pair::BITS).then_some(Self {
            size,
            rows: rows.max(cols),
            cols: rows.min(cols),
        })
    }

    /// Rows and columns of the boards that are packed.
    pub const fn size(self) -> Size {
        self.size
    }

    const fn is_transposed(self) -> bool {
        self.size.rows() < self.size.cols()
    }

    /// The bit of a cell.
    pub const fn bit(self, cell: Cell) -> usize {
        if self.is_transposed() {
            let (row, col) = (self.size.row(cell) as usize, self.size.col(cell) as usize);
            col * self.cols as usize + row
        } else {
            cell.index()
        }
    }

    /// The cell of a bit.
    pub const fn cell(self, bit: usize) -> Cell {
        if self.is_transposed() {
            let (row, col) = (bit % self.cols as usize, bit / self.cols as usize);
            self.size.cell(row as u16, col as u16)
        } else {
            Cell(bit as u32)
        }
    }

    /// The floor of a board. The board must have this packing's size and fit
    /// the word.
    pub fn pack<W: Word>(self, board: &Board) -> W {
        board
            .floor_cells()
            .fold(W::EMPTY, |set, cell| set | W::cell(self.bit(cell)))
    }

    /// The board with this floor.
    pub fn unpack<W: Word>(self, floor: W) -> Board {
        Board::from_floor(self.size, floor.cells().map(|bit| self.cell(bit)))
    }

    /// Calls `task` with the word and column count of this packing.
    pub fn dispatch<G: Generic>(self, task: G) -> G::Out {
        if self.rows * self.cols <= u64::BITS {
            match self.cols {
                1 => task.call::<u64, 1>(self),
                2 => task.call::<u64, 2>(self),
                3 => task.call::<u64, 3>(self),
                4 => task.call::<u64, 4>(self),
                5 => task.call::<u64, 5>(self),
                6 => task.call::<u64, 6>(self),
                7 => task.call::<u64, 7>(self),
                _ => task.call::<u64, 8>(self),
            }
        } else {
            match self.cols {
                1 => task.call::<Pair, 1>(self),
                2 => task.call::<Pair, 2>(self),
                3 => task.call::<Pair, 3>(self),
                4 => task.call::<Pair, 4>(self),
                5 => task.call::<Pair, 5>(self),
                6 => task.call::<Pair, 6>(self),
                7 => task.call::<Pair, 7>(self),
                8 => task.call::<Pair, 8>(self),
                9 => task.call::<Pair, 9>(self),
                10 => task.call::<Pair, 10>(self),
                _ => task.call::<Pair, 11>(self),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_bits_are_inverse_on_every_packed_size() {
        for rows in 1..=122 {
            for cols in 1..=122 / rows {
                let size = Size::new(rows, cols).unwrap();
                let packing = Packing::new(size).unwrap();
                assert!(packing.cols <= 11 && packing.cols <= packing.rows);
                let mut seen = Pair::EMPTY;
                for cell in size.cells() {
                    assert_eq!(packing.cell(packing.bit(cell)), cell);
                    seen |= Pair::cell(packing.bit(cell));
                }
                assert_eq!(seen, Pair::first(size.area() as u32));
            }
        }
    }

    #[test]
    fn larger_boards_have_no_packing() {
        assert_eq!(Packing::new(Size::new(3, 41).unwrap()), None);
        assert_eq!(Packing::new(Size::new(12, 11).unwrap()), None);
    }
}
