//! The levels with one to six boxes of the table in docs/benchmarks.md.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use soko::level::ClassicLevel;
use soko::level::format::{Entry, ReadOptions, read_xsb};
use soko::solve::boxes::{Answer, BeamOptions, Effort, Method, Order, Verdict, solve_boxes};
use soko::solve::replay;

/// Title, then fewest moves, fewest pushes with these, fewest pushes; found by
/// A* and, except where the table says so, by looking at all states.
const OPTIMA: &str = include_str!("classic/optima.tsv");

fn levels() -> Vec<(Entry, ClassicLevel)> {
    let text = include_bytes!("classic/levels.xsb");
    let entries = read_xsb(text, &ReadOptions::default()).unwrap().entries;
    let levels = entries.into_iter();
    levels
        .map(|entry| {
            let level = ClassicLevel::try_from(&entry.grid).unwrap();
            (entry, level)
        })
        .collect()
}

/// What the table says of a level; `None` where it was not found out.
fn known(title: &str) -> [Option<usize>; 3] {
    let line = OPTIMA.lines().find(|line| line.starts_with(title)).unwrap();
    let mut columns = line.split('\t').skip(1).map(|value| value.parse().ok());
    [(); 3].map(|()| columns.next().unwrap())
}

fn solve(level: &ClassicLevel, order: Order, method: Method) -> Answer {
    let effort = Effort {
        memory: 1 << 30,
        stop: &|| false,
    };
    solve_boxes(level, order, method, BeamOptions::default(), &effort)
}

#[test]
fn the_table_is_of_twenty_levels_with_one_to_six_boxes() {
    let levels = levels();
    assert_eq!(levels.len(), 20);
    for boxes in 1..=6 {
        assert!(levels.iter().any(|(_, level)| level.boxes().len() == boxes));
    }
    for (entry, _) in levels {
        assert!(entry.field("origin").is_some(), "{:?}", entry.title);
    }
}

#[test]
fn astar_finds_the_optima_of_the_table() {
    for (entry, level) in levels() {
        let title = entry.name().unwrap();
        let [moves, pushes, fewest_pushes] = known(title);
        let best = |order| match solve(&level, order, Method::AStar).verdict {
            Verdict::Solved { lurd, optimal } => {
                assert!(optimal && replay(&level, &lurd).is_solution(), "{title}");
                (Some(lurd.len()), Some(lurd.pushes()))
            }
            other => panic!("{title}: {other:?}"),
        };
        assert_eq!(best(Order::Pushes).1, fewest_pushes, "{title}");
        if moves.is_some() {
            assert_eq!(best(Order::Moves), (moves, pushes), "{title}");
        }
    }
}

#[test]
fn the_beam_search_solves_every_level_of_the_table() {
    for (entry, level) in levels() {
        let title = entry.name().unwrap();
        let [moves, ..] = known(title);
        let answer = solve(&level, Order::Moves, Method::Beam);
        let Verdict::Solved { lurd, optimal } = answer.verdict else {
            panic!("{title}: {:?}", answer.unfinished);
        };
        assert!(replay(&level, &lurd).is_solution(), "{title}");
        assert!(
            !optimal && moves.is_none_or(|moves| lurd.len() >= moves),
            "{title}"
        );
    }
}

#[test]
fn equal_requests_get_equal_answers() {
    let (_, level) = &levels()[6];
    let once = solve(level, Order::Moves, Method::Auto);
    assert_eq!(once, solve(level, Order::Moves, Method::Auto));
}
