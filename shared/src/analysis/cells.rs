//! What filling or opening a single cell does to a level.

use rayon::prelude::*;

use super::visits;
use crate::board::{Board, Cell, DIRS};
use crate::level::{Level, Lurd};
use crate::solve::{SolveError, shortest_moves};

/// The level with one cell filled or opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flip {
    /// The cell.
    pub cell: Cell,
    /// Whether it is opened; else it is filled.
    pub opens: bool,
    /// Fewest moves of the changed level; `None` if it has no solution.
    pub moves: Option<u32>,
}

/// What each single cell does to a level. Cells under player, box and goal
/// cannot be filled and are in none of the lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellReport {
    /// Floor cells whose filling leaves no solution.
    pub critical: Vec<Cell>,
    /// Wall cells whose opening changes nothing.
    pub free: Vec<Cell>,
    /// Changes that make the shortest solution longer, best first.
    pub improvements: Vec<Flip>,
}

/// Solves the level once for each cell that could make a difference, on all
/// cores; `moves` and `lurd` are those of a shortest solution.
///
/// Two kinds of cells need no search: filling a cell that the given solution
/// does not use keeps that solution, and so its length; opening a cell beside
/// which nobody can stand adds nothing to reach.
///
/// # Errors
/// [`SolveError::Memory`] if the level is too large.
pub fn cell_report(level: &Level, lurd: &Lurd) -> Result<CellReport, SolveError> {
    let moves = lurd.len() as u32;
    let used = visits(level, lurd);
    let reachable = level.reachable_floor();
    let flips: Vec<Flip> = level
        .size()
        .cells()
        .collect::<Vec<_>>()
        .into_par_iter()
        .filter(|&cell| ![level.player(), level.box_cell(), level.goal()].contains(&cell))
        .map(|cell| {
            let opens = !level.board().is_floor(cell);
            let matters = if opens {
                touches(&reachable, cell)
            } else {
                used.player[cell.index()] + used.boxes[cell.index()] > 0
            };
            let moves = if matters {
                solve_flipped(level, cell, opens)?
            } else {
                Some(moves)
            };
            Ok(Flip { cell, opens, moves })
        })
        .collect::<Result<_, SolveError>>()?;
    let mut report = CellReport::default();
    for flip in flips {
        match flip.moves {
            None if !flip.opens => report.critical.push(flip.cell),
            Some(after) if after > moves => report.improvements.push(flip),
            Some(after) if after == moves && flip.opens => report.free.push(flip.cell),
            _ => {}
        }
    }
    report
        .improvements
        .sort_by_key(|flip| (std::cmp::Reverse(flip.moves), flip.cell));
    Ok(report)
}

fn touches(reachable: &Board, cell: Cell) -> bool {
    DIRS.iter()
        .any(|&dir| reachable.floor_step(cell, dir).is_some())
}

fn solve_flipped(level: &Level, cell: Cell, opens: bool) -> Result<Option<u32>, SolveError> {
    let mut board = level.board().clone();
    board.set_floor(cell, opens);
    match Level::new(board, level.player(), level.box_cell(), level.goal()) {
        Ok(changed) => shortest_moves(&changed),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::shortest;

    fn report(rows: &str) -> (Level, CellReport) {
        let level: Level = rows.replace('/', "\n").parse().unwrap();
        let solution = shortest(&level).unwrap().unwrap();
        let report = cell_report(&level, &solution.lurd).unwrap();
        (level, report)
    }

    /// Every cell of the 6×6 optimum is needed, or filling it would make the
    /// level longer than the longest there is.
    #[test]
    fn the_6x6_optimum_cannot_be_improved() {
        let (_, report) = report("--#--@/------/--#$##/#-#---/--.##-/------");
        assert!(report.improvements.is_empty());
        assert_eq!(report.critical.len(), 25);
        assert!(report.free.is_empty());
    }

    /// Filling the corner of the open variant of the 4×4 optimum changes
    /// nothing, opening it back neither.
    #[test]
    fn the_two_4x4_optima_are_neighbours() {
        let (level, report) = report("##-@/-$--/-#--/.---");
        assert_eq!(report.free, [level.size().cell(0, 0)]);
        assert!(report.improvements.is_empty());
    }

    /// Against the definition: the level is solved again for every cell.
    #[test]
    fn skipped_cells_make_no_difference() {
        for rows in [
            "----/---./--$@/---#",
            "##-@/-$--/-#--/.---",
            "@$-/--#/-#./---",
        ] {
            let level: Level = rows.replace('/', "\n").parse().unwrap();
            let Some(solution) = shortest(&level).unwrap() else {
                continue;
            };
            let report = cell_report(&level, &solution.lurd).unwrap();
            for cell in level.size().cells() {
                if [level.player(), level.box_cell(), level.goal()].contains(&cell) {
                    continue;
                }
                let opens = !level.board().is_floor(cell);
                let moves = solve_flipped(&level, cell, opens).unwrap();
                let critical = !opens && moves.is_none();
                let free = opens && moves == Some(solution.moves);
                let better = moves.is_some_and(|moves| moves > solution.moves);
                assert_eq!(report.critical.contains(&cell), critical);
                assert_eq!(report.free.contains(&cell), free);
                let listed = report.improvements.iter().any(|flip| flip.cell == cell);
                assert_eq!(listed, better);
            }
        }
    }
}
