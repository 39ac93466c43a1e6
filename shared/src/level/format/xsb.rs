//! Collections of XSB boards with titles, authors and comments.
//!
//! Boards are runs of consecutive board rows. `Key: value` lines directly
//! below a board belong to it, those directly above the next board to that
//! one; in between, they go to the board above if it has no such key yet.
//! `;` and plain lines are text; the last one before a board is its label.

use super::assemble::{RawRow, assemble};
use super::rle::{RowLine, row_line};
use super::{Collection, Entry, FormatError, FormatErrorKind, MAX_CELLS, Note, ReadOptions, text};
use crate::level::Tile;

/// One line, told apart.
enum Line<'a> {
    Blank,
    /// A `::` line of a .sok file.
    FileComment,
    Rows(Vec<RawRow>),
    Key(&'a str, &'a str),
    /// Plain text or a `;` comment, and what is wrong with it as a board row.
    Text(&'a str, Option<FormatError>),
}

/// Reads all boards of an XSB text.
///
/// Boards may be open: outside is wall. A board with neither player nor box
/// nor goal, and a single row that lacks one of them, is read as decoration
/// and noted.
///
/// # Errors
/// [`FormatError`] with line and column: bytes that are no text, rows that are
/// damaged, short rows of open boards where `pad` does not allow them, run
/// lengths that are too large.
pub fn read_xsb(bytes: &[u8], options: &ReadOptions) -> Result<Collection, FormatError> {
    read_text(bytes, *options, false)
}

/// Reads a .sok file: like [`read_xsb`], but `::` lines are comments on the
/// file, and the text line above a board is its title.
///
/// # Errors
/// As [`read_xsb`].
pub fn read_sok(bytes: &[u8], options: &ReadOptions) -> Result<Collection, FormatError> {
    let mut collection = read_text(bytes, *options, true)?;
    for entry in &mut collection.entries {
        if entry.title.is_none() {
            entry.title = entry.label.take();
        }
    }
    Ok(collection)
}

fn read_text(bytes: &[u8], options: ReadOptions, sok: bool) -> Result<Collection, FormatError> {
    let lines = text::lines(bytes)?;
    let mut reader = Reader {
        options,
        sok,
        collection: Collection::default(),
        pending: Vec::new(),
        label: None,
        below_board: false,
        in_solution: None,
    };
    reader.read(&lines)?;
    Ok(reader.finish())
}

struct Reader {
    options: ReadOptions,
    /// Whether `::` starts a comment that belongs to no level.
    sok: bool,
    collection: Collection,
    /// Keys that do not belong to a board yet, with their lines.
    pending: Vec<(usize, String, String)>,
    label: Option<String>,
    /// Whether no blank line came since the last board.
    below_board: bool,
    /// Whether the lines that follow are moves of a saved solution.
    in_solution: Option<InSolution>,
}

/// Where in a saved solution the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InSolution {
    /// Behind its heading; blank lines may follow.
    Heading,
    /// Behind a line of moves; a blank line ends it.
    Moves,
}

impl Reader {
    fn read(&mut self, lines: &[&str]) -> Result<(), FormatError> {
        let mut cells = 0;
        let mut number = 0;
        // What is wrong with the line above, if it nearly is a board row.
        let mut damage_above = None;
        let mut rows: Vec<RawRow> = Vec::new();
        while number < lines.len() {
            number += 1;
            let line = self.classify(lines[number - 1], number);
            if let Line::Rows(more) = line {
                cells += more.iter().map(|row| row.tiles.len()).sum::<usize>();
                if cells > MAX_CELLS {
                    return Err(FormatError {
                        line: number,
                        column: 1,
                        kind: FormatErrorKind::TooManyCells,
                    });
                }
                if let Some(damage) = damage_above.take() {
                    return Err(damage);
                }
                rows.extend(more);
                continue;
            }
            if !rows.is_empty() {
                if let Line::Text(_, Some(damage)) = line {
                    return Err(damage);
                }
                self.board(&std::mem::take(&mut rows))?;
            }
            damage_above = None;
            match line {
                Line::Blank => self.blank(),
                Line::Key(key, value) => {
                    let skipped = self.key(key, value, number, &lines[number..]);
                    number += skipped;
                }
                Line::Text(text, damage) => {
                    self.text(text);
                    damage_above = damage;
                }
                Line::Rows(_) | Line::FileComment => {}
            }
        }
        if rows.is_empty() {
            Ok(())
        } else {
            self.board(&rows)
        }
    }

