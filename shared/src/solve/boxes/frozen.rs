//! Boxes that can never move again.

use super::ground::{Ground, NONE, Spot};
use crate::board::Dir;

/// Whether the box on `spot`, with others that hold it and that it holds, can
/// never be pushed again, one of them being beside the goals: there is no
/// solution from here. Squares of two by two boxes and walls are one case, rows
/// of boxes along a wall another.
///
/// A box is blocked along an axis if there is a wall beside it, if both cells
/// are dead for boxes, or if the box beside it is frozen while this one does
/// not move; it is frozen if it is blocked along both.
pub(super) fn is_deadlock(ground: &Ground, occupied: &[bool], spot: Spot) -> bool {
    let mut search = Frozen {
        ground,
        occupied,
        path: Vec::new(),
        held: Vec::new(),
    };
    search.is_frozen(spot) && search.held.iter().any(|&spot| !ground.is_goal(spot))
}

struct Frozen<'a> {
    ground: &'a Ground,
    occupied: &'a [bool],
    /// Boxes that are being looked at: they count as walls.
    path: Vec<Spot>,
    /// Boxes found to be frozen with those of the path.
    held: Vec<Spot>,
}

impl Frozen<'_> {
    fn is_frozen(&mut self, spot: Spot) -> bool {
        let known = self.held.len();
        self.path.push(spot);
        let frozen = self.is_blocked(spot, Dir::Left) && self.is_blocked(spot, Dir::Up);
        self.path.pop();
        if frozen {
            self.held.push(spot);
        } else {
            self.held.truncate(known);
        }
        frozen
    }

    fn is_blocked(&mut self, spot: Spot, dir: Dir) -> bool {
        let beside = [dir, dir.opposite()].map(|dir| self.ground.step(spot, dir));
        let wall = |spot| spot == NONE || self.path.contains(&spot);
        beside.iter().any(|&spot| wall(spot))
            || beside.iter().all(|&spot| self.ground.is_dead(spot))
            || beside
                .iter()
                .any(|&spot| self.occupied[spot as usize] && self.is_frozen(spot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::ClassicLevel;

    /// Whether the first box of the level is in a deadlock.
    fn deadlock(rows: &str) -> bool {
        let level: ClassicLevel = rows.replace('/', "\n").parse().unwrap();
        let ground = Ground::new(&level).unwrap();
        let mut occupied = vec![false; ground.floor()];
        for &spot in &ground.boxes {
            occupied[spot as usize] = true;
        }
        is_deadlock(&ground, &occupied, ground.boxes[0])
    }

    #[test]
    fn two_by_two_blocks() {
        // Four boxes; three boxes and a wall; two boxes along a wall.
        assert!(deadlock("------/-$$---/-$$---/--@---/-....-/------"));
        assert!(deadlock("------/-$$---/-$#---/--@---/-...--/------"));
        assert!(deadlock("-$$---/------/--@---/-..---/------"));
        // All on goals: nothing is lost.
        assert!(!deadlock("------/-**---/-**---/--@-$-/----.-/------"));
        // One of them on a goal does not help the others.
        assert!(deadlock("------/-*$---/-$$---/--@---/-...--/------"));
    }

    #[test]
    fn boxes_that_free_each_other() {
        assert!(!deadlock("------/-$$---/------/--@---/-..---/------"));
        // A row of three away from walls.
        assert!(!deadlock("-------/-$$$---/-------/--@----/-...---/-------"));
    }

    #[test]
    fn a_chain_of_boxes() {
        // The left box is held by a wall beside it and, below, by a box that
        // stands against walls.
        assert!(deadlock("##-----/#$-----/#$-.---/##-@.--/-------"));
        assert!(!deadlock("##-----/--$----/#$-.---/##-@.--/-------"));
    }
}
