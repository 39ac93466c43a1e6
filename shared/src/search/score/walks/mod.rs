//! Hot loop: the backward search from push to push, on boards of any size.
//!
//! Where the player stands matters only beside the box: such a state is a *side*,
//! a box cell and the direction of the player from it. A pull leads from a side to
//! another one; between the sides of one box the player walks, and walks take what
//! the shortest path around the box takes. So the search is one of shortest paths
//! in a graph of four nodes a box cell, instead of one node for every pair of box
//! and player, and only the last walk, to the player's farthest cell, is left.
//!
//! What walks take is *kept* for one layout. A layout that differs from it in a few
//! cells asks again only for the walks that the change may have made longer or
//! shorter, and for those only that the search comes by. Walks depend on no goal, so
//! other goals of a layout cost the search alone. The plain twin of all this is
//! [`super::reference`].
//!
//! | file | what it holds |
//! |---|---|
//! | `ground` | the floor, and the player's walks on it around a box |
//! | `kept` | what walks take, for one layout |
//! | `paths` | shortest paths over sides |

mod ground;
mod kept;
mod paths;

use ground::{Ground, Walker};
use kept::{Between, Doubt, Kept};
use paths::Paths;

use crate::board::{Board, Cell, Size};

/// With more changes than this, asking every walk again is as fast.
const MAX_CHANGES: usize = 8;

/// Keeping looks at every side first; that takes as long as so many walks.
const OVERHEAD: usize = 32;

/// A layout of any size and the memory to score it.
///
/// Takes eight bytes for every pair of cells of the framed board: 2 MB for 20×20,
/// 48 MB for 48×48.
#[derive(Debug, Clone)]
pub struct Walks {
    ground: Ground,
    walker: Walker,
    kept: Kept,
    /// Cells in which the layout differs from the kept one.
    changed: Vec<usize>,
    /// Between the sides of each box, for the layout as it is.
    between: Vec<Between>,
    /// By box cell: a bit for every walk from side to side that has to be asked
    /// again.
    doubt: Vec<Doubt>,
    /// The layout is another one than `between` and `doubt` are for.
    stale: bool,
    /// Walks asked again since walks were kept.
    asked: usize,
    /// Walks that keeping them took the last time.
    price: usize,
    paths: Paths,
}

impl Walks {
    /// A layout that is all wall.
    pub fn new(size: Size) -> Self {
        let ground = Ground::new(size);
        let cells = ground.cells();
        Self {
            walker: Walker::new(&ground),
            kept: Kept::new(cells),
            changed: Vec::new(),
            between: vec![kept::NO_WALKS; kept::SIDES * cells],
            doubt: vec![0; cells],
            stale: false,
            asked: 0,
            price: kept::SIDES * size.area() / 2,
            paths: Paths::new(cells),
            ground,
        }
    }

    /// Takes over the floor of a board of the same size.
    pub fn load(&mut self, board: &Board) {
        for cell in self.ground.size().cells() {
            if self.is_floor(cell) != board.is_floor(cell) {
                self.toggle(cell);
            }
        }
    }

    /// The board of this layout.
    pub fn board(&self) -> Board {
        let size = self.ground.size();
        Board::from_floor(size, size.cells().filter(|&cell| self.is_floor(cell)))
    }

    /// Whether `cell` is floor.
    #[inline]
    pub fn is_floor(&self, cell: Cell) -> bool {
        self.ground.is_floor(self.ground.framed(cell))
    }

    /// Number of floor cells.
    pub const fn floor_count(&self) -> usize {
        self.ground.floor_count()
    }

    /// Opens or fills a cell.
    pub fn toggle(&mut self, cell: Cell) {
        let cell = self.ground.framed(cell);
        self.ground.toggle(cell);
        self.walker.toggle(cell);
        if let Some(index) = self.changed.iter().position(|&changed| changed == cell) {
            self.changed.swap_remove(index);
        } else {
            self.changed.push(cell);
        }
        self.stale = true;
    }

    /// Layouts that differ from this one in a few cells are to be scored. What its
    /// walks take is kept as soon as as many have been asked again as that takes.
    /// Scores do not change.
    pub fn keep(&mut self) {
        if self.changed.is_empty() || self.asked < self.price {
            return;
        }
        self.price = OVERHEAD
            + self
                .kept
                .follow(&mut self.ground, &mut self.walker, &self.changed);
        self.asked = 0;
        self.changed.clear();
        self.stale = true;
    }

    /// The largest distance to `goal`, the player anywhere, if it is at least
    /// `least`; else a number below `least`, which costs less. 0 if there is no
    /// level.
    pub fn score(&mut self, goal: Cell, least: u32) -> u32 {
        let goal = self.ground.framed(goal);
        if !self.ground.is_floor(goal) {
            return 0;
        }
        if self.stale {
            self.stale = false;
            if self.changed.len() > MAX_CHANGES {
                self.doubt.fill(Doubt::MAX);
            } else {
                self.between.copy_from_slice(self.kept.between());
                self.doubt.fill(0);
                self.kept.change(
                    &self.ground,
                    &self.changed,
                    &mut self.between,
                    &mut self.doubt,
                );
            }
        }
        let Self {
            ground,
            walker,
            between,
            doubt,
            paths,
            asked,
            ..
        } = self;
        paths.search(ground, goal, |side, sought| {
            let (bx, from) = (side / kept::SIDES, side % kept::SIDES);
            let walks = Doubt::from(sought) << (kept::SIDES * from);
            if doubt[bx] & walks != 0 {
                doubt[bx] &= !walks;
                *asked += 1;
                walker.seek(ground, bx, from, sought, &mut between[side]);
            }
            between[side]
        });
        paths.deepest(ground, walker, goal, least)
    }
}

#[cfg(test)]
mod tests;
