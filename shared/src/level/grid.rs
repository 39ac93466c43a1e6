//! Any rectangle of tiles.

use super::{Level, LevelError, Tile};
use crate::board::Size;

/// A rectangle of tiles with any number of players, boxes and goals: what a
/// file contains, before the rules of a one-box level are applied. Everything
/// outside is wall.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: usize,
    cols: usize,
    /// In reading order; `rows * cols` of them.
    tiles: Vec<Tile>,
}

impl Grid {
    /// A grid filled with one tile.
    pub fn filled(rows: usize, cols: usize, tile: Tile) -> Self {
        Self {
            rows,
            cols,
            tiles: vec![tile; rows * cols],
        }
    }

    /// Number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// Rows and columns as those of a board.
    ///
    /// # Errors
    /// [`LevelError::TooLarge`] if boards cannot be that large, or the grid is
    /// empty.
    pub fn size(&self) -> Result<Size, LevelError> {
        Size::new(self.rows as u64, self.cols as u64).map_err(|_| LevelError::TooLarge {
            rows: self.rows,
            cols: self.cols,
            bytes: crate::solve::table_bytes(self.count(Tile::is_floor) as u64),
        })
    }

    /// The tile at this row and column; wall outside.
    pub fn get(&self, row: usize, col: usize) -> Tile {
        if row < self.rows && col < self.cols {
            self.tiles[row * self.cols + col]
        } else {
            Tile::Wall
        }
    }

    /// Puts a tile; outside the grid nothing happens.
    pub fn set(&mut self, row: usize, col: usize, tile: Tile) {
        if row < self.rows && col < self.cols {
            self.tiles[row * self.cols + col] = tile;
        }
    }

    /// The tiles in reading order.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The rows from top to bottom.
    pub fn iter_rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles.chunks(self.cols.max(1))
    }

    /// How many tiles fulfil a condition.
    pub fn count(&self, condition: impl Fn(Tile) -> bool) -> usize {
        self.tiles.iter().filter(|&&tile| condition(tile)).count()
    }

    /// Whether all cells along the edge are wall, with something inside.
    pub fn has_frame(&self) -> bool {
        let edge = |row: usize, col: usize| {
            row == 0 || col == 0 || row + 1 == self.rows || col + 1 == self.cols
        };
        let mut cells = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        self.rows > 2
            && self.cols > 2
            && cells.all(|(row, col)| !edge(row, col) || self.get(row, col) == Tile::Wall)
    }

    /// The grid with one more ring of wall around it, as programs need it that
    /// only take closed boards.
    #[must_use]
    pub fn with_frame(&self) -> Self {
        let mut framed = Self::filled(self.rows + 2, self.cols + 2, Tile::Wall);
        for row in 0..self.rows {
            for col in 0..self.cols {
                framed.set(row + 1, col + 1, self.get(row, col));
            }
        }
        framed
    }

    /// The grid without its [frame](Self::has_frame), if it has one.
    #[must_use]
    pub fn without_frame(&self) -> Self {
        if !self.has_frame() {
            return self.clone();
        }
        let mut inner = Self::filled(self.rows - 2, self.cols - 2, Tile::Wall);
        for row in 0..inner.rows {
            for col in 0..inner.cols {
                inner.set(row, col, self.get(row + 1, col + 1));
            }
        }
        inner
    }

    /// The grid as XSB rows, each ended by a newline; floor is `-`.
    pub fn to_xsb(&self) -> String {
        let mut text = String::with_capacity((self.cols + 1) * self.rows);
        for row in self.iter_rows() {
            text.extend(row.iter().map(|tile| tile.xsb()));
            text.push('\n');
        }
        text
    }
}

impl From<&Level> for Grid {
    fn from(level: &Level) -> Self {
        let size = level.size();
        Self {
            rows: size.rows().into(),
            cols: size.cols().into(),
            tiles: size.cells().map(|cell| level.tile(cell)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_and_go() {
        let level: Level = "#--\n@$-\n.--\n".parse().unwrap();
        let grid = Grid::from(&level);
        assert!(!grid.has_frame());
        assert_eq!(grid.without_frame(), grid);
        let framed = grid.with_frame();
        assert!(framed.has_frame());
        assert_eq!(framed.to_xsb(), "#####\n##--#\n#@$-#\n#.--#\n#####\n");
        assert_eq!(framed.without_frame(), grid);
    }
}
