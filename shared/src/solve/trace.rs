//! All optimal solutions at once, found from the end.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::SolveError;
use super::space::{Space, State};
use crate::board::DIRS;
use crate::level::{Lurd, Move};

/// Cost of a state that a search did not reach.
pub(super) const UNSEEN: u64 = u64::MAX;

/// What the two kinds of move cost; at least 1 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Costs {
    pub walk: u64,
    pub push: u64,
}

impl Costs {
    /// Every move costs 1.
    pub(super) const MOVES: Self = Self { walk: 1, push: 1 };

    pub(super) const fn of(self, push: bool) -> u64 {
        if push { self.push } else { self.walk }
    }
}

/// Memory that a solver may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Bytes allowed.
    pub allowed: u64,
    /// Bytes of the search's tables.
    pub tables: u64,
    /// Reachable floor cells, for the error.
    pub floor: usize,
}

impl Budget {
    /// Whether the tables and `more` bytes are within the limit.
    pub(super) fn check(&self, more: u64) -> Result<(), SolveError> {
        let needed = self.tables.saturating_add(more);
        if needed > self.allowed {
            return Err(SolveError::Memory {
                needed,
                allowed: self.allowed,
                floor: self.floor,
            });
        }
        Ok(())
    }
}

/// All states on optimal solutions, by their cost from the start.
#[derive(Debug)]
pub(super) struct Trace {
    costs: Costs,
    /// In ascending order of cost.
    layers: Vec<Layer>,
    /// Number of optimal solutions.
    pub solutions: BigUint,
}

/// The states that optimal solutions reach at one cost.
#[derive(Debug)]
struct Layer {
    cost: u64,
    /// With the fewest pushes from here to the goal along an optimal solution;
    /// sorted by state.
    states: Vec<(State, u32)>,
}

/// A state on an optimal solution, seen from the end.
struct Step {
    state: State,
    /// Fewest pushes from here to the goal.
    pushes: u32,
    /// Number of ways from here to the goal.
    ways: BigUint,
}

/// A part of a solution that all optimal solutions share, or that they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Index of its first move, from 0.
    pub start: usize,
    /// Number of moves.
    pub len: usize,
    /// Whether every optimal solution makes these moves.
    pub forced: bool,
}

impl Trace {
    /// Follows optimal solutions back from the solved states.
    ///
    /// `cost_of` gives the cost of a state from the start, right for every
    /// state of an optimal solution; `best` is the cost of a solution.
    pub(super) fn new(
        space: &Space,
        costs: Costs,
        cost_of: impl Fn(State) -> u64,
        best: u64,
        budget: &Budget,
    ) -> Result<Self, SolveError> {
        let solved = space
            .solved_states()
            .filter(|&state| cost_of(state) == best);
        let last = solved
            .map(|state| Step {
                state,
                pushes: 0,
                ways: BigUint::from(1u32),
            })
            .collect();
        let mut pending: BTreeMap<u64, Vec<Step>> = BTreeMap::from([(best, last)]);
        let mut layers = Vec::new();
        let mut solutions = BigUint::default();
        let mut traced = 0;
        while let Some((cost, mut steps)) = pending.pop_last() {
            merge(&mut steps);
            traced += steps.len() * size_of::<(State, u32)>() + size_of::<Layer>();
            budget.check(traced as u64)?;
            layers.push(Layer {
                cost,
                states: steps.iter().map(|s| (s.state, s.pushes)).collect(),
            });
            if cost == 0 {
                solutions = steps.into_iter().map(|step| step.ways).sum();
                break;
            }
            for step in &steps {
                for dir in DIRS {
                    let (walk, push) = space.backward(step.state, dir);
                    for (before, is_push) in [(walk, false), (push, true)] {
                        if let Some(state) = before
                            && let Some(cost) = cost.checked_sub(costs.of(is_push))
                            && cost_of(state) == cost
                        {
                            pending.entry(cost).or_default().push(Step {
                                state,
                                pushes: step.pushes + u32::from(is_push),
                                ways: step.ways.clone(),
                            });
                        }
                    }
                }
            }
        }
        layers.reverse();
        Ok(Self {
            costs,
            layers,
            solutions,
        })
    }

