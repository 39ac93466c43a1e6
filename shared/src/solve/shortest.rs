//! The plain solver: one breadth-first search over (box, player).

use num_bigint::BigUint;

use super::SolveError;
use super::algorithms::bfs;
use super::space::{Space, table_bytes};
use super::trace::{Budget, Costs, Trace};
use crate::level::{Level, Lurd};

/// Memory that [`shortest`] allows itself, in bytes.
pub const DEFAULT_MEMORY: u64 = 2 << 30;

/// A solution with fewest moves and, among those, fewest pushes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// Number of moves, pushes included.
    pub moves: u32,
    /// Number of pushes.
    pub pushes: u32,
    /// The moves. Of several such solutions the one whose letters come first
    /// in the order `l u r d` at the first difference.
    pub lurd: Lurd,
    /// Number of different move strings with fewest moves, whatever their
    /// pushes.
    pub shortest_solutions: BigUint,
    /// Number of states that the search visited.
    pub states: u64,
}

/// Solves a level with [`DEFAULT_MEMORY`]; `None` if it has no solution.
///
/// # Errors
/// [`SolveError::Memory`] if the level needs more; it names the bytes.
pub fn shortest(level: &Level) -> Result<Option<Solution>, SolveError> {
    shortest_within(level, DEFAULT_MEMORY)
}

/// Solves a level with at most `memory` bytes for its tables; `None` if it has
/// no solution.
///
/// # Errors
/// [`SolveError::Memory`] if the level needs more; it names the bytes.
pub fn shortest_within(level: &Level, memory: u64) -> Result<Option<Solution>, SolveError> {
    let Some(space) = Space::new(level) else {
        return Ok(None);
    };
    let budget = Budget {
        allowed: memory,
        tables: table_bytes(space.floor() as u64),
        floor: space.floor(),
    };
    budget.check(0)?;
    let Some(found) = bfs::search(&space) else {
        return Ok(None);
    };
    let trace = Trace::new(
        &space,
        Costs::MOVES,
        |state| found.cost(state),
        found.best,
        &budget,
    )?;
    let lurd = trace.best(&space);
    Ok(Some(Solution {
        moves: lurd.len() as u32,
        pushes: lurd.pushes() as u32,
        lurd,
        shortest_solutions: trace.solutions,
        states: found.states,
    }))
}

