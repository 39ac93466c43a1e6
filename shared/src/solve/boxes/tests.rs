//! All searches against each other.

use proptest::prelude::*;

use super::*;
use crate::board::{Board, Cell, Size};
use crate::level::{ClassicLevel, Grid, Tile};
use crate::solve::{Metrics, replay};

/// Small levels with up to so many boxes, solvable or not.
pub(super) fn any_classic(most: usize) -> impl Strategy<Value = ClassicLevel> {
    let floor = proptest::collection::vec(proptest::bool::weighted(0.8), 36);
    let order = Just((0..36).collect::<Vec<usize>>()).prop_shuffle();
    let goals = Just((0..36).collect::<Vec<usize>>()).prop_shuffle();
    (3u64..=6, 3u64..=6, 1..=most, floor, order, goals).prop_filter_map(
        "player, boxes and goals need room",
        |(rows, cols, boxes, floor, order, goals)| {
            let size = Size::new(rows, cols).unwrap();
            let cells = size.cells().filter(|cell| floor[cell.index()]);
            let board = Board::from_floor(size, cells);
            let places = |order: &[usize], count| -> Option<Vec<Cell>> {
                let cells = order.iter().map(|&index| Cell(index as u32));
                let cells =
                    cells.filter(|cell| cell.index() < size.area() && board.is_floor(*cell));
                let cells: Vec<Cell> = cells.take(count).collect();
                (cells.len() == count).then_some(cells)
            };
            let (pieces, goals) = (places(&order, boxes + 1)?, places(&goals, boxes)?);
            let mut grid = Grid::filled(rows as usize, cols as usize, Tile::Wall);
            for cell in board.floor_cells() {
                let tile = match (
                    pieces.iter().position(|&piece| piece == cell),
                    goals.contains(&cell),
                ) {
                    (Some(0), false) => Tile::Player,
                    (Some(0), true) => Tile::PlayerOnGoal,
                    (Some(_), false) => Tile::Box,
                    (Some(_), true) => Tile::BoxOnGoal,
                    (None, true) => Tile::Goal,
                    (None, false) => Tile::Floor,
                };
                grid.set(size.row(cell).into(), size.col(cell).into(), tile);
            }
            ClassicLevel::try_from(&grid).ok()
        },
    )
}

fn solve(level: &ClassicLevel, order: Order, method: Method) -> Answer {
    let effort = Effort {
        memory: 1 << 30,
        stop: &|| false,
    };
    solve_boxes(level, order, method, BeamOptions::default(), &effort)
}

/// Moves and pushes of a solution that was proven to be the best; `None` if it
/// was proven that there is none.
fn proven(level: &ClassicLevel, order: Order, method: Method) -> Option<(usize, usize)> {
    let answer = solve(level, order, method);
    match answer.verdict {
        Verdict::Solved { lurd, optimal } => {
            assert!(optimal, "{method} {order}: {level}");
            Some((lurd.len(), lurd.pushes()))
        }
        Verdict::Unsolvable => None,
        Verdict::Unknown => panic!("{method} {order}: {level}"),
    }
}

const FOUR_BOXES: &str = "########\n#  . . #\n#  $ $ #\n#  @   #\n#  $ $ #\n#  . . #\n########\n";

