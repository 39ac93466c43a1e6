//! Levels: what a file contains, levels with one box and with any number of
//! boxes, move strings, text formats.
//!
//! A [`Grid`] is any rectangle of tiles, with any number of boxes; it is what
//! readers deliver and writers take. A [`Level`] is a grid that the rules of
//! this project accept: one box, one goal, one player. A [`ClassicLevel`] has any
//! number of boxes, and a [`Position`] is what it looks like during play. A
//! [`Lurd`] is a move string. [`mod@format`] holds the readers and writers.

mod classic;
pub mod format;
mod grid;
mod lurd;
mod one_box;
mod position;
mod run_length;
mod tile;

pub use classic::ClassicLevel;
pub use grid::Grid;
pub use lurd::{Lurd, LurdError, LurdErrorKind, Move};
pub use one_box::{Level, LevelError, LevelTextError, Rect};
pub use position::{Position, Step};
pub use run_length::RunLengthError;
pub use tile::Tile;
