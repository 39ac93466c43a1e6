//! From pushes to moves.

use super::ground::{Ground, NONE, Spot};
use crate::board::{DIRS, Dir};
use crate::level::{Lurd, Move};

/// The board along a solution whose pushes are known.
#[derive(Debug)]
pub(super) struct Board<'a> {
    ground: &'a Ground,
    player: Spot,
    occupied: Vec<bool>,
    moves: Vec<Move>,
}

impl<'a> Board<'a> {
    /// The start of the level.
    pub(super) fn new(ground: &'a Ground) -> Self {
        let mut occupied = vec![false; ground.floor()];
        for &spot in &ground.boxes {
            occupied[spot as usize] = true;
        }
        Self {
            player: ground.player,
            occupied,
            moves: Vec::new(),
            ground,
        }
    }

    /// Walks the shortest way to the one push after which the boxes are there,
    /// and makes it. If the boxes are there already, nothing happens.
    pub(super) fn push_to(&mut self, boxes: &[u16]) {
        let to = boxes
            .iter()
            .find(|&&spot| !self.occupied[usize::from(spot)]);
        let Some(to) = to.map(|&spot| Spot::from(spot)) else {
            return;
        };
        let from = DIRS.into_iter().find_map(|dir| {
            let from = self.ground.step(to, dir.opposite());
            let left =
                from != NONE && self.occupied[from as usize] && !boxes.contains(&(from as u16));
            left.then_some((from, dir))
        });
        let Some((from, dir)) = from else { return };
        self.walk(self.ground.step(from, dir.opposite()));
        self.moves.push(Move { dir, push: true });
        self.occupied[from as usize] = false;
        self.occupied[to as usize] = true;
        self.player = from;
    }

    /// The moves made.
    pub(super) fn into_moves(self) -> Lurd {
        self.moves.into_iter().collect()
    }

    fn walk(&mut self, to: Spot) {
        // From the end, so that following it forwards needs no turning around.
        let mut came: Vec<Option<Dir>> = vec![None; self.ground.floor()];
        let mut queue = vec![to];
        let mut next = 0;
        while let Some(&spot) = queue.get(next) {
            next += 1;
            if spot == self.player {
                break;
            }
            for dir in DIRS {
                let before = self.ground.step(spot, dir.opposite());
                if before != NONE
                    && before != to
                    && !self.occupied[before as usize]
                    && came[before as usize].is_none()
                {
                    came[before as usize] = Some(dir);
                    queue.push(before);
                }
            }
        }
        while self.player != to {
            let Some(dir) = came[self.player as usize] else {
                return;
            };
            self.moves.push(Move { dir, push: false });
            self.player = self.ground.step(self.player, dir);
        }
    }
}
