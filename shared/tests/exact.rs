//! The exact searches end to end: planned, computed in pieces, merged,
//! finished, and compared with the known numbers and with each other.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Instant;

use rayon::prelude::*;
use soko::{
    board::{Cell, Size, Symmetry},
    plan::{Answer, Control, Mode, Search, Tally, Work, compute, finish, plan},
    search::{
        Convention, Counts,
        growth::{self, Extent, FloorSet},
    },
    solve,
};

fn search(rows: u64, cols: u64, mode: Mode) -> Search {
    Search::new(Size::new(rows, cols).unwrap(), mode)
}

/// Computes a search shard by shard, each in as many pieces as a control that
/// always says stop makes of it when `broken`.
fn answer(search: &Search, broken: bool) -> Answer {
    let mut open = plan(search).unwrap().shards;
    let mut tally = Tally::empty(search);
    while !open.is_empty() {
        let outcomes: Vec<_> = open
            .par_iter()
            .map(|shard| {
                let control = Control::until(broken.then(Instant::now));
                compute(search, shard, &control).unwrap()
            })
            .collect();
        open.clear();
        for outcome in outcomes {
            assert!(tally.merge(&outcome.tally));
            open.extend(outcome.remainder);
        }
    }
    finish(search, &tally, &Control::new()).unwrap()
}

fn counts(levels: u64, level_classes: u64, layouts: u64, layout_classes: u64) -> Counts {
    Counts {
        levels,
        level_classes,
        layouts,
        layout_classes,
    }
}

#[test]
fn growth_gives_the_published_table() {
    let one = counts(8, 1, 8, 1);
    for (n, moves, sets, states, off_goal, any_start) in [
        (3, 10, 46, 67, counts(8, 1, 4, 1), counts(8, 1, 4, 1)),
        (4, 25, 840, 1912, counts(16, 2, 16, 2), counts(16, 2, 16, 2)),
        (
            5,
            41,
            39_505,
            101_557,
            counts(768, 96, 524, 66),
            counts(832, 104, 588, 74),
        ),
        (6, 78, 1_538_278, 4_438_870, one, one),
    ] {
        let answer = answer(&search(n, n, Mode::Exhaustive), false);
        assert_eq!(answer.floor_sets, sets);
        assert_eq!(answer.states, states);
        for (convention, total) in Convention::ALL.into_iter().zip([off_goal, any_start]) {
            let optimum = answer.optimum(convention);
            assert_eq!(optimum.max_moves, Some(moves));
            assert_eq!(optimum.total, total, "n = {n}, {convention:?}");
        }
        assert_eq!(
            answer.witnesses.len() as u64,
            any_start.level_classes.min(100)
        );
        for witness in &answer.witnesses {
            assert_eq!(solve::shortest_moves(&witness.level).unwrap(), Some(moves));
        }
    }
}

#[test]
fn five_by_five_is_split_by_floor_as_published() {
    let answer = answer(&search(5, 5, Mode::Exhaustive), false);
    let levels = |convention| -> Vec<(u32, u64)> {
        let lines = &answer.optimum(convention).by_floor;
        lines
            .iter()
            .map(|line| (line.floor, line.count.levels))
            .collect()
    };
    assert_eq!(
        levels(Convention::OffGoal),
        [(16, 16), (17, 120), (18, 280), (19, 264), (20, 88)]
    );
    assert_eq!(
        levels(Convention::AnyStart),
        [
            (16, 16),
            (17, 120),
            (18, 288),
            (19, 288),
            (20, 112),
            (21, 8)
        ]
    );
}

