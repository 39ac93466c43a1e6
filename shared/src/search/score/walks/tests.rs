use proptest::prelude::*;

use super::*;
use crate::search::score::{reference, strategies::layouts};

fn expected(board: &Board, goal: Cell) -> u32 {
    let best = reference::best_for_goal(board, goal);
    best.anywhere.map_or(0, |start| start.moves)
}

/// Keeps the walks whether that pays or not.
fn keep_now(walks: &mut Walks) {
    walks.price = 0;
    walks.keep();
    assert!(walks.changed.is_empty());
}

/// Whether every goal has the score that the plain scorer gives it.
fn agree(walks: &mut Walks, board: &Board) -> Result<(), TestCaseError> {
    prop_assert_eq!(&walks.board(), board);
    for goal in board.size().cells() {
        let score = expected(board, goal);
        prop_assert_eq!(walks.score(goal, 0), score);
        prop_assert_eq!(walks.score(goal, score), score);
        prop_assert!(walks.score(goal, score + 1) <= score);
    }
    Ok(())
}

proptest! {
    #[test]
    fn walks_and_reference_agree(
        boards in proptest::collection::vec(layouts(14), 1..3),
        keep: bool,
    ) {
        for board in boards {
            let mut walks = Walks::new(board.size());
            walks.load(&board);
            if keep {
                keep_now(&mut walks);
            }
            agree(&mut walks, &board)?;
        }
    }

    #[test]
    fn changed_layouts_and_reference_agree(
        board in layouts(9),
        changes in proptest::collection::vec((0..81_usize, 0..5_u8), 1..30),
    ) {
        let mut walks = Walks::new(board.size());
        let mut changed = board.clone();
        walks.load(&board);
        keep_now(&mut walks);
        for (cell, then) in changes {
            let cell = Cell((cell % board.size().area()) as u32);
            walks.toggle(cell);
            changed.set_floor(cell, !changed.is_floor(cell));
            match then {
                0 => keep_now(&mut walks),
                1 => agree(&mut walks, &changed)?,
                2 => {
                    walks.load(&board);
                    changed = board.clone();
                }
                _ => {}
            }
        }
        agree(&mut walks, &changed)?;
    }
}

#[test]
fn known_levels_have_their_scores() {
    for known in crate::records::seeds() {
        let board = known.level.board();
        let mut walks = Walks::new(board.size());
        walks.load(board);
        assert!(walks.score(known.level.goal(), 0) >= known.moves);
    }
}

#[test]
fn distances_beyond_sixteen_bits() {
    // Sides of one box whose distances are farther apart than any walk.
    let known = crate::records::seeds().into_iter();
    let longest = known.max_by_key(|known| known.moves).unwrap();
    let board = longest.level.board();
    let mut walks = Walks::new(board.size());
    walks.load(board);
    let scores = board
        .floor_cells()
        .step_by(40)
        .map(|goal| (walks.score(goal, 0), expected(board, goal)));
    for (score, expected) in scores {
        assert_eq!(score, expected);
    }
}

#[test]
fn walks_are_kept_as_soon_as_that_pays() {
    let known = crate::records::seeds().into_iter();
    let known = known.filter(|known| known.moves == 3582).next().unwrap();
    let board = known.level.board();
    let mut walks = Walks::new(board.size());
    walks.load(board);
    walks.keep();
    assert!(!walks.changed.is_empty(), "nothing was asked yet");
    let mut scores = std::collections::BTreeSet::new();
    while !walks.changed.is_empty() {
        walks.stale = true;
        scores.insert(walks.score(known.level.goal(), 0));
        walks.keep();
    }
    let sides = board.floor_cells().map(|cell| {
        crate::board::DIRS
            .iter()
            .filter(|&&dir| board.floor_step(cell, dir).is_some())
            .count()
    });
    assert_eq!(walks.price, OVERHEAD + sides.sum::<usize>());
    // Nothing is in doubt, so nothing is asked.
    scores.insert(walks.score(known.level.goal(), 0));
    assert_eq!((scores.len(), walks.asked), (1, 0));
}
