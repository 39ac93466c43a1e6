//! A second family of sets, as a check on the first.
//!
//! A set is *critical* for a state when every one of its cells lies on all
//! **shortest** solutions of that state. Critical sets grow by one cell at a
//! time like minimal ones (docs/growth-search.md) and there are more of them,
//! so their maxima must be the same while the search is another: layer by
//! layer, one breadth-first search per set, no repair, no symmetry.

use std::collections::BTreeSet;

use crate::board::{Cell, DIRS, Size};

/// What a search over critical sets found for one goal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Critical {
    pub(super) sets: u64,
    pub(super) moves: u32,
}

/// A state on the way back from the goal.
#[derive(Debug, Clone, Copy)]
struct Node {
    player: Cell,
    box_cell: Cell,
    moves: u32,
    /// Cells on all shortest solutions, as a mask.
    pass: u64,
}

pub(super) fn search(size: Size, goal: Cell) -> Critical {
    let bit = |cell: Cell| 1u64 << cell.0;
    let mut layer: BTreeSet<u64> = DIRS
        .iter()
        .filter_map(|&dir| size.step(goal, dir))
        .map(|next| bit(goal) | bit(next))
        .collect();
    let mut found = Critical::default();
    while !layer.is_empty() {
        let mut next = BTreeSet::new();
        for &floor in &layer {
            let nodes = shortest_pass(size, goal, floor);
            let critical: Vec<&Node> = nodes.iter().filter(|node| node.pass == floor).collect();
            if critical.is_empty() {
                continue;
            }
            found.sets += 1;
            for node in critical {
                if node.box_cell != goal {
                    found.moves = found.moves.max(node.moves);
                }
                for (player, _) in before(size, goal, node.player, node.box_cell) {
                    if floor & bit(player) == 0 {
                        next.insert(floor | bit(player));
                    }
                }
            }
        }
        layer = next;
    }
    found
}

/// States one reverse move away, whatever is wall; those whose player is on a
/// wall are the caller's to drop.
fn before(size: Size, goal: Cell, player: Cell, box_cell: Cell) -> Vec<(Cell, Cell)> {
    let mut states = Vec::new();
    for dir in DIRS {
        let Some(from) = size.step(player, dir) else {
            continue;
        };
        if box_cell != goal && from != box_cell {
            states.push((from, box_cell));
        }
        if player != goal && size.step(player, dir.opposite()) == Some(box_cell) {
            states.push((from, player));
        }
    }
    states
}

/// All solvable states on a floor set with the cells on all their shortest
/// solutions, in order of distance.
fn shortest_pass(size: Size, goal: Cell, floor: u64) -> Vec<Node> {
    let bit = |cell: Cell| 1u64 << cell.0;
    let mut index = vec![usize::MAX; size.area() * size.area()];
    let at = |player: Cell, box_cell: Cell| box_cell.index() * size.area() + player.index();
    let mut nodes: Vec<Node> = Vec::new();
    for player in DIRS.iter().filter_map(|&dir| size.step(goal, dir)) {
        if floor & bit(player) != 0 {
            index[at(player, goal)] = nodes.len();
            nodes.push(Node {
                player,
                box_cell: goal,
                moves: 0,
                pass: bit(player) | bit(goal),
            });
        }
    }
    let mut head = 0;
    while let Some(&node) = nodes.get(head) {
        head += 1;
        for (player, box_cell) in before(size, goal, node.player, node.box_cell) {
            if floor & bit(player) == 0 {
                continue;
            }
            let pass = node.pass | bit(player);
            let known = &mut index[at(player, box_cell)];
            if *known == usize::MAX {
                *known = nodes.len();
                nodes.push(Node {
                    player,
                    box_cell,
                    moves: node.moves + 1,
                    pass,
                });
            } else if nodes[*known].moves == node.moves + 1 {
                nodes[*known].pass &= pass;
            }
        }
    }
    nodes
}
