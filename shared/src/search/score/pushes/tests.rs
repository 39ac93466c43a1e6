use proptest::prelude::*;

use super::Pushes;
use crate::board::{Board, Cell, Size};
use crate::search::score::{reference, strategies::layouts};

fn expected(board: &Board, goal: Cell) -> u32 {
    let best = reference::best_for_goal(board, goal);
    best.anywhere.map_or(0, |start| start.moves)
}

/// Whether every goal has the score that the plain scorer gives it.
fn agree(pushes: &mut Pushes, board: &Board) -> Result<(), TestCaseError> {
    prop_assert_eq!(&pushes.board(), board);
    for goal in board.size().cells() {
        let score = expected(board, goal);
        prop_assert_eq!(pushes.score(goal, 0), score);
        prop_assert_eq!(pushes.score(goal, score), score);
        prop_assert!(pushes.score(goal, score + 1) <= score);
    }
    Ok(())
}

proptest! {
    #[test]
    fn pushes_and_reference_agree(
        boards in proptest::collection::vec(layouts(14), 1..3),
        keep: bool,
    ) {
        for board in boards {
            let mut pushes = Pushes::new(board.size());
            pushes.load(&board);
            if keep {
                pushes.keep_now();
            }
            agree(&mut pushes, &board)?;
        }
    }

    #[test]
    fn changed_layouts_and_reference_agree(
        board in layouts(9),
        changes in proptest::collection::vec((0..81_usize, 0..5_u8), 1..30),
    ) {
        let mut pushes = Pushes::new(board.size());
        let mut changed = board.clone();
        pushes.load(&board);
        pushes.keep_now();
        for (cell, then) in changes {
            let cell = Cell((cell % board.size().area()) as u32);
            pushes.toggle(cell);
            changed.set_floor(cell, !changed.is_floor(cell));
            match then {
                0 => pushes.keep_now(),
                1 => agree(&mut pushes, &changed)?,
                2 => {
                    pushes.load(&board);
                    changed = board.clone();
                }
                _ => {}
            }
        }
        agree(&mut pushes, &changed)?;
    }
}

#[test]
fn known_levels_have_their_scores() {
    for known in crate::records::seeds() {
        let board = known.level.board();
        let mut pushes = Pushes::new(board.size());
        pushes.load(board);
        assert!(pushes.score(known.level.goal(), 0) >= known.moves);
    }
}

#[test]
fn distances_beyond_sixteen_bits() {
    // Sides of one box whose distances are farther apart than any walk.
    let known = crate::records::seeds().into_iter();
    let longest = known.max_by_key(|known| known.moves).unwrap();
    let board = longest.level.board();
    let mut pushes = Pushes::new(board.size());
    pushes.load(board);
    let scores = board
        .floor_cells()
        .step_by(40)
        .map(|goal| (pushes.score(goal, 0), expected(board, goal)));
    for (score, expected) in scores {
        assert_eq!(score, expected);
    }
}

#[test]
fn walks_are_kept_as_soon_as_that_pays() {
    let mut known = crate::records::seeds().into_iter();
    let known = known.find(|known| known.moves == 3582).unwrap();
    let mut pushes = Pushes::new(known.level.size());
    pushes.load(known.level.board());
    pushes.keep();
    assert_eq!(pushes.kept(), None, "nothing was asked yet");
    let mut scores = std::collections::BTreeSet::new();
    while pushes.kept().is_none() {
        // Another layout and back: what was asked is forgotten.
        pushes.toggle(Cell(0));
        pushes.toggle(Cell(0));
        scores.insert(pushes.score(known.level.goal(), 0));
        pushes.keep();
    }
    // Nothing is in doubt, so nothing is asked.
    scores.insert(pushes.score(known.level.goal(), 0));
    assert_eq!((scores.len(), pushes.kept()), (1, Some(0)));
}

#[test]
fn walks_as_long_as_they_can_be() {
    // One path through the largest board, its rows joined at alternating ends.
    let size = Size::new(64, 64).unwrap();
    let floor = size.cells().filter(|&cell| {
        let (row, col) = (size.row(cell), size.col(cell));
        row % 2 == 0 || col == if row % 4 == 1 { 63 } else { 0 }
    });
    let board = Board::from_floor(size, floor);
    let goal = size.cell(0, 5);
    let mut pushes = Pushes::new(size);
    pushes.load(&board);
    assert_eq!(pushes.score(goal, 0), expected(&board, goal));
    // Round a box in a corner, all the way.
    let around = size.cells().filter(|&cell| {
        let (row, col) = (size.row(cell), size.col(cell));
        board.is_floor(cell) && col > 0 || (col == 0 && row < 63)
    });
    let ring = Board::from_floor(size, around);
    pushes.load(&ring);
    assert_eq!(pushes.score(goal, 0), expected(&ring, goal));
}

#[test]
#[should_panic(expected = "too large")]
fn boards_beyond_the_table_are_refused() {
    Pushes::new(Size::new(64, 65).unwrap());
}
