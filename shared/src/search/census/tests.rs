//! The census against published totals, and its shards against each other.

use super::*;
use crate::board::{Board, Cell, DIRS, Size};
use crate::search::Counts;
use crate::search::score::{self, flood::Flood, packing::Packing, reference};

fn size(rows: u64, cols: u64) -> Size {
    Size::new(rows, cols).unwrap()
}

fn census(size: Size) -> Tally {
    let all = ranks(size).unwrap();
    let (tally, next) = run(size, 0..all, Floors::All, &mut |_| false).unwrap();
    assert_eq!(next, all);
    tally
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
fn case_10_and_26_three_by_three() {
    let tally = census(size(3, 3));
    assert_eq!(tally.layouts().canonical, 102);
    assert_eq!(tally.layouts().raw, 1 << 9);
    for optimal in [&tally.optimal.off_goal, &tally.optimal.anywhere] {
        assert_eq!(optimal.moves, Some(10));
        assert_eq!(optimal.counts(), counts(8, 1, 4, 1));
        assert_eq!(optimal.by_floor.keys().collect::<Vec<_>>(), [&8]);
    }
}

#[test]
fn case_10_and_26_four_by_four() {
    let tally = census(size(4, 4));
    assert_eq!(tally.layouts().canonical, 8548);
    assert_eq!(tally.layouts().raw, 1 << 16);
    for optimal in [&tally.optimal.off_goal, &tally.optimal.anywhere] {
        assert_eq!(optimal.moves, Some(25));
        assert_eq!(optimal.counts(), counts(16, 2, 16, 2));
        assert_eq!(optimal.by_floor.keys().collect::<Vec<_>>(), [&13, &14]);
    }
}

#[test]
fn case_10_and_26_five_by_five() {
    let tally = census(size(5, 5));
    assert_eq!(tally.layouts().canonical, 4_211_744);
    assert_eq!(tally.layouts().raw, 1 << 25);
    let optimal = &tally.optimal.off_goal;
    assert_eq!(optimal.moves, Some(41));
    assert_eq!(optimal.counts(), counts(768, 96, 524, 66));
    let levels: Vec<_> = optimal
        .by_floor
        .iter()
        .map(|(&floor, counts)| (floor, counts.levels))
        .collect();
    assert_eq!(
        levels,
        [(16, 16), (17, 120), (18, 280), (19, 264), (20, 88)]
    );
    assert!(!optimal.is_capped());
    let optimal = &tally.optimal.anywhere;
    assert_eq!(optimal.moves, Some(41));
    assert_eq!(optimal.counts(), counts(832, 104, 588, 74));
    let levels: Vec<_> = optimal
        .by_floor
        .iter()
        .map(|(&floor, counts)| (floor, counts.levels))
        .collect();
    assert_eq!(
        levels,
        [
            (16, 16),
            (17, 120),
            (18, 288),
            (19, 288),
            (20, 112),
            (21, 8)
        ]
    );
    assert!(optimal.is_capped());
    assert_eq!(optimal.witnesses.len(), MAX_WITNESSES);
}

#[test]
fn maxima_of_rectangles_in_both_conventions() {
    for ((rows, cols), off_goal, anywhere) in [
        ((2, 3), 4, 5),
        ((2, 4), 6, 7),
        ((2, 5), 10, 10),
        ((2, 6), 13, 13),
        ((3, 4), 18, 18),
        ((3, 5), 25, 25),
    ] {
        // A board and the board on its side have the same levels.
        let tally = census(size(rows, cols));
        assert_eq!(tally, census(size(cols, rows)));
        assert!(
            tally.optimal.off_goal.moves <= Some(off_goal),
            "{rows}x{cols}"
        );
        assert_eq!(
            tally.optimal.anywhere.moves,
            Some(anywhere),
            "{rows}x{cols}"
        );
    }
    assert_eq!(census(size(2, 3)).optimal.off_goal.moves, Some(4));
    assert_eq!(census(size(2, 4)).optimal.off_goal.moves, Some(6));
}

#[test]
fn case_23_boards_without_a_level_and_corridors() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let tally = census(size(rows, cols));
        assert_eq!(tally.optimal.anywhere.moves, None);
        assert_eq!(tally.optimal.anywhere.counts(), Counts::default());
        assert_eq!(tally.layouts(), tally.histogram.off_goal.without_level);
    }
    for n in 3..12 {
        let tally = census(size(1, n));
        assert_eq!(tally.optimal.off_goal.moves, Some(n as u32 - 2));
    }
}

/// The plain way: every raw layout with the reference scorer.
#[test]
fn histogram_and_levels_agree_with_the_plain_way() {
    for (rows, cols) in [(3, 3), (2, 4), (4, 3)] {
        let size = size(rows, cols);
        let tally = census(size);
        let mut raw = Histogram::default();
        let mut levels = 0;
        for mask in 0..1_u64 << size.area() {
            let floor = size.cells().filter(|cell| mask >> cell.index() & 1 == 1);
            let board = Board::from_floor(size, floor);
            let best = reference::best(&board).off_goal.map_or(0, |s| s.moves);
            raw.add(
                best,
                Layouts {
                    canonical: 0,
                    raw: 1,
                },
            );
            if Some(best) == tally.optimal.off_goal.moves {
                for goal in board.floor_cells() {
                    let distances = reference::distances(&board, goal);
                    let cells: Vec<Cell> = board.floor_cells().filter(|&c| c != goal).collect();
                    for &player in &cells {
                        for &box_cell in &cells {
                            levels += u64::from(distances.get(player, box_cell) == Some(best));
                        }
                    }
                }
            }
        }
        let ours: Vec<_> = tally
            .histogram
            .off_goal
            .by_moves
            .iter()
            .map(|(m, l)| (*m, l.raw))
            .collect();
        let plain: Vec<_> = raw.by_moves.iter().map(|(m, l)| (*m, l.raw)).collect();
        assert_eq!(ours, plain);
        assert_eq!(
            tally.histogram.off_goal.without_level.raw,
            raw.without_level.raw
        );
        assert_eq!(tally.optimal.off_goal.counts().levels, levels);
    }
}

