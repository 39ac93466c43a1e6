//! Replaying a move string.

use crate::board::{Cell, Dir};
use crate::level::{Level, Lurd, Move};

/// What happens when a move string is played on a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The moves that were made, with the right case: up to the first bad move
    /// or the first time that the box is on the goal.
    pub lurd: Lurd,
    /// Moves up to and including the one that brings the box to the goal;
    /// `None` if it never gets there.
    pub solved_after: Option<usize>,
    /// Index, from 0, of the first move that is not possible.
    pub first_bad_move: Option<usize>,
    /// Moves of the string that were left when the box was on the goal. The
    /// level is over by then: they are not played and not checked.
    pub moves_after_goal: usize,
    /// Index, from 0, of the first letter whose case was wrong.
    pub first_wrong_case: Option<usize>,
    /// Where the player is at the end.
    pub player: Cell,
    /// Where the box is at the end.
    pub box_cell: Cell,
}

impl Replay {
    /// Whether every move was possible and the box reached the goal.
    pub const fn is_solution(&self) -> bool {
        self.solved_after.is_some() && self.first_bad_move.is_none()
    }
}

/// Plays a move string. The case of its letters does not matter.
pub fn replay(level: &Level, lurd: &Lurd) -> Replay {
    let mut moves = Vec::with_capacity(lurd.len());
    let mut replay = Replay {
        lurd: Lurd::default(),
        solved_after: None,
        first_bad_move: None,
        moves_after_goal: 0,
        first_wrong_case: None,
        player: level.player(),
        box_cell: level.box_cell(),
    };
    for (index, step) in lurd.moves().iter().enumerate() {
        let Some((player, box_cell)) = step_from(level, replay.player, replay.box_cell, step.dir)
        else {
            replay.first_bad_move = Some(index);
            break;
        };
        let push = box_cell != replay.box_cell;
        if push != step.push && replay.first_wrong_case.is_none() {
            replay.first_wrong_case = Some(index);
        }
        moves.push(Move {
            dir: step.dir,
            push,
        });
        (replay.player, replay.box_cell) = (player, box_cell);
        if box_cell == level.goal() {
            replay.solved_after = Some(index + 1);
            replay.moves_after_goal = lurd.len() - index - 1;
            break;
        }
    }
    replay.lurd = moves.into_iter().collect();
    replay
}

/// Player and box after a step, or `None` if it is not possible.
fn step_from(level: &Level, player: Cell, box_cell: Cell, dir: Dir) -> Option<(Cell, Cell)> {
    let board = level.board();
    let next = board.floor_step(player, dir)?;
    if next == box_cell {
        Some((next, board.floor_step(box_cell, dir)?))
    } else {
        Some((next, box_cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(rows: &str, moves: &str) -> Replay {
        let level: Level = rows.replace('/', "\n").parse().unwrap();
        replay(&level, &moves.parse().unwrap())
    }

    #[test]
    fn a_solution_and_its_case() {
        let found = play("--#/-$+/---", "dlluR");
        assert!(found.is_solution());
        assert_eq!(found.solved_after, Some(5));
        assert_eq!(found.first_wrong_case, None);
        let found = play("--#/-$+/---", "DLLur");
        assert!(found.is_solution());
        assert_eq!(found.lurd.to_string(), "dlluR");
        assert_eq!(found.first_wrong_case, Some(0));
    }

    #[test]
    fn the_first_bad_move_is_named_and_ends_the_replay() {
        let found = play("--#/-$+/---", "dlll");
        assert_eq!(found.first_bad_move, Some(3));
        assert_eq!(found.lurd.to_string(), "dll");
        assert!(!found.is_solution());
        // Into the wall above, then a box against the edge.
        assert_eq!(play("--#/-$+/---", "u").first_bad_move, Some(0));
        assert_eq!(play("$@-/--./---", "l").first_bad_move, Some(0));
    }

    #[test]
    fn nothing_is_played_after_the_goal() {
        let found = play("@$./---/---", "rrrr");
        assert!(found.is_solution());
        assert_eq!((found.solved_after, found.moves_after_goal), (Some(1), 3));
        assert_eq!(found.first_bad_move, None);
    }

    #[test]
    fn moves_that_lead_nowhere() {
        let found = play("@$./---/---", "dr");
        assert_eq!((found.solved_after, found.first_bad_move), (None, None));
        assert!(!found.is_solution());
    }
}
