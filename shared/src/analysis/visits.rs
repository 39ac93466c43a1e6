//! How often each cell is visited.

use crate::level::{Level, Lurd};
use crate::solve::{Replay, replay};

/// How often player and box come to each cell, the start counted as a visit;
/// indexed by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visits {
    /// Visits of the player.
    pub player: Vec<u32>,
    /// Visits of the box.
    pub box_cell: Vec<u32>,
}

impl Visits {
    /// Number of cells that the player comes to.
    pub fn player_cells(&self) -> usize {
        self.player.iter().filter(|&&visits| visits > 0).count()
    }

    /// Number of cells that the box comes to.
    pub fn box_cells(&self) -> usize {
        self.box_cell.iter().filter(|&&visits| visits > 0).count()
    }
}

/// Counts visits along a move string, up to its end, its first bad move or the
/// goal.
pub fn visits(level: &Level, lurd: &Lurd) -> Visits {
    let size = level.size();
    let mut found = Visits {
        player: vec![0; size.area()],
        box_cell: vec![0; size.area()],
    };
    let (mut player, mut box_cell) = (level.player(), level.box_cell());
    found.player[player.index()] += 1;
    found.box_cell[box_cell.index()] += 1;
    let Replay { lurd, .. } = replay(level, lurd);
    for step in lurd.moves() {
        let Some(next) = size.step(player, step.dir) else {
            break;
        };
        player = next;
        found.player[player.index()] += 1;
        if step.push {
            let Some(next) = size.step(box_cell, step.dir) else {
                break;
            };
            box_cell = next;
            found.box_cell[box_cell.index()] += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::shortest;

    /// The solution of the 6×6 optimum visits all its 28 floor cells.
    #[test]
    fn the_6x6_optimum_visits_everything() {
        let level: Level = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n"
            .parse()
            .unwrap();
        let solution = shortest(&level).unwrap().unwrap();
        let found = visits(&level, &solution.lurd);
        assert_eq!(found.player.iter().sum::<u32>(), 79);
        assert_eq!(found.box_cell.iter().sum::<u32>(), 10);
        let both = level
            .board()
            .floor_cells()
            .filter(|cell| found.player[cell.index()] + found.box_cell[cell.index()] > 0);
        assert_eq!(both.count(), 28);
    }
}
