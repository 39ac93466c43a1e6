//! The one-box level.

use std::fmt;
use std::str::FromStr;

use super::format::{self, FormatError, ReadOptions};
use super::{Grid, Tile};
use crate::board::{Board, Cell, DIRS, MAX_SIDE, Size, Symmetry};

/// Why something is not a one-box level. Each message names the cause and what
/// to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// No player in the grid.
    #[error("the level has no player; put one ('@', or '+' on the goal) on a floor cell")]
    NoPlayer,
    /// More than one player.
    #[error("the level has {0} players; keep one '@' or '+'")]
    SeveralPlayers(usize),
    /// No box in the grid.
    #[error("the level has no box; put one ('$') on a floor cell")]
    NoBox,
    /// More than one box where one is needed.
    #[error("the level has {0} boxes where exactly one is needed; keep one '$'")]
    SeveralBoxes(usize),
    /// No goal in the grid.
    #[error("the level has no goal; put one ('.', or '+' under the player) on a floor cell")]
    NoGoal,
    /// More than one goal where one is needed.
    #[error("the level has {0} goals where exactly one is needed; keep one '.'")]
    SeveralGoals(usize),
    /// As many goals as boxes are needed.
    #[error("the level has {boxes} boxes and {goals} goals; there must be as many goals as boxes")]
    Unequal {
        /// Boxes in the grid.
        boxes: usize,
        /// Goals in the grid.
        goals: usize,
    },
    /// All boxes start on goals: nothing to solve.
    #[error("every box is already on a goal, so there is nothing to solve; move one of them")]
    Solved,
    /// The box starts on the goal: nothing to solve.
    #[error(
        "the box is already on the goal, so there is nothing to solve; move the box or the goal"
    )]
    BoxOnGoal,
    /// Box and player share a cell.
    #[error("box and player are on the same cell; move one of them")]
    BoxOnPlayer,
    /// A player, box or goal on a wall or outside.
    #[error("the {0} is not on a floor cell; open that cell or move it")]
    NotOnFloor(&'static str),
    /// The grid is larger than a board may be.
    #[error(
        "the board is {rows}x{cols}, and boards have between 1 and {MAX_SIDE} rows and columns; \
         solving it would need about {bytes} bytes; cut it down to the part that the player can reach"
    )]
    TooLarge {
        /// Rows of the grid.
        rows: usize,
        /// Columns of the grid.
        cols: usize,
        /// Bytes that a solver's table for this many floor cells would take.
        bytes: u64,
    },
}

/// Why a text is not one single one-box level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LevelTextError {
    /// The text is not in XSB format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The text holds another number of levels than one.
    #[error("the text holds {0} levels where one is expected; keep one of them")]
    NotOne(usize),
    /// The grid is not a one-box level.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// A rectangle of cells of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First row.
    pub top: u16,
    /// First column.
    pub left: u16,
    /// Rows and columns.
    pub size: Size,
}

/// A level with exactly one box, one goal and one player, all on floor. The
/// box is neither on the goal nor on the player; the player may stand on the
/// goal.
///
/// The order of levels is that of their board, then player, box and goal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level {
    board: Board,
    player: Cell,
    box_cell: Cell,
    goal: Cell,
}

impl Level {
    /// A level from its parts.
    ///
    /// # Errors
    /// [`LevelError`] if a part is not on floor, or the box is on the goal or
    /// on the player.
    pub fn new(board: Board, player: Cell, box_cell: Cell, goal: Cell) -> Result<Self, LevelError> {
        for (name, cell) in [("player", player), ("box", box_cell), ("goal", goal)] {
            if cell.index() >= board.size().area() || !board.is_floor(cell) {
                return Err(LevelError::NotOnFloor(name));
            }
        }
        if box_cell == goal {
            return Err(LevelError::BoxOnGoal);
        }
        if box_cell == player {
            return Err(LevelError::BoxOnPlayer);
        }
        Ok(Self {
            board,
            player,
            box_cell,
            goal,
        })
    }

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

    /// Where the box starts.
    pub const fn box_cell(&self) -> Cell {
        self.box_cell
    }

    /// Where the box has to go.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Whether the player starts on the goal.
    pub fn player_on_goal(&self) -> bool {
        self.player == self.goal
    }

