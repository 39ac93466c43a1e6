//! A*: any costs, guided by a table of push distances to the goal.

use std::collections::BTreeMap;

use super::super::dead::push_distances;
use super::super::space::{Space, State};
use super::super::trace::{Costs, UNSEEN};
use super::{Found, Table};
use crate::board::DIRS;

/// Searches in the order of cost plus a lower bound of what is left: the
/// fewest pushes that the box needs if the player could be anywhere, and the
/// player's way to the box. A push changes the first part by at most one push
/// and leaves the second at zero, a walk changes the second by at most one
/// walk: the bound is consistent. States whose box stands on a dead square are
/// left out.
pub(in super::super) fn search(space: &Space, costs: Costs) -> Option<Found> {
    let pushes = push_distances(space);
    search_with(space, costs, |state| {
        let (player, box_cell) = space.parts(state);
        let pushes = pushes[box_cell as usize]?;
        if pushes == 0 {
            return Some(0);
        }
        let walk = space.straight_distance(player, box_cell) - 1;
        Some(u64::from(pushes) * costs.push + u64::from(walk) * costs.walk)
    })
}

/// Searches in the order of cost plus `bound`, a consistent lower bound of what
/// is left, `None` where there is no solution; up to and including the cost of
/// the best solution, so that all optimal ones are there.
pub(super) fn search_with(
    space: &Space,
    costs: Costs,
    bound: impl Fn(State) -> Option<u64>,
) -> Option<Found> {
    let mut table = vec![UNSEEN; space.states()];
    table[space.start() as usize] = 0;
    // There are few different estimates and many states of each: lists of
    // states by estimate are far quicker than a heap.
    let mut queue: BTreeMap<u64, Vec<(State, u64)>> = BTreeMap::new();
    queue.insert(bound(space.start())?, vec![(space.start(), 0)]);
    let mut states = 1;
    let mut best = UNSEEN;
    while let Some(mut first) = queue.first_entry() {
        if *first.key() > best {
            break;
        }
        let Some((state, cost)) = first.get_mut().pop() else {
            first.remove();
            continue;
        };
        if cost > table[state as usize] {
            continue;
        }
        if space.is_solved(state) {
            best = cost;
            continue;
        }
        for dir in DIRS {
            let Some((next, push)) = space.forward(state, dir) else {
                continue;
            };
            let next_cost = cost + costs.of(push);
            let known = table[next as usize];
            if next_cost < known
                && let Some(left) = bound(next)
            {
                states += u64::from(known == UNSEEN);
                table[next as usize] = next_cost;
                let estimate = next_cost + left;
                queue.entry(estimate).or_default().push((next, next_cost));
            }
        }
    }
    (best != UNSEEN).then_some(Found {
        table: Table::Long(table),
        best,
        states,
    })
}
