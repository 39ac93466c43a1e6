//! Levels: what a file contains, one-box levels, move strings, text formats.
//!
//! A [`Grid`] is any rectangle of tiles, with any number of boxes; it is what
//! readers deliver and writers take. A [`Level`] is a grid that the rules of
//! this project accept: one box, one goal, one player. A [`Lurd`] is a move
//! string. [`mod@format`] holds the readers and writers.

pub mod format;
mod grid;
mod lurd;
mod one_box;
mod run_length;
mod tile;

pub use grid::Grid;
pub use lurd::{Lurd, LurdError, LurdErrorKind, Move};
pub use one_box::{Level, LevelError, LevelTextError, Rect};
pub use run_length::RunLengthError;
pub use tile::Tile;
