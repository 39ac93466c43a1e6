//! Hot loop: the player's walks around a box.

use super::ground::Ground;
use super::side::{Between, NO_WALK, SIDES};

/// Distance of a cell that a walk can reach and did not.
const UNREACHED: u32 = u32::MAX;

/// Distance of a cell that ends the walk when it is reached.
const SOUGHT: u32 = u32::MAX - 1;

/// Distance of a cell that nobody enters.
const CLOSED: u32 = 0;

/// Walks on a layout, and the memory for them.
#[derive(Debug, Clone)]
pub(super) struct Walker {
    stride: usize,
    /// By framed cell. Walls are closed.
    distance: Vec<u32>,
    /// The first `count` are the cells reached, in the order of their distance.
    reached: Vec<u16>,
    count: usize,
    /// Number of walks so far.
    walks: usize,
}

impl Walker {
    /// On a layout that is all wall.
    pub(super) fn new(ground: &Ground) -> Self {
        Self {
            stride: ground.stride(),
            distance: vec![CLOSED; ground.cells()],
            // Every step writes its neighbours, whether they are new or not.
            reached: vec![0; ground.cells() + SIDES],
            count: 0,
            walks: 0,
        }
    }

    /// Opens or fills a cell.
    pub(super) fn toggle(&mut self, cell: usize) {
        let distance = &mut self.distance[cell];
        *distance = if *distance == CLOSED {
            UNREACHED
        } else {
            CLOSED
        };
    }

    /// Number of walks so far.
    pub(super) const fn walks(&self) -> usize {
        self.walks
    }

    /// Walks from a floor cell to wherever the player can go without moving the
    /// box, and shows every cell reached and its distance.
    pub(super) fn walk(&mut self, bx: usize, start: usize, mut visit: impl FnMut(usize, u32)) {
        self.begin(bx);
        self.reach(0, start, 0);
        let mut next = 0;
        while next < self.count {
            self.spread(next);
            next += 1;
        }
        for &cell in &self.reached[..self.count] {
            let cell = usize::from(cell);
            visit(cell, self.distance[cell]);
        }
        self.end(bx);
    }

    /// The largest distance of a walk from some floor cells at some distances,
    /// ascending.
    pub(super) fn farthest(&mut self, bx: usize, starts: &[(usize, u32)]) -> u32 {
        self.begin(bx);
        let mut starts = starts.iter().copied().peekable();
        let mut next = 0;
        let mut last = 0;
        loop {
            let nobody = next == self.count;
            if !nobody {
                last = self.distance[usize::from(self.reached[next])];
            }
            // A start joins when the walks from those before it have come as far.
            if let Some((cell, distance)) = starts.next_if(|start| nobody || start.1 <= last) {
                if self.distance[cell] == UNREACHED {
                    self.reach(next, cell, distance);
                }
            } else if nobody {
                break;
            } else {
                self.spread(next);
                next += 1;
            }
        }
        self.end(bx);
        last
    }

    /// What the walks from one side of a box to some of its sides take, one bit
    /// each; all of them are floor.
    #[inline]
    pub(super) fn seek(
        &mut self,
        ground: &Ground,
        bx: usize,
        from: usize,
        sought: u8,
        walks: &mut Between,
    ) {
        self.begin(bx);
        self.reach(0, ground.beside(bx, from), 0);
        let sides = || (0..SIDES).filter(|&side| sought & 1 << side != 0);
        let mut left = 0;
        for side in sides() {
            self.distance[ground.beside(bx, side)] = SOUGHT;
            left += 1;
        }
        let mut next = 0;
        while next < self.count && left > 0 {
            left -= self.spread(next);
            next += 1;
        }
        for side in sides() {
            let distance = &mut self.distance[ground.beside(bx, side)];
            walks[side] = if *distance == SOUGHT {
                *distance = UNREACHED;
                NO_WALK
            } else {
                *distance as i16
            };
        }
        self.end(bx);
    }

    fn begin(&mut self, bx: usize) {
        self.walks += 1;
        self.count = 0;
        self.distance[bx] = CLOSED;
    }

    fn end(&mut self, bx: usize) {
        self.distance[bx] = UNREACHED;
        for &cell in &self.reached[..self.count] {
            self.distance[usize::from(cell)] = UNREACHED;
        }
    }

    /// Reaches a cell as the `place`th one.
    fn reach(&mut self, place: usize, cell: usize, distance: u32) {
        self.distance[cell] = distance;
        self.reached.copy_within(place..self.count, place + 1);
        self.reached[place] = cell as u16;
        self.count += 1;
    }

    /// Goes on from the cell at this place. Gives the number of cells reached that
    /// were sought.
    ///
    /// Which neighbours are new cannot be foreseen, so there is no branch.
    #[inline]
    fn spread(&mut self, place: usize) -> usize {
        let cell = usize::from(self.reached[place]);
        let distance = self.distance[cell] + 1;
        let mut found = 0;
        for to in [cell - self.stride, cell - 1, cell + 1, cell + self.stride] {
            let there = self.distance[to];
            let new = there >= SOUGHT;
            found += usize::from(there == SOUGHT);
            self.distance[to] = if new { distance } else { there };
            self.reached[self.count] = to as u16;
            self.count += usize::from(new);
        }
        found
    }
}
