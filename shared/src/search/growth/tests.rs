//! Growth search against the definition and against the known totals.

use std::collections::BTreeSet;

use super::{reference, *};
use crate::{
    board::{Cell, Size},
    search::Convention,
};

fn size(rows: u64, cols: u64) -> Size {
    Size::new(rows, cols).unwrap()
}

fn whole(size: Size, goal: Cell) -> GoalTally {
    explore(size, goal, &tree_roots(size, goal), Extent::Whole, |_| true)
        .unwrap()
        .0
}

/// All sets of a goal's tree, by layers.
fn tree_sets(size: Size, goal: Cell) -> Vec<FloorSet> {
    let roots = tree_roots(size, goal);
    (2..=size.area() as u16)
        .flat_map(|cells| layer(size, goal, &roots, cells).unwrap())
        .collect()
}

#[test]
fn the_tree_holds_exactly_the_sets_of_the_definition() {
    for (rows, cols) in [(1, 5), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3)] {
        let size = size(rows, cols);
        for (goal, _) in goals_of(size) {
            let expected = reference::all_minimal_sets(size, goal);
            let symmetries = ground::Ground::new(size, goal).stabiliser;
            let mut found: Vec<BTreeSet<Cell>> = Vec::new();
            for set in tree_sets(size, goal) {
                let mut images: Vec<BTreeSet<Cell>> = symmetries
                    .iter()
                    .map(|image| {
                        set.cells()
                            .map(|cell| Cell(u32::from(image[cell.index()])))
                            .collect()
                    })
                    .collect();
                images.sort();
                images.dedup();
                found.extend(images);
            }
            found.sort();
            let expected_sets: Vec<BTreeSet<Cell>> = expected.keys().cloned().collect();
            assert_eq!(found, expected_sets, "{size} goal {goal:?}");
            let tally = whole(size, goal);
            assert_eq!(tally.sets(), expected.len() as u64);
            assert_eq!(
                tally.states(),
                expected
                    .values()
                    .map(|states| states.len() as u64)
                    .sum::<u64>()
            );
        }
    }
}

#[test]
fn the_repaired_table_equals_deletion_on_random_sets() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let size = size(4, 4);
    let mut runner = TestRunner::new(Config::with_cases(400));
    runner
        .run(
            &(0u32..16, prop::collection::vec(0usize..1000, 3..14)),
            |(goal, picks)| {
                let goal = Cell(goal);
                let ground = ground::Ground::new(size, goal);
                let mut table = table::Table::<u64, 64>::new(&ground);
                let mut floor = BTreeSet::from([goal]);
                for pick in picks {
                    let frontier: Vec<Cell> = size
                        .cells()
                        .filter(|cell| !floor.contains(cell))
                        .filter(|&cell| {
                            crate::board::DIRS
                                .iter()
                                .any(|&d| size.step(cell, d).is_some_and(|n| floor.contains(&n)))
                        })
                        .collect();
                    let Some(&cell) = frontier.get(pick % frontier.len().max(1)) else {
                        break;
                    };
                    // Add, take away, add again: the trail must restore everything.
                    let mark = table.add(&ground, cell.0 as u16);
                    table.remove(mark);
                    table.add(&ground, cell.0 as u16);
                    floor.insert(cell);

                    let distances = reference::distances(size, goal, &floor);
                    let local: Vec<Cell> = table
                        .board_cells()
                        .iter()
                        .map(|&c| Cell(u32::from(c)))
                        .collect();
                    for (b, &box_cell) in local.iter().enumerate() {
                        for (p, &player) in local.iter().enumerate() {
                            let ess = table.ess(b as u8, p as u8);
                            let expected = distances.get(&(player, box_cell));
                            prop_assert_eq!(
                                ess != u64::MAX,
                                expected.is_some(),
                                "{:?} {:?} {:?}",
                                floor,
                                player,
                                box_cell
                            );
                            if let Some(&moves) = expected {
                                prop_assert_eq!(
                                    table.moves(b as u8, p as u8),
                                    moves,
                                    "{:?} goal {:?} player {:?} box {:?}",
                                    &floor,
                                    goal,
                                    player,
                                    box_cell
                                );
                                for (i, &cell) in local.iter().enumerate() {
                                    let mut smaller = floor.clone();
                                    smaller.remove(&cell);
                                    let needed = cell == goal
                                        || !reference::distances(size, goal, &smaller)
                                            .contains_key(&(player, box_cell));
                                    prop_assert_eq!(
                                        ess >> i & 1 == 1,
                                        needed,
                                        "{:?} {:?} {:?} cell {:?}",
                                        &floor,
                                        player,
                                        box_cell,
                                        cell
                                    );
                                }
                            }
                        }
                    }
                }
                Ok(())
            },
        )
        .unwrap();
}

