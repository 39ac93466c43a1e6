//! The ways of the boxes, and the walks between pushes.

use std::collections::BTreeMap;

use crate::board::Cell;
use crate::level::{ClassicLevel, Lurd, Position};

/// What a solution does, as far as pictures show it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Route {
    /// For each push: number of the box, where it was, where it is then.
    pub pushes: Vec<(usize, Cell, Cell)>,
    /// Lengths of the walks before pushes, by the cell of the box that is
    /// pushed next; in their order.
    pub walks: BTreeMap<Cell, Vec<usize>>,
}

impl Route {
    /// Plays a move string up to its end, its first bad move or the moment
    /// when all boxes are on goals.
    pub(super) fn of(level: &ClassicLevel, lurd: &Lurd) -> Self {
        let mut route = Self::default();
        let mut position = Position::new(level);
        let mut walk = 0;
        for step in lurd.moves() {
            let Some(made) = position.step(step.dir) else {
                break;
            };
            let Some(number) = made.pushed else {
                walk += 1;
                continue;
            };
            // The player stands where the box was.
            let from = position.player();
            route.pushes.push((number, from, position.boxes()[number]));
            if walk > 0 {
                route.walks.entry(from).or_default().push(walk);
            }
            walk = 0;
            if position.is_solved() {
                break;
            }
        }
        route
    }

    /// The longest walk.
    pub(super) fn longest_walk(&self) -> usize {
        self.walks.values().flatten().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_and_walks_of_two_boxes() {
        let level: ClassicLevel = "@$-.\n-$-.\n".parse().unwrap();
        let route = Route::of(&level, &"RRllldRR".parse().unwrap());
        // The third step of the walk leads out of the board.
        assert_eq!(route.pushes.len(), 2);
        let route = Route::of(&level, &"RRlldRR".parse().unwrap());
        let pushes = [(0, 1, 2), (0, 2, 3), (1, 5, 6), (1, 6, 7)];
        let expected = pushes.map(|(number, from, to)| (number, Cell(from), Cell(to)));
        assert_eq!(route.pushes, expected);
        assert_eq!(route.walks, BTreeMap::from([(Cell(5), vec![3])]));
        assert_eq!(route.longest_walk(), 3);
    }
}
