//! Hot loop: the backward search on boards of any size.
//!
//! A queue of states like the plain search, with working memory that is reused
//! and neighbours that are a fixed distance apart on a board framed by walls.
//! Its plain twin is [`super::reference`].

use super::flood::Depth;
use crate::board::{Board, Cell, Size};

/// A layout of any size and the memory to search it.
///
/// Takes two bytes for every pair of cells of the framed board.
#[derive(Debug, Clone)]
pub struct Wide {
    size: Size,
    /// Cells from one row of the framed board to the next. One column of walls
    /// is frame enough: it is on the right of one row and the left of the next.
    stride: usize,
    /// Cells of the framed board.
    cells: usize,
    /// By framed cell.
    floor: Vec<bool>,
    /// By box, then player: the search that reached the state last.
    reached: Vec<u16>,
    search: u16,
    /// (box, player) at the current and the next distance.
    front: Vec<(u32, u32)>,
    next: Vec<(u32, u32)>,
}

impl Wide {
    /// A layout that is all wall.
    pub fn new(size: Size) -> Self {
        let stride = usize::from(size.cols()) + 1;
        // A row of walls above and below, and one more cell so that the last
        // one has a right neighbour.
        let cells = (usize::from(size.rows()) + 2) * stride + 1;
        Self {
            size,
            stride,
            cells,
            floor: vec![false; cells],
            reached: vec![0; cells * cells],
            search: 0,
            front: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Takes over the floor of a board of the same size.
    pub fn load(&mut self, board: &Board) {
        for cell in self.size.cells() {
            self.set_floor(cell, board.is_floor(cell));
        }
    }

    /// The board of this layout.
    pub fn board(&self) -> Board {
        Board::from_floor(self.size, self.size.cells().filter(|&c| self.is_floor(c)))
    }

    const fn framed(&self, cell: Cell) -> usize {
        (self.size.row(cell) as usize + 1) * self.stride + self.size.col(cell) as usize + 1
    }

    /// Whether `cell` is floor.
    pub fn is_floor(&self, cell: Cell) -> bool {
        self.floor[self.framed(cell)]
    }

    /// Opens (`true`) or fills (`false`) a cell.
    pub fn set_floor(&mut self, cell: Cell, floor: bool) {
        let framed = self.framed(cell);
        self.floor[framed] = floor;
    }

    /// The largest distances to `goal`, 0 if there is no level.
    pub fn depth(&mut self, goal: Cell) -> Depth {
        let mut depth = Depth::default();
        let goal = self.framed(goal);
        if !self.floor[goal] {
            return depth;
        }
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // The numbers have gone round: old marks would look new.
            self.reached.fill(0);
            self.search = 1;
        }
        let search = self.search;
        let steps = [
            1,
            self.stride,
            1_usize.wrapping_neg(),
            self.stride.wrapping_neg(),
        ];
        self.front.clear();
        self.next.clear();
        for step in steps {
            let player = goal.wrapping_add(step);
            if self.floor[player] {
                // No walk from a completed state; the first pull is all there is.
                let to = player.wrapping_add(step);
                if self.floor[to] {
                    self.reached[player * self.cells + to] = search;
                    self.front.push((player as u32, to as u32));
                }
            }
        }
        let mut distance = 0;
        while !self.front.is_empty() {
            distance += 1;
            depth.anywhere = distance;
            if self
                .front
                .iter()
                .any(|&(_, player)| player as usize != goal)
            {
                depth.off_goal = distance;
            }
            for &(bx, player) in &self.front {
                let (bx, player) = (bx as usize, player as usize);
                let row = &mut self.reached[bx * self.cells..(bx + 1) * self.cells];
                for step in steps {
                    let to = player.wrapping_add(step);
                    if to != bx && self.floor[to] && row[to] != search {
                        row[to] = search;
                        self.next.push((bx as u32, to as u32));
                    }
                }
                let step = player.wrapping_sub(bx);
                if player != goal && steps.contains(&step) {
                    let to = player.wrapping_add(step);
                    let mark = &mut self.reached[player * self.cells + to];
                    if self.floor[to] && *mark != search {
                        *mark = search;
                        self.next.push((player as u32, to as u32));
                    }
                }
            }
            self.front.clear();
            std::mem::swap(&mut self.front, &mut self.next);
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Best, reference, strategies::layouts};
    use super::*;

    fn expected(best: Best) -> Depth {
        let moves = |start: Option<super::super::Start>| start.map_or(0, |start| start.moves);
        Depth {
            off_goal: moves(best.off_goal),
            anywhere: moves(best.anywhere),
        }
    }

    proptest! {
        #[test]
        fn wide_and_reference_agree(boards in proptest::collection::vec(layouts(14), 1..3)) {
            for board in boards {
                let mut wide = Wide::new(board.size());
                wide.load(&board);
                prop_assert_eq!(&wide.board(), &board);
                for goal in board.size().cells() {
                    prop_assert_eq!(
                        wide.depth(goal),
                        expected(reference::best_for_goal(&board, goal))
                    );
                }
            }
        }
    }

    #[test]
    fn searches_beyond_the_marks_start_afresh() {
        let board = Board::open(Size::new(3, 3).unwrap());
        let mut wide = Wide::new(board.size());
        wide.load(&board);
        let first = wide.depth(Cell(0));
        for _ in 0..(1 << 16) + 5 {
            assert_eq!(wide.depth(Cell(0)), first);
        }
    }
}
