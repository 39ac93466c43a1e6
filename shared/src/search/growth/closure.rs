//! From the hardest minimal starts to every optimal level.
//!
//! Every optimal level (F, s, g) lies above a set A ⊆ F that is minimal for s
//! with the same distance, and can be reached from A by adding cells one at a
//! time, the distance staying the same at each step: adding floor never makes
//! a solvable start longer, and the ends are equal. So closing the hardest
//! minimal starts under "add a cell if the distance stays" gives them all,
//! levels with floor that nobody can reach included.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::prelude::*;

use super::{
    ground::{Ground, symmetries},
    tally::Best,
};
use crate::{
    board::{Board, Cell, Size},
    search::{Counts, score},
};

/// A floor set as a mask of board cells, with player and box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Placed {
    floor: u128,
    player: u8,
    box_cell: u8,
}

/// An optimal level up to the symmetries of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptimalClass {
    floor: u128,
    goal: u8,
    player: u8,
    box_cell: u8,
}

impl OptimalClass {
    /// The layout and the cells of player, box and goal.
    pub fn parts(&self, size: Size) -> (Board, Cell, Cell, Cell) {
        let floor = size.cells().filter(|cell| self.floor >> cell.0 & 1 == 1);
        let [player, box_cell, goal] =
            [self.player, self.box_cell, self.goal].map(|cell| Cell(u32::from(cell)));
        (Board::from_floor(size, floor), player, box_cell, goal)
    }
}

/// All optimal levels of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Optimal {
    /// Their numbers, by number of floor cells.
    pub by_floor: BTreeMap<u32, Counts>,
    /// One level of each class, smallest first.
    pub classes: Vec<OptimalClass>,
}

/// Lists and counts all optimal levels of a board, given the hardest starts
/// of each goal (one goal per orbit) under one convention. Goals whose best
/// is lower than the highest are left out. `None` if `stop` said so.
///
/// Runs on the present rayon pool.
pub fn all_optimal<'a>(
    size: Size,
    best: impl IntoIterator<Item = (Cell, &'a Best)>,
    stop: impl Fn() -> bool + Sync,
) -> Option<Optimal> {
    let best: Vec<_> = best.into_iter().collect();
    let moves = best.iter().map(|(_, best)| best.moves).max().unwrap_or(0);
    let group = symmetries(size);
    let mut found = Optimal::default();
    let mut layouts: HashSet<u128> = HashSet::new();
    for (goal, best) in best {
        if best.moves != moves || moves == 0 {
            continue;
        }
        let ground = Ground::new(size, goal);
        let levels = close(&ground, best, &stop)?;
        let orbit = (group.len() / ground.stabiliser.len()) as u64;
        let mut classes = BTreeSet::new();
        for level in &levels {
            let counts = found.by_floor.entry(level.floor.count_ones()).or_default();
            // The stabiliser's images of a level are among the levels, so the
            // goal's orbit alone expands them to the whole group.
            counts.levels += orbit;
            let images = ground.stabiliser.iter().map(|image| level.image(image));
            classes.insert(images.min().unwrap_or(*level));
            for image in &group {
                layouts.insert(level.image(image).floor);
            }
        }
        for class in classes {
            let counts = found.by_floor.entry(class.floor.count_ones()).or_default();
            counts.level_classes += 1;
            found.classes.push(OptimalClass {
                floor: class.floor,
                goal: goal.0 as u8,
                player: class.player,
                box_cell: class.box_cell,
            });
        }
    }
    for &floor in &layouts {
        let counts = found.by_floor.entry(floor.count_ones()).or_default();
        counts.layouts += 1;
        let smallest = group.iter().map(|image| image_of(floor, image)).min();
        counts.layout_classes += u64::from(smallest == Some(floor));
    }
    found.classes.sort_unstable();
    Some(found)
}

/// All levels of one goal at the distance of `best`.
fn close(
    ground: &Ground,
    best: &Best,
    stop: &(impl Fn() -> bool + Sync),
) -> Option<HashSet<Placed>> {
    let mut found: HashSet<Placed> = HashSet::new();
    for start in &best.starts {
        let placed = Placed {
            floor: start.set.cells().fold(0, |mask, cell| mask | 1 << cell.0),
            player: start.player.0 as u8,
            box_cell: start.box_cell.0 as u8,
        };
        found.extend(ground.stabiliser.iter().map(|image| placed.image(image)));
    }
    let mut front: Vec<Placed> = found.iter().copied().collect();
    while !front.is_empty() {
        if stop() {
            return None;
        }
        let mut above: Vec<Placed> = front
            .par_iter()
            .flat_map_iter(|level| {
                let closed = ground
                    .size
                    .cells()
                    .filter(|cell| level.floor >> cell.0 & 1 == 0);
                closed.map(|cell| Placed {
                    floor: level.floor | 1 << cell.0,
                    ..*level
                })
            })
            .filter(|level| !found.contains(level))
            .filter(|level| level.moves(ground) == Some(best.moves))
            .collect();
        above.par_sort_unstable();
        above.dedup();
        found.extend(above.iter().copied());
        front = above;
    }
    Some(found)
}

impl Placed {
    fn image(&self, image: &[u16]) -> Self {
        Self {
            floor: image_of(self.floor, image),
            player: image[usize::from(self.player)] as u8,
            box_cell: image[usize::from(self.box_cell)] as u8,
        }
    }

    /// Distance of the level in moves.
    fn moves(&self, ground: &Ground) -> Option<u32> {
        let floor = ground
            .size
            .cells()
            .filter(|cell| self.floor >> cell.0 & 1 == 1);
        let board = Board::from_floor(ground.size, floor);
        let [player, box_cell] = [self.player, self.box_cell].map(|cell| Cell(u32::from(cell)));
        score::distances(&board, ground.goal).get(player, box_cell)
    }
}

fn image_of(mut floor: u128, image: &[u16]) -> u128 {
    let mut mask = 0;
    while floor != 0 {
        mask |= 1 << image[floor.trailing_zeros() as usize];
        floor &= floor - 1;
    }
    mask
}