#[test]
fn the_critical_family_has_the_same_maxima() {
    for (n, sets) in [(3, 46), (4, 880), (5, 46_480)] {
        let size = size(n, n);
        let mut total = 0;
        for (goal, _) in goals_of(size) {
            let critical = critical::search(size, goal);
            total += critical.sets;
            let minimal = whole(size, goal);
            assert_eq!(
                critical.moves,
                minimal.best(Convention::AnyStart).moves,
                "{goal:?}"
            );
        }
        assert_eq!(total, sets);
    }
}

/// The same sets counted as a crown, and each for itself.
#[test]
fn the_longest_of_a_crown_are_those_of_its_sets() {
    let plane = size(27, 27);
    let boards = [(size(4, 4), 16), (size(3, 5), 15), (size(5, 5), 12)];
    let in_plane = (3..=14).map(|cells| (plane, Cell(13 * 27 + 13), cells));
    let on_boards = boards.iter().flat_map(|&(size, most)| {
        goals_of(size)
            .into_iter()
            .flat_map(move |(goal, _)| (3..=most).map(move |cells| (size, goal, cells)))
    });
    for (size, goal, cells) in in_plane.chain(on_boards) {
        let roots = tree_roots(size, goal);
        let of = |extent| explore(size, goal, &roots, extent, |_| true).unwrap().0;
        let all = of(Extent::Below(cells + 1));
        let crowned = of(Extent::Crowned(cells));
        let below = of(Extent::Below(cells));
        assert_eq!(crowned.best, all.best, "{size} {goal:?} {cells}");
        assert_eq!(crowned.digest, below.digest);
        let cells = usize::from(cells);
        let layer = |tally: &GoalTally| tally.layers.get(cells).cloned().unwrap_or_default();
        assert_eq!(layer(&crowned).moves, layer(&all).moves);
        assert_eq!(layer(&crowned).start, layer(&all).start);
        assert_eq!(crowned.nodes(), below.nodes());
        assert_eq!(crowned.tested, all.tested);
    }
}

#[test]
fn no_set_is_longer_than_a_glance_at_it_says() {
    let size = size(5, 5);
    let mut bounded = 0;
    let mut near = 0;
    for (goal, _) in goals_of(size) {
        let ground = ground::Ground::new(size, goal);
        let mut present = present::Present::<u64, 64>::new(&ground);
        let mut proposer = propose::Proposer::new(size);
        let mut glance = glance::Glance::new();
        for set in tree_sets(size, goal).iter().step_by(7) {
            present.clear();
            let mut left: Vec<Cell> = set.cells().filter(|&cell| cell != goal).collect();
            let mut mark = 0;
            while !left.is_empty() {
                let next = left.iter().position(|&cell| present.touches(cell)).unwrap();
                mark = present.push(left.swap_remove(next).0 as u16);
            }
            let states: Vec<present::State> = present.table.newly_minimal(mark).collect();
            let moves = |&(b, p): &present::State| present.table.moves(b, p);
            let longest = states.iter().map(moves).max().unwrap();
            let mut proposals = Vec::new();
            proposer.propose(&present, &states, &mut proposals);
            for proposal in proposals {
                let bound = glance.bound(&mut present.table, &ground, &proposal, longest);
                let mark = present.push(proposal.cell);
                let minimal = present.table.newly_minimal(mark);
                let truth = minimal.map(|(b, p)| present.table.moves(b, p)).max();
                present.pop(mark);
                assert!(Some(bound) >= truth, "{set:?} {proposal:?}");
                bounded += usize::from(truth.is_some());
                near += usize::from(truth == Some(bound));
            }
        }
    }
    assert!(
        bounded > 2000 && 3 * near > 2 * bounded,
        "{near} of {bounded}"
    );
}
