//! The level with any number of boxes.

use std::fmt;
use std::str::FromStr;

use super::format::{self, ReadOptions};
use super::one_box::{bounding_box, reachable};
use super::{Grid, Level, LevelError, LevelTextError, Rect, Tile};
use crate::board::{Board, Cell, Size, Symmetry};

/// A level with one player and as many goals as boxes, all on floor; at least
/// one box is beside the goals. It is over as soon as every box is on a goal.
///
/// The order of levels is that of their board, then player, boxes and goals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassicLevel {
    board: Board,
    player: Cell,
    /// In reading order.
    boxes: Vec<Cell>,
    /// In reading order.
    goals: Vec<Cell>,
}

impl ClassicLevel {
    /// The wall layout.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// Where the player starts.
    pub const fn player(&self) -> Cell {
        self.player
    }

    /// Where the boxes start, in reading order.
    pub fn boxes(&self) -> &[Cell] {
        &self.boxes
    }

    /// Where the boxes have to go, in reading order.
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Whether a cell is a goal.
    pub fn is_goal(&self, cell: Cell) -> bool {
        self.goals.binary_search(&cell).is_ok()
    }

    /// What stands on a cell if player and boxes are elsewhere than at the
    /// start.
    pub fn tile_with(&self, cell: Cell, player: bool, boxed: bool) -> Tile {
        match (self.is_goal(cell), player, boxed) {
            _ if !self.board.is_floor(cell) => Tile::Wall,
            (true, true, _) => Tile::PlayerOnGoal,
            (true, _, true) => Tile::BoxOnGoal,
            (true, false, false) => Tile::Goal,
            (false, true, _) => Tile::Player,
            (false, _, true) => Tile::Box,
            (false, false, false) => Tile::Floor,
        }
    }

    /// The cells that the player could reach if there were no boxes.
    pub fn reachable_floor(&self) -> Board {
        reachable(&self.board, self.player)
    }

    /// The smallest rectangle around the [reachable
    /// floor](Self::reachable_floor).
    pub fn bounding_box(&self) -> Rect {
        bounding_box(&self.reachable_floor(), self.player)
    }

    /// The level cut down to its [bounding box](Self::bounding_box), with wall
    /// wherever the player cannot get. Boxes on goals out of reach go with
    /// their floor. `None` if a box beside the goals, or an empty goal, is out
    /// of reach; the level then has no solution.
    pub fn cropped(&self) -> Option<Self> {
        let floor = self.reachable_floor();
        let lost = |cells: &[Cell]| -> Vec<Cell> {
            let cells = cells.iter().copied();
            cells.filter(|&cell| !floor.is_floor(cell)).collect()
        };
        if lost(&self.boxes) != lost(&self.goals) {
            return None;
        }
        let rect = bounding_box(&floor, self.player);
        let from = self.size();
        let moved = |cell| {
            rect.size
                .cell(from.row(cell) - rect.top, from.col(cell) - rect.left)
        };
        let kept = |cells: &[Cell]| -> Vec<Cell> {
            let cells = cells.iter().copied();
            cells
                .filter(|&cell| floor.is_floor(cell))
                .map(moved)
                .collect()
        };
        Some(Self {
            board: Board::from_floor(rect.size, floor.floor_cells().map(moved)),
            player: moved(self.player),
            boxes: kept(&self.boxes),
            goals: kept(&self.goals),
        })
    }

    /// The image of the level under a symmetry.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let size = self.size();
        let moved = |cells: &[Cell]| {
            let cells = cells.iter().map(|&cell| symmetry.apply(size, cell));
            let mut cells: Vec<Cell> = cells.collect();
            cells.sort_unstable();
            cells
        };
        Self {
            board: symmetry.apply_board(&self.board),
            player: symmetry.apply(size, self.player),
            boxes: moved(&self.boxes),
            goals: moved(&self.goals),
        }
    }

    /// The different levels symmetric to this one, itself included, in
    /// ascending order.
    pub fn orbit(&self) -> Vec<Self> {
        let symmetries = Symmetry::of(self.size()).iter();
        let mut images: Vec<Self> = symmetries
            .map(|&symmetry| self.transformed(symmetry))
            .collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// The form in which two levels that differ only by walls around them, by
    /// cells out of reach, by rotation or reflection are equal, as
    /// [`Level::normalized`].
    pub fn normalized(&self) -> Option<Self> {
        let level = self.cropped()?;
        let size = level.size();
        let upright = if size.rows() > size.cols() {
            level.transformed(Symmetry::Transpose)
        } else {
            level
        };
        Some(upright.orbit().swap_remove(0))
    }
}

impl From<&Self> for ClassicLevel {
    fn from(level: &Self) -> Self {
        level.clone()
    }
}

