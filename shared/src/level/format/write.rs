//! Levels to text.

use std::fmt::Write as _;

use super::{Collection, Dialect, Entry};
use crate::level::run_length::compress;
use crate::level::{Grid, Tile};

/// How to write boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WriteOptions {
    /// The alphabet.
    pub dialect: Dialect,
    /// With another character for floor: `-`, `_` or a space, in dialects that
    /// read it as floor.
    pub floor: Option<char>,
    /// With run lengths: `3#4-p.#`.
    pub run_lengths: bool,
    /// All rows on one line, with `|` between them.
    pub one_line: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            dialect: Dialect::Xsb,
            floor: None,
            run_lengths: false,
            one_line: false,
        }
    }
}

/// Why a board cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The alphabet lacks a tile.
    #[error("the dialect {dialect} has no character for {}; choose another dialect", name(*tile))]
    NoLetter {
        /// The alphabet.
        dialect: Dialect,
        /// The tile.
        tile: Tile,
    },
    /// The character does not mean floor.
    #[error("{letter:?} is not floor in the dialect {dialect}")]
    NotFloor {
        /// The alphabet.
        dialect: Dialect,
        /// The character asked for.
        letter: char,
    },
}

const fn name(tile: Tile) -> &'static str {
    match tile {
        Tile::Wall => "a wall",
        Tile::Floor => "floor",
        Tile::Goal => "a goal",
        Tile::Box => "a box",
        Tile::BoxOnGoal => "a box on a goal",
        Tile::Player => "a player",
        Tile::PlayerOnGoal => "a player on a goal",
    }
}

/// Writes levels as an XSB text that [`read_xsb`](super::read_xsb) reads back.
///
/// # Errors
/// [`WriteError`] if a tile cannot be written as asked.
pub fn write_xsb(collection: &Collection, options: &WriteOptions) -> Result<String, WriteError> {
    let mut text = String::new();
    for (key, value) in &collection.fields {
        field(&mut text, key, value);
    }
    for entry in &collection.entries {
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some(label) = &entry.label {
            let _ = writeln!(text, "; {}", one_line(label));
        }
        text.push_str(&board(&entry.grid, *options)?);
        for (key, value) in [("Title", &entry.title), ("Author", &entry.author)] {
            if let Some(value) = value {
                field(&mut text, key, value);
            }
        }
        rest(&mut text, entry);
    }
    Ok(text)
}

/// Writes levels as a .sok text that [`read_sok`](super::read_sok) reads back.
///
/// # Errors
/// [`WriteError`] if a tile cannot be written as asked.
pub fn write_sok(collection: &Collection, options: &WriteOptions) -> Result<String, WriteError> {
    let mut text = String::from(":: Levels in the .sok format\n");
    for (key, value) in &collection.fields {
        field(&mut text, key, value);
    }
    for entry in &collection.entries {
        text.push('\n');
        if let Some(name) = entry.name() {
            let _ = writeln!(text, "; {}\n", one_line(name));
        }
        text.push_str(&board(&entry.grid, *options)?);
        if let Some(author) = &entry.author {
            field(&mut text, "Author", author);
        }
        rest(&mut text, entry);
    }
    Ok(text)
}

/// What both text formats have below title and author.
fn rest(text: &mut String, entry: &Entry) {
    for (key, value) in &entry.fields {
        field(text, key, value);
    }
    if let Some(comment) = &entry.comment {
        if comment.contains('\n') {
            let _ = writeln!(text, "Comment:\n{comment}\nComment-End:");
        } else {
            field(text, "Comment", comment);
        }
    }
    for moves in &entry.solutions {
        let _ = writeln!(text, "\nSolution\n{moves}");
    }
}

fn field(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key}: {}", one_line(value));
}

/// A value without line ends, which would start another key or row.
fn one_line(value: &str) -> String {
    value.replace(['\r', '\n'], " ").trim().to_owned()
}

