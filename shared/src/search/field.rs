//! A layout that can be changed and scored.

use crate::board::{Board, Cell, Size};
use crate::search::score::flood::Flood;
use crate::search::score::packing::{Generic, Packing};
use crate::search::score::pushes::Pushes;
use crate::search::score::word::Word;

/// A layout that can be changed and scored, whatever its size. Cells are
/// numbered as suits the scorer; neighbours are `stride` or 1 apart.
pub(in crate::search) trait Field {
    /// Number of cells.
    fn area(&self) -> usize;
    /// Cells from one row to the next.
    fn stride(&self) -> usize;
    /// Takes over a board.
    fn load(&mut self, board: &Board);
    /// The layout as a board.
    fn board(&self) -> Board;
    /// The cell of a board that has this number.
    fn cell(&self, number: usize) -> Cell;
    /// The number of a cell of a board.
    fn number(&self, cell: Cell) -> usize;
    /// Number of floor cells.
    fn floor_count(&self) -> usize;
    /// Whether a cell is floor.
    fn is_floor(&self, number: usize) -> bool;
    /// Opens a wall or fills floor.
    fn toggle(&mut self, number: usize);
    /// Layouts that differ from this one in a few cells will be scored. Changes no
    /// score.
    fn keep(&mut self);
    /// The score of a goal, which must be floor, if it is at least `least`; else
    /// any number below `least`. The score is the largest distance of a start, the
    /// player anywhere; 0 if there is none.
    fn score(&mut self, goal: usize, least: u32) -> u32;
}

/// Something generic over the field; a closure cannot be.
pub(in crate::search) trait WithField {
    /// What it answers.
    type Out;
    /// Does it with a field that is all wall.
    fn run<F: Field>(self, field: F) -> Self::Out;
}

struct InPacked<T>(T);

impl<T: WithField> Generic for InPacked<T> {
    type Out = T::Out;

    fn call<W: Word, const COLS: usize>(self, packing: Packing) -> T::Out {
        self.0.run(Packed::<W, COLS>::new(packing))
    }
}

/// Does something with the field that suits boards of this size, at most 4096 cells.
pub(in crate::search) fn with<T: WithField>(size: Size, task: T) -> T::Out {
    match Packing::new(size) {
        Some(packing) => packing.dispatch(InPacked(task)),
        None => task.run(Unpacked::new(size)),
    }
}

/// A board of at most 305 cells.
#[derive(Debug)]
pub(in crate::search) struct Packed<W: Word, const COLS: usize> {
    packing: Packing,
    flood: Flood<W, COLS>,
    floor: W,
}

impl<W: Word, const COLS: usize> Packed<W, COLS> {
    pub(in crate::search) fn new(packing: Packing) -> Self {
        Self {
            packing,
            flood: Flood::new(packing),
            floor: W::EMPTY,
        }
    }
}

impl<W: Word, const COLS: usize> Field for Packed<W, COLS> {
    fn area(&self) -> usize {
        (self.packing.rows * self.packing.cols) as usize
    }

    fn stride(&self) -> usize {
        self.packing.cols as usize
    }

    fn load(&mut self, board: &Board) {
        self.floor = self.packing.pack(board);
    }

    fn board(&self) -> Board {
        self.packing.unpack(self.floor)
    }

    fn cell(&self, number: usize) -> Cell {
        self.packing.cell(number)
    }

    fn number(&self, cell: Cell) -> usize {
        self.packing.bit(cell)
    }

    #[inline]
    fn floor_count(&self) -> usize {
        self.floor.len() as usize
    }

    #[inline]
    fn is_floor(&self, number: usize) -> bool {
        self.floor.has(number)
    }

    #[inline]
    fn toggle(&mut self, number: usize) {
        self.floor ^= W::cell(number);
    }

    #[inline]
    fn keep(&mut self) {}

    #[inline]
    fn score(&mut self, goal: usize, _: u32) -> u32 {
        self.flood.depth(self.floor, goal).anywhere
    }
}

/// A board of at most 4096 cells.
#[derive(Debug)]
pub(in crate::search) struct Unpacked {
    pushes: Pushes,
    size: Size,
}

impl Unpacked {
    pub(in crate::search) fn new(size: Size) -> Self {
        Self {
            pushes: Pushes::new(size),
            size,
        }
    }
}

impl Field for Unpacked {
    fn area(&self) -> usize {
        self.size.area()
    }

    fn stride(&self) -> usize {
        usize::from(self.size.cols())
    }

    fn load(&mut self, board: &Board) {
        self.pushes.load(board);
    }

    fn board(&self) -> Board {
        self.pushes.board()
    }

    fn cell(&self, number: usize) -> Cell {
        Cell(number as u32)
    }

    fn number(&self, cell: Cell) -> usize {
        cell.index()
    }

    fn floor_count(&self) -> usize {
        self.pushes.floor_count()
    }

    fn is_floor(&self, number: usize) -> bool {
        self.pushes.is_floor(Cell(number as u32))
    }

    fn toggle(&mut self, number: usize) {
        self.pushes.toggle(Cell(number as u32));
    }

    fn keep(&mut self) {
        self.pushes.keep();
    }

    fn score(&mut self, goal: usize, least: u32) -> u32 {
        self.pushes.score(Cell(goal as u32), least)
    }
}