    /// Fewest pushes to the goal from a state reached at this cost; `None` if
    /// no optimal solution is there at that cost.
    fn pushes_from(&self, cost: u64, state: State) -> Option<u32> {
        let layer = self.layers.binary_search_by_key(&cost, |layer| layer.cost);
        let states = &self.layers[layer.ok()?].states;
        let found = states.binary_search_by_key(&state, |&(state, _)| state);
        found.ok().map(|index| states[index].1)
    }

    /// The moves from a state that optimal solutions make, in the order of
    /// [`DIRS`]: move, state and cost behind it, fewest pushes left from there.
    fn moves_from<'a>(
        &'a self,
        space: &'a Space,
        cost: u64,
        state: State,
    ) -> impl Iterator<Item = (Move, State, u64, u32)> + 'a {
        let open = !space.is_solved(state);
        DIRS.into_iter()
            .filter(move |_| open)
            .filter_map(move |dir| {
                let (next, push) = space.forward(state, dir)?;
                let cost = cost + self.costs.of(push);
                let left = self.pushes_from(cost, next)?;
                Some((Move { dir, push }, next, cost, left))
            })
    }

    /// Of the optimal solutions with fewest pushes the one that comes first in
    /// the order `l u r d` at the first difference.
    pub(super) fn best(&self, space: &Space) -> Lurd {
        let (mut cost, mut state) = (0, space.start());
        let mut left = self.pushes_from(cost, state).unwrap_or_default();
        let mut moves = Vec::with_capacity(self.layers.len());
        while let Some((step, next, next_cost, next_left)) = self
            .moves_from(space, cost, state)
            .find(|(step, _, _, after)| after + u32::from(step.push) == left)
        {
            moves.push(step);
            (state, cost, left) = (next, next_cost, next_left);
        }
        moves.into_iter().collect()
    }

    /// The first `limit` optimal solutions in the order `l u r d`.
    pub(super) fn all(&self, space: &Space, limit: usize) -> Vec<Lurd> {
        let mut found: Vec<Lurd> = Vec::new();
        let mut path: Vec<Move> = Vec::new();
        // Choices not taken yet, the next one last, each with its depth.
        let mut open = vec![(0, None, space.start(), 0)];
        while let Some((depth, step, state, cost)) = open.pop() {
            if found.len() == limit {
                break;
            }
            path.truncate(depth);
            path.extend(step);
            if space.is_solved(state) {
                found.push(path.iter().copied().collect());
                continue;
            }
            let first = open.len();
            open.extend(
                self.moves_from(space, cost, state)
                    .map(|(step, next, cost, _)| (path.len(), Some(step), next, cost)),
            );
            open[first..].reverse();
        }
        found
    }

    /// Cuts an optimal solution into the parts that all optimal solutions
    /// share and those that they do not.
    pub(super) fn stretches(&self, space: &Space, lurd: &Lurd) -> Vec<Stretch> {
        // Every solution crosses every cost. So a move is shared by all exactly
        // when nothing else crosses the costs between its two ends: no other
        // state at its first cost, no other move from there, and no move that
        // began before and is still under way.
        let mut forced_at = Vec::new();
        let mut under_way_until = 0;
        for layer in &self.layers {
            let mut moves = 0;
            let clear = under_way_until <= layer.cost;
            for &(state, _) in &layer.states {
                for (_, _, end, _) in self.moves_from(space, layer.cost, state) {
                    under_way_until = under_way_until.max(end);
                    moves += 1;
                }
            }
            if clear && layer.states.len() == 1 && moves == 1 {
                forced_at.push(layer.cost);
            }
        }
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut cost = 0;
        for (index, step) in lurd.moves().iter().enumerate() {
            let forced = forced_at.binary_search(&cost).is_ok();
            cost += self.costs.of(step.push);
            match stretches.last_mut() {
                Some(last) if last.forced == forced => last.len += 1,
                _ => stretches.push(Stretch {
                    start: index,
                    len: 1,
                    forced,
                }),
            }
        }
        stretches
    }
}

/// Sorts steps by state and makes one of those with the same state.
fn merge(steps: &mut Vec<Step>) {
    steps.sort_unstable_by_key(|step| step.state);
    steps.dedup_by(|later, first| {
        let same = later.state == first.state;
        if same {
            first.ways += &later.ways;
            first.pushes = first.pushes.min(later.pushes);
        }
        same
    });
}