/// Writes the rows of a board, each ended by a newline.
pub(super) fn board(grid: &Grid, options: WriteOptions) -> Result<String, WriteError> {
    let dialect = options.dialect;
    let floor = options.floor.or_else(|| dialect.letter(Tile::Floor));
    if let Some(letter) = options.floor
        && dialect.tile(letter) != Some(Tile::Floor)
    {
        return Err(WriteError::NotFloor { dialect, letter });
    }
    let letter = |tile: Tile| {
        let found = if tile == Tile::Floor {
            floor
        } else {
            dialect.letter(tile)
        };
        found.ok_or(WriteError::NoLetter { dialect, tile })
    };
    let mut rows = Vec::with_capacity(grid.rows());
    for tiles in grid.iter_rows() {
        let mut row = tiles
            .iter()
            .map(|&tile| letter(tile))
            .collect::<Result<Vec<char>, _>>()?;
        // A row of spaces would end the board.
        if let Some(first) = row.first().copied()
            && row.iter().all(|&c| c == ' ')
        {
            row[0] = ['-', '_', '.']
                .into_iter()
                .find(|&c| dialect.tile(c) == Some(Tile::Floor))
                .unwrap_or(first);
        }
        rows.push(if options.run_lengths {
            compress(row)
        } else {
            row.into_iter().collect()
        });
    }
    let end = if options.one_line { "|" } else { "\n" };
    let mut text = rows.join(end);
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::level::format::{Pad, ReadOptions, read_slc, read_sok, read_xsb, write_slc};

    fn grid() -> impl Strategy<Value = Grid> {
        let tiles = proptest::collection::vec(0usize..7, 64);
        (1usize..8, 1usize..8, tiles).prop_map(|(rows, cols, tiles)| {
            let mut grid = Grid::filled(rows, cols, Tile::Floor);
            for row in 0..rows {
                for col in 0..cols {
                    grid.set(row, col, Tile::ALL[tiles[row * 8 + col]]);
                }
            }
            grid
        })
    }

    /// Words that survive: no line ends, no spaces at the ends, not empty.
    fn words() -> impl Strategy<Value = Option<String>> {
        proptest::option::of("[A-Za-z0-9<>&\"':;#@一-龥][A-Za-z0-9<>&\"':;#@ ]{0,12}[A-Za-z0-9]")
    }

    fn entry() -> impl Strategy<Value = Entry> {
        (
            grid(),
            words(),
            words(),
            words(),
            words(),
            proptest::collection::vec("[lurdLURD]{1,9}", 0..3),
        )
            .prop_map(|(grid, title, author, line, source, solutions)| Entry {
                title,
                author,
                comment: line.map(|line| format!("{line}\n-----\n{line}")),
                fields: source
                    .into_iter()
                    .map(|value| ("Source".to_owned(), value))
                    .collect(),
                solutions,
                ..Entry::new(grid)
            })
    }

    fn collection() -> impl Strategy<Value = Collection> {
        proptest::collection::vec(entry(), 0..4).prop_map(|entries| Collection {
            entries,
            ..Collection::default()
        })
    }

    /// Line numbers are not part of what is written.
    fn entries(mut collection: Collection) -> Vec<Entry> {
        for entry in &mut collection.entries {
            entry.line = 1;
        }
        collection.entries
    }

    const BARE: ReadOptions = ReadOptions {
        dialect: Dialect::Xsb,
        pad: Pad::Error,
        bare: true,
    };

    proptest! {
        #[test]
        fn xsb_round_trip(
            levels in collection(),
            run_lengths: bool,
            one_line: bool,
            floor in proptest::option::of(prop::sample::select(vec!['-', '_'])),
        ) {
            let options = WriteOptions { floor, run_lengths, one_line, ..WriteOptions::default() };
            let text = write_xsb(&levels, &options).unwrap();
            let found = read_xsb(text.as_bytes(), &BARE).unwrap();
            prop_assert_eq!(entries(found), levels.entries, "{}", text);
        }

        #[test]
        fn sok_round_trip(levels in collection(), run_lengths: bool) {
            let options = WriteOptions { run_lengths, ..WriteOptions::default() };
            let text = write_sok(&levels, &options).unwrap();
            let found = read_sok(text.as_bytes(), &BARE).unwrap();
            prop_assert_eq!(entries(found), levels.entries, "{}", text);
        }

        /// .slc has no place for comments, other keys and solutions.
        #[test]
        fn slc_round_trip(levels in collection()) {
            let text = write_slc(&levels);
            let found = read_slc(text.as_bytes(), &BARE).unwrap();
            let kept: Vec<Entry> = levels
                .entries
                .into_iter()
                .map(|entry| Entry { title: entry.title, author: entry.author, ..Entry::new(entry.grid) })
                .collect();
            prop_assert_eq!(entries(found), kept, "{}", text);
        }

        #[test]
        fn dialects_round_trip(grid in grid(), index in 0..Dialect::NAMED.len()) {
            let (_, dialect) = Dialect::NAMED[index];
            let levels = Collection { entries: vec![Entry::new(grid)], ..Collection::default() };
            let options = WriteOptions { dialect, ..WriteOptions::default() };
            match write_xsb(&levels, &options) {
                Ok(text) => {
                    let found = read_xsb(text.as_bytes(), &ReadOptions { dialect, ..BARE });
                    // A board without any sign is blank in dialects whose floor is a space.
                    if let Some(entry) = found.unwrap().entries.first() {
                        prop_assert_eq!(&entry.grid, &levels.entries[0].grid);
                    }
                }
                Err(error) => {
                    let missing = matches!(error, WriteError::NoLetter { .. });
                    prop_assert!(missing);
                }
            }
        }
    }

    #[test]
    fn a_row_of_spaces_gets_a_sign() {
        let level: crate::level::Level = "#-@\n---\n-$.\n".parse().unwrap();
        let options = WriteOptions {
            floor: Some(' '),
            ..WriteOptions::default()
        };
        let text = board(&Grid::from(&level), options).unwrap();
        assert_eq!(text, "# @\n-  \n $.\n");
    }

    #[test]
    fn what_a_dialect_lacks_is_named() {
        let options = WriteOptions {
            dialect: Dialect::LeetCode,
            ..WriteOptions::default()
        };
        let grid = Grid::filled(1, 1, Tile::PlayerOnGoal);
        let error = board(&grid, options).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("leetcode has no character for a player on a goal")
        );
    }
}
