//! How often each cell is visited.

use crate::level::{ClassicLevel, Lurd, Position};

/// How often player and boxes come to each cell, the start counted as a visit;
/// indexed by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visits {
    /// Visits of the player.
    pub player: Vec<u32>,
    /// Visits of the boxes.
    pub boxes: Vec<u32>,
}

impl Visits {
    /// Number of cells that the player comes to.
    pub fn player_cells(&self) -> usize {
        self.player.iter().filter(|&&visits| visits > 0).count()
    }

    /// Number of cells that boxes come to.
    pub fn box_cells(&self) -> usize {
        self.boxes.iter().filter(|&&visits| visits > 0).count()
    }
}

/// Counts visits along a move string, up to its end, its first bad move or the
/// moment when all boxes are on goals.
pub fn visits(level: impl Into<ClassicLevel>, lurd: &Lurd) -> Visits {
    let level = level.into();
    let mut position = Position::new(&level);
    let mut found = Visits {
        player: vec![0; level.size().area()],
        boxes: vec![0; level.size().area()],
    };
    found.player[level.player().index()] += 1;
    for cell in level.boxes() {
        found.boxes[cell.index()] += 1;
    }
    for step in lurd.moves() {
        let Some(made) = position.step(step.dir) else {
            break;
        };
        found.player[position.player().index()] += 1;
        if let Some(number) = made.pushed {
            found.boxes[position.boxes()[number].index()] += 1;
        }
        if position.is_solved() {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
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
        assert_eq!(found.boxes.iter().sum::<u32>(), 10);
        let both = level
            .board()
            .floor_cells()
            .filter(|cell| found.player[cell.index()] + found.boxes[cell.index()] > 0);
        assert_eq!(both.count(), 28);
    }
}
