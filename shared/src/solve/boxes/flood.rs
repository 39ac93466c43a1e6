//! Where the player can walk.

use super::ground::{Ground, NONE, Spot};
use crate::board::DIRS;

/// Distances of the player's walk, reused from state to state.
#[derive(Debug)]
pub(super) struct Flood {
    /// Flood in which a cell was reached last.
    stamps: Vec<u32>,
    distances: Vec<u32>,
    queue: Vec<Spot>,
    stamp: u32,
}

impl Flood {
    pub(super) fn new(ground: &Ground) -> Self {
        Self {
            stamps: vec![0; ground.floor()],
            distances: vec![0; ground.floor()],
            queue: Vec::with_capacity(ground.floor()),
            stamp: 0,
        }
    }

    /// Walks from a cell everywhere that is not occupied.
    pub(super) fn run(&mut self, ground: &Ground, occupied: &[bool], from: Spot) {
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.queue.clear();
        self.queue.push(from);
        self.stamps[from as usize] = self.stamp;
        self.distances[from as usize] = 0;
        let mut next = 0;
        while let Some(&spot) = self.queue.get(next) {
            next += 1;
            for dir in DIRS {
                let beside = ground.step(spot, dir);
                if beside == NONE
                    || occupied[beside as usize]
                    || self.stamps[beside as usize] == self.stamp
                {
                    continue;
                }
                self.stamps[beside as usize] = self.stamp;
                self.distances[beside as usize] = self.distances[spot as usize] + 1;
                self.queue.push(beside);
            }
        }
    }

    /// Moves to a cell, if the last flood came there.
    pub(super) fn distance(&self, spot: Spot) -> Option<u32> {
        (self.stamps[spot as usize] == self.stamp).then(|| self.distances[spot as usize])
    }

    /// The lowest number of a cell where the last flood came: the same for
    /// every place of the player from which the same pushes are possible.
    pub(super) fn lowest(&self) -> Spot {
        self.queue.iter().copied().min().unwrap_or(0)
    }
}
