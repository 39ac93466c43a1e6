//! The plain twin: minimal sets straight from their definition.
//!
//! A set is minimal for a state when the state is solvable on it and on no
//! set with one cell less. Nothing here knows of must-pass masks, repair,
//! symmetry or the tree.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::board::{Cell, DIRS, Size};

/// Distance in moves of every solvable state (player, box) on a floor set,
/// the completed states included.
pub(super) fn distances(
    size: Size,
    goal: Cell,
    floor: &BTreeSet<Cell>,
) -> BTreeMap<(Cell, Cell), u32> {
    let step = |cell, dir| size.step(cell, dir).filter(|next| floor.contains(next));
    let mut found = BTreeMap::new();
    let mut queue = VecDeque::new();
    for player in DIRS.iter().filter_map(|&dir| step(goal, dir)) {
        found.insert((player, goal), 0);
        queue.push_back((player, goal));
    }
    while let Some((player, box_cell)) = queue.pop_front() {
        let moves = found[&(player, box_cell)] + 1;
        for dir in DIRS {
            let Some(from) = step(player, dir) else {
                continue;
            };
            let mut before = Vec::new();
            if box_cell != goal && from != box_cell {
                before.push((from, box_cell));
            }
            // The player came from `from` and pushed the box off `player`.
            if player != goal && size.step(player, dir.opposite()) == Some(box_cell) {
                before.push((from, player));
            }
            for state in before {
                found.entry(state).or_insert_with(|| {
                    queue.push_back(state);
                    moves
                });
            }
        }
    }
    found
}

/// States that a set is minimal for, with their distances.
pub(super) fn minimal_states(
    size: Size,
    goal: Cell,
    floor: &BTreeSet<Cell>,
) -> BTreeMap<(Cell, Cell), u32> {
    let mut minimal = distances(size, goal, floor);
    for cell in floor {
        let mut smaller = floor.clone();
        smaller.remove(cell);
        if smaller.contains(&goal) {
            let solvable = distances(size, goal, &smaller);
            minimal.retain(|state, _| !solvable.contains_key(state));
        }
    }
    minimal
}

/// All minimal sets of a goal, by trying every floor set of the board.
pub(super) fn all_minimal_sets(
    size: Size,
    goal: Cell,
) -> BTreeMap<BTreeSet<Cell>, BTreeMap<(Cell, Cell), u32>> {
    let others: Vec<Cell> = size.cells().filter(|&cell| cell != goal).collect();
    (0u32..1 << others.len())
        .filter_map(|mask| {
            let mut floor: BTreeSet<Cell> = (0..others.len())
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| others[i])
                .collect();
            floor.insert(goal);
            let states = minimal_states(size, goal, &floor);
            (!states.is_empty()).then_some((floor, states))
        })
        .collect()
}
