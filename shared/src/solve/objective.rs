//! Solving for other aims than fewest moves, and with other algorithms.

use std::fmt;

use num_bigint::BigUint;

use super::algorithms::{Found, astar, bfs, bidirectional, dijkstra, zero_one};
use super::space::Space;
use super::trace::{Budget, Costs, Stretch, Trace};
use super::{DEFAULT_MEMORY, SolveError};
use crate::level::{Level, Lurd};

/// What a solution is to be least in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Objective {
    /// Moves; among these, pushes.
    #[default]
    Moves,
    /// Pushes; among these, moves.
    Pushes,
    /// A move without a push costs 1, a push costs this much (at least 1; 0
    /// counts as 1); among the cheapest, pushes.
    Weighted(u32),
}

impl Objective {
    /// Costs of the moves. A level has fewer than 2³² states, so that with
    /// this weight one push outweighs all moves together.
    const fn costs(self) -> Costs {
        match self {
            Self::Moves | Self::Weighted(0) => Costs::MOVES,
            Self::Pushes => Costs {
                walk: 1,
                push: (1 << 32) + 1,
            },
            Self::Weighted(push) => Costs {
                walk: 1,
                push: push as u64,
            },
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
            Self::Weighted(_) => "weighted",
        })
    }
}

/// How to search. All algorithms that can do an objective find the same
/// solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Algorithm {
    /// Breadth-first search for moves, 0-1 search for pushes, A* for weights.
    #[default]
    Auto,
    /// Breadth-first search from the start. Moves only.
    Bfs,
    /// Breadth-first search from both ends; from the goal by pulls. Moves only.
    Bidirectional,
    /// 0-1 breadth-first search. Pushes only.
    ZeroOne,
    /// Dijkstra's algorithm.
    Dijkstra,
    /// A* with a table of push distances to the goal.
    AStar,
}

impl Algorithm {
    /// Every algorithm with its name on the command line.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("auto", Self::Auto),
        ("bfs", Self::Bfs),
        ("bidirectional", Self::Bidirectional),
        ("zero-one", Self::ZeroOne),
        ("dijkstra", Self::Dijkstra),
        ("astar", Self::AStar),
    ];
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::NAMED.iter().find(|(_, known)| known == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

/// What to solve for, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What the solution is to be least in.
    pub objective: Objective,
    /// How to search.
    pub algorithm: Algorithm,
    /// Bytes allowed for tables.
    pub memory: u64,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            algorithm: Algorithm::default(),
            memory: DEFAULT_MEMORY,
        }
    }
}

/// An optimal solution, and all others behind it.
#[derive(Debug)]
pub struct Optimum {
    /// Number of moves, pushes included.
    pub moves: u32,
    /// Number of pushes.
    pub pushes: u32,
    /// The moves. Of several solutions that are best in the objective and its
    /// tie-break, the first in the order `l u r d`.
    pub lurd: Lurd,
    /// Number of solutions: for moves, and for weights, of all with this cost;
    /// for pushes, of all with these pushes and moves.
    pub solutions: BigUint,
    /// Number of states that the search reached.
    pub states: u64,
    /// The algorithm that was used; never `Auto`.
    pub algorithm: Algorithm,
    space: Space,
    trace: Trace,
}

impl Optimum {
    /// The first `limit` of the [`solutions`](Self::solutions), in the order
    /// `l u r d`.
    pub fn all(&self, limit: usize) -> Vec<Lurd> {
        self.trace.all(&self.space, limit)
    }

    /// The solution cut into parts that all [`solutions`](Self::solutions)
    /// share and parts that they do not.
    pub fn stretches(&self) -> Vec<Stretch> {
        self.trace.stretches(&self.space, &self.lurd)
    }
}

