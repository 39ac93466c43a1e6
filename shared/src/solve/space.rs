//! The states of a level, numbered.

use crate::board::{Cell, DIRS, Dir, Size};
use crate::level::Level;

/// Marks "no neighbour" in the tables of a [`Space`].
const NONE: u32 = u32::MAX;

/// A state: `box * floor + player`, both numbered as reachable floor cells.
///
/// A board has at most 65,536 cells, so that the number of a state always fits.
pub(super) type State = u32;

/// Bytes of a solver's table with one entry of four bytes for each pair of
/// `floor` cells.
pub const fn table_bytes(floor: u64) -> u64 {
    floor * floor * 4
}

/// The reachable floor of a level with numbered cells, and the steps between
/// them. Cells that the player could not reach even without the box never
/// take part in a solution.
#[derive(Debug)]
pub(super) struct Space {
    /// Number → cell of the board.
    cells: Vec<Cell>,
    /// Number → numbers of the neighbours, in the order of [`DIRS`].
    steps: Vec<[u32; 4]>,
    size: Size,
    start: State,
    goal: u32,
}

impl Space {
    /// Numbers the floor of a level; `None` if box or goal are out of reach,
    /// so that there is no solution.
    pub(super) fn new(level: &Level) -> Option<Self> {
        let reachable = level.reachable_floor();
        let cells: Vec<Cell> = reachable.floor_cells().collect();
        let mut numbers = vec![NONE; reachable.size().area()];
        for (number, cell) in cells.iter().enumerate() {
            numbers[cell.index()] = number as u32;
        }
        let steps = cells
            .iter()
            .map(|&cell| {
                DIRS.map(|dir| match reachable.floor_step(cell, dir) {
                    Some(next) => numbers[next.index()],
                    None => NONE,
                })
            })
            .collect();
        let number = |cell: Cell| Some(numbers[cell.index()]).filter(|&n| n != NONE);
        let mut space = Self {
            size: level.size(),
            start: 0,
            goal: number(level.goal())?,
            cells,
            steps,
        };
        space.start = space.state(number(level.player())?, number(level.box_cell())?);
        Some(space)
    }

    /// Number of reachable floor cells.
    pub(super) fn floor(&self) -> usize {
        self.cells.len()
    }

    /// Number of (box, player) pairs, the impossible ones included: the length
    /// of a table over states.
    pub(super) fn states(&self) -> usize {
        self.floor() * self.floor()
    }

    /// Where the level begins.
    pub(super) const fn start(&self) -> State {
        self.start
    }

    /// The state of these two cells, which are numbers.
    pub(super) fn state(&self, player: u32, box_cell: u32) -> State {
        (box_cell as usize * self.floor() + player as usize) as State
    }

    /// Player and box of a state, as numbers of cells.
    pub(super) fn parts(&self, state: State) -> (u32, u32) {
        let floor = self.floor() as u32;
        (state % floor, state / floor)
    }

    /// Whether the box of a state is on the goal.
    pub(super) fn is_solved(&self, state: State) -> bool {
        self.parts(state).1 == self.goal
    }

    /// All states with the box on the goal, possible or not.
    pub(super) fn solved_states(&self) -> impl Iterator<Item = State> + '_ {
        let players = (0..self.floor() as u32).filter(|&player| player != self.goal);
        players.map(|player| self.state(player, self.goal))
    }

    /// The cell of the board that a number stands for.
    pub(super) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// Rows plus columns between two cells, given as numbers: no walk between
    /// them is shorter.
    pub(super) fn straight_distance(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.cell(a), self.cell(b));
        let rows = self.size.row(a).abs_diff(self.size.row(b));
        let cols = self.size.col(a).abs_diff(self.size.col(b));
        u32::from(rows) + u32::from(cols)
    }

    /// Number of the goal's cell.
    pub(super) const fn goal(&self) -> u32 {
        self.goal
    }

    /// The neighbour of a cell, both as numbers.
    pub(super) fn step(&self, cell: u32, dir: Dir) -> Option<u32> {
        let next = self.steps[cell as usize][dir.index()];
        (next != NONE).then_some(next)
    }

    /// Where a move from an unsolved state leads, and whether it is a push.
    pub(super) fn forward(&self, state: State, dir: Dir) -> Option<(State, bool)> {
        let (player, box_cell) = self.parts(state);
        let next = self.step(player, dir)?;
        if next == box_cell {
            let pushed = self.step(box_cell, dir)?;
            Some((self.state(next, pushed), true))
        } else {
            Some((self.state(next, box_cell), false))
        }
    }

    /// The unsolved states from which a walk or a push in direction `dir`
    /// leads to `state`: (by a walk, by a push).
    pub(super) fn backward(&self, state: State, dir: Dir) -> (Option<State>, Option<State>) {
        let (player, box_cell) = self.parts(state);
        let Some(before) = self.step(player, dir.opposite()) else {
            return (None, None);
        };
        let walk = before != box_cell && box_cell != self.goal;
        let push = self.step(player, dir) == Some(box_cell) && player != self.goal;
        (
            walk.then(|| self.state(before, box_cell)),
            push.then(|| self.state(before, player)),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::shortest::tests::any_level;
    use super::*;

    proptest! {
        /// Steps back are exactly the steps forward from unsolved states, turned
        /// around.
        #[test]
        fn backward_is_forward_turned_around(level in any_level()) {
            let Some(space) = Space::new(&level) else { return Ok(()) };
            let states = (0..space.states() as State).filter(|&state| {
                let (player, box_cell) = space.parts(state);
                player != box_cell
            });
            let states: Vec<State> = states.collect();
            let mut forward = BTreeSet::new();
            let mut backward = BTreeSet::new();
            for &state in &states {
                for dir in DIRS {
                    if !space.is_solved(state)
                        && let Some((next, push)) = space.forward(state, dir)
                    {
                        forward.insert((state, dir, push, next));
                    }
                    let (walk, push) = space.backward(state, dir);
                    backward.extend(walk.map(|before| (before, dir, false, state)));
                    backward.extend(push.map(|before| (before, dir, true, state)));
                }
            }
            prop_assert_eq!(forward, backward);
        }
    }
}
