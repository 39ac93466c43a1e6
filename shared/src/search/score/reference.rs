//! The plain scorer: a queue, one state at a time, boards of any size.
//!
//! Written to be checked by eye against the definitions; everything fast is
//! tested against it.

use std::collections::VecDeque;

use super::{Best, Distances, Start};
use crate::board::{Board, Cell, DIRS};

/// Walks the backward search of one goal and shows every start to `visit`, in
/// order of distance. Takes four bytes for every pair of floor cells.
fn search(board: &Board, goal: Cell, mut visit: impl FnMut(Start)) -> Distances {
    let mut distances = Distances::unreached(board);
    if goal.index() >= board.size().area() || !board.is_floor(goal) {
        return distances;
    }
    // The completed states go through the queue but not into the table: they
    // are no levels.
    let mut queue: VecDeque<(Cell, Cell, u32)> = DIRS
        .iter()
        .filter_map(|&dir| board.floor_step(goal, dir))
        .map(|player| (player, goal, 0))
        .collect();
    while let Some((player, box_cell, moves)) = queue.pop_front() {
        for dir in DIRS {
            let Some(next) = board.floor_step(player, dir) else {
                continue;
            };
            let walked = (next != box_cell && box_cell != goal).then_some((next, box_cell));
            // The box stands behind the player, who steps away and takes it along.
            let behind = board.floor_step(player, dir.opposite());
            let pulled = (behind == Some(box_cell) && player != goal).then_some((next, player));
            for (player, box_cell) in walked.into_iter().chain(pulled) {
                if distances.get(player, box_cell).is_none() {
                    let moves = moves + 1;
                    distances.set(player, box_cell, moves);
                    visit(Start {
                        goal,
                        box_cell,
                        player,
                        moves,
                    });
                    queue.push_back((player, box_cell, moves));
                }
            }
        }
    }
    distances
}

/// The distance of every start of a layout with this goal.
pub fn distances(board: &Board, goal: Cell) -> Distances {
    search(board, goal, |_| ())
}

/// The hardest levels of a layout with this goal.
pub fn best_for_goal(board: &Board, goal: Cell) -> Best {
    let mut best = Best::default();
    search(board, goal, |start| best.offer(start));
    best
}

/// The hardest levels of a layout over all goals.
pub fn best(board: &Board) -> Best {
    let mut best = Best::default();
    for goal in board.floor_cells() {
        search(board, goal, |start| best.offer(start));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// The board, player, box and goal of a one-box level given row by row.
    fn level(rows: &[&str]) -> (Board, Cell, Cell, Cell) {
        let size = Size::new(rows.len() as u64, rows[0].len() as u64).unwrap();
        let text: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).collect();
        let find =
            |marks: &[u8]| Cell(text.iter().position(|byte| marks.contains(byte)).unwrap() as u32);
        let board = Board::from_floor(size, size.cells().filter(|c| text[c.index()] != b'#'));
        (board, find(b"@+"), find(b"$*"), find(b".+*"))
    }

    fn opt(rows: &[&str]) -> Option<u32> {
        let (board, player, box_cell, goal) = level(rows);
        distances(&board, goal).get(player, box_cell)
    }

    #[test]
    fn case_1_player_on_the_goal() {
        assert_eq!(opt(&["--#", "-$+", "---"]), Some(5));
        assert_eq!(opt(&["---", "-+$", "---"]), None);
    }

    #[test]
    fn case_4_moves_count_not_pushes() {
        assert_eq!(opt(&["----", "---.", "--$@", "---#"]), Some(8));
    }

    #[test]
    fn case_8_a_single_push_is_one_move() {
        assert_eq!(opt(&["@$.", "---", "---"]), Some(1));
    }

    #[test]
    fn case_3_a_box_on_its_goal_is_no_level() {
        assert_eq!(opt(&["@*-", "---", "---"]), None);
    }

    #[test]
    fn published_levels_have_their_published_moves() {
        let six = ["--#--@", "------", "--#$##", "#-#---", "--.##-", "------"];
        assert_eq!(opt(&six), Some(78));
        assert_eq!(opt(&["#--", "@$-", ".--"]), Some(10));
        assert_eq!(opt(&["##-@", "-$--", "-#--", ".---"]), Some(25));
        assert_eq!(opt(&["-#-@", "-$--", "-#--", ".---"]), Some(25));
        let seven = [
            "--#----", "-------", "--###-#", "#-#-$--", "----#--", "-##-#--", "----.#@",
        ];
        assert_eq!(opt(&seven), Some(119));
        let ten = [
            "--#---#---",
            "--#-#-----",
            "-------#-#",
            "#-#-###---",
            "--.##-@#-#",
            "-##-$--#-#",
            "-##-#--#--",
            "-#--#-##--",
            "-#-#------",
            "---#---#--",
        ];
        assert_eq!(opt(&ten), Some(311));
    }

    #[test]
    fn case_23_boards_without_a_level() {
        for (rows, cols) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            let board = Board::open(Size::new(rows, cols).unwrap());
            assert_eq!(super::best(&board), Best::default());
        }
        for n in 3..30 {
            let best = super::best(&Board::open(Size::new(1, n).unwrap()));
            assert_eq!(best.off_goal.unwrap().moves, n as u32 - 2);
        }
    }

    #[test]
    fn case_12_boards_with_more_cells_than_a_byte_counts() {
        for side in [16, 17, 20] {
            let board = Board::open(Size::new(side, side).unwrap());
            let best = best_for_goal(&board, Cell(board.size().area() as u32 / 2));
            assert!(best.anywhere.unwrap().moves > side as u32);
        }
    }

    #[test]
    fn the_two_maxima_can_differ() {
        // 2x3: 4 without and 5 with the player on the goal.
        let size = Size::new(2, 3).unwrap();
        let mut maxima = (0, 0);
        for mask in 0..64_u32 {
            let board = Board::from_floor(size, size.cells().filter(|c| mask >> c.0 & 1 == 1));
            let best = super::best(&board);
            maxima.0 = maxima.0.max(best.off_goal.map_or(0, |start| start.moves));
            maxima.1 = maxima.1.max(best.anywhere.map_or(0, |start| start.moves));
        }
        assert_eq!(maxima, (4, 5));
    }
}
