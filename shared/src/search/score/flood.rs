//! Hot loop: the backward search on boards that fit a few machine words.
//!
//! For every box cell one word holds the player cells of the current distance
//! and one those not reached yet, so a step of the whole search is a few shifts
//! per box cell that is active. Its plain twin is [`super::reference`].

use super::ByConvention;
use super::packing::Packing;
use super::word::Word;

/// Largest distance of a search in each convention, 0 if there is no level.
pub type Depth = ByConvention<u32>;

/// Working memory of the search for boards with `COLS` columns, or with any
/// number of columns if `COLS` is 0. The shifts are faster if they are known to
/// the compiler.
#[derive(Debug, Clone)]
pub struct Flood<W: Word, const COLS: usize> {
    cols: u32,
    /// Cells that a step to the right can enter.
    not_first_col: W,
    /// Cells that a step to the left can enter.
    not_last_col: W,
    /// By box cell: the neighbours from which the player can step on away from
    /// the box without leaving the board.
    pullers: W::Table<W>,
    /// By box cell: the four neighbours.
    neighbours: W::Table<W>,
    /// By cell: only this cell. Shifting a long word costs more than a look-up.
    cell: W::Table<W>,
    /// Box cells with players at the current distance.
    active: W::Table<u16>,
    /// Box cells with players at the next distance.
    next_active: W::Table<u16>,
    area: usize,
    /// By box cell: player cells at the current distance.
    front: W::Table<W>,
    /// By box cell: player cells at the next distance.
    next: W::Table<W>,
    /// By box cell: player cells not reached yet.
    open: W::Table<W>,
}

impl<W: Word, const COLS: usize> Flood<W, COLS> {
    /// Working memory for boards of this packing, whose cells must fit the word
    /// and whose columns must be `COLS`, unless that is 0.
    pub fn new(packing: Packing) -> Self {
        let (rows, cols) = (packing.rows as usize, packing.cols as usize);
        debug_assert!(COLS == 0 || COLS == cols);
        let area = rows * cols;
        let board = W::first(area as u32);
        let column =
            |col: usize| (0..rows).fold(W::EMPTY, |set, row| set | W::cell(row * cols + col));
        let mut flood = Self {
            cols: packing.cols,
            not_first_col: board & !column(0),
            not_last_col: board & !column(cols - 1),
            pullers: W::table(W::EMPTY),
            neighbours: W::table(W::EMPTY),
            cell: W::table(W::EMPTY),
            active: W::table(0),
            next_active: W::table(0),
            area,
            front: W::table(W::EMPTY),
            next: W::table(W::EMPTY),
            open: W::table(W::EMPTY),
        };
        for bit in 0..area {
            flood.cell.as_mut()[bit] = W::cell(bit);
            let around = flood.around(W::cell(bit)) & board;
            flood.neighbours.as_mut()[bit] = around;
            for player in around.cells() {
                let on = 2 * player as i64 - bit as i64;
                if (0..area as i64).contains(&on) && flood.around(W::cell(player)).has(on as usize)
                {
                    flood.pullers.as_mut()[bit] |= W::cell(player);
                }
            }
        }
        flood
    }

    #[inline]
    const fn cols(&self) -> u32 {
        if COLS == 0 { self.cols } else { COLS as u32 }
    }

    /// Cells next to a cell of `set`; may hold cells beyond the last row.
    #[inline]
    fn around(&self, set: W) -> W {
        (set.up(1) & self.not_first_col)
            | (set.down(1) & self.not_last_col)
            | set.up(self.cols())
            | set.down(self.cols())
    }

    /// Whether there is floor and all of it is in one piece.
    #[inline]
    pub fn is_connected(&self, floor: W) -> bool {
        // Most layouts have a cell without a neighbour.
        if floor.is_empty() || (floor & !self.around(floor)) != W::EMPTY && floor.len() > 1 {
            return false;
        }
        let mut piece = W::cell(floor.lowest());
        loop {
            let grown = (piece | self.around(piece)) & floor;
            if grown == piece {
                return piece == floor;
            }
            piece = grown;
        }
    }

