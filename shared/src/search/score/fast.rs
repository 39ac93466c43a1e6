//! The scorer for boards of at most 305 cells.

use super::flood::Flood;
use super::packing::{Generic, Packing};
use super::word::Word;
use super::{Best, Distances, Start};
use crate::board::{Board, Cell};

/// Shows every start of the goals to `visit`.
struct Starts<'a, F> {
    board: &'a Board,
    goal: Cell,
    visit: F,
}

impl<F: FnMut(Start)> Generic for Starts<'_, F> {
    type Out = ();

    fn call<W: Word, const COLS: usize>(mut self, packing: Packing) {
        let mut flood = Flood::<W, COLS>::new(packing);
        let floor: W = packing.pack(self.board);
        starts(
            &mut flood,
            packing,
            floor,
            packing.bit(self.goal),
            0,
            &mut self.visit,
        );
    }
}

/// Shows the starts of a goal with at least this distance to `visit`.
fn starts<W: Word, const COLS: usize>(
    flood: &mut Flood<W, COLS>,
    packing: Packing,
    floor: W,
    goal: usize,
    at_least: u32,
    visit: &mut impl FnMut(Start),
) {
    if !floor.has(goal) {
        return;
    }
    flood.search(floor, goal, |moves, bx, players| {
        if moves < at_least {
            return;
        }
        for player in players.cells() {
            visit(Start {
                goal: packing.cell(goal),
                box_cell: packing.cell(bx),
                player: packing.cell(player),
                moves,
            });
        }
    });
}

/// The hardest starts of some goals.
struct Hardest<'a> {
    board: &'a Board,
    /// The only goal to look at; all of them if `None`.
    goal: Option<Cell>,
}

impl Generic for Hardest<'_> {
    type Out = Best;

    fn call<W: Word, const COLS: usize>(self, packing: Packing) -> Best {
        let mut flood = Flood::<W, COLS>::new(packing);
        let floor: W = packing.pack(self.board);
        let mut goals = flood.goals(floor);
        if let Some(goal) = self.goal {
            goals &= W::cell(packing.bit(goal));
        }
        let mut best = Best::default();
        for goal in goals.cells() {
            // Depths cost a fraction of a list of starts, and few goals
            // come near those before them.
            let depth = flood.depth(floor, goal);
            let moves = |start: Option<Start>| start.map_or(0, |start| start.moves);
            if depth.off_goal >= moves(best.off_goal) || depth.anywhere >= moves(best.anywhere) {
                let mut offer = |start| best.offer(start);
                starts(&mut flood, packing, floor, goal, depth.off_goal, &mut offer);
            }
        }
        best
    }
}

/// The hardest levels of a layout over all goals, or `None` if the board is too
/// large.
pub fn best(board: &Board) -> Option<Best> {
    let packing = Packing::new(board.size())?;
    Some(packing.dispatch(Hardest { board, goal: None }))
}

/// The hardest levels of a layout with this goal, or `None` if the board is too
/// large.
pub fn best_for_goal(board: &Board, goal: Cell) -> Option<Best> {
    let packing = Packing::new(board.size())?;
    if goal.index() >= board.size().area() {
        return Some(Best::default());
    }
    let goal = Some(goal);
    Some(packing.dispatch(Hardest { board, goal }))
}

/// The distance of every start of a layout with this goal, or `None` if the
/// board is too large.
pub fn distances(board: &Board, goal: Cell) -> Option<Distances> {
    let packing = Packing::new(board.size())?;
    let mut distances = Distances::unreached(board);
    if goal.index() < board.size().area() {
        packing.dispatch(Starts {
            board,
            goal,
            visit: |start: Start| distances.set(start.player, start.box_cell, start.moves),
        });
    }
    Some(distances)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{reference, strategies::layouts};
    use super::*;
    use crate::board::Size;

    proptest! {
        #[test]
        fn fast_and_reference_agree_on_every_start(board in layouts(17)) {
            for goal in board.size().cells().step_by(1 + board.size().area() / 40) {
                prop_assert_eq!(
                    distances(&board, goal).unwrap(),
                    reference::distances(&board, goal)
                );
            }
        }

        #[test]
        fn fast_and_reference_agree_on_the_hardest_level(board in layouts(17)) {
            prop_assert_eq!(best(&board).unwrap(), reference::best(&board));
            for goal in board.size().cells().step_by(1 + board.size().area() / 40) {
                prop_assert_eq!(
                    best_for_goal(&board, goal).unwrap(),
                    reference::best_for_goal(&board, goal)
                );
            }
        }
    }

    #[test]
    fn fast_and_reference_agree_on_open_boards_of_every_size() {
        for rows in 1..=11 {
            for cols in 1..=11 {
                let board = Board::open(Size::new(rows, cols).unwrap());
                for goal in board.size().cells().step_by(1 + board.size().area() / 40) {
                    assert_eq!(
                        distances(&board, goal).unwrap(),
                        reference::distances(&board, goal),
                        "{rows}x{cols} goal {goal:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_filled_to_the_last_bit() {
        for (rows, cols) in [
            (11, 11),
            (15, 8),
            (61, 2),
            (61, 3),
            (122, 2),
            (5, 61),
            (17, 17),
        ] {
            let board = Board::open(Size::new(rows, cols).unwrap());
            for goal in board.size().cells().step_by(7) {
                assert_eq!(
                    best_for_goal(&board, goal).unwrap(),
                    reference::best_for_goal(&board, goal)
                );
            }
        }
        assert_eq!(best(&Board::open(Size::new(18, 17).unwrap())), None);
    }
}
