//! Text formats for levels: readers and writers.
//!
//! | file | what it holds |
//! |---|---|
//! | `dialect` | alphabets: which character stands for which tile |
//! | `text` | bytes to lines: UTF-8, byte order mark, line ends |
//! | `rle` | one line to board rows: `\|` separators and run lengths |
//! | `assemble` | rows to a grid: ragged rows, the outside of closed levels |
//! | `xsb` | collections of XSB boards with titles, authors and comments; .sok files |
//! | `slc` | .slc files: XML |
//! | `write` | all of them, the other way |
//!
//! Every error carries line and column, counted from 1 in characters.

mod assemble;
mod dialect;
mod entry;
mod error;
mod rle;
mod slc;
mod text;
mod write;
mod xsb;

pub use dialect::Dialect;
pub use entry::{Collection, Entry, Note, Pad, ReadOptions};
pub use error::{FormatError, FormatErrorKind};
pub use slc::{read_slc, write_slc};
pub use write::{WriteError, WriteOptions, write_sok, write_xsb};
pub use xsb::{read_sok, read_xsb};

/// The most bytes that a text may have.
pub const MAX_BYTES: usize = 64 << 20;
/// The most cells that one row may have once its run lengths are expanded.
pub const MAX_ROW: usize = 4096;
/// The most cells that a whole text may have once its run lengths are expanded.
pub const MAX_CELLS: usize = 64 << 20;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// XSB boards with text around them.
    Xsb,
    /// .sok, the text format of Sokoban YASC.
    Sok,
    /// .slc, the XML format of `SokobanCLS` and others.
    Slc,
}

/// Reads a text in one of the formats; without one, XML is taken for .slc, a
/// text with a `::` line for .sok, everything else for XSB.
///
/// # Errors
/// [`FormatError`] with line and column.
pub fn read(
    bytes: &[u8],
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Collection, FormatError> {
    match format.unwrap_or_else(|| guess(bytes)) {
        Format::Xsb => read_xsb(bytes, options),
        Format::Sok => read_sok(bytes, options),
        Format::Slc => read_slc(bytes, options),
    }
}

fn guess(bytes: &[u8]) -> Format {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.trim_ascii_start().starts_with(b"<") {
        Format::Slc
    } else if bytes
        .split(|&byte| byte == b'\n' || byte == b'\r')
        .any(|line| line.starts_with(b"::"))
    {
        Format::Sok
    } else {
        Format::Xsb
    }
}
