//! Replaying a move string.

use crate::board::Cell;
use crate::level::{ClassicLevel, Lurd, Move, Position};

/// What happens when a move string is played on a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The moves that were made, with the right case: up to the first bad move
    /// or the first time that all boxes are on goals.
    pub lurd: Lurd,
    /// Number of the box of each push among these moves.
    pub pushed: Vec<usize>,
    /// Moves up to and including the one that brings the last box to a goal;
    /// `None` if that never happens.
    pub solved_after: Option<usize>,
    /// Index, from 0, of the first move that is not possible.
    pub first_bad_move: Option<usize>,
    /// Moves of the string that were left when the level was solved. It is
    /// over by then: they are not played and not checked.
    pub moves_after_goal: usize,
    /// Index, from 0, of the first letter whose case was wrong.
    pub first_wrong_case: Option<usize>,
    /// Where the player is at the end.
    pub player: Cell,
    /// Where the boxes are at the end, by their numbers.
    pub boxes: Vec<Cell>,
}

impl Replay {
    /// Whether every move was possible and the level is solved.
    pub const fn is_solution(&self) -> bool {
        self.solved_after.is_some() && self.first_bad_move.is_none()
    }
}

/// Plays a move string. The case of its letters does not matter.
pub fn replay(level: impl Into<ClassicLevel>, lurd: &Lurd) -> Replay {
    let level = level.into();
    let mut position = Position::new(&level);
    let mut moves: Vec<Move> = Vec::with_capacity(lurd.len());
    let mut pushed = Vec::new();
    let (mut solved_after, mut first_bad_move, mut first_wrong_case) = (None, None, None);
    for (index, wanted) in lurd.moves().iter().enumerate() {
        let Some(made) = position.step(wanted.dir) else {
            first_bad_move = Some(index);
            break;
        };
        if made.step.push != wanted.push && first_wrong_case.is_none() {
            first_wrong_case = Some(index);
        }
        moves.push(made.step);
        pushed.extend(made.pushed);
        if position.is_solved() {
            solved_after = Some(index + 1);
            break;
        }
    }
    Replay {
        lurd: moves.into_iter().collect(),
        pushed,
        moves_after_goal: solved_after.map_or(0, |count| lurd.len() - count),
        solved_after,
        first_bad_move,
        first_wrong_case,
        player: position.player(),
        boxes: position.boxes().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(rows: &str, moves: &str) -> Replay {
        let level: ClassicLevel = rows.replace('/', "\n").parse().unwrap();
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
