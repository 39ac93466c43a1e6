//! Hot loop: shortest paths over sides.

use super::ground::Ground;
use super::side::{Between, NO_WALK, SIDES};
use super::walker::Walker;

/// The end of a list.
const NONE: u32 = u32::MAX;

/// The search does not come by.
const FAR: u32 = u32::MAX;

/// Working memory for the search back from a goal.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    /// By side: its distance to a completed state.
    distance: Vec<u32>,
    /// By distance: the first entry with it.
    heads: Vec<u32>,
    /// A side, and the next entry with the same distance. The side has been
    /// reached on a shorter way since if its distance is another one.
    entries: Vec<(u32, u32)>,
    /// The larger distance of the sides of a box, and the box.
    boxes: Vec<(u32, usize)>,
}

impl Paths {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            distance: vec![FAR; SIDES * cells],
            heads: Vec::new(),
            entries: Vec::new(),
            boxes: Vec::new(),
        }
    }

    #[inline]
    fn offer(&mut self, side: usize, distance: u32) {
        if distance < self.distance[side] {
            self.distance[side] = distance;
            let index = distance as usize;
            if self.heads.len() <= index {
                self.heads.resize(index + 1, NONE);
            }
            let next = std::mem::replace(&mut self.heads[index], self.entries.len() as u32);
            self.entries.push((side as u32, next));
        }
    }

    /// Finds the distance of every side to `goal`, which is floor; of sides from
    /// which the box cannot be pulled, only if it is pulled to there. `walks` tells
    /// what the walks from a side to some sides of its box, one bit each, take.
    #[inline]
    pub(super) fn search(
        &mut self,
        ground: &Ground,
        goal: usize,
        mut walks: impl FnMut(usize, u8) -> Between,
    ) {
        self.distance.fill(FAR);
        self.heads.clear();
        self.entries.clear();
        for side in 0..SIDES {
            if ground.is_floor(ground.beside(goal, side)) {
                self.offer(SIDES * goal + side, 0);
            }
        }
        let mut distance = 0;
        while (distance as usize) < self.heads.len() {
            let mut entry = self.heads[distance as usize];
            while entry != NONE {
                let (from, next) = self.entries[entry as usize];
                entry = next;
                let from = from as usize;
                if self.distance[from] != distance {
                    continue;
                }
                // The player steps away and pulls the box along; never onto the
                // goal, where solutions end.
                let side = from % SIDES;
                let bx = ground.beside(from / SIDES, side);
                let pulled = SIDES * bx + side;
                if bx == goal
                    || !ground.is_floor(bx)
                    || !ground.is_floor(ground.beside(bx, side))
                    || self.distance[pulled] <= distance + 1
                {
                    continue;
                }
                self.offer(pulled, distance + 1);
                let sought = ground.pulls(bx) & !(1 << side);
                if sought == 0 {
                    continue;
                }
                for (to, &walk) in walks(pulled, sought).iter().enumerate() {
                    if sought & 1 << to != 0 && walk < NO_WALK {
                        self.offer(SIDES * bx + to, distance + 1 + walk as u32);
                    }
                }
            }
            distance += 1;
        }
    }

    /// The largest distance to `goal` after a search, the player anywhere, if it is
    /// at least `least`; else 0, as if there is no level.
    pub(super) fn deepest(
        &mut self,
        ground: &Ground,
        walker: &mut Walker,
        goal: usize,
        least: u32,
    ) -> u32 {
        self.boxes.clear();
        for bx in ground.floor_cells().filter(|&bx| bx != goal) {
            let sides = &self.distance[SIDES * bx..SIDES * (bx + 1)];
            let largest = sides.iter().copied().filter(|&it| it != FAR).max();
            self.boxes.extend(largest.map(|largest| (largest, bx)));
        }
        self.boxes.sort_unstable_by_key(|&it| std::cmp::Reverse(it));
        let mut deepest = least.saturating_sub(1);
        for &(largest, bx) in &self.boxes {
            // No walk takes as many moves as there is floor.
            if largest + ground.floor_count() as u32 <= deepest {
                break;
            }
            let mut starts = [(0, 0); SIDES];
            let mut count = 0;
            for side in 0..SIDES {
                let distance = self.distance[SIDES * bx + side];
                if distance != FAR {
                    starts[count] = (ground.beside(bx, side), distance);
                    count += 1;
                }
            }
            starts[..count].sort_unstable_by_key(|&(_, distance)| distance);
            deepest = deepest.max(walker.farthest(bx, &starts[..count]));
        }
        if deepest >= least { deepest } else { 0 }
    }
}