impl From<&Level> for ClassicLevel {
    fn from(level: &Level) -> Self {
        Self {
            board: level.board().clone(),
            player: level.player(),
            boxes: vec![level.box_cell()],
            goals: vec![level.goal()],
        }
    }
}

impl TryFrom<&Grid> for ClassicLevel {
    type Error = LevelError;

    fn try_from(grid: &Grid) -> Result<Self, LevelError> {
        match grid.count(Tile::has_player) {
            0 => return Err(LevelError::NoPlayer),
            1 => {}
            n => return Err(LevelError::SeveralPlayers(n)),
        }
        let (boxes, goals) = (grid.count(Tile::has_box), grid.count(Tile::has_goal));
        if boxes == 0 {
            return Err(LevelError::NoBox);
        }
        if boxes != goals {
            return Err(LevelError::Unequal { boxes, goals });
        }
        if grid.count(|tile| tile == Tile::Box) == 0 {
            return Err(LevelError::Solved);
        }
        let size = grid.size()?;
        let cells_with = |condition: fn(Tile) -> bool| -> Vec<Cell> {
            let cells = size.cells();
            cells
                .filter(|cell| condition(grid.tiles()[cell.index()]))
                .collect()
        };
        Ok(Self {
            board: Board::from_floor(size, cells_with(Tile::is_floor)),
            player: cells_with(Tile::has_player)[0],
            boxes: cells_with(Tile::has_box),
            goals: cells_with(Tile::has_goal),
        })
    }
}

impl From<&ClassicLevel> for Grid {
    fn from(level: &ClassicLevel) -> Self {
        let size = level.size();
        let mut grid = Self::filled(size.rows().into(), size.cols().into(), Tile::Wall);
        for cell in level.board.floor_cells() {
            let boxed = level.boxes.binary_search(&cell).is_ok();
            let tile = level.tile_with(cell, cell == level.player, boxed);
            grid.set(size.row(cell).into(), size.col(cell).into(), tile);
        }
        grid
    }
}

impl FromStr for ClassicLevel {
    type Err = LevelTextError;

    /// Reads an XSB text that holds exactly one level.
    fn from_str(text: &str) -> Result<Self, LevelTextError> {
        let collection = format::read_xsb(text.as_bytes(), &ReadOptions::default())?;
        match collection.entries.as_slice() {
            [entry] => Ok(Self::try_from(&entry.grid)?),
            entries => Err(LevelTextError::NotOne(entries.len())),
        }
    }
}

impl fmt::Display for ClassicLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Grid::from(self).to_xsb())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(rows: &str) -> ClassicLevel {
        rows.replace('/', "\n").parse().unwrap()
    }

    fn error(rows: &str) -> LevelError {
        match rows.replace('/', "\n").parse::<ClassicLevel>() {
            Err(LevelTextError::Level(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parts_are_found_and_written_back() {
        let text = "#-*--\n+$-$.\n-----\n";
        let level: ClassicLevel = text.parse().unwrap();
        assert_eq!(level.boxes(), [Cell(2), Cell(6), Cell(8)]);
        assert_eq!(level.goals(), [Cell(2), Cell(5), Cell(9)]);
        assert_eq!(level.player(), Cell(5));
        assert_eq!(level.to_string(), text);
    }

    #[test]
    fn what_is_missing_or_uneven_is_named() {
        assert_eq!(error("-$./---"), LevelError::NoPlayer);
        assert_eq!(error("@$./--@"), LevelError::SeveralPlayers(2));
        assert_eq!(error("@-./---"), LevelError::NoBox);
        assert_eq!(error("@$./$--"), LevelError::Unequal { boxes: 2, goals: 1 });
        assert_eq!(error("@**/---"), LevelError::Solved);
    }

    #[test]
    fn decoration_out_of_reach_is_cropped() {
        let found = level("#####/#@$.#/#####/#*-*#/#####").cropped().unwrap();
        assert_eq!(found.to_string(), "@$.\n");
        assert_eq!(level("#####/#@$.#/#####/#$-.#/#####").cropped(), None);
    }

    #[test]
    fn all_images_have_one_normal_form() {
        let level = level("#--.-/@$-$./-##--");
        let normal = level.normalized().unwrap();
        assert_eq!(level.orbit().len(), 4);
        for image in level.orbit() {
            let framed = Grid::from(&image).with_frame();
            let framed = ClassicLevel::try_from(&framed).unwrap();
            let turned = framed.transformed(Symmetry::Rotate90);
            assert_eq!(turned.normalized().as_ref(), Some(&normal));
        }
    }

    #[test]
    fn a_level_with_one_box_is_one() {
        let text = "--#\n-$+\n---\n";
        let one: Level = text.parse().unwrap();
        assert_eq!(ClassicLevel::from(&one), text.parse().unwrap());
    }
}
