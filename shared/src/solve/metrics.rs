//! The usual measures of a move string.

use super::Replay;
use crate::level::Lurd;

/// The measures of the moves made in a [`Replay`]. Different
/// programs start their counters differently; here the first push always
/// counts, so that a solution of one push has 1 everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Metrics {
    /// All moves, pushes included.
    pub moves: usize,
    /// Moves that push a box.
    pub pushes: usize,
    /// Runs of pushes in one direction, nothing between them. After a walk, or
    /// in another direction, a new line begins.
    pub box_lines: usize,
    /// Times that another box than before is pushed, the first box included:
    /// with one box 1, or 0 without any push.
    pub box_changes: usize,
    /// Runs of pushes in whatever directions, nothing between them.
    pub pushing_sessions: usize,
    /// Runs of moves in one direction, pushes or not.
    pub player_lines: usize,
}

impl Metrics {
    /// Measures the moves that were made in a replay.
    pub fn of(replay: &Replay) -> Self {
        Self::counted(&replay.lurd, &replay.pushed)
    }

    /// `pushed` names the box of each push.
    fn counted(lurd: &Lurd, pushed: &[usize]) -> Self {
        let mut pushed = pushed.iter();
        let mut last_box = None;
        let mut metrics = Self {
            moves: lurd.len(),
            pushes: lurd.pushes(),
            ..Self::default()
        };
        let mut before = None;
        for &step in lurd.moves() {
            let turned = before.is_none_or(|last: crate::level::Move| last.dir != step.dir);
            let walked = before.is_none_or(|last| !last.push);
            metrics.player_lines += usize::from(turned);
            if step.push {
                metrics.box_lines += usize::from(turned || walked);
                metrics.pushing_sessions += usize::from(walked);
                let this_box = pushed.next();
                metrics.box_changes += usize::from(this_box != last_box);
                last_box = this_box;
            }
            before = Some(step);
        }
        metrics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(lurd: &str) -> [usize; 6] {
        measured(lurd, &[0; 9])
    }

    fn measured(lurd: &str, pushed: &[usize]) -> [usize; 6] {
        let m = Metrics::counted(&lurd.parse().unwrap(), pushed);
        [
            m.moves,
            m.pushes,
            m.box_lines,
            m.box_changes,
            m.pushing_sessions,
            m.player_lines,
        ]
    }

    #[test]
    fn one_push_counts_once_everywhere() {
        assert_eq!(metrics("R"), [1, 1, 1, 1, 1, 1]);
        assert_eq!(metrics(""), [0; 6]);
        assert_eq!(metrics("rr"), [2, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn walks_and_turns_begin_lines() {
        assert_eq!(metrics("RRurD"), [5, 3, 2, 1, 2, 4]);
        // The same direction again, after a walk there and back.
        assert_eq!(metrics("RlrR"), [4, 2, 2, 1, 2, 3]);
        // The player walks on in the direction in which it will push.
        assert_eq!(metrics("rrR"), [3, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn another_box_is_a_change() {
        assert_eq!(measured("RRurD", &[0, 0, 1]), [5, 3, 2, 2, 2, 4]);
        assert_eq!(measured("RlrRdU", &[0, 1, 0])[3], 3);
    }
}