    fn classify<'a>(&self, line: &'a str, number: usize) -> Line<'a> {
        if line.trim().is_empty() {
            return Line::Blank;
        }
        if let Some(comment) = line.trim_start().strip_prefix(';') {
            return Line::Text(comment.trim(), None);
        }
        if self.sok && line.starts_with("::") {
            return Line::FileComment;
        }
        match row_line(line, self.options.dialect) {
            RowLine::Rows(rows) => Line::Rows(
                rows.into_iter()
                    .map(|tiles| RawRow {
                        line: number,
                        tiles,
                    })
                    .collect(),
            ),
            RowLine::Other(damage) => match split_key(line) {
                Some((key, value)) => Line::Key(key, value),
                None => Line::Text(
                    line.trim(),
                    damage.map(|(column, kind)| FormatError {
                        line: number,
                        column,
                        kind,
                    }),
                ),
            },
        }
    }

    /// Takes a run of board rows.
    fn board(&mut self, rows: &[RawRow]) -> Result<(), FormatError> {
        let line = rows.first().map_or(1, |row| row.line);
        let has = |condition: fn(Tile) -> bool| {
            let mut tiles = rows.iter().flat_map(|row| &row.tiles);
            tiles.any(|raw| condition(raw.tile))
        };
        let found = [
            has(Tile::has_player),
            has(Tile::has_box),
            has(Tile::has_goal),
        ];
        let decoration = found == [false; 3] || rows.len() == 1 && found != [true; 3];
        if decoration && !self.options.bare {
            self.collection.notes.push(Note {
                line,
                text: "read as text: it looks like a board, but has not player, box and goal"
                    .to_owned(),
            });
            return Ok(());
        }
        let mut entry = Entry::new(assemble(rows, self.options.pad)?);
        entry.line = line;
        entry.label = self.label.take().filter(|label| !label.is_empty());
        self.in_solution = None;
        for (line, key, value) in self.pending.drain(..) {
            if entry.set(&key, value) {
                self.collection.notes.push(repeated(line, &key));
            }
        }
        self.collection.entries.push(entry);
        self.below_board = true;
        Ok(())
    }

    fn blank(&mut self) {
        self.below_board = false;
        if self.in_solution == Some(InSolution::Moves) {
            self.in_solution = None;
        }
        let Some(entry) = self.collection.entries.last_mut() else {
            return;
        };
        // Keys on their own between two boards: to the one above if they are
        // news there, else to the one below.
        if self.pending.iter().all(|(_, key, _)| !entry.has(key)) {
            for (line, key, value) in self.pending.drain(..) {
                if entry.set(&key, value) {
                    self.collection.notes.push(repeated(line, &key));
                }
            }
        }
    }

    /// Takes a key; returns how many further lines belong to it.
    fn key(&mut self, key: &str, value: &str, line: usize, rest: &[&str]) -> usize {
        let is = |text: &str, name: &str| {
            split_key(text).is_some_and(|(key, _)| key.eq_ignore_ascii_case(name))
        };
        let mut value = value.to_owned();
        let mut skipped = 0;
        if key.eq_ignore_ascii_case("comment-end") {
            return 0;
        }
        if key.eq_ignore_ascii_case("comment") {
            let end = rest
                .iter()
                .position(|text| is(text, "comment-end") || is(text, "comment"))
                .filter(|&end| is(rest[end], "comment-end"));
            if let Some(end) = end {
                let mut block: Vec<&str> = rest[..end].to_vec();
                if !value.is_empty() {
                    block.insert(0, &value);
                }
                value = block.join("\n");
                skipped = end + 1;
            }
        }
        match self.collection.entries.last_mut() {
            Some(entry) if key.eq_ignore_ascii_case("solution") && !value.is_empty() => {
                entry.solutions.push(value);
            }
            Some(_) if key.eq_ignore_ascii_case("solution") => {
                self.in_solution = Some(InSolution::Heading);
            }
            Some(entry) if self.below_board => {
                if entry.set(key, value) {
                    self.collection.notes.push(repeated(line, key));
                }
            }
            _ => self.pending.push((line, key.to_owned(), value)),
        }
        skipped
    }

    fn text(&mut self, text: &str) {
        let Some(entry) = self.collection.entries.last_mut() else {
            self.label = Some(text.to_owned());
            return;
        };
        if let Some(place) = self.in_solution
            && is_moves(text)
        {
            match entry.solutions.last_mut() {
                Some(moves) if place == InSolution::Moves => moves.push_str(text),
                _ => entry.solutions.push(text.to_owned()),
            }
            self.in_solution = Some(InSolution::Moves);
            return;
        }
        self.in_solution = None;
        if is_solution_heading(text) {
            self.in_solution = Some(InSolution::Heading);
        } else {
            self.label = Some(text.to_owned());
        }
    }

    fn finish(mut self) -> Collection {
        self.blank();
        let left = self.pending.drain(..);
        match self.collection.entries.last_mut() {
            Some(entry) => {
                for (line, key, value) in left {
                    if entry.set(&key, value) {
                        self.collection.notes.push(repeated(line, &key));
                    }
                }
            }
            None => self
                .collection
                .fields
                .extend(left.map(|(_, key, value)| (key, value))),
        }
        self.collection
    }
}