    /// What stands on a cell at the start.
    pub fn tile(&self, cell: Cell) -> Tile {
        if cell == self.box_cell {
            Tile::Box
        } else if cell == self.player && cell == self.goal {
            Tile::PlayerOnGoal
        } else if cell == self.player {
            Tile::Player
        } else if cell == self.goal {
            Tile::Goal
        } else if self.board.is_floor(cell) {
            Tile::Floor
        } else {
            Tile::Wall
        }
    }

    /// Number of floor cells, those under player, box and goal included, and
    /// those that nobody can reach as well.
    pub fn floor(&self) -> usize {
        self.board.floor_count()
    }

    /// The cells that the player could reach if the box were not there: the
    /// connected part of the floor around the player.
    pub fn reachable_floor(&self) -> Board {
        reachable(&self.board, self.player)
    }

    /// The smallest rectangle around the [reachable
    /// floor](Self::reachable_floor). A level counts as one of a board of this
    /// size, whatever walls its file has around it.
    pub fn bounding_box(&self) -> Rect {
        bounding_box(&self.reachable_floor(), self.player)
    }

    /// The level cut down to its [bounding box](Self::bounding_box), with wall
    /// wherever the player cannot get. `None` if box or goal lie outside the
    /// reachable floor; the level then has no solution.
    pub fn cropped(&self) -> Option<Self> {
        let reachable = self.reachable_floor();
        if !reachable.is_floor(self.box_cell) || !reachable.is_floor(self.goal) {
            return None;
        }
        let rect = bounding_box(&reachable, self.player);
        let from = self.size();
        let moved = |cell| {
            rect.size
                .cell(from.row(cell) - rect.top, from.col(cell) - rect.left)
        };
        Some(Self {
            board: Board::from_floor(rect.size, reachable.floor_cells().map(moved)),
            player: moved(self.player),
            box_cell: moved(self.box_cell),
            goal: moved(self.goal),
        })
    }

    /// The level on the smallest square that holds its board, with wall below
    /// or to the right of it: walls change no solution, so a level counts for
    /// M(n) of that square.
    #[must_use]
    pub fn squared(&self) -> Self {
        self.placed(self.size().squared(), 0, 0)
            .expect("a square around a board holds it")
    }

    /// The level on a board of another size, its first cell at this row and
    /// column, with wall around it; `None` if it does not fit there.
    #[must_use]
    pub fn placed(&self, size: Size, top: u16, left: u16) -> Option<Self> {
        let from = self.size();
        let fits = |offset: u16, side: u16, limit: u16| {
            u32::from(offset) + u32::from(side) <= u32::from(limit)
        };
        if !fits(top, from.rows(), size.rows()) || !fits(left, from.cols(), size.cols()) {
            return None;
        }
        let moved = |cell| size.cell(top + from.row(cell), left + from.col(cell));
        Some(Self {
            board: Board::from_floor(size, self.board.floor_cells().map(moved)),
            player: moved(self.player),
            box_cell: moved(self.box_cell),
            goal: moved(self.goal),
        })
    }

    /// The image of the level under a symmetry.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let size = self.size();
        Self {
            board: symmetry.apply_board(&self.board),
            player: symmetry.apply(size, self.player),
            box_cell: symmetry.apply(size, self.box_cell),
            goal: symmetry.apply(size, self.goal),
        }
    }

    /// The different levels symmetric to this one, itself included, in
    /// ascending order.
    pub fn orbit(&self) -> Vec<Self> {
        let mut images: Vec<Self> = Symmetry::of(self.size())
            .iter()
            .map(|&symmetry| self.transformed(symmetry))
            .collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// The smallest level of the [orbit](Self::orbit). The player's exact cell
    /// is part of a level's identity. Its board is the canonical board.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.orbit().swap_remove(0)
    }

    /// The form in which two levels that differ only by walls around them, by
    /// cells out of reach, by rotation or reflection are equal: cropped,
    /// with no more rows than columns, canonical. `None` if box or goal are out
    /// of reach.
    pub fn normalized(&self) -> Option<Self> {
        let level = self.cropped()?;
        let size = level.size();
        let upright = if size.rows() > size.cols() {
            level.transformed(Symmetry::Transpose)
        } else {
            level
        };
        Some(upright.canonical())
    }

    /// The level as XSB rows, each ended by a newline; floor is `-`, the
    /// player on the goal is `+`.
    pub fn to_xsb(&self) -> String {
        Grid::from(self).to_xsb()
    }
}

