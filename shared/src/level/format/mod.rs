//! Text formats for levels: readers and writers.
//!
//! | file | what it holds |
//! |---|---|
//! | `dialect` | alphabets: which character stands for which tile |
//! | `text` | bytes to lines: UTF-8, byte order mark, line ends |
//! | `rle` | one line to board rows: `|` separators and run lengths |
//! | `assemble` | rows to a grid: ragged rows, the outside of closed levels |
//! | `xsb` | collections of XSB boards with titles, authors and comments |
//!
//! Every error carries line and column, counted from 1 in characters.

mod assemble;
mod dialect;
mod entry;
mod error;
mod rle;
mod text;
mod xsb;

pub use dialect::Dialect;
pub use entry::{Collection, Entry, Note, Pad, ReadOptions};
pub use error::{FormatError, FormatErrorKind};
pub use xsb::read_xsb;

/// The most bytes that a text may have.
pub const MAX_BYTES: usize = 64 << 20;
/// The most cells that one row may have once its run lengths are expanded.
pub const MAX_ROW: usize = 4096;
/// The most cells that a whole text may have once its run lengths are expanded.
pub const MAX_CELLS: usize = 64 << 20;
