//! Rows to a grid: short rows, and the outside of closed levels.

use super::rle::RawTile;
use super::{FormatError, FormatErrorKind, Pad};
use crate::level::{Grid, Tile};

/// A row with the line that it stands on.
#[derive(Debug)]
pub(super) struct RawRow {
    pub line: usize,
    pub tiles: Vec<RawTile>,
}

/// Makes a grid of rows.
///
/// A board is *closed* when nobody can walk from a player (or, without one, a
/// box or a goal) to the edge of the rectangle or to a missing cell. Around a
/// closed level, spaces and missing cells are outside, that is wall. In an
/// open board every cell counts as written, and `pad` decides on missing ones.
pub(super) fn assemble(rows: &[RawRow], pad: Pad) -> Result<Grid, FormatError> {
    let mut sketch = Sketch::new(rows);
    if sketch.is_closed() {
        sketch.wall_in();
        Ok(sketch.grid(Tile::Wall))
    } else {
        let filler = match pad {
            Pad::Floor => Tile::Floor,
            Pad::Wall => Tile::Wall,
            Pad::Error => {
                refuse_short_rows(rows, sketch.cols)?;
                Tile::Wall
            }
        };
        Ok(sketch.grid(filler))
    }
}

fn refuse_short_rows(rows: &[RawRow], width: usize) -> Result<(), FormatError> {
    match rows.iter().find(|row| row.tiles.len() < width) {
        None => Ok(()),
        Some(row) => Err(FormatError {
            line: row.line,
            column: row.tiles.len() + 1,
            kind: FormatErrorKind::ShortRow {
                found: row.tiles.len(),
                width,
            },
        }),
    }
}

/// A rectangle with holes where rows are short.
struct Sketch {
    rows: usize,
    cols: usize,
    cells: Vec<Option<RawTile>>,
}

impl Sketch {
    fn new(rows: &[RawRow]) -> Self {
        let cols = rows.iter().map(|row| row.tiles.len()).max().unwrap_or(0);
        let mut cells = Vec::with_capacity(rows.len() * cols);
        for row in rows {
            cells.extend(row.tiles.iter().copied().map(Some));
            cells.resize(cells.len() + cols - row.tiles.len(), None);
        }
        Self {
            rows: rows.len(),
            cols,
            cells,
        }
    }

    fn on_edge(&self, index: usize) -> bool {
        let (row, col) = (index / self.cols, index % self.cols);
        row == 0 || col == 0 || row + 1 == self.rows || col + 1 == self.cols
    }

    /// All cells that can be reached from `start` over cells that `passes`
    /// lets through.
    fn flood(&self, start: Vec<usize>, passes: impl Fn(Option<RawTile>) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.cells.len()];
        let mut open = start;
        open.retain(|&index| passes(self.cells[index]));
        for &index in &open {
            seen[index] = true;
        }
        while let Some(index) = open.pop() {
            let (row, col) = (index / self.cols, index % self.cols);
            let neighbours = [
                (row > 0).then(|| index - self.cols),
                (row + 1 < self.rows).then(|| index + self.cols),
                (col > 0).then(|| index - 1),
                (col + 1 < self.cols).then(|| index + 1),
            ];
            for next in neighbours.into_iter().flatten() {
                if !seen[next] && passes(self.cells[next]) {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        seen
    }

    fn find(&self, condition: fn(Tile) -> bool) -> Vec<usize> {
        let hits = self.cells.iter().enumerate();
        hits.filter(|(_, cell)| cell.is_some_and(|raw| condition(raw.tile)))
            .map(|(index, _)| index)
            .collect()
    }

    fn is_closed(&self) -> bool {
        let mut start = self.find(Tile::has_player);
        if start.is_empty() {
            start = self.find(|tile| tile.has_box() || tile.has_goal());
        }
        if start.is_empty() {
            return false;
        }
        let inside = self.flood(start, |cell| cell.is_none_or(|raw| raw.tile.is_floor()));
        let mut reached = inside.iter().enumerate().filter(|&(_, &seen)| seen);
        reached.all(|(index, _)| self.cells[index].is_some() && !self.on_edge(index))
    }

    /// Turns the outside of a closed level into wall, and cuts off columns at
    /// the right that only hold stray spaces.
    fn wall_in(&mut self) {
        let outside = |cell: Option<RawTile>| cell.is_none_or(|raw| raw.blank);
        let edge = (0..self.cells.len()).filter(|&index| self.on_edge(index));
        let seen = self.flood(edge.collect(), outside);
        for (cell, _) in self.cells.iter_mut().zip(seen).filter(|(_, seen)| *seen) {
            *cell = None;
        }
        let cols = self.cols;
        let used = (0..cols).rev().find(|col| {
            let mut column = self.cells.iter().skip(*col).step_by(cols);
            column.any(Option::is_some)
        });
        let width = used.map_or(cols, |col| col + 1);
        let kept = |index: &usize| index % cols < width;
        let cells = (0..self.cells.len()).filter(kept);
        self.cells = cells.map(|index| self.cells[index]).collect();
        self.cols = width;
    }

    fn grid(&self, filler: Tile) -> Grid {
        let mut grid = Grid::filled(self.rows, self.cols, filler);
        for (index, cell) in self.cells.iter().enumerate() {
            if let Some(raw) = cell {
                grid.set(index / self.cols, index % self.cols, raw.tile);
            }
        }
        grid
    }
}
