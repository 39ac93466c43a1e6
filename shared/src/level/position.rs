//! A level during play.

use super::{ClassicLevel, Grid, Move, Tile};
use crate::board::{Cell, Dir};

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The move, its case right.
    pub step: Move,
    /// Number of the box that it pushed.
    pub pushed: Option<usize>,
}

/// Where player and boxes of a level are during play. The boxes are numbered
/// from 0 in the reading order of the cells where they start, and keep their
/// numbers.
#[derive(Debug, Clone)]
pub struct Position<'a> {
    level: &'a ClassicLevel,
    player: Cell,
    boxes: Vec<Cell>,
    /// Cell → number of the box on it, plus one; 0 where there is none.
    numbers: Vec<u32>,
    beside_goals: usize,
}

impl<'a> Position<'a> {
    /// The start of a level.
    pub fn new(level: &'a ClassicLevel) -> Self {
        let mut numbers = vec![0; level.size().area()];
        for (number, &cell) in (1..).zip(level.boxes()) {
            numbers[cell.index()] = number;
        }
        let boxes = level.boxes().to_vec();
        Self {
            player: level.player(),
            beside_goals: boxes.iter().filter(|&&cell| !level.is_goal(cell)).count(),
            boxes,
            numbers,
            level,
        }
    }

    /// The level.
    pub const fn level(&self) -> &'a ClassicLevel {
        self.level
    }

    /// Where the player is.
    pub const fn player(&self) -> Cell {
        self.player
    }

    /// Where the boxes are, by their numbers.
    pub fn boxes(&self) -> &[Cell] {
        &self.boxes
    }

    /// Whether every box is on a goal.
    pub const fn is_solved(&self) -> bool {
        self.beside_goals == 0
    }

    /// Number of the box on a cell.
    pub fn box_at(&self, cell: Cell) -> Option<usize> {
        (self.numbers[cell.index()] as usize).checked_sub(1)
    }

    /// What stands on a cell.
    pub fn tile(&self, cell: Cell) -> Tile {
        self.level
            .tile_with(cell, cell == self.player, self.box_at(cell).is_some())
    }

    /// All tiles.
    pub fn grid(&self) -> Grid {
        let size = self.level.size();
        let mut grid = Grid::filled(size.rows().into(), size.cols().into(), Tile::Wall);
        for cell in size.cells() {
            grid.set(
                size.row(cell).into(),
                size.col(cell).into(),
                self.tile(cell),
            );
        }
        grid
    }

    /// Makes a move; `None`, and nothing changes, if it is not possible.
    pub fn step(&mut self, dir: Dir) -> Option<Step> {
        let board = self.level.board();
        let next = board.floor_step(self.player, dir)?;
        let pushed = self.box_at(next);
        if let Some(number) = pushed {
            let beyond = board.floor_step(next, dir)?;
            if self.box_at(beyond).is_some() {
                return None;
            }
            self.shift(number, beyond);
        }
        self.player = next;
        let push = pushed.is_some();
        Some(Step {
            step: Move { dir, push },
            pushed,
        })
    }

    /// Takes back the last move, as [`step`](Self::step) returned it.
    pub fn undo(&mut self, step: Step) {
        let back = step.step.dir.opposite();
        let Some(before) = self.level.board().floor_step(self.player, back) else {
            return;
        };
        if let Some(number) = step.pushed {
            self.shift(number, self.player);
        }
        self.player = before;
    }

    fn shift(&mut self, number: usize, to: Cell) {
        let from = std::mem::replace(&mut self.boxes[number], to);
        self.numbers[from.index()] = 0;
        self.numbers[to.index()] = number as u32 + 1;
        self.beside_goals += usize::from(self.level.is_goal(from));
        self.beside_goals -= usize::from(self.level.is_goal(to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::DIRS;

    #[test]
    fn steps_push_and_are_refused() {
        let level: ClassicLevel = "@$-$.\n--.--\n".parse().unwrap();
        let mut position = Position::new(&level);
        assert_eq!(position.step(Dir::Left), None);
        let pushed = position.step(Dir::Right).unwrap();
        assert_eq!((pushed.step.letter(), pushed.pushed), ('R', Some(0)));
        // Two boxes in a row.
        assert_eq!(position.step(Dir::Right), None);
        assert_eq!(position.grid().to_xsb(), "-@$$.\n--.--\n");
        assert!(!position.is_solved());
    }

    #[test]
    fn undoing_everything_leads_back_to_the_start() {
        let level: ClassicLevel = "--.--\n-$@$-\n-.$.-\n-----\n".parse().unwrap();
        let start = Position::new(&level);
        let mut position = start.clone();
        let mut steps = Vec::new();
        // A walk that pushes in all directions.
        for turn in 0..200_usize {
            steps.extend(position.step(DIRS[(turn * turn / 3) % 4]));
        }
        assert!(steps.iter().any(|step| step.pushed.is_some()));
        let beside = position
            .boxes()
            .iter()
            .filter(|&&cell| !level.is_goal(cell));
        assert_eq!(beside.count(), position.beside_goals);
        while let Some(step) = steps.pop() {
            position.undo(step);
        }
        assert_eq!(position.grid(), start.grid());
        assert_eq!(position.boxes(), start.boxes());
    }
}