/// The example of the article, which says that nine moves are the fewest.
#[test]
fn the_four_boxes_of_the_article_take_nine_moves() {
    let level: ClassicLevel = FOUR_BOXES.parse().unwrap();
    for method in [Method::Exhaustive, Method::AStar, Method::Auto] {
        assert_eq!(
            proven(&level, Order::Moves, method),
            Some((9, 4)),
            "{method}"
        );
    }
    let Verdict::Solved { lurd, optimal } = solve(&level, Order::Moves, Method::Beam).verdict
    else {
        panic!("the beam search finds it");
    };
    assert_eq!((lurd.len(), lurd.pushes(), optimal), (9, 4, false));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Deadlock tests and bounds never cost a solution, nor its being best.
    #[test]
    fn astar_agrees_with_all_states(level in any_classic(3)) {
        let exact = proven(&level, Order::Moves, Method::Exhaustive);
        prop_assert_eq!(proven(&level, Order::Moves, Method::AStar), exact);
        prop_assert_eq!(proven(&level, Order::Moves, Method::Auto), exact);
        let exact = proven(&level, Order::Pushes, Method::Exhaustive).map(|(_, pushes)| pushes);
        let found = proven(&level, Order::Pushes, Method::AStar).map(|(_, pushes)| pushes);
        prop_assert_eq!(found, exact);
        let found = proven(&level, Order::Pushes, Method::Auto).map(|(_, pushes)| pushes);
        prop_assert_eq!(found, exact);
    }

    /// What the beam search says is true, however narrow it is.
    #[test]
    fn a_beam_never_lies(level in any_classic(3), width in 1usize..6, seed: u64) {
        let exact = proven(&level, Order::Moves, Method::Exhaustive);
        let options = BeamOptions { width, restarts: 2, seed };
        let effort = Effort { memory: 1 << 30, stop: &|| false };
        let answer = solve_boxes(&level, Order::Moves, Method::Beam, options, &effort);
        match (answer.verdict, exact) {
            (Verdict::Solved { lurd, .. }, Some((moves, _))) => {
                let played = replay(&level, &lurd);
                prop_assert!(played.is_solution());
                prop_assert!(Metrics::of(&played).moves >= moves);
            }
            (Verdict::Solved { .. }, None) => prop_assert!(false, "solved the unsolvable"),
            (Verdict::Unsolvable, exact) => prop_assert_eq!(exact, None),
            (Verdict::Unknown, _) => prop_assert_eq!(answer.unfinished, Some(Unfinished::Beam)),
        }
    }

    /// One box is only a number of boxes.
    #[test]
    fn one_box_as_the_solvers_for_one_box(level in crate::solve::shortest::tests::any_level()) {
        let expected = crate::solve::shortest(&level).unwrap();
        let expected = expected.map(|found| (found.moves as usize, found.pushes as usize));
        let found = proven(&(&level).into(), Order::Moves, Method::AStar);
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn limits_end_the_search_and_are_named() {
    let level: ClassicLevel =
        "--------\n-$-$-$--\n---@----\n-$-$-$--\n-.-.-.--\n-.-.-.--\n--------\n"
            .parse()
            .unwrap();
    for method in [Method::Exhaustive, Method::AStar] {
        for (memory, stop, expected) in [
            (100_000, false, Unfinished::Memory),
            (1 << 30, true, Unfinished::Stopped),
        ] {
            let effort = Effort {
                memory,
                stop: &|| stop,
            };
            let answer = solve_boxes(
                &level,
                Order::Moves,
                method,
                BeamOptions::default(),
                &effort,
            );
            assert_eq!(answer.verdict, Verdict::Unknown, "{method}");
            assert_eq!(answer.unfinished, Some(expected), "{method}");
            assert!(answer.bytes <= memory + 4096, "{method}: {}", answer.bytes);
        }
    }
}

/// Many cells and many boxes: nothing is packed that could overflow.
#[test]
fn a_large_board_with_many_boxes() {
    let mut rows = vec!["-".repeat(200); 60];
    rows[57] = format!("{}-", "--------$".repeat(22)) + "-";
    rows[58] = rows[57].replace('$', ".");
    rows[0].replace_range(0..1, "@");
    let level: ClassicLevel = rows.join("\n").parse().unwrap();
    assert_eq!((level.boxes().len(), level.size().area()), (22, 12_000));
    let answer = solve(&level, Order::Pushes, Method::AStar);
    let Verdict::Solved { lurd, optimal } = answer.verdict else {
        panic!("{:?}", answer.unfinished);
    };
    assert!(optimal && lurd.pushes() == 22);
}
