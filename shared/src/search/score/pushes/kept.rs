//! What walks take, for one layout.

use super::ground::Ground;
use super::side::{Between, Doubt, NO_WALK, NO_WALKS, SIDES, opposite, walk_bit};
use super::walker::Walker;

/// A bit for every side.
const ALL_SIDES: u8 = (1 << SIDES) - 1;

/// So many changes are followed one by one, and walks asked again only where one of
/// them may have told on them. With more, everything anew is as fast.
pub(super) const MAX_CHANGES: usize = 8;

/// What walks take, for one layout: from every side of every box to every cell.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// By cell, then by side: the walk from the side to the cell. No walk leads
    /// to a wall, to the box, or from a wall.
    to: Vec<i16>,
    /// Number of sides.
    sides: usize,
    /// By side: the walks to the sides of the same box.
    between: Vec<Between>,
    /// Memory of `change`. By side: the walk to the nearest opened cell.
    near: Vec<i16>,
    /// Memory of `refresh`. By cell: the walks from the sides of one box.
    fresh: Vec<Between>,
}

impl Kept {
    /// The layout that is all wall.
    pub(super) fn new(cells: usize) -> Self {
        let sides = SIDES * cells;
        Self {
            to: vec![NO_WALK; cells * sides],
            sides,
            between: vec![NO_WALKS; sides],
            near: vec![NO_WALK; sides],
            fresh: vec![NO_WALKS; cells],
        }
    }

    /// By side: the walks to the sides of the same box.
    pub(super) fn between(&self) -> &[Between] {
        &self.between
    }

    fn to(&self, cell: usize) -> &[i16] {
        &self.to[cell * self.sides..(cell + 1) * self.sides]
    }

    /// Turns the walks between sides into those of another layout, which differs in
    /// these cells, as far as that can be told, and marks those that have to be asked
    /// again. `ground` is the other layout.
    ///
    /// A walk gets longer only if a shortest one led through a filled cell. It gets
    /// shorter only if the walks from its two ends to the nearest opened cells take
    /// less together; with one opened cell and no other change, that is what it
    /// takes. All walks of a box on an opened cell are in doubt and, with other
    /// changes, all of a box beside it.
    pub(super) fn change(
        &mut self,
        ground: &Ground,
        changed: &[usize],
        between: &mut [Between],
        doubt: &mut [Doubt],
    ) {
        let opened = || changed.iter().filter(|&&cell| ground.is_floor(cell));
        let filled = || changed.iter().filter(|&&cell| !ground.is_floor(cell));
        if opened().next().is_some() {
            let mut near = std::mem::take(&mut self.near);
            near.fill(NO_WALK);
            for &cell in opened() {
                for side in 0..SIDES {
                    let walks = self.to(ground.beside(cell, side));
                    for (near, &walk) in near.iter_mut().zip(walks) {
                        *near = (*near).min(walk + 1);
                    }
                }
            }
            if let [cell] = *changed {
                shorten(&near, between);
                for side in 0..SIDES {
                    enter(&near, between, ground.beside(cell, side), opposite(side));
                }
            } else {
                mark(&near, &self.between, doubt, |over, now| over < now);
                for &cell in opened() {
                    for side in 0..SIDES {
                        doubt[ground.beside(cell, side)] = Doubt::MAX;
                    }
                }
            }
            for &cell in opened() {
                doubt[cell] = Doubt::MAX;
            }
            self.near = near;
        }
        for &cell in filled() {
            mark(self.to(cell), &self.between, doubt, |over, now| {
                over == now && now != NO_WALK
            });
        }
    }

    /// Goes on to the layout of `ground`, which differs in these cells. Gives the
    /// number of walks that it took.
    pub(super) fn follow(
        &mut self,
        ground: &mut Ground,
        walker: &mut Walker,
        changed: &[usize],
    ) -> usize {
        let before = walker.walks();
        if changed.len() > MAX_CHANGES {
            self.begin_anew(ground, walker);
        } else {
            // Back to the layout that is kept, and then on cell by cell. An opened
            // cell next to a filled one would be a short cut in between.
            let (opened, filled): (Vec<usize>, Vec<usize>) =
                changed.iter().partition(|&&cell| ground.is_floor(cell));
            for &cell in changed {
                ground.toggle(cell);
                walker.toggle(cell);
            }
            for cell in filled.into_iter().chain(opened) {
                ground.toggle(cell);
                walker.toggle(cell);
                self.step(ground, walker, cell);
            }
        }
        walker.walks() - before
    }

    fn begin_anew(&mut self, ground: &Ground, walker: &mut Walker) {
        self.to.fill(NO_WALK);
        self.between.fill(NO_WALKS);
        for bx in ground.floor_cells() {
            self.refresh(ground, walker, bx, ALL_SIDES);
        }
    }

