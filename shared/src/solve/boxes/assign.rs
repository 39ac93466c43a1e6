//! The cheapest way to give every box a goal of its own.

use super::ground::{Ground, NONE, Spot};

/// Stands for "not possible" in sums: more than all possible costs together.
const NEVER: i64 = 1 << 40;

/// Finds assignments of boxes to goals with least pushes: the Hungarian method
/// with potentials, cubic in the number of boxes.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    row_potential: Vec<i64>,
    column_potential: Vec<i64>,
    /// Column → row, both from 1; 0 is none.
    row_of: Vec<usize>,
    way: Vec<usize>,
    least: Vec<i64>,
    used: Vec<bool>,
}

impl Assignment {
    /// Sum of the fewest pushes of all boxes, each to another goal, as if no
    /// other box were in its way; `None` if the goals cannot be shared out.
    ///
    /// No solution has fewer pushes, and one push lowers the sum by at most
    /// one: A* may rely on it.
    pub(super) fn pushes(&mut self, ground: &Ground, boxes: &[u16]) -> Option<u32> {
        let cost = |row: usize, column: usize| match ground
            .pushes(column - 1, Spot::from(boxes[row - 1]))
        {
            NONE => NEVER,
            pushes => i64::from(pushes),
        };
        let count = boxes.len();
        self.row_potential.clear();
        self.row_potential.resize(count + 1, 0);
        self.column_potential.clear();
        self.column_potential.resize(count + 1, 0);
        self.row_of.clear();
        self.row_of.resize(count + 1, 0);
        self.way.clear();
        self.way.resize(count + 1, 0);
        for row in 1..=count {
            self.row_of[0] = row;
            let mut column = 0;
            self.least.clear();
            self.least.resize(count + 1, i64::MAX);
            self.used.clear();
            self.used.resize(count + 1, false);
            loop {
                self.used[column] = true;
                let this_row = self.row_of[column];
                let (mut step, mut next_column) = (i64::MAX, 0);
                for other in 1..=count {
                    if self.used[other] {
                        continue;
                    }
                    let reduced = cost(this_row, other)
                        - self.row_potential[this_row]
                        - self.column_potential[other];
                    if reduced < self.least[other] {
                        self.least[other] = reduced;
                        self.way[other] = column;
                    }
                    if self.least[other] < step {
                        step = self.least[other];
                        next_column = other;
                    }
                }
                for other in 0..=count {
                    if self.used[other] {
                        self.row_potential[self.row_of[other]] += step;
                        self.column_potential[other] -= step;
                    } else {
                        self.least[other] -= step;
                    }
                }
                column = next_column;
                if self.row_of[column] == 0 {
                    break;
                }
            }
            while column != 0 {
                let before = self.way[column];
                self.row_of[column] = self.row_of[before];
                column = before;
            }
        }
        let total: i64 = (1..=count)
            .map(|column| cost(self.row_of[column], column))
            .sum();
        (total < NEVER).then_some(total as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::any_classic;
    use super::*;

    /// Tries every assignment.
    fn reference(ground: &Ground, boxes: &[u16], taken: &mut Vec<bool>) -> Option<u32> {
        let Some((&first, rest)) = boxes.split_first() else {
            return Some(0);
        };
        let mut best = None;
        for goal in 0..taken.len() {
            let pushes = ground.pushes(goal, first.into());
            if taken[goal] || pushes == NONE {
                continue;
            }
            taken[goal] = true;
            let rest = reference(ground, rest, taken).map(|rest| rest + pushes);
            taken[goal] = false;
            best = [best, rest].into_iter().flatten().min();
        }
        best
    }

    proptest! {
        #[test]
        fn the_cheapest_of_all_assignments(level in any_classic(5)) {
            let Some(ground) = Ground::new(&level) else { return Ok(()) };
            let boxes: Vec<u16> = ground.boxes.iter().map(|&spot| spot as u16).collect();
            let expected = reference(&ground, &boxes, &mut vec![false; boxes.len()]);
            prop_assert_eq!(Assignment::default().pushes(&ground, &boxes), expected);
        }
    }
}