/// The connected part of the floor around a floor cell.
pub(super) fn reachable(board: &Board, from: Cell) -> Board {
    let mut seen = Board::walls(board.size());
    seen.set_floor(from, true);
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        for dir in DIRS {
            if let Some(next) = board.floor_step(cell, dir)
                && !seen.is_floor(next)
            {
                seen.set_floor(next, true);
                open.push(next);
            }
        }
    }
    seen
}

/// The smallest rectangle around the floor of a layout that has at least the
/// floor cell `any`.
pub(super) fn bounding_box(floor: &Board, any: Cell) -> Rect {
    let size = floor.size();
    let (mut top, mut left) = (size.row(any), size.col(any));
    let (mut bottom, mut right) = (top, left);
    for cell in floor.floor_cells() {
        top = top.min(size.row(cell));
        bottom = bottom.max(size.row(cell));
        left = left.min(size.col(cell));
        right = right.max(size.col(cell));
    }
    let size = Size::new((bottom - top + 1).into(), (right - left + 1).into());
    Rect {
        top,
        left,
        size: size.expect("a part of a board is no larger than the board"),
    }
}

impl TryFrom<&Grid> for Level {
    type Error = LevelError;

    fn try_from(grid: &Grid) -> Result<Self, LevelError> {
        match grid.count(Tile::has_player) {
            0 => return Err(LevelError::NoPlayer),
            1 => {}
            n => return Err(LevelError::SeveralPlayers(n)),
        }
        match grid.count(Tile::has_box) {
            0 => return Err(LevelError::NoBox),
            1 => {}
            n => return Err(LevelError::SeveralBoxes(n)),
        }
        match grid.count(Tile::has_goal) {
            0 => return Err(LevelError::NoGoal),
            1 => {}
            n => return Err(LevelError::SeveralGoals(n)),
        }
        let size = grid.size()?;
        let find = |condition: fn(Tile) -> bool| {
            let index = grid.tiles().iter().position(|&tile| condition(tile));
            Cell(index.unwrap_or_default() as u32)
        };
        let floor = size
            .cells()
            .filter(|cell| grid.tiles()[cell.index()].is_floor());
        Self::new(
            Board::from_floor(size, floor),
            find(Tile::has_player),
            find(Tile::has_box),
            find(Tile::has_goal),
        )
    }
}

impl FromStr for Level {
    type Err = LevelTextError;