/// `Solution`, `Solution 2`, `Solution/78 moves`, `Snapshot`: what stands above
/// saved moves.
fn is_solution_heading(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next();
    word.is_some_and(|word| {
        word.eq_ignore_ascii_case("solution") || word.eq_ignore_ascii_case("snapshot")
    })
}

/// Whether a line is made of what move strings are made of.
fn is_moves(text: &str) -> bool {
    text.chars().all(|c| {
        matches!(
            c,
            'l' | 'u' | 'r' | 'd' | 'L' | 'U' | 'R' | 'D' | ' ' | '(' | ')'
        ) || matches!(c, '0'..='9' | '[' | ']' | '{' | '}' | '*')
    })
}

fn repeated(line: usize, key: &str) -> Note {
    Note {
        line,
        text: format!("{key} is given twice for one level; the last one counts"),
    }
}

/// Splits `Key: value`. A key is a word or a few, of at most 40 letters.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    let good = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.len() <= 40
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    good.then(|| (key, value.trim()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::level::format::Pad;

    fn read(text: &str) -> Collection {
        read_xsb(text.as_bytes(), &ReadOptions::default()).unwrap()
    }

    fn boards(text: &str) -> Vec<String> {
        let entries = read(text).entries;
        entries.iter().map(|entry| entry.grid.to_xsb()).collect()
    }

    fn error(text: &str) -> FormatError {
        read_xsb(text.as_bytes(), &ReadOptions::default()).unwrap_err()
    }

    const SMALL: &str = "#--\n@$-\n.--\n";

    #[test]
    fn several_levels_with_metadata() {
        let text = "; 1\n#--\n@$-\n.--\nTitle: F=13\nauthor: Zoë\n\n\nSecond\n\n##-@\n-$--\n-#--\n.---\nTitle: 一箭十万-107593步\nComment:\na: b\n;c\n-----\nComment-End:\nSource: here\n";
        let found = read(text);
        assert_eq!(found.entries.len(), 2);
        let [first, second] = found.entries.as_slice() else {
            panic!()
        };
        assert_eq!(first.title.as_deref(), Some("F=13"));
        assert_eq!(first.author.as_deref(), Some("Zoë"));
        assert_eq!(first.label.as_deref(), Some("1"));
        assert_eq!(first.line, 2);
        assert_eq!(second.title.as_deref(), Some("一箭十万-107593步"));
        assert_eq!(second.label.as_deref(), Some("Second"));
        assert_eq!(second.comment.as_deref(), Some("a: b\n;c\n-----"));
        assert_eq!(second.field("source"), Some("here"));
        assert_eq!(second.line, 11);
        assert!(found.notes.is_empty(), "{:?}", found.notes);
    }

    #[test]
    fn titles_above_boards_go_to_the_board_below() {
        let text = format!("Title: A\n{SMALL}\nTitle: B\n{SMALL}\n\nTitle: C\n\n{SMALL}");
        let titles: Vec<_> = read(&text)
            .entries
            .into_iter()
            .map(|entry| entry.title.unwrap())
            .collect();
        assert_eq!(titles, ["A", "B", "C"]);
    }

    #[test]
    fn a_repeated_key_keeps_the_last_value_and_is_noted() {
        let found = read(&format!("{SMALL}Title: a\nTITLE: b\n"));
        assert_eq!(found.entries[0].title.as_deref(), Some("b"));
        assert_eq!(found.notes.len(), 1);
        assert_eq!(found.notes[0].line, 5);
    }

    #[test]
    fn line_ends_and_marks() {
        for text in [
            SMALL.replace('\n', "\r\n"),
            SMALL.replace('\n', "\r"),
            SMALL.trim_end().to_owned(),
            format!("\u{feff}{SMALL}"),
            SMALL.replace('-', "_"),
        ] {
            assert_eq!(boards(&text), [SMALL], "{text:?}");
        }
    }

    #[test]
    fn case_19_byte_order_mark_before_row_1() {
        let text = "\u{feff}##-@\n-$--\n-#--\n.---\n";
        assert_eq!(boards(text), ["##-@\n-$--\n-#--\n.---\n"]);
    }

    #[test]
    fn case_20_short_rows_of_open_boards() {
        let text = "##  @\n $\n.----\n";
        let found = error(text);
        assert_eq!((found.line, found.column), (2, 3));
        assert!(found.to_string().contains("3 fewer"), "{found}");
        assert!(found.to_string().contains("--pad floor"), "{found}");
        let padded = |pad| {
            let options = ReadOptions {
                pad,
                ..ReadOptions::default()
            };
            let found = read_xsb(text.as_bytes(), &options).unwrap();
            found.entries[0].grid.to_xsb()
        };
        assert_eq!(padded(Pad::Floor), "##--@\n-$---\n.----\n");
        assert_eq!(padded(Pad::Wall), "##--@\n-$###\n.----\n");
    }

    #[test]
    fn around_a_closed_level_is_wall() {
        let text = "  ####\n  #  #   \n###$@#\n#  . #\n######\n";
        assert_eq!(boards(text), ["######\n###--#\n###$@#\n#--.-#\n######\n"]);
    }

    #[test]
    fn floor_written_as_such_stays_floor_around_a_closed_level() {
        let text = "--#####\n--#@$.#\n--#####\n";
        assert_eq!(boards(text), [text]);
    }

    #[test]
    fn interior_rows_of_floor_need_a_sign() {
        assert_eq!(boards("#-@\n---\n-$.\n").len(), 1);
        assert_eq!(error("#-@-\n    \n-$.\n-\n").line, 4);
    }

    #[test]
    fn one_line_boards() {
        assert_eq!(boards("#--|@$-|.--"), [SMALL]);
        assert_eq!(boards("#2-|@$-\n.2-|\n"), [SMALL]);
    }

    #[test]
    fn text_that_looks_like_boards() {
        for text in [
            "-----", "...", "+", "***", "$ . $", "#####", "Bob", "dull", "Rud", "22#",
        ] {
            let found = read(&format!("{text}\n\n{SMALL}\n{text}\n\n{SMALL}"));
            assert_eq!(found.entries.len(), 2, "{text}");
        }
    }

    #[test]
    fn case_17_titles_with_digits() {
        let found = read(&format!("Title: 3#4\n{SMALL}\n3#4\n\n{SMALL}"));
        assert_eq!(found.entries[0].title.as_deref(), Some("3#4"));
        assert_eq!(found.entries[1].label.as_deref(), Some("3#4"));
    }

    #[test]
    fn damaged_rows_are_not_read_as_text() {
        assert_eq!(
            error("##x-@\n-$---\n.----").to_string().split(':').next(),
            Some("line 1, column 3")
        );
        assert_eq!(error("#---@\n-$#!-\n.----").line, 2);
        assert_eq!(error("#---@\n-$---\n.-\t--").column, 3);
        assert_eq!(error("#--\n@$-\n3#4\n").column, 3);
    }

    #[test]
    fn saved_solutions() {
        let text = format!(
            ":: a file\n\nFirst\n\n{SMALL}Author: me\n\nSolution/10 moves\n3rdd\nUl\n\nRud\n\n{SMALL}Solution: rR\n"
        );
        let found = read_sok(text.as_bytes(), &ReadOptions::default()).unwrap();
        let [first, second] = found.entries.as_slice() else {
            panic!()
        };
        assert_eq!(first.title.as_deref(), Some("First"));
        assert_eq!(first.author.as_deref(), Some("me"));
        assert_eq!(first.solutions, ["3rddUl"]);
        assert_eq!(second.title.as_deref(), Some("Rud"));
        assert_eq!(second.solutions, ["rR"]);
    }

    #[test]
    fn a_line_number_gutter_is_text() {
        assert_eq!(boards(&format!("1\n2\n3\n\n{SMALL}")), [SMALL]);
    }

    #[test]
    fn empty_texts_hold_no_level() {
        for text in ["", "\n", "hello\n", "   \n\n", "\u{feff}"] {
            assert!(read(text).entries.is_empty(), "{text:?}");
        }
        assert_eq!(read("Collection: x\n").fields.len(), 1);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_xsb(&bytes, &ReadOptions::default());
            let _ = read_sok(&bytes, &ReadOptions::default());
        }

        #[test]
        fn board_like_texts_are_read_or_refused(text in "[#@$.*+ _0-9()|xp:;\n\r\t-]{0,120}") {
            for pad in [Pad::Error, Pad::Floor, Pad::Wall] {
                for bare in [false, true] {
                    let options = ReadOptions { pad, bare, ..ReadOptions::default() };
                    let _ = read_xsb(text.as_bytes(), &options);
                }
            }
        }

        #[test]
        fn boards_round_trip(
            (rows, cols) in (1usize..9, 1usize..9),
            seed in proptest::collection::vec(0usize..7, 81),
        ) {
            let mut grid = crate::level::Grid::filled(rows, cols, Tile::Floor);
            for row in 0..rows {
                for col in 0..cols {
                    grid.set(row, col, Tile::ALL[seed[row * 9 + col]]);
                }
            }
            let options = ReadOptions { bare: true, ..ReadOptions::default() };
            let found = read_xsb(grid.to_xsb().as_bytes(), &options).unwrap();
            prop_assert_eq!(&found.entries[0].grid, &grid);
        }
    }
}
