//! Dead squares: cells from which the box cannot reach the goal.

use super::space::Space;
use crate::board::{Cell, DIRS, Dir};
use crate::level::Level;

/// Why a square is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeadKind {
    /// Walls on two sides that meet: the box cannot move at all.
    Corner,
    /// The box can move, but never to the goal: along a wall mostly.
    Wall,
}

/// The dead squares of a level's reachable floor, in reading order.
///
/// A square is dead when the box could not be pushed from it to the goal even
/// if the player could be anywhere. If goal or box are out of reach there are
/// no squares to speak of.
pub fn dead_squares(level: &Level) -> Vec<(Cell, DeadKind)> {
    let Some(space) = Space::new(level) else {
        return Vec::new();
    };
    let distances = push_distances(&space);
    let dead = (0u32..).zip(distances).filter(|(_, far)| far.is_none());
    dead.map(|(number, _)| (space.cell(number), kind(&space, number)))
        .collect()
}

fn kind(space: &Space, number: u32) -> DeadKind {
    let blocked =
        |a: Dir, b: Dir| space.step(number, a).is_none() || space.step(number, b).is_none();
    if blocked(Dir::Left, Dir::Right) && blocked(Dir::Up, Dir::Down) {
        DeadKind::Corner
    } else {
        DeadKind::Wall
    }
}

/// For every cell the fewest pushes from it to the goal if the player could be
/// anywhere; `None` for dead squares. Found by pulling the box from the goal.
pub(super) fn push_distances(space: &Space) -> Vec<Option<u32>> {
    let mut distances = vec![None; space.floor()];
    distances[space.goal() as usize] = Some(0);
    let mut layer = vec![space.goal()];
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        let mut next_layer = Vec::new();
        for &cell in &layer {
            for dir in DIRS {
                // The box comes from the player's side, who stands behind it.
                let Some(before) = space.step(cell, dir) else {
                    continue;
                };
                if space.step(before, dir).is_some() && distances[before as usize].is_none() {
                    distances[before as usize] = Some(distance);
                    next_layer.push(before);
                }
            }
        }
        layer = next_layer;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_walls() {
        let level: Level = "-----\n-$---\n-@---\n---.-\n-----\n".parse().unwrap();
        let dead = dead_squares(&level);
        let corners = dead.iter().filter(|(_, kind)| *kind == DeadKind::Corner);
        assert_eq!(corners.count(), 4);
        // The other twelve cells along the edge: the box never gets off.
        assert_eq!(dead.len(), 16);
    }

    #[test]
    fn a_goal_at_the_edge_keeps_its_edge_alive() {
        let level: Level = "--.--\n-$---\n-@---\n-----\n-----\n".parse().unwrap();
        let dead: Vec<u32> = dead_squares(&level)
            .iter()
            .map(|(cell, _)| cell.0)
            .collect();
        assert!(!dead.contains(&1) && !dead.contains(&3));
        assert!(dead.contains(&0) && dead.contains(&4));
    }
}
