//! The floor of a level, numbered.

use crate::board::{Cell, DIRS, Dir};
use crate::level::ClassicLevel;

/// No neighbour, or no way.
pub(super) const NONE: u32 = u32::MAX;

/// Number of a floor cell. A board has at most 65,536 cells, so that a number
/// fits 16 bits where many are stored.
pub(super) type Spot = u32;

/// The floor that the player could reach without boxes, its cells numbered in
/// reading order, and what follows from walls and goals alone.
#[derive(Debug)]
pub(super) struct Ground {
    steps: Vec<[Spot; 4]>,
    is_goal: Vec<bool>,
    /// For each goal the fewest pushes to it from each cell, if the player
    /// could be anywhere and no other box were there.
    pushes: Vec<Vec<u32>>,
    dead: Vec<bool>,
    /// Where the player starts.
    pub player: Spot,
    /// Where the boxes start, in ascending order.
    pub boxes: Vec<Spot>,
}

impl Ground {
    /// Numbers the floor; `None` if a box beside the goals or an empty goal is
    /// out of reach, so that there is no solution.
    pub(super) fn new(level: &ClassicLevel) -> Option<Self> {
        let level = level.cropped()?;
        let cells: Vec<Cell> = level.board().floor_cells().collect();
        let mut numbers = vec![NONE; level.size().area()];
        for (number, cell) in (0..).zip(&cells) {
            numbers[cell.index()] = number;
        }
        let steps: Vec<[Spot; 4]> = cells
            .iter()
            .map(|&cell| {
                DIRS.map(|dir| match level.board().floor_step(cell, dir) {
                    Some(next) => numbers[next.index()],
                    None => NONE,
                })
            })
            .collect();
        let spots = |cells: &[Cell]| -> Vec<Spot> {
            cells.iter().map(|cell| numbers[cell.index()]).collect()
        };
        let goals = spots(level.goals());
        let mut is_goal = vec![false; cells.len()];
        for &goal in &goals {
            is_goal[goal as usize] = true;
        }
        let pushes: Vec<Vec<u32>> = goals.iter().map(|&goal| pulled(&steps, goal)).collect();
        let dead = (0..cells.len())
            .map(|spot| pushes.iter().all(|from| from[spot] == NONE))
            .collect();
        Some(Self {
            steps,
            is_goal,
            pushes,
            dead,
            player: numbers[level.player().index()],
            boxes: spots(level.boxes()),
        })
    }

    /// Number of cells.
    pub(super) fn floor(&self) -> usize {
        self.steps.len()
    }

    /// The neighbour of a cell, or [`NONE`].
    pub(super) fn step(&self, spot: Spot, dir: Dir) -> Spot {
        self.steps[spot as usize][dir.index()]
    }

    /// Whether a cell is a goal.
    pub(super) fn is_goal(&self, spot: Spot) -> bool {
        self.is_goal[spot as usize]
    }

    /// Whether a box on a cell never gets to any goal: corners, and most cells
    /// along walls.
    pub(super) fn is_dead(&self, spot: Spot) -> bool {
        self.dead[spot as usize]
    }

    /// Fewest pushes from a cell to the goal of this number, or [`NONE`].
    pub(super) fn pushes(&self, goal: usize, spot: Spot) -> u32 {
        self.pushes[goal][spot as usize]
    }
}

/// Fewest pushes from every cell to a goal, found by pulling from it.
fn pulled(steps: &[[Spot; 4]], goal: Spot) -> Vec<u32> {
    let mut distances = vec![NONE; steps.len()];
    distances[goal as usize] = 0;
    let mut layer = vec![goal];
    for distance in 1.. {
        let mut next_layer = Vec::new();
        for &spot in &layer {
            for dir in DIRS {
                // The box comes from the side on which the player stands, who
                // needs a cell behind it.
                let before = steps[spot as usize][dir.index()];
                if before != NONE
                    && steps[before as usize][dir.index()] != NONE
                    && distances[before as usize] == NONE
                {
                    distances[before as usize] = distance;
                    next_layer.push(before);
                }
            }
        }
        if next_layer.is_empty() {
            break;
        }
        layer = next_layer;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_walls_are_dead() {
        let level: ClassicLevel = "-----\n-$$--\n-@---\n--.--\n--.--\n".parse().unwrap();
        let ground = Ground::new(&level).unwrap();
        assert_eq!(ground.floor(), 25);
        let dead = (0..25).filter(|&spot| ground.is_dead(spot));
        // All along the edge except below, where a goal is; there the corners.
        assert_eq!(dead.count(), 13);
        assert_eq!(ground.pushes(0, ground.boxes[0]), 3);
    }

    #[test]
    fn what_is_out_of_reach_has_no_ground() {
        let level: ClassicLevel = "@$.#$\n---#.\n".parse().unwrap();
        assert!(Ground::new(&level).is_none());
    }
}