    /// Floor cells that are the goal of some level: those from which two more
    /// floor cells lie in line, for the box and the player before the last push.
    #[inline]
    pub fn goals(&self, floor: W) -> W {
        let cols = self.cols();
        // Cells whose neighbour on that side is floor, then the same once more.
        let right = |set: W| set.down(1) & self.not_last_col;
        let left = |set: W| set.up(1) & self.not_first_col;
        let twice = right(floor & right(floor))
            | left(floor & left(floor))
            | (floor & floor.down(cols)).down(cols)
            | (floor & floor.up(cols)).up(cols);
        floor & twice
    }

    /// The largest distances to `goal`, a cell of `floor`.
    #[inline]
    pub fn depth(&mut self, floor: W, goal: usize) -> Depth {
        self.search(floor, goal, |_, _, _| ())
    }

    /// Searches back from `goal`, a cell of `floor`. Calls
    /// `visit(distance, box, players)` for all starts of that box and distance,
    /// distances ascending, and gives the largest.
    #[inline]
    pub fn search(&mut self, floor: W, goal: usize, mut visit: impl FnMut(u32, usize, W)) -> Depth {
        let (not_first_col, not_last_col) = (self.not_first_col, self.not_last_col);
        let cols = self.cols();
        let around = |set: W| {
            (set.up(1) & not_first_col)
                | (set.down(1) & not_last_col)
                | set.up(cols)
                | set.down(cols)
        };
        let (cell, pullers, open) = (
            self.cell.as_ref(),
            self.pullers.as_ref(),
            self.open.as_mut(),
        );
        let (mut front, mut next) = (self.front.as_mut(), self.next.as_mut());
        let (mut active, mut next_active) = (self.active.as_mut(), self.next_active.as_mut());
        for (open, &cell) in open.iter_mut().zip(cell).take(self.area) {
            *open = floor & !cell;
        }
        // Nothing is open around a box on the goal: completed states do not
        // walk, and no pull brings a box back there.
        open[goal] = W::EMPTY;
        front[goal] = self.neighbours.as_ref()[goal] & floor;
        active[0] = goal as u16;
        let mut active_len = 1;
        let mut depth = Depth::default();
        let mut distance = 0;
        loop {
            distance += 1;
            let mut reached = W::EMPTY;
            let mut next_len = 0;
            for &bx in &active[..active_len] {
                let bx = usize::from(bx) & (W::TABLE - 1);
                let players = std::mem::replace(&mut front[bx], W::EMPTY);
                let walked = around(players) & open[bx];
                if !walked.is_empty() {
                    open[bx] ^= walked;
                    if next[bx].is_empty() {
                        next_active[next_len] = bx as u16;
                        next_len += 1;
                    }
                    next[bx] |= walked;
                    reached |= walked;
                }
                let mut pulling = players & pullers[bx];
                while !pulling.is_empty() {
                    let player = pulling.lowest();
                    pulling ^= cell[player];
                    let to = cell[(2 * player).wrapping_sub(bx) & (W::TABLE - 1)];
                    if !(open[player] & to).is_empty() {
                        open[player] ^= to;
                        if next[player].is_empty() {
                            next_active[next_len] = player as u16;
                            next_len += 1;
                        }
                        next[player] |= to;
                        reached |= to;
                    }
                }
            }
            if next_len == 0 {
                return depth;
            }
            depth.anywhere = distance;
            if reached != cell[goal] {
                depth.off_goal = distance;
            }
            std::mem::swap(&mut front, &mut next);
            std::mem::swap(&mut active, &mut next_active);
            active_len = next_len;
            for &bx in &active[..active_len] {
                visit(distance, usize::from(bx), front[usize::from(bx)]);
            }
        }
    }
}
