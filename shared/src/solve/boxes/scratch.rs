//! The pushes that are possible in a state.

use super::assign::Assignment;
use super::flood::Flood;
use super::frozen::is_deadlock;
use super::ground::{Ground, NONE, Spot};
use crate::board::DIRS;

/// A push that leads to no deadlock that is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Push {
    /// Moves of the player up to and including the push.
    pub moves: u32,
    /// Where the box was; the player stands there afterwards.
    pub from: Spot,
    /// Fewest pushes that are left, by [`Assignment::pushes`].
    pub left: u32,
}

/// Room for looking at one state after the other.
#[derive(Debug)]
pub(super) struct Scratch<'a> {
    ground: &'a Ground,
    flood: Flood,
    assignment: Assignment,
    occupied: Vec<bool>,
    /// Boxes of the state after a push.
    after: Vec<u16>,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        Self {
            flood: Flood::new(ground),
            assignment: Assignment::default(),
            occupied: vec![false; ground.floor()],
            after: Vec::new(),
            ground,
        }
    }

    /// Fewest pushes left, or `None` if the goals cannot be shared out.
    pub(super) fn left(&mut self, boxes: &[u16]) -> Option<u32> {
        self.assignment.pushes(self.ground, boxes)
    }

    /// The lowest cell that the player can walk to.
    pub(super) fn lowest(&mut self, boxes: &[u16], player: Spot) -> Spot {
        self.occupy(boxes, true);
        self.flood.run(self.ground, &self.occupied, player);
        self.occupy(boxes, false);
        self.flood.lowest()
    }

    /// Calls `take` for each push with the boxes after it, in ascending order.
    /// The order of the pushes is that of the boxes and then of [`DIRS`].
    pub(super) fn pushes(
        &mut self,
        boxes: &[u16],
        player: Spot,
        mut take: impl FnMut(Push, &[u16]),
    ) {
        self.occupy(boxes, true);
        self.flood.run(self.ground, &self.occupied, player);
        for (index, &spot) in boxes.iter().enumerate() {
            let from = Spot::from(spot);
            for dir in DIRS {
                let to = self.ground.step(from, dir);
                let behind = self.ground.step(from, dir.opposite());
                if to == NONE
                    || behind == NONE
                    || self.occupied[to as usize]
                    || self.ground.is_dead(to)
                {
                    continue;
                }
                let Some(walk) = self.flood.distance(behind) else {
                    continue;
                };
                self.occupied[from as usize] = false;
                self.occupied[to as usize] = true;
                let lost = is_deadlock(self.ground, &self.occupied, to);
                self.occupied[to as usize] = false;
                self.occupied[from as usize] = true;
                if lost {
                    continue;
                }
                self.after.clear();
                self.after.extend_from_slice(boxes);
                self.after[index] = to as u16;
                self.after.sort_unstable();
                if let Some(left) = self.assignment.pushes(self.ground, &self.after) {
                    let moves = walk + 1;
                    take(Push { moves, from, left }, &self.after);
                }
            }
        }
        self.occupy(boxes, false);
    }

    fn occupy(&mut self, boxes: &[u16], value: bool) {
        for &spot in boxes {
            self.occupied[usize::from(spot)] = value;
        }
    }
}
