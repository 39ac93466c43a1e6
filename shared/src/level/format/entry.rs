//! What readers are told and what they deliver.

use super::Dialect;
use crate::level::Grid;

/// What to do with rows that are shorter than the longest of an open board.
///
/// In a closed level what is missing can only be outside; in an open board it
/// may have been floor whose spaces were cut off, or wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pad {
    /// Refuse the board, naming the row.
    #[default]
    Error,
    /// The missing cells are floor.
    Floor,
    /// The missing cells are wall.
    Wall,
}

/// How to read a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ReadOptions {
    /// The alphabet of the boards.
    pub dialect: Dialect,
    /// What to do with short rows of open boards.
    pub pad: Pad,
    /// Also take boards without any player, box and goal, which otherwise are
    /// read as decoration.
    pub bare: bool,
}

/// One level of a file with what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The board.
    pub grid: Grid,
    /// Value of the `Title` key.
    pub title: Option<String>,
    /// Value of the `Author` key.
    pub author: Option<String>,
    /// Value of the `Comment` key; may have several lines.
    pub comment: Option<String>,
    /// All other keys with their values, in the order of the file.
    pub fields: Vec<(String, String)>,
    /// The last line of plain text or `;` comment before the board: a name, in
    /// files that have no titles.
    pub label: Option<String>,
    /// Move strings saved with the level, as they are written in the file.
    pub solutions: Vec<String>,
    /// Line of the board's first row, from 1.
    pub line: usize,
}

impl Entry {
    /// Whether a key has a value.
    pub(super) fn has(&self, key: &str) -> bool {
        match key.to_ascii_lowercase().as_str() {
            "title" => self.title.is_some(),
            "author" => self.author.is_some(),
            "comment" => self.comment.is_some(),
            _ => self.field(key).is_some(),
        }
    }

    /// An entry of which only the board is known.
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            title: None,
            author: None,
            comment: None,
            fields: Vec::new(),
            label: None,
            solutions: Vec::new(),
            line: 1,
        }
    }

    /// The title, or else the label.
    pub fn name(&self) -> Option<&str> {
        self.title.as_deref().or(self.label.as_deref())
    }

    /// Value of another key than title, author and comment; case does not
    /// matter.
    pub fn field(&self, key: &str) -> Option<&str> {
        let found = self
            .fields
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }

    /// Sets a key; `true` if it had a value before, which is lost.
    pub(super) fn set(&mut self, key: &str, value: String) -> bool {
        let slot = if key.eq_ignore_ascii_case("title") {
            &mut self.title
        } else if key.eq_ignore_ascii_case("author") {
            &mut self.author
        } else if key.eq_ignore_ascii_case("comment") {
            &mut self.comment
        } else {
            let known = self
                .fields
                .iter_mut()
                .find(|(known, _)| known.eq_ignore_ascii_case(key));
            if let Some((_, slot)) = known {
                *slot = value;
                return true;
            }
            self.fields.push((key.to_owned(), value));
            return false;
        };
        slot.replace(value).is_some()
    }
}

/// Something that a reader passed over and the user may want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Line, from 1.
    pub line: usize,
    /// What was passed over.
    pub text: String,
}

/// The levels of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Collection {
    /// Keys that stand before the first board and belong to no level.
    pub fields: Vec<(String, String)>,
    /// The levels in the order of the file.
    pub entries: Vec<Entry>,
    /// What was passed over.
    pub notes: Vec<Note>,
}