#[test]
fn case_28_growth_and_census_agree_on_every_rectangle_of_up_to_20_cells() {
    for rows in 1..=20 {
        for cols in 1..=20 / rows {
            let growth = answer(&search(rows, cols, Mode::Exhaustive), false);
            let census = answer(&search(rows, cols, Mode::Census), false);
            assert_eq!(growth.optimum, census.optimum, "{rows}x{cols}");
            assert_eq!(growth.witnesses.len(), census.witnesses.len());
        }
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p soko --test exact -- --ignored"]
fn growth_and_census_agree_on_every_rectangle_of_up_to_25_cells() {
    for rows in 1..=25 {
        for cols in rows..=25 / rows {
            let growth = answer(&search(rows, cols, Mode::Exhaustive), false);
            let census = answer(&search(rows, cols, Mode::Census), false);
            assert_eq!(growth.optimum, census.optimum, "{rows}x{cols}");
            assert_eq!(growth.witnesses.len(), census.witnesses.len());
        }
    }
}

/// All sets of some subtrees, each as its smallest image under the symmetries
/// that fix the goal: which image a walk visits depends on where it began.
fn sets_of(size: Size, goal: Cell, roots: &[FloorSet], extent: Extent) -> Vec<FloorSet> {
    let fewest = roots.iter().map(FloorSet::len).min().unwrap() as u16;
    let end = extent.limit().unwrap_or(size.area() as u16 + 1);
    let fixing: Vec<&Symmetry> = Symmetry::of(size)
        .iter()
        .filter(|symmetry| symmetry.apply(size, goal) == goal)
        .collect();
    let smallest = |set: FloorSet| {
        let image = |symmetry: &&Symmetry| {
            FloorSet::new(set.cells().map(|cell| symmetry.apply(size, cell)))
        };
        fixing.iter().map(image).min().unwrap()
    };
    (fewest..end)
        .flat_map(|cells| growth::layer(size, goal, roots, cells).unwrap())
        .map(smallest)
        .collect()
}

#[test]
fn the_sets_of_the_shards_are_the_sets_of_the_whole_each_once() {
    for (rows, cols, shard_ms) in [
        (3, 3, 1),
        (3, 4, 1),
        (4, 4, 1),
        (5, 5, 1),
        (5, 4, 1),
        (6, 6, 100),
    ] {
        let size = Size::new(rows, cols).unwrap();
        let cut = Search {
            shard_ms,
            ..search(rows, cols, Mode::Exhaustive)
        };
        let plan = plan(&cut).unwrap();
        for (goal, _) in growth::goals_of(size) {
            // Of 6x6 the smallest trees are enough for a test of seconds.
            if rows * cols == 36 && goal != Cell(14) {
                continue;
            }
            let mut whole = sets_of(size, goal, &growth::tree_roots(size, goal), Extent::Whole);
            let shards = plan
                .shards
                .iter()
                .filter(|shard| shard.goal() == Some(goal));
            let mut union: Vec<FloorSet> = shards
                .flat_map(|shard| match &shard.work {
                    Work::Growth {
                        goal,
                        roots,
                        extent,
                    } => sets_of(size, *goal, roots, *extent),
                    _ => panic!("{shard:?}"),
                })
                .collect();
            whole.sort();
            union.sort();
            assert!(
                union == whole,
                "{size} {goal:?}: {} sets, {}",
                union.len(),
                whole.len()
            );
            assert!(whole.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}

#[test]
fn answers_do_not_depend_on_how_the_work_is_cut() {
    for (rows, cols, mode) in [
        (5, 5, Mode::Exhaustive),
        (4, 6, Mode::Exhaustive),
        (4, 4, Mode::Census),
        (4, 5, Mode::Census),
    ] {
        let whole = answer(&search(rows, cols, mode), false);
        for shard_ms in [1, 3, 100_000] {
            let cut = Search {
                shard_ms,
                ..search(rows, cols, mode)
            };
            assert_eq!(answer(&cut, false), whole, "{rows}x{cols} {shard_ms}");
            assert_eq!(answer(&cut, true), whole, "{rows}x{cols} {shard_ms} broken");
        }
    }
}

/// OEIS A195668.
const BY_FLOOR: [u32; 10] = [1, 2, 3, 5, 9, 11, 15, 18, 21, 25];

#[test]
fn floor_search_gives_the_published_maxima_with_witnesses() {
    let search = Search {
        shard_ms: 20,
        ..Search::floor(12).unwrap()
    };
    let found = answer(&search, false);
    assert_eq!(answer(&search, true), found, "broken into pieces");
    let by_limit = found.by_floor_limit.iter();
    let maxima: Vec<_> = by_limit.map(|line| (line.floor, line.max_moves)).collect();
    assert_eq!(maxima, (3..).zip(BY_FLOOR).collect::<Vec<_>>());
    for witness in &found.witnesses {
        let floor = witness.level.floor();
        assert_eq!(witness.moves, BY_FLOOR[floor - 3], "{floor} cells");
        assert_eq!(
            solve::shortest_moves(&witness.level).unwrap(),
            Some(witness.moves)
        );
    }
}

#[test]
fn floor_search_agrees_with_a_board_that_holds_all_its_sets() {
    // Every connected set of four cells fits on a 4x4 board.
    let plane = answer(&Search::floor(4).unwrap(), false);
    let mut best = 0;
    for layout in 0u32..1 << 16 {
        if layout.count_ones() == 4 {
            let size = Size::new(4, 4).unwrap();
            let floor = size.cells().filter(|cell| layout >> cell.0 & 1 == 1);
            let board = soko::board::Board::from_floor(size, floor.collect::<Vec<_>>());
            for goal in board.floor_cells() {
                for box_cell in board.floor_cells() {
                    for player in board.floor_cells() {
                        let level = soko::level::Level::new(board.clone(), player, box_cell, goal);
                        if let Ok(level) = level {
                            let moves = solve::shortest_moves(&level).unwrap();
                            best = best.max(moves.unwrap_or(0));
                        }
                    }
                }
            }
        }
    }
    assert_eq!(plane.by_floor_limit.last().unwrap().max_moves, best);
}

#[test]
fn tiny_boards() {
    let max = |rows, cols, convention| {
        answer(&search(rows, cols, Mode::Exhaustive), false)
            .optimum(convention)
            .max_moves
    };
    for (rows, cols) in [(1, 1), (1, 2), (2, 2)] {
        assert_eq!(max(rows, cols, Convention::AnyStart), None);
    }
    for n in 3..9 {
        assert_eq!(max(1, n, Convention::AnyStart), Some(n as u32 - 2));
        assert_eq!(max(n, 1, Convention::AnyStart), Some(n as u32 - 2));
    }
    for (rows, cols, any_start) in [
        (2, 3, 5),
        (2, 4, 7),
        (2, 5, 10),
        (2, 6, 13),
        (3, 4, 18),
        (3, 5, 25),
    ] {
        assert_eq!(max(rows, cols, Convention::AnyStart), Some(any_start));
    }
    assert_eq!(max(2, 3, Convention::OffGoal), Some(4));
    assert_eq!(max(2, 4, Convention::OffGoal), Some(6));
}
