//! What can be wrong with a text.

use super::{MAX_BYTES, MAX_CELLS};
use crate::level::RunLengthError;
use crate::text::counted;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct FormatError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: FormatErrorKind,
}

/// What is wrong with a text. Each message names the cause and the next step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatErrorKind {
    /// More bytes than are read.
    #[error("the text has {0} bytes, at most {MAX_BYTES} are read; split it")]
    TooManyBytes(usize),
    /// Not UTF-8.
    #[error("this is not UTF-8 text; save the file as UTF-8")]
    NotUtf8,
    /// A NUL character: probably not a text file at all.
    #[error("a NUL character; this is not a text file")]
    Nul,
    /// White space other than a plain space within a board row.
    #[error("{0:?} cannot be part of a board row; write floor as '-'")]
    WhiteSpace(char),
    /// A character that is no tile, within what otherwise is a board row.
    #[error(
        "{0:?} is not a tile, though the rest of the line looks like a board row; correct it, or \
         put a blank line or ';' before the line if it is text"
    )]
    NotATile(char),
    /// A run length that is none.
    #[error(transparent)]
    RunLength(RunLengthError),
    /// More cells in the whole text than are read.
    #[error("the boards up to here have more than {MAX_CELLS} cells, the most that is read")]
    TooManyCells,
    /// A row shorter than others, in a board that is not closed.
    #[error(
        "this row has {}, {missing} fewer than the longest row of its board; write \
         floor at its end as '-', or read with --pad floor or --pad wall",
        counted(found, "cell"), missing = width - found
    )]
    ShortRow {
        /// Cells in this row.
        found: usize,
        /// Cells in the longest row of the board.
        width: usize,
    },
    /// Not well-formed XML.
    #[error("this is not well-formed XML: {0}")]
    Xml(String),
    /// Well-formed XML, but no level collection.
    #[error(
        "there is no LevelCollection with Level and L elements in this XML; is it an .slc file?"
    )]
    NotSlc,
}