/// Fewest moves only; `None` if the level has no solution. Takes half the time
/// of [`shortest`].
///
/// # Errors
/// [`SolveError::Memory`] if the level needs more than [`DEFAULT_MEMORY`].
pub fn shortest_moves(level: &Level) -> Result<Option<u32>, SolveError> {
    let Some(space) = Space::new(level) else {
        return Ok(None);
    };
    let budget = Budget {
        allowed: DEFAULT_MEMORY,
        tables: table_bytes(space.floor() as u64),
        floor: space.floor(),
    };
    budget.check(0)?;
    Ok(bfs::search(&space).map(|found| found.best as u32))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::{BTreeMap, HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::board::{DIRS, Symmetry};
    use crate::solve::replay;

    fn solve(rows: &str) -> Option<Solution> {
        let level: Level = rows.replace('/', "\n").parse().unwrap();
        let solution = shortest(&level).unwrap();
        if let Some(solution) = &solution {
            let replay = replay(&level, &solution.lurd);
            assert_eq!(replay.solved_after, Some(solution.moves as usize));
            assert_eq!(replay.lurd, solution.lurd);
            assert_eq!(replay.moves_after_goal, 0);
        }
        solution
    }

    fn figures(rows: &str) -> Option<(u32, u32, String, String)> {
        solve(rows).map(|s| {
            let count = s.shortest_solutions.to_string();
            (s.moves, s.pushes, s.lurd.to_string(), count)
        })
    }

    #[test]
    fn case_1_player_on_the_goal() {
        let found = figures("--#/-$+/---").unwrap();
        assert_eq!((found.0, found.1, found.2.as_str()), (5, 1, "dlluR"));
        assert_eq!(figures("---/-+$/---"), None);
    }

    #[test]
    fn case_4_fewest_moves_not_fewest_pushes() {
        let found = figures("----/---./--$@/---#").unwrap();
        assert_eq!((found.0, found.1, found.2.as_str()), (8, 4, "LdlUluRR"));
    }

    /// Two move-optimal solutions, with one and with three pushes: both are
    /// counted, the one with a single push is given.
    #[test]
    fn fewest_pushes_among_the_shortest() {
        let found = figures("#--#/--$@/--.-").unwrap();
        assert_eq!((found.0, found.1), (7, 1));
        assert_eq!(found.3, "2");
    }

    /// Moves, fewest pushes and number of shortest solutions by another
    /// method: layers of hash maps from state to (pushes → ways), forwards, on
    /// coordinates, with none of the tables of the solver.
    fn reference(level: &Level) -> Option<(u32, u32, BigUint)> {
        type Ways = BTreeMap<u32, BigUint>;
        let board = level.board();
        let mut seen = HashSet::from([(level.player(), level.box_cell())]);
        let start: Ways = BTreeMap::from([(0, BigUint::from(1u32))]);
        let mut layer = HashMap::from([((level.player(), level.box_cell()), start)]);
        for moves in 1.. {
            let mut next: HashMap<_, Ways> = HashMap::new();
            for ((player, box_cell), ways) in layer {
                for dir in DIRS {
                    let Some(to) = board.floor_step(player, dir) else {
                        continue;
                    };
                    let (box_to, push) = if to == box_cell {
                        (board.floor_step(box_cell, dir), 1)
                    } else {
                        (Some(box_cell), 0)
                    };
                    let Some(box_to) = box_to else { continue };
                    if seen.contains(&(to, box_to)) {
                        continue;
                    }
                    let entry = next.entry((to, box_to)).or_default();
                    for (pushes, count) in &ways {
                        *entry.entry(pushes + push).or_default() += count;
                    }
                }
            }
            let solved: Vec<&Ways> = next
                .iter()
                .filter(|((_, box_cell), _)| *box_cell == level.goal())
                .map(|(_, ways)| ways)
                .collect();
            if !solved.is_empty() {
                let pushes = solved.iter().filter_map(|ways| ways.keys().next()).min();
                let count = solved.iter().flat_map(|ways| ways.values()).sum();
                return pushes.map(|&pushes| (moves, pushes, count));
            }
            if next.is_empty() {
                return None;
            }
            seen.extend(next.keys());
            layer = next;
        }
        unreachable!("the layers end when no state is new")
    }

    pub(crate) fn any_level() -> impl Strategy<Value = Level> {
        let floor = proptest::collection::vec(proptest::bool::weighted(0.75), 36);
        (1u64..=6, 1u64..=6, floor, any::<[prop::sample::Index; 3]>()).prop_filter_map(
            "player, box and goal need room",
            |(rows, cols, floor, picks)| {
                let size = crate::board::Size::new(rows, cols).unwrap();
                let cells = size.cells().filter(|cell| floor[cell.index()]);
                let board = crate::board::Board::from_floor(size, cells);
                let cells: Vec<_> = board.floor_cells().collect();
                let [player, box_cell, goal] = picks.map(|pick| pick.index(cells.len().max(1)));
                let cell = |index: usize| cells.get(index).copied();
                let (player, box_cell) = (cell(player)?, cell(box_cell)?);
                Level::new(board, player, box_cell, cell(goal)?).ok()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_the_reference(level in any_level()) {
            let found = shortest(&level).unwrap();
            if let Some(solution) = &found {
                let replay = replay(&level, &solution.lurd);
                prop_assert_eq!(replay.solved_after, Some(solution.moves as usize));
                prop_assert_eq!(replay.first_wrong_case, None);
            }
            let figures = found.map(|s| (s.moves, s.pushes, s.shortest_solutions));
            prop_assert_eq!(figures, reference(&level));
        }

        #[test]
        fn parity_of_moves_and_pushes(level in any_level()) {
            if let Some(solution) = shortest(&level).unwrap() {
                let size = level.size();
                let parity = |a, b| {
                    (size.row(a).abs_diff(size.row(b)) + size.col(a).abs_diff(size.col(b))) % 2
                };
                let end = replay(&level, &solution.lurd);
                prop_assert_eq!(solution.pushes % 2, u32::from(parity(level.box_cell(), level.goal())));
                prop_assert_eq!(solution.moves % 2, u32::from(parity(level.player(), end.player)));
            }
        }
    }

    #[test]
    fn case_8_a_single_move() {
        let found = figures("@$./---/---").unwrap();
        assert_eq!((found.0, found.1, found.2.as_str()), (1, 1, "R"));
        assert_eq!(found.3, "1");
    }

    #[test]
    fn no_solution() {
        assert_eq!(figures("@-./--#/#-$"), None);
        assert_eq!(figures("@#-/##$/--."), None);
    }

    /// Mirrored states of a symmetric layout must not be merged: the goal is
    /// off the axis.
    #[test]
    fn case_6_symmetric_walls_and_a_goal_off_the_axis() {
        let found = figures("-----/-----/--$--/.----/--@--").unwrap();
        assert_eq!(found.1, 3);
        assert_eq!(found.0, 8);
    }

    #[test]
    fn case_12_boards_of_256_cells_and_more() {
        for n in [16u64, 17, 20] {
            let mut rows = vec![vec!['-'; n as usize]; n as usize];
            rows[0][0] = '@';
            rows[1][1] = '$';
            rows[n as usize - 1][n as usize - 1] = '.';
            let text: Vec<String> = rows.into_iter().map(String::from_iter).collect();
            let solution = solve(&text.join("/")).unwrap();
            // From the corner beside the box: one step, then n - 2 pushes one
            // way, three steps around the box's corner, n - 2 pushes the other.
            assert_eq!(solution.pushes, 2 * (n as u32 - 2));
            assert_eq!(solution.moves, 2 * (n as u32 - 2) + 3);
        }
    }

    #[test]
    fn memory_is_refused_with_the_bytes_needed() {
        let level: Level = "@--\n-$-\n--.\n".parse().unwrap();
        assert_eq!(
            shortest_within(&level, 300),
            Err(SolveError::Memory {
                needed: 324,
                allowed: 300,
                floor: 9
            })
        );
    }

    #[test]
    fn symmetric_levels_have_the_same_figures() {
        let level: Level = "--#--@\n------\n--#$##\n#-#---\n--.##-\n------\n"
            .parse()
            .unwrap();
        for &symmetry in Symmetry::of(level.size()) {
            let solution = shortest(&level.transformed(symmetry)).unwrap().unwrap();
            assert_eq!((solution.moves, solution.pushes), (78, 9));
            assert_eq!(solution.shortest_solutions, BigUint::from(24u32));
        }
    }
}
