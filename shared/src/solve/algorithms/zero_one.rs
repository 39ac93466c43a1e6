//! 0-1 breadth-first search: fewest pushes, among these fewest moves.

use std::collections::VecDeque;

use super::super::space::Space;
use super::super::trace::{Costs, UNSEEN};
use super::{FAR, Found, Table};
use crate::board::DIRS;

/// Two passes, each linear in the number of states: first the fewest pushes of
/// every state, with a double-ended queue in which walks go in front; then the
/// fewest moves over those steps only that keep the pushes fewest.
pub(in super::super) fn search(space: &Space, costs: Costs) -> Option<Found> {
    let pushes = fewest_pushes(space);
    let mut table = vec![UNSEEN; space.states()];
    table[space.start() as usize] = 0;
    let mut layer = vec![space.start()];
    let mut states = 0;
    let mut best = UNSEEN;
    while !layer.is_empty() {
        states += layer.len() as u64;
        let mut next_layer = Vec::new();
        for &state in &layer {
            if space.is_solved(state) {
                best = best.min(table[state as usize]);
                continue;
            }
            for dir in DIRS {
                if let Some((next, push)) = space.forward(state, dir)
                    && table[next as usize] == UNSEEN
                    && pushes[next as usize] == pushes[state as usize] + u32::from(push)
                {
                    table[next as usize] = table[state as usize] + costs.of(push);
                    next_layer.push(next);
                }
            }
        }
        layer = next_layer;
    }
    (best != UNSEEN).then_some(Found {
        table: Table::Long(table),
        best,
        states,
    })
}

fn fewest_pushes(space: &Space) -> Vec<u32> {
    let mut pushes = vec![FAR; space.states()];
    pushes[space.start() as usize] = 0;
    let mut queue = VecDeque::from([space.start()]);
    while let Some(state) = queue.pop_front() {
        if space.is_solved(state) {
            continue;
        }
        let here = pushes[state as usize];
        for dir in DIRS {
            if let Some((next, push)) = space.forward(state, dir)
                && here + u32::from(push) < pushes[next as usize]
            {
                pushes[next as usize] = here + u32::from(push);
                if push {
                    queue.push_back(next);
                } else {
                    queue.push_front(next);
                }
            }
        }
    }
    pushes
}
