//! A layout that can be changed and scored.

use super::ground::Ground;
use super::kept::{Kept, MAX_CHANGES};
use super::paths::Paths;
use super::side::{Between, Doubt, NO_WALKS, SIDES};
use super::walker::Walker;
use crate::board::{Board, Cell, Size};

/// The largest board, in cells: walks must be shorter than what their table holds.
pub const MAX_AREA: usize = 64 * 64;

/// The largest board for which walks are kept, in framed cells: 50×50. The table takes
/// eight bytes for every pair of them, 2 MB for 20×20, 56 MB for this.
const MAX_KEPT: usize = 52 * 51 + 1;

/// Keeping looks at every side first; that takes as long as so many walks.
const OVERHEAD: usize = 32;

/// A layout and the memory to score it.
#[derive(Debug, Clone)]
pub struct Pushes {
    ground: Ground,
    walker: Walker,
    /// Not before it pays.
    kept: Option<Kept>,
    /// By cell: whether it is floor of the layout that is kept.
    kept_floor: Vec<bool>,
    /// Cells in which the layout differs from the kept one.
    changed: Vec<usize>,
    /// Between the sides of each box that is floor, where these are floor.
    between: Vec<Between>,
    /// By box cell: the walks of it that have to be asked again.
    doubt: Vec<Doubt>,
    /// The layout is another one than `between` and `doubt` are for.
    stale: bool,
    /// Walks asked again since walks were kept.
    asked: usize,
    /// So many have to be asked until keeping pays: what it took the last time, at
    /// first what it takes if half of the board is floor.
    price: usize,
    paths: Paths,
}

impl Pushes {
    /// A layout that is all wall.
    ///
    /// # Panics
    /// If the board has more than [`MAX_AREA`] cells.
    pub fn new(size: Size) -> Self {
        assert!(size.area() <= MAX_AREA, "{size} is too large to be scored");
        let ground = Ground::new(size);
        let cells = ground.cells();
        Self {
            walker: Walker::new(&ground),
            kept: None,
            kept_floor: vec![false; cells],
            changed: Vec::new(),
            between: vec![NO_WALKS; SIDES * cells],
            doubt: vec![0; cells],
            stale: false,
            asked: 0,
            price: SIDES * size.area() / 2,
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
        self.stale = true;
    }

    /// Layouts that differ from this one in a few cells are to be scored. What its
    /// walks take is kept as soon as as many have been asked again as that takes.
    /// Scores do not change.
    pub fn keep(&mut self) {
        let cells = self.ground.cells();
        if self.asked < self.price || cells > MAX_KEPT {
            return;
        }
        self.find_changes();
        if self.changed.is_empty() {
            return;
        }
        let kept = self.kept.get_or_insert_with(|| Kept::new(cells));
        let walks = kept.follow(&mut self.ground, &mut self.walker, &self.changed);
        for &cell in &self.changed {
            self.kept_floor[cell] ^= true;
        }
        self.price = OVERHEAD + walks;
        self.asked = 0;
        self.stale = true;
    }

    fn find_changes(&mut self) {
        self.changed.clear();
        let floor = self.ground.floor().iter().zip(&self.kept_floor);
        let changed = floor.enumerate().filter(|(_, (now, kept))| now != kept);
        self.changed.extend(changed.map(|(cell, _)| cell));
    }

    /// Finds out what is known of the walks of a changed layout.
    fn refresh(&mut self) {
        self.find_changes();
        match &mut self.kept {
            Some(kept) if self.changed.len() <= MAX_CHANGES => {
                self.between.copy_from_slice(kept.between());
                self.doubt.fill(0);
                let (between, doubt) = (&mut self.between, &mut self.doubt);
                kept.change(&self.ground, &self.changed, between, doubt);
            }
            _ => self.doubt.fill(Doubt::MAX),
        }
    }

    /// The largest distance to `goal`, the player anywhere, if it is at least
    /// `least`; else a number below `least`, which costs less. 0 if there is no
    /// level.
    pub fn score(&mut self, goal: Cell, least: u32) -> u32 {
        let goal = self.ground.framed(goal);
        if !self.ground.is_floor(goal) {
            return 0;
        }
        if std::mem::take(&mut self.stale) {
            self.refresh();
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
            let (bx, from) = (side / SIDES, side % SIDES);
            let walks = Doubt::from(sought) << (SIDES * from);
            if doubt[bx] & walks != 0 {
                doubt[bx] &= !walks;
                *asked += 1;
                walker.seek(ground, bx, from, sought, &mut between[side]);
            }
            between[side]
        });
        paths.deepest(ground, walker, goal, least)
    }

    /// Keeps the walks whether that pays or not.
    #[cfg(test)]
    pub(super) fn keep_now(&mut self) {
        self.price = 0;
        self.keep();
        self.find_changes();
        assert!(self.changed.is_empty());
    }

    /// Whether the walks of the layout as it is are kept, and how many were asked
    /// again since.
    #[cfg(test)]
    pub(super) fn kept(&mut self) -> Option<usize> {
        self.find_changes();
        self.changed.is_empty().then_some(self.asked)
    }
}
