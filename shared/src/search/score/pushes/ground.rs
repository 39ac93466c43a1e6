//! The floor.

use super::side::SIDES;
use crate::board::{Cell, Size};

/// A layout, framed by walls.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    size: Size,
    /// Cells from one row of the framed board to the next. One column of walls
    /// is frame enough: it is on the right of one row and the left of the next.
    stride: usize,
    /// By framed cell.
    floor: Vec<bool>,
    floor_count: usize,
}

impl Ground {
    /// All wall.
    pub(super) fn new(size: Size) -> Self {
        let stride = usize::from(size.cols()) + 1;
        // A row of walls above and below, and one more cell so that the last
        // one has a right neighbour.
        let cells = (usize::from(size.rows()) + 2) * stride + 1;
        Self {
            size,
            stride,
            floor: vec![false; cells],
            floor_count: 0,
        }
    }

    /// Rows and columns without the frame.
    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// Framed cells from one row to the next.
    pub(super) const fn stride(&self) -> usize {
        self.stride
    }

    /// Number of framed cells.
    pub(super) const fn cells(&self) -> usize {
        self.floor.len()
    }

    pub(super) const fn floor_count(&self) -> usize {
        self.floor_count
    }

    /// The number of a cell with the frame around.
    #[inline]
    pub(super) const fn framed(&self, cell: Cell) -> usize {
        (self.size.row(cell) as usize + 1) * self.stride + self.size.col(cell) as usize + 1
    }

    #[inline]
    pub(super) fn is_floor(&self, cell: usize) -> bool {
        self.floor[cell]
    }

    /// The neighbour of a cell of the board on a side of it.
    #[inline]
    pub(super) const fn beside(&self, cell: usize, side: usize) -> usize {
        match side {
            0 => cell - self.stride,
            1 => cell + 1,
            2 => cell + self.stride,
            _ => cell - 1,
        }
    }

    /// The sides from which the player can pull the box away from a cell, one bit
    /// each.
    #[inline]
    pub(super) fn pulls(&self, bx: usize) -> u8 {
        (0..SIDES).fold(0, |pulls, side| {
            let player = self.beside(bx, side);
            let pull = self.floor[player] && self.floor[self.beside(player, side)];
            pulls | u8::from(pull) << side
        })
    }

    /// By cell: whether it is floor.
    pub(super) fn floor(&self) -> &[bool] {
        &self.floor
    }

    /// Cells that are floor, in order.
    pub(super) fn floor_cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.cells()).filter(|&cell| self.floor[cell])
    }

    /// Opens or fills a cell of the board.
    pub(super) fn toggle(&mut self, cell: usize) {
        self.floor[cell] ^= true;
        if self.floor[cell] {
            self.floor_count += 1;
        } else {
            self.floor_count -= 1;
        }
    }
}
