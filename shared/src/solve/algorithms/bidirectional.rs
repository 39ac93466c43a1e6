//! Breadth-first search from both ends: fewest moves.

use super::super::space::{Space, State};
use super::{FAR, Found, Table};
use crate::board::DIRS;

/// One of the two searches.
struct Side {
    table: Vec<u32>,
    layer: Vec<State>,
    radius: u32,
}

impl Side {
    fn new(space: &Space, start: Vec<State>) -> Self {
        let mut table = vec![FAR; space.states()];
        for &state in &start {
            table[state as usize] = 0;
        }
        Self {
            table,
            layer: start,
            radius: 0,
        }
    }

    /// Takes one step from the whole layer.
    fn grow<I: IntoIterator<Item = State>>(&mut self, steps: impl Fn(State) -> I) {
        self.radius += 1;
        let mut next_layer = Vec::new();
        for &state in &self.layer {
            for next in steps(state) {
                if self.table[next as usize] == FAR {
                    self.table[next as usize] = self.radius;
                    next_layer.push(next);
                }
            }
        }
        self.layer = next_layer;
    }

    fn meets(&self, other: &Self) -> bool {
        let mut layer = self.layer.iter();
        layer.any(|&state| other.table[state as usize] != FAR)
    }
}

/// Searches forwards from the start and, by pulls, backwards from all solved
/// states, always on the side with the smaller layer, until a state is seen
/// from both.
pub(in super::super) fn search(space: &Space) -> Option<Found> {
    let mut front = Side::new(space, vec![space.start()]);
    let mut back = Side::new(space, space.solved_states().collect());
    let mut states = 1 + back.layer.len() as u64;
    loop {
        let (side, other) = if front.layer.len() <= back.layer.len() {
            front.grow(|state| {
                DIRS.into_iter()
                    .filter_map(move |dir| Some(space.forward(state, dir)?.0))
            });
            (&front, &back)
        } else {
            back.grow(|state| {
                DIRS.into_iter().flat_map(move |dir| {
                    let (walk, push) = space.backward(state, dir);
                    walk.into_iter().chain(push)
                })
            });
            (&back, &front)
        };
        states += side.layer.len() as u64;
        if side.layer.is_empty() {
            return None;
        }
        if side.meets(other) {
            break;
        }
    }
    let best = front.radius + back.radius;
    mark_rest(space, &mut front, &back);
    Some(Found {
        table: Table::Short(front.table),
        best: best.into(),
        states,
    })
}

/// Carries the distances from the start on along the optimal solutions, from
/// the states where the searches met to the goal.
fn mark_rest(space: &Space, front: &mut Side, back: &Side) {
    let radius = front.radius;
    // The searches may have met while the front layer was older than the last
    // one to grow; take the states from the table, not from the layers.
    let mut layer: Vec<State> = (0..front.table.len() as u64)
        .map(|state| state as State)
        .filter(|&state| {
            front.table[state as usize] == radius && back.table[state as usize] == back.radius
        })
        .collect();
    for left in (0..back.radius).rev() {
        let distance = radius + back.radius - left;
        let mut next_layer = Vec::new();
        for &state in &layer {
            for dir in DIRS {
                if let Some((next, _)) = space.forward(state, dir)
                    && back.table[next as usize] == left
                    && front.table[next as usize] == FAR
                {
                    front.table[next as usize] = distance;
                    next_layer.push(next);
                }
            }
        }
        layer = next_layer;
    }
}
