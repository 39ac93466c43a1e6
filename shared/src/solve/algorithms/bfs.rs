//! Breadth-first search from the start: fewest moves.

use super::super::space::Space;
use super::{FAR, Found, Table};
use crate::board::DIRS;

/// Searches up to the end of the layer in which the level is first solved.
pub(in super::super) fn search(space: &Space) -> Option<Found> {
    let mut table = vec![FAR; space.states()];
    table[space.start() as usize] = 0;
    let mut layer = vec![space.start()];
    let mut next_layer = Vec::new();
    let mut states = 1;
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        let mut solved = false;
        for &state in &layer {
            for dir in DIRS {
                if let Some((next, push)) = space.forward(state, dir)
                    && table[next as usize] == FAR
                {
                    table[next as usize] = distance;
                    next_layer.push(next);
                    solved |= push && space.is_solved(next);
                }
            }
        }
        states += next_layer.len() as u64;
        if solved {
            return Some(Found {
                table: Table::Short(table),
                best: distance.into(),
                states,
            });
        }
        layer.clear();
        std::mem::swap(&mut layer, &mut next_layer);
    }
    None
}
