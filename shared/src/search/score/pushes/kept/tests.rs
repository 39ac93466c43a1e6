use proptest::prelude::*;

use super::*;
use crate::board::{Board, Cell, Size};
use crate::search::score::strategies::layouts;

fn ground(board: &Board) -> Ground {
    let mut ground = Ground::new(board.size());
    for cell in board.floor_cells() {
        ground.toggle(ground.framed(cell));
    }
    ground
}

fn walker(ground: &Ground) -> Walker {
    let mut walker = Walker::new(ground);
    ground.floor_cells().for_each(|cell| walker.toggle(cell));
    walker
}

/// What is kept after everything was walked.
fn whole(ground: &Ground) -> Kept {
    let cells = ground.cells();
    let mut kept = Kept::new(cells);
    kept.begin_anew(ground, &mut walker(ground));
    kept
}

fn same(kept: &Kept, other: &Kept) -> bool {
    kept.to == other.to && kept.between == other.between
}

proptest! {
    #[test]
    fn cell_by_cell_is_the_same_as_all_anew(
        board in layouts(8),
        changes in proptest::collection::vec(0..64_usize, 1..40),
        together in 1..4_usize,
    ) {
        let mut ground = ground(&board);
        let mut kept = whole(&ground);
        let mut walker = walker(&ground);
        for changes in changes.chunks(together) {
            let mut cells: Vec<usize> = changes
                .iter()
                .map(|&cell| ground.framed(Cell((cell % board.size().area()) as u32)))
                .collect();
            cells.sort_unstable();
            cells.dedup();
            for &cell in &cells {
                ground.toggle(cell);
                walker.toggle(cell);
            }
            kept.follow(&mut ground, &mut walker, &cells);
            prop_assert!(same(&kept, &whole(&ground)));
        }
    }

    #[test]
    fn walks_that_change_are_known_or_in_doubt(
        board in layouts(8),
        changes in proptest::collection::btree_set(0..64_usize, 1..6),
    ) {
        let mut ground = ground(&board);
        let mut kept = whole(&ground);
        let changes: std::collections::BTreeSet<usize> = changes
            .into_iter()
            .map(|cell| ground.framed(Cell((cell % board.size().area()) as u32)))
            .collect();
        let changes: Vec<usize> = changes.into_iter().collect();
        for &cell in &changes {
            ground.toggle(cell);
        }
        let mut doubt = vec![0; ground.cells()];
        let mut between = kept.between.clone();
        kept.change(&ground, &changes, &mut between, &mut doubt);
        let after = whole(&ground);
        for bx in ground.floor_cells() {
            // Nobody asks for walks from a wall.
            for side in (0..SIDES).filter(|&side| ground.is_floor(ground.beside(bx, side))) {
                let told = between[SIDES * bx + side];
                let is = after.between[SIDES * bx + side];
                let known = |to: usize| doubt[bx] & walk_bit(side, to) == 0;
                prop_assert!(
                    (0..SIDES).all(|to| told[to] == is[to] || !known(to)),
                    "{bx} {side}: {told:?} {is:?} {:b}",
                    doubt[bx]
                );
            }
        }
    }
}

#[test]
fn a_change_far_away_leaves_most_walks_out_of_doubt() {
    let size = Size::new(12, 12).unwrap();
    let mut ground = ground(&Board::open(size));
    let mut kept = whole(&ground);
    let mut between = kept.between.clone();
    let corner = ground.framed(Cell(0));
    ground.toggle(corner);
    let mut doubt = vec![0; ground.cells()];
    kept.change(&ground, &[corner], &mut between, &mut doubt);
    let doubtful = doubt.iter().filter(|&&walks| walks != 0).count();
    assert!((1..6).contains(&doubtful), "{doubtful}");
}
