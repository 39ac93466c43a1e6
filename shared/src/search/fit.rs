//! Levels for one board size from levels of another.
//!
//! Long levels have a structure that repeats itself. So a band of rows and one of
//! columns can be cut out of a level, or put in twice, and if the bands fit its
//! period the level still works, but is shorter or longer. Windows of a larger
//! level and a smaller one with walls around it are tried as well. The markers are
//! chosen anew.

use rayon::prelude::*;

use super::field::{self, Field, WithField};
use super::hunt::hardest;
use crate::board::{Board, Cell, Size};
use crate::level::Level;
use crate::search::score::pushes::MAX_AREA;

/// Layouts that are tried with every goal.
const FINALISTS: usize = 4;

/// The hardest level of this size that is made of a level by cutting out or
/// doubling a band of rows and one of columns, by taking a window of it, or by
/// walls around it.
///
/// Every layout is scored with the level's goal where it is still there, and with
/// some `goals` evenly spread over its floor; the best layouts then with every
/// goal. Runs on the present rayon pool. `None` if no layout has a level, or the board
/// more than 4096 cells.
pub fn fit(level: &Level, size: Size, goals: usize) -> Option<Level> {
    let from = level.size();
    if size.area() > MAX_AREA {
        return None;
    }
    let rows = maps(from.rows(), size.rows());
    let cols = maps(from.cols(), size.cols());
    let pairs: Vec<(&Map, &Map)> = rows
        .iter()
        .flat_map(|row| cols.iter().map(move |col| (row, col)))
        .collect();
    let mut layouts: Vec<(u32, usize)> = pairs
        .par_iter()
        .enumerate()
        .map(|(index, (rows, cols))| {
            let layout = layout(level.board(), size, rows, cols);
            let known = size
                .cells()
                .filter(|&cell| source(from, size, rows, cols, cell) == Some(level.goal()));
            let first = best(&layout, known.collect());
            let spread = best(&layout, spread(&layout, goals));
            (first.1.max(spread.1), index)
        })
        .collect();
    layouts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    layouts.truncate(FINALISTS);
    let finals = layouts.into_par_iter().map(|(_, index)| {
        let (rows, cols) = pairs[index];
        let layout = layout(level.board(), size, rows, cols);
        let (goal, moves) = best(&layout, layout.floor_cells().collect());
        (moves, std::cmp::Reverse(index), goal, layout)
    });
    let (moves, _, goal, layout) = finals.max_by_key(|it| (it.0, it.1))?;
    if moves == 0 {
        None
    } else {
        hardest(&layout, goal)
    }
}

/// Where the lines of a board come from: a line of the other one, or wall.
type Map = Vec<Option<u16>>;

/// Ways to make `to` lines of `from` lines, each once.
fn maps(from: u16, to: u16) -> Vec<Map> {
    let mut maps: Vec<Map> = Vec::new();
    if to <= from {
        let less = from - to;
        // A window, and everything but a band.
        maps.extend((0..=less).map(|first| (first..first + to).map(Some).collect()));
        maps.extend((0..=to).map(|band| {
            let kept = (0..band).chain(band + less..from);
            kept.map(Some).collect()
        }));
    } else {
        let more = to - from;
        let before = more / 2;
        let walls = |count: u16| std::iter::repeat_n(None, usize::from(count));
        let middle = walls(before)
            .chain((0..from).map(Some))
            .chain(walls(more - before));
        maps.push(middle.collect());
        // A band goes on until the lines are enough; a long one once only.
        maps.extend(
            (1..=more.min(from))
                .filter(|band| more.is_multiple_of(*band))
                .flat_map(|band| {
                    (0..=from - band).map(move |first| {
                        let again = (0..more).map(move |line| first + line % band);
                        let lines = (0..first + band).chain(again).chain(first + band..from);
                        lines.map(Some).collect::<Map>()
                    })
                }),
        );
    }
    maps.sort();
    maps.dedup();
    maps
}

fn source(from: Size, to: Size, rows: &Map, cols: &Map, cell: Cell) -> Option<Cell> {
    let row = rows[usize::from(to.row(cell))]?;
    let col = cols[usize::from(to.col(cell))]?;
    Some(from.cell(row, col))
}

fn layout(board: &Board, size: Size, rows: &Map, cols: &Map) -> Board {
    let floor = size.cells().filter(|&cell| {
        source(board.size(), size, rows, cols, cell).is_some_and(|cell| board.is_floor(cell))
    });
    Board::from_floor(size, floor)
}

/// So many cells, evenly spread over the floor.
fn spread(board: &Board, count: usize) -> Vec<Cell> {
    if count == 0 {
        return Vec::new();
    }
    let step = board.floor_count().div_ceil(count).max(1);
    board.floor_cells().step_by(step).collect()
}

/// The best of these goals, and its moves; 0 if there is no level.
fn best(board: &Board, goals: Vec<Cell>) -> (Cell, u32) {
    field::with(board.size(), Goals { board, goals })
}

struct Goals<'a> {
    board: &'a Board,
    goals: Vec<Cell>,
}

impl WithField for Goals<'_> {
    type Out = (Cell, u32);

    fn run<F: Field>(self, mut field: F) -> (Cell, u32) {
        field.load(self.board);
        let mut best = (Cell(0), 0);
        for goal in self
            .goals
            .into_iter()
            .filter(|&goal| self.board.is_floor(goal))
        {
            let number = field.number(goal);
            let moves = field.score(number, best.1 + 1);
            if moves > best.1 {
                best = (goal, moves);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score;
    use crate::solve::shortest_moves;

    fn size(n: u64) -> Size {
        Size::new(n, n).unwrap()
    }

    fn known(moves: u32) -> Level {
        let seeds = crate::records::seeds();
        let mut seeds = seeds.into_iter();
        seeds.find(|seed| seed.moves == moves).unwrap().level
    }

    #[test]
    fn lines_are_cut_out_doubled_or_framed() {
        let lines = |map: &Map| {
            map.iter()
                .map(|it| it.map_or(9, u32::from))
                .collect::<Vec<_>>()
        };
        let smaller: Vec<_> = maps(4, 2).iter().map(lines).collect();
        assert_eq!(smaller, [[0, 1], [0, 3], [1, 2], [2, 3]]);
        assert_eq!(maps(3, 3).len(), 1);
        let larger: Vec<_> = maps(3, 5).iter().map(lines).collect();
        for expected in [[9, 0, 1, 2, 9], [0, 1, 0, 1, 2], [0, 1, 1, 1, 2]] {
            assert!(larger.contains(&expected.to_vec()), "{larger:?}");
        }
        assert!(larger.iter().all(|map| map.len() == 5));
    }

    #[test]
    fn a_smaller_level_is_found_again_on_a_larger_board() {
        let fitted = fit(&known(41), size(7), 1000).unwrap();
        assert!(shortest_moves(&fitted).unwrap() >= Some(41));
        assert_eq!(fitted.size(), size(7));
    }

    #[test]
    fn the_best_part_of_a_larger_level_is_found() {
        let level = known(78);
        let fitted = fit(&level, size(5), 1000).unwrap();
        let lines = maps(6, 5);
        let layouts = lines.iter().flat_map(|rows| {
            lines
                .iter()
                .map(|cols| layout(level.board(), size(5), rows, cols))
        });
        let best = layouts
            .filter_map(|part| score::reference::best(&part).anywhere)
            .map(|start| start.moves)
            .max();
        assert_eq!(shortest_moves(&fitted).unwrap(), best);
    }
}