    /// Goes on to the layout of `ground`, which differs in this cell alone.
    fn step(&mut self, ground: &Ground, walker: &mut Walker, changed: usize) {
        let opened = ground.is_floor(changed);
        for bx in ground.floor_cells().filter(|&bx| bx != changed) {
            let mut sides = 0;
            for side in 0..SIDES {
                let start = ground.beside(bx, side);
                let differs = if start == changed {
                    true
                } else if !ground.is_floor(start) {
                    false
                } else if opened {
                    self.open(ground, changed, bx, SIDES * bx + side)
                } else {
                    self.fill(ground, changed, bx, SIDES * bx + side)
                };
                sides |= u8::from(differs) << side;
            }
            if sides != 0 {
                self.refresh(ground, walker, bx, sides);
            }
        }
        self.refresh(ground, walker, changed, ALL_SIDES);
        if !opened {
            self.to[changed * self.sides..(changed + 1) * self.sides].fill(NO_WALK);
        }
        for bx in (0..SIDES).map(|side| ground.beside(changed, side)) {
            if ground.is_floor(bx) {
                self.link(ground, bx);
            }
        }
    }

    /// Enters the walk to an opened cell; whether walks to others get shorter.
    fn open(&mut self, ground: &Ground, opened: usize, bx: usize, side: usize) -> bool {
        let around: [usize; SIDES] = std::array::from_fn(|side| ground.beside(opened, side));
        let walk = |cell: usize| self.to[cell * self.sides + side];
        let here = around.iter().map(|&cell| walk(cell)).min();
        let here = here.map_or(NO_WALK, |walk| walk + 1).min(NO_WALK);
        let shorter = around
            .iter()
            .any(|&cell| cell != bx && ground.is_floor(cell) && walk(cell) > here + 1);
        self.to[opened * self.sides + side] = here;
        shorter
    }

    /// Strikes the walk to a filled cell out; whether walks to others get longer.
    fn fill(&mut self, ground: &Ground, filled: usize, bx: usize, side: usize) -> bool {
        let walk = |cell: usize| self.to[cell * self.sides + side];
        let here = walk(filled);
        if here == NO_WALK {
            return false;
        }
        let around = |cell: usize| (0..SIDES).map(move |side| ground.beside(cell, side));
        let is_ground = |cell: usize| cell != bx && ground.is_floor(cell);
        // A cell behind it needs another one that is as near as the filled one. It is
        // floor, so it has neighbours.
        let longer = around(filled).any(|cell| {
            is_ground(cell)
                && walk(cell) == here + 1
                && !around(cell).any(|other| is_ground(other) && walk(other) == here)
        });
        self.to[filled * self.sides + side] = NO_WALK;
        longer
    }

    /// Walks anew from some sides of a box cell, which may be a wall by now.
    fn refresh(&mut self, ground: &Ground, walker: &mut Walker, bx: usize, sides: u8) {
        let asked = || (0..SIDES).filter(move |&side| sides & 1 << side != 0);
        for side in asked() {
            let start = ground.beside(bx, side);
            for cell in &mut self.fresh {
                cell[side] = NO_WALK;
            }
            if ground.is_floor(bx) && ground.is_floor(start) {
                walker.walk(bx, start, |cell, walk| {
                    self.fresh[cell][side] = walk as i16;
                });
            }
        }
        // The sides of a box are side by side in memory.
        let rows = self.to.chunks_exact_mut(self.sides).zip(&self.fresh);
        for (cell, (row, fresh)) in rows.enumerate() {
            if ground.is_floor(cell) {
                let row = &mut row[SIDES * bx..SIDES * (bx + 1)];
                for side in asked() {
                    row[side] = fresh[side];
                }
            }
        }
        self.link(ground, bx);
    }

    /// Takes over the walks between the sides of a box.
    fn link(&mut self, ground: &Ground, bx: usize) {
        for side in 0..SIDES {
            let from = SIDES * bx + side;
            let between = (0..SIDES).map(|to| self.to[ground.beside(bx, to) * self.sides + from]);
            for (entry, walk) in self.between[from].iter_mut().zip(between) {
                *entry = walk;
            }
        }
    }
}

/// Takes the walks over some cell where they are shorter. `over` has those from each
/// side to the cell.
#[inline]
fn shorten(over: &[i16], between: &mut [Between]) {
    let boxes = between.chunks_exact_mut(SIDES);
    for (over, between) in over.chunks_exact(SIDES).zip(boxes) {
        for (from, walks) in between.iter_mut().enumerate() {
            for (to, walk) in walks.iter_mut().enumerate() {
                if from != to {
                    *walk = (*walk).min(over[from] + over[to]);
                }
            }
        }
    }
}

/// Takes over the walks to and from a new side of a box. `near` has those from each
/// side to it.
fn enter(near: &[i16], between: &mut [Between], bx: usize, new: usize) {
    for side in 0..SIDES {
        let walk = near[SIDES * bx + side];
        between[SIDES * bx + side][new] = walk;
        between[SIDES * bx + new][side] = walk;
    }
    between[SIDES * bx + new][new] = 0;
}

/// Marks the walks of which `differs` says so: of the one over some cell and the
/// shortest one. `over` has the walks from each side to the cell.
#[inline]
fn mark(
    over: &[i16],
    between: &[Between],
    doubt: &mut [Doubt],
    differs: impl Fn(i16, i16) -> bool,
) {
    let boxes = between.chunks_exact(SIDES);
    for ((over, between), doubt) in over.chunks_exact(SIDES).zip(boxes).zip(doubt) {
        let mut marks = 0;
        for (from, walks) in between.iter().enumerate() {
            for (to, &walk) in walks.iter().enumerate() {
                let differs = from != to && differs(over[from] + over[to], walk);
                if differs {
                    marks |= walk_bit(from, to);
                }
            }
        }
        *doubt |= marks;
    }
}

#[cfg(test)]
mod tests;