#[test]
fn witnesses_are_levels_of_their_value() {
    for (rows, cols) in [(3, 3), (4, 4), (3, 5), (5, 2)] {
        let size = size(rows, cols);
        let optimal = census(size).optimal.anywhere;
        let moves = optimal.moves.unwrap();
        for witness in &optimal.witnesses {
            let (board, start) = witness.level(size, moves).unwrap();
            let distances = score::distances(&board, start.goal);
            assert_eq!(distances.get(start.player, start.box_cell), Some(moves));
        }
    }
}

#[test]
fn case_9_any_partition_and_order_gives_the_same_tally() {
    let size = size(4, 4);
    let whole = census(size);
    let all = ranks(size).unwrap();
    for step in [1000, 4096, 9973, 40_000] {
        let mut merged = Tally::default();
        let mut parts = Vec::new();
        let mut from = 0;
        while from < all {
            let to = all.min(from + step);
            parts.push(run(size, from..to, Floors::All, &mut |_| false).unwrap().0);
            from = to;
        }
        for part in parts.into_iter().rev() {
            merged.merge(part);
        }
        assert_eq!(merged, whole);
    }
}

#[test]
fn a_stopped_range_goes_on_where_it_stopped() {
    let size = size(4, 4);
    let whole = census(size);
    let all = ranks(size).unwrap();
    let mut merged = Tally::default();
    let mut next = 77;
    merged.merge(run(size, 0..next, Floors::All, &mut |_| false).unwrap().0);
    let mut stops = 0;
    while next < all {
        let mut looks = 0;
        let (tally, reached) = run(size, next..all, Floors::All, &mut |_| {
            looks += 1;
            looks > 2
        })
        .unwrap();
        assert!(reached > next);
        merged.merge(tally);
        next = reached;
        stops += 1;
    }
    assert!(stops > 3);
    assert_eq!(merged, whole);
    assert_eq!(run(size, 5..all, Floors::All, &mut |_| true).unwrap().1, 5);
}

#[test]
fn tallies_survive_serialisation() {
    let tally = census(size(3, 4));
    let text = serde_json::to_string(&tally).unwrap();
    assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), tally);
}

#[test]
fn boards_and_ranges_out_of_reach_are_refused() {
    assert!(matches!(ranks(size(7, 7)), Err(CensusError::TooLarge(_))));
    assert_eq!(ranks(size(6, 6)), Ok(1 << 36));
    let past = run(size(3, 3), 500..513, Floors::All, &mut |_| false);
    assert!(matches!(past, Err(CensusError::OutOfRange { .. })));
    #[expect(clippy::reversed_empty_ranges)]
    let reversed = run(size(3, 3), 5..4, Floors::All, &mut |_| false);
    assert!(reversed.is_err());
}

#[test]
fn case_11_ranks_at_the_ends_of_the_largest_board() {
    let size = size(6, 6);
    let last = ranks(size).unwrap() - 1;
    // All floor is its own only image; so is all wall.
    for (range, canonical, raw) in [
        (last..last + 1, 1, 1),
        (0..1, 1, 1),
        (1 << 32..(1 << 32) + 1, 0, 0),
    ] {
        let (tally, _) = run(size, range, Floors::All, &mut |_| false).unwrap();
        assert_eq!(tally.layouts(), Layouts { canonical, raw });
    }
    let (tally, _) = run(size, last..last + 1, Floors::All, &mut |_| false).unwrap();
    let best = reference::best(&Board::open(size)).anywhere.unwrap();
    assert_eq!(tally.optimal.anywhere.moves, Some(best.moves));
    assert_eq!(
        tally.optimal.anywhere.by_floor.keys().collect::<Vec<_>>(),
        [&36]
    );
}

/// Totals of connected floor sets are those of OEIS A059525.
#[test]
fn connected_floor_sets_have_the_known_totals_and_the_same_maximum() {
    for (n, raw) in [(3, 218), (4, 11_506), (5, 2_301_877)] {
        let size = size(n, n);
        let all = ranks(size).unwrap();
        let (tally, _) = run(size, 0..all, Floors::Connected, &mut |_| false).unwrap();
        assert_eq!(tally.layouts().raw, raw, "n = {n}");
        let whole = census(size);
        assert_eq!(tally.optimal.anywhere.moves, whole.optimal.anywhere.moves);
        assert_eq!(tally.optimal.off_goal.moves, whole.optimal.off_goal.moves);
        assert!(tally.optimal.anywhere.counts().levels <= whole.optimal.anywhere.counts().levels);
    }
}

#[test]
fn a_layout_is_connected_when_a_plain_fill_reaches_all_of_it() {
    for size in [size(3, 4), size(2, 6), size(1, 7)] {
        let packing = Packing::new(size).unwrap();
        let flood = Flood::<u64, 0>::new(packing);
        for layout in 0..1_u64 << size.area() {
            let board = packing.unpack(layout);
            let mut reached = std::collections::BTreeSet::new();
            let mut left: Vec<_> = board.floor_cells().take(1).collect();
            while let Some(cell) = left.pop() {
                if reached.insert(cell) {
                    left.extend(DIRS.iter().filter_map(|&dir| board.floor_step(cell, dir)));
                }
            }
            let whole = layout != 0 && reached.len() == board.floor_count();
            assert_eq!(flood.is_connected(layout), whole, "{size} {layout:b}");
        }
    }
}
