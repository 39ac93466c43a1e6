//! Boards as single machine words.

use super::word::{Word, Words};
use crate::board::{Board, Cell, Size};

/// How a board of at most 305 cells is laid into a word.
///
/// Rows follow each other without padding. A board that is wider than tall is
/// laid down transposed, so the columns of the packed board are at most 17.
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
    /// The packing of boards of this size, if they have at most 305 cells.
    pub fn new(size: Size) -> Option<Self> {
        let (rows, cols) = (u32::from(size.rows()), u32::from(size.cols()));
        (rows * cols <= Words::<5>::BITS).then_some(Self {
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

    /// Calls `task` with the word and the columns of this packing; the columns
    /// are 0, to be looked up, where a constant would not pay for its code.
    pub fn dispatch<G: Generic>(self, task: G) -> G::Out {
        match (self.rows * self.cols, self.cols) {
            (0..=64, 1) => task.call::<u64, 1>(self),
            (0..=64, 2) => task.call::<u64, 2>(self),
            (0..=64, 3) => task.call::<u64, 3>(self),
            (0..=64, 4) => task.call::<u64, 4>(self),
            (0..=64, 5) => task.call::<u64, 5>(self),
            (0..=64, 6) => task.call::<u64, 6>(self),
            (0..=64, 7) => task.call::<u64, 7>(self),
            (0..=64, _) => task.call::<u64, 8>(self),
            (65..=122, 8) => task.call::<Words<2>, 8>(self),
            (65..=122, 9) => task.call::<Words<2>, 9>(self),
            (65..=122, 10) => task.call::<Words<2>, 10>(self),
            (65..=122, 11) => task.call::<Words<2>, 11>(self),
            (65..=122, _) => task.call::<Words<2>, 0>(self),
            (123..=183, 12) => task.call::<Words<3>, 12>(self),
            (123..=183, 13) => task.call::<Words<3>, 13>(self),
            (123..=183, _) => task.call::<Words<3>, 0>(self),
            (184..=244, _) => task.call::<Words<4>, 0>(self),
            _ => task.call::<Words<5>, 0>(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_bits_are_inverse_on_every_packed_size() {
        for rows in 1..=256 {
            for cols in 1..=(305 / rows).min(256) {
                let size = Size::new(rows, cols).unwrap();
                let packing = Packing::new(size).unwrap();
                assert!(packing.cols <= 17 && packing.cols <= packing.rows);
                let mut seen = Words::<5>::EMPTY;
                for cell in size.cells() {
                    assert_eq!(packing.cell(packing.bit(cell)), cell);
                    seen |= Words::<5>::cell(packing.bit(cell));
                }
                assert_eq!(seen, Words::<5>::first(size.area() as u32));
            }
        }
    }

    #[test]
    fn larger_boards_have_no_packing() {
        assert_eq!(Packing::new(Size::new(3, 102).unwrap()), None);
        assert_eq!(Packing::new(Size::new(17, 18).unwrap()), None);
    }
}
