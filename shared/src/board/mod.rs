//! Cells, directions, wall layouts and the symmetries of a board.
//!
//! A board is a rectangle of cells; each is floor or wall, and everything
//! outside the rectangle is wall.

mod geometry;
mod layout;
mod symmetry;

pub use geometry::{Cell, DIRS, Dir, MAX_SIDE, Size, SizeError};
pub use layout::Board;
pub use symmetry::Symmetry;