    /// Reads an XSB text that holds exactly one one-box level.
    fn from_str(text: &str) -> Result<Self, LevelTextError> {
        let collection = format::read_xsb(text.as_bytes(), &ReadOptions::default())?;
        match collection.entries.as_slice() {
            [entry] => Ok(Self::try_from(&entry.grid)?),
            entries => Err(LevelTextError::NotOne(entries.len())),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_xsb())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(rows: &str) -> Level {
        rows.replace('/', "\n").parse().unwrap()
    }

    fn error(rows: &str) -> LevelError {
        match rows.replace('/', "\n").parse::<Level>() {
            Err(LevelTextError::Level(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_square_of_a_level_has_the_same_solution() {
        let flat: Level = "@$-.\n----".parse().unwrap();
        let square = flat.squared();
        assert_eq!(square.to_xsb(), "@$-.\n----\n####\n####\n");
        assert_eq!(square.squared(), square);
        assert_eq!(
            crate::solve::shortest_moves(&flat),
            crate::solve::shortest_moves(&square)
        );
    }

    #[test]
    fn parts_are_found() {
        let level = level("#--/@$-/.--");
        assert_eq!(level.player(), Cell(3));
        assert_eq!(level.box_cell(), Cell(4));
        assert_eq!(level.goal(), Cell(6));
        assert_eq!(level.floor(), 8);
        assert_eq!(level.to_xsb(), "#--\n@$-\n.--\n");
    }

    #[test]
    fn case_1_player_on_the_goal_is_a_level() {
        let level = level("--#/-$+/---");
        assert!(level.player_on_goal());
        assert_eq!(level.to_xsb(), "--#\n-$+\n---\n");
    }

    #[test]
    fn case_3_box_on_the_goal_is_named() {
        assert_eq!(error("@*-/---/---"), LevelError::BoxOnGoal);
        assert!(
            LevelError::BoxOnGoal
                .to_string()
                .contains("already on the goal")
        );
    }

    #[test]
    fn what_is_missing_or_too_many_is_named() {
        assert_eq!(error("-$./---"), LevelError::NoPlayer);
        assert_eq!(error("@$./--@"), LevelError::SeveralPlayers(2));
        assert_eq!(error("@-./---"), LevelError::NoBox);
        assert_eq!(error("@$./$--"), LevelError::SeveralBoxes(2));
        assert_eq!(error("@$-/---"), LevelError::NoGoal);
        assert_eq!(error("+$./---"), LevelError::SeveralGoals(2));
    }

    #[test]
    fn case_14_a_board_too_large_names_the_bytes() {
        let mut grid = Grid::filled(300, 300, Tile::Floor);
        grid.set(0, 0, Tile::Player);
        grid.set(5, 5, Tile::Box);
        grid.set(9, 9, Tile::Goal);
        let error = Level::try_from(&grid).unwrap_err();
        assert!(error.to_string().contains("300x300"), "{error}");
        assert!(error.to_string().contains("32400000000 bytes"), "{error}");
    }

    #[test]
    fn new_checks_every_part() {
        let size = Size::new(1, 4).unwrap();
        let board = Board::from_floor(size, [Cell(0), Cell(1), Cell(2)]);
        let make = |p, b, g| Level::new(board.clone(), Cell(p), Cell(b), Cell(g));
        assert!(make(0, 1, 2).is_ok());
        assert_eq!(make(3, 1, 2), Err(LevelError::NotOnFloor("player")));
        assert_eq!(make(0, 9, 2), Err(LevelError::NotOnFloor("box")));
        assert_eq!(make(0, 1, 3), Err(LevelError::NotOnFloor("goal")));
        assert_eq!(make(0, 1, 1), Err(LevelError::BoxOnGoal));
        assert_eq!(make(1, 1, 2), Err(LevelError::BoxOnPlayer));
    }

    /// The layout of the 3×3 optimum is symmetric in a diagonal, the level is
    /// not: level orbit 8, layout orbit 4.
    #[test]
    fn case_26_level_orbit_and_layout_orbit_differ() {
        let level = level("#--/@$-/.--");
        assert_eq!(level.orbit().len(), 8);
        assert_eq!(level.board().orbit_size(), 4);
        for image in level.orbit() {
            assert_eq!(image.canonical(), level.canonical());
        }
        assert_eq!(level.canonical().board(), &level.board().canonical());
    }

    #[test]
    fn the_player_is_part_of_the_identity() {
        assert_ne!(
            level("@--/-$-/--.").canonical(),
            level("-@-/-$-/--.").canonical()
        );
    }

    #[test]
    fn the_bounding_box_leaves_out_what_cannot_be_reached() {
        let level = level("####-/#@$.#/#---#/#####/-----");
        let rect = level.bounding_box();
        assert_eq!((rect.top, rect.left), (1, 1));
        assert_eq!(rect.size, Size::new(2, 3).unwrap());
        assert_eq!(level.floor(), 12);
        assert_eq!(level.reachable_floor().floor_count(), 6);
        assert_eq!(level.cropped().unwrap().to_xsb(), "@$.\n---\n");
    }

    #[test]
    fn normal_forms() {
        let plain = level("#--/@$-/.--").normalized().unwrap();
        let framed = level("#####/#--##/#-$@#/#--.#/#####").normalized().unwrap();
        assert_eq!(plain, framed);
        let tall = level("@-/$-/.-/--").normalized().unwrap();
        assert_eq!(tall.size(), Size::new(2, 4).unwrap());
        assert_eq!(Some(tall), level("#@$.-/#----").normalized());
        assert_eq!(level("@#-/##$/--.").normalized(), None);
    }

    #[test]
    fn a_box_out_of_reach_cannot_be_cropped() {
        assert_eq!(level("@#-/##$/--.").cropped(), None);
    }
}