/// Solves a level; `None` if it has no solution.
///
/// # Errors
/// [`SolveError`] if the level needs more memory than allowed, or the
/// algorithm cannot do the objective.
pub fn optimum(level: &Level, request: &Request) -> Result<Option<Optimum>, SolveError> {
    let Request {
        objective,
        algorithm,
        memory,
    } = *request;
    let algorithm = match (algorithm, objective) {
        (Algorithm::Auto, Objective::Moves) => Algorithm::Bfs,
        (Algorithm::Auto, Objective::Pushes) => Algorithm::ZeroOne,
        (Algorithm::Auto, Objective::Weighted(_)) => Algorithm::AStar,
        (named, _) => named,
    };
    let costs = objective.costs();
    let Some(space) = Space::new(level) else {
        return Ok(None);
    };
    let entry = match algorithm {
        Algorithm::Bfs => size_of::<u32>(),
        // Two tables of u32 each, or one of u64.
        _ => size_of::<u64>(),
    };
    let budget = Budget {
        allowed: memory,
        tables: (space.states() * entry) as u64,
        floor: space.floor(),
    };
    budget.check(0)?;
    let found: Option<Found> = match (algorithm, objective) {
        (Algorithm::Bfs, Objective::Moves) => bfs::search(&space),
        (Algorithm::Bidirectional, Objective::Moves) => bidirectional::search(&space),
        (Algorithm::ZeroOne, Objective::Pushes) => zero_one::search(&space, costs),
        (Algorithm::Dijkstra, _) => dijkstra::search(&space, costs),
        (Algorithm::AStar, _) => astar::search(&space, costs),
        _ => {
            return Err(SolveError::Unsuited {
                algorithm,
                objective,
            });
        }
    };
    let Some(found) = found else {
        return Ok(None);
    };
    let trace = Trace::new(
        &space,
        costs,
        |state| found.cost(state),
        found.best,
        &budget,
    )?;
    let lurd = trace.best(&space);
    Ok(Some(Optimum {
        moves: lurd.len() as u32,
        pushes: lurd.pushes() as u32,
        lurd,
        solutions: trace.solutions.clone(),
        states: found.states,
        algorithm,
        space,
        trace,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::shortest::tests::any_level;
    use super::*;
    use crate::solve::{replay, shortest};

    fn level(rows: &str) -> Level {
        rows.replace('/', "\n").parse().unwrap()
    }

    fn solve(level: &Level, objective: Objective, algorithm: Algorithm) -> Option<Optimum> {
        let request = Request {
            objective,
            algorithm,
            ..Request::default()
        };
        optimum(level, &request).unwrap()
    }

    #[test]
    fn case_4_fewest_moves_and_fewest_pushes_differ() {
        let level = level("----/---./--$@/---#");
        let found = solve(&level, Objective::Moves, Algorithm::Auto).unwrap();
        assert_eq!((found.moves, found.pushes), (8, 4));
        assert_eq!(found.lurd.to_string(), "LdlUluRR");
        let found = solve(&level, Objective::Pushes, Algorithm::Auto).unwrap();
        assert_eq!((found.moves, found.pushes), (10, 2));
        // Two pushes and eight other moves against four and four.
        let found = solve(&level, Objective::Weighted(2), Algorithm::Auto).unwrap();
        assert_eq!((found.moves, found.pushes), (10, 2));
    }

    /// All move-optimal solutions are listed, with whatever pushes; the one
    /// that is given has fewest.
    #[test]
    fn all_and_fewest_pushes_are_told_apart() {
        let level = level("#--#/--$@/--.-");
        let found = solve(&level, Objective::Moves, Algorithm::Auto).unwrap();
        assert_eq!((found.moves, found.pushes), (7, 1));
        let all = found.all(10);
        let pushes: Vec<usize> = all.iter().map(Lurd::pushes).collect();
        assert_eq!(found.solutions, BigUint::from(2u32));
        assert_eq!(all.len(), 2);
        assert!(pushes.contains(&1) && pushes.contains(&3), "{pushes:?}");
        assert!(all.contains(&found.lurd));
        assert_eq!(found.all(1).len(), 1);
        let fewest = solve(&level, Objective::Pushes, Algorithm::Auto).unwrap();
        assert_eq!(fewest.all(10), std::slice::from_ref(&found.lurd));
    }

    #[test]
    fn unsuited_algorithms_are_refused() {
        let request = Request {
            objective: Objective::Pushes,
            algorithm: Algorithm::Bfs,
            ..Request::default()
        };
        let error = optimum(&level("@$./---"), &request).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bfs cannot minimise pushes; use dijkstra, astar or auto"
        );
    }

    #[test]
    fn stretches_cover_the_solution() {
        let level = level("--#--@/------/--#$##/#-#---/--.##-/------");
        let found = solve(&level, Objective::Moves, Algorithm::Auto).unwrap();
        let stretches = found.stretches();
        let mut next = 0;
        for stretch in &stretches {
            assert_eq!(stretch.start, next);
            next += stretch.len;
        }
        assert_eq!(next, 78);
        assert!(
            stretches
                .windows(2)
                .all(|pair| pair[0].forced != pair[1].forced)
        );
        // A move is forced exactly when all 24 solutions make it at its place.
        let all = found.all(100);
        assert_eq!(all.len(), 24);
        for stretch in stretches {
            for index in stretch.start..stretch.start + stretch.len {
                let step = found.lurd.moves()[index];
                if stretch.forced {
                    assert!(all.iter().all(|lurd| lurd.moves()[index] == step));
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// Every algorithm finds the same solution and the same number of them.
        #[test]
        fn algorithms_agree(level in any_level(), weight in 1u32..5) {
            for objective in [Objective::Moves, Objective::Pushes, Objective::Weighted(weight)] {
                let auto = solve(&level, objective, Algorithm::Auto);
                for (_, algorithm) in Algorithm::NAMED {
                    let request = Request { objective, algorithm, ..Request::default() };
                    let Ok(found) = optimum(&level, &request) else { continue };
                    let figures = |found: &Option<Optimum>| found.as_ref().map(|found| {
                        (found.moves, found.pushes, found.lurd.clone(), found.solutions.clone(), found.stretches())
                    });
                    prop_assert_eq!(figures(&found), figures(&auto), "{} {}", objective, algorithm);
                }
            }
        }

        /// The solutions that are listed are different, in order, as many as
        /// counted, and all solve the level at the same cost.
        #[test]
        fn all_solutions_are_listed(level in any_level(), weight in 1u32..5) {
            for objective in [Objective::Moves, Objective::Pushes, Objective::Weighted(weight)] {
                let Some(found) = solve(&level, objective, Algorithm::Auto) else { continue };
                let all = found.all(200);
                let mut sorted = all.clone();
                sorted.sort();
                sorted.dedup();
                prop_assert_eq!(&all, &sorted);
                prop_assert_eq!(found.solutions.min(BigUint::from(200u32)), BigUint::from(all.len()));
                let costs = objective.costs();
                let cost = |lurd: &Lurd| -> u64 { lurd.moves().iter().map(|m| costs.of(m.push)).sum() };
                for lurd in &all {
                    prop_assert!(replay(&level, lurd).is_solution());
                    prop_assert_eq!(cost(lurd), cost(&found.lurd));
                    prop_assert!(lurd.pushes() >= found.lurd.pushes());
                }
            }
        }

        /// The plain solver and the general one agree, and no aim is beaten by
        /// the solution for another.
        #[test]
        fn aims_are_ordered(level in any_level()) {
            let plain = shortest(&level).unwrap();
            let moves = solve(&level, Objective::Moves, Algorithm::AStar);
            let pushes = solve(&level, Objective::Pushes, Algorithm::Auto);
            match (plain, moves, pushes) {
                (Some(plain), Some(moves), Some(pushes)) => {
                    prop_assert_eq!(&plain.lurd, &moves.lurd);
                    prop_assert_eq!(&plain.shortest_solutions, &moves.solutions);
                    prop_assert!(pushes.pushes <= plain.pushes && pushes.moves >= plain.moves);
                }
                (None, None, None) => {}
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
