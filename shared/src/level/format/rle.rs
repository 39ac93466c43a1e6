//! One line to board rows: `|` separators and run lengths.
//!
//! A count stands before the tile or the group that it repeats: `3#4-p.#`,
//! `2(3(#-)#)`. Groups nest; a row never spans two lines.

use super::{Dialect, FormatErrorKind, MAX_ROW};
use crate::level::Tile;

/// One cell of a row as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RawTile {
    pub tile: Tile,
    /// Written as a space, which around a closed level means "outside".
    pub blank: bool,
}

/// What a line is, seen as board rows.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RowLine {
    /// Board rows, several if `|` separates them.
    Rows(Vec<Vec<RawTile>>),
    /// Not a board row. If it nearly is one, what is wrong with it and in
    /// which column.
    Other(Option<(usize, FormatErrorKind)>),
}

/// Groups within groups; each level costs stack.
const MAX_DEPTH: usize = 32;

/// Reads a line as board rows.
pub(super) fn row_line(line: &str, dialect: Dialect) -> RowLine {
    if let Some(other) = not_a_row(line, dialect) {
        return other;
    }
    let mut rows = Vec::new();
    let mut column = 1;
    for segment in line.split('|') {
        let mut parser = Parser {
            letters: segment.chars().collect(),
            next: 0,
            first_column: column,
            dialect,
        };
        column += parser.letters.len() + 1;
        match parser.row() {
            Ok(row) => rows.push(row),
            Err((column, kind)) => return RowLine::Other(Some((column, kind))),
        }
    }
    // A separator at the end starts no further row.
    if rows.len() > 1 && rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    RowLine::Rows(rows)
}

/// What tells at a glance that a line is not a board row.
fn not_a_row(line: &str, dialect: Dialect) -> Option<RowLine> {
    let structure = |c: char| c.is_ascii_digit() || matches!(c, '(' | ')' | '|');
    let is_tile = |c: char| dialect.tile(c).is_some();
    let visible_tiles = line.chars().filter(|&c| c != ' ' && is_tile(c)).count();
    if visible_tiles == 0 {
        return Some(RowLine::Other(None));
    }
    let (index, stranger) = line
        .chars()
        .enumerate()
        .find(|&(_, c)| !is_tile(c) && !structure(c))?;
    let strangers = line
        .chars()
        .filter(|&c| !is_tile(c) && !structure(c) && !c.is_whitespace())
        .count();
    // Letters are tiles in some dialects; a word made of them is no row.
    let symbols = line
        .chars()
        .filter(|&c| is_tile(c) && c != ' ' && !c.is_alphanumeric())
        .count();
    let damage = if strangers == 0 {
        Some(FormatErrorKind::WhiteSpace(stranger))
    } else if symbols > strangers {
        let first = line
            .chars()
            .enumerate()
            .find(|&(_, c)| !is_tile(c) && !structure(c) && !c.is_whitespace());
        let (index, stranger) = first.unwrap_or((index, stranger));
        return Some(RowLine::Other(Some((
            index + 1,
            FormatErrorKind::NotATile(stranger),
        ))));
    } else {
        None
    };
    Some(RowLine::Other(damage.map(|kind| (index + 1, kind))))
}

/// Reads one row; the error is a column of the line and what is wrong there.
struct Parser {
    letters: Vec<char>,
    next: usize,
    first_column: usize,
    dialect: Dialect,
}

type Parsed<T> = Result<T, (usize, FormatErrorKind)>;

impl Parser {
    fn row(&mut self) -> Parsed<Vec<RawTile>> {
        let mut row = Vec::new();
        self.items(&mut row, 0)?;
        if self.next < self.letters.len() {
            return Err((self.column(), FormatErrorKind::UnopenedGroup));
        }
        Ok(row)
    }

    fn column(&self) -> usize {
        self.first_column + self.next
    }

    /// Items up to the end or a `)`.
    fn items(&mut self, row: &mut Vec<RawTile>, depth: usize) -> Parsed<()> {
        while let Some(&letter) = self.letters.get(self.next) {
            if letter == ')' {
                break;
            }
            let start = self.column();
            let count = self.count()?;
            let first = row.len();
            match self.letters.get(self.next) {
                Some('(') => self.group(row, depth)?,
                Some(&letter) if self.dialect.tile(letter).is_some() => {
                    if let Some(tile) = self.dialect.tile(letter) {
                        row.push(RawTile {
                            tile,
                            blank: letter == ' ',
                        });
                    }
                    self.next += 1;
                }
                _ => {
                    let digits = self.letters[start - self.first_column..self.next].iter();
                    return Err((start, FormatErrorKind::CountWithoutTile(digits.collect())));
                }
            }
            let unit = row.len() - first;
            if first + unit.saturating_mul(count) > MAX_ROW {
                return Err((start, FormatErrorKind::RowTooLong));
            }
            for _ in 1..count {
                row.extend_from_within(first..first + unit);
            }
        }
        Ok(())
    }

    /// The number before an item, 1 if there is none.
    fn count(&mut self) -> Parsed<usize> {
        let start = self.column();
        let mut count: Option<usize> = None;
        while let Some(digit) = self.letters.get(self.next).and_then(|c| c.to_digit(10)) {
            // Any count beyond the longest row is refused later; no overflow.
            let so_far = count.unwrap_or(0).min(MAX_ROW + 1);
            count = Some(so_far * 10 + digit as usize);
            self.next += 1;
        }
        match count {
            Some(0) => Err((start, FormatErrorKind::ZeroCount)),
            Some(count) => Ok(count),
            None => Ok(1),
        }
    }

    fn group(&mut self, row: &mut Vec<RawTile>, depth: usize) -> Parsed<()> {
        let open = self.column();
        if depth == MAX_DEPTH {
            return Err((open, FormatErrorKind::GroupsTooDeep(MAX_DEPTH)));
        }
        self.next += 1;
        let first = row.len();
        self.items(row, depth + 1)?;
        if self.letters.get(self.next) != Some(&')') {
            return Err((open, FormatErrorKind::UnclosedGroup));
        }
        self.next += 1;
        if row.len() == first {
            return Err((open, FormatErrorKind::EmptyGroup));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(line: &str) -> Vec<String> {
        match row_line(line, Dialect::Xsb) {
            RowLine::Rows(rows) => rows
                .iter()
                .map(|row| row.iter().map(|raw| raw.tile.xsb()).collect())
                .collect(),
            RowLine::Other(other) => panic!("{line:?}: {other:?}"),
        }
    }

    fn damage(line: &str) -> Option<(usize, FormatErrorKind)> {
        match row_line(line, Dialect::Xsb) {
            RowLine::Other(damage) => damage,
            RowLine::Rows(rows) => panic!("{line:?}: {rows:?}"),
        }
    }

    #[test]
    fn plain_rows_and_separators() {
        assert_eq!(rows("#@$. _#"), ["#@$.---#".replacen('-', "", 1)]);
        assert_eq!(rows("###|#@#|###|"), ["###", "#@#", "###"]);
        assert_eq!(rows("##||##"), ["##", "", "##"]);
        assert_eq!(rows("pPbB"), ["@+$*"]);
    }

    #[test]
    fn run_lengths() {
        assert_eq!(rows("3#4-p.#"), ["###----@.#"]);
        assert_eq!(rows("2(3(#-)#)"), ["#-#-#-##-#-#-#"]);
        assert_eq!(rows("22#"), ["#".repeat(22)]);
    }

    #[test]
    fn case_17_run_lengths_that_are_none() {
        use FormatErrorKind as E;
        assert_eq!(damage("3#4"), Some((3, E::CountWithoutTile("4".into()))));
        assert_eq!(damage("#|3#4"), Some((5, E::CountWithoutTile("4".into()))));
        assert_eq!(damage("0#"), Some((1, E::ZeroCount)));
        assert_eq!(damage("2(3(#-)#"), Some((2, E::UnclosedGroup)));
        assert_eq!(damage(")#("), Some((1, E::UnopenedGroup)));
        assert_eq!(damage("#2()"), Some((3, E::EmptyGroup)));
        assert_eq!(damage("999999999#"), Some((1, E::RowTooLong)));
        assert_eq!(
            damage("99999999999999999999999999#"),
            Some((1, E::RowTooLong))
        );
        assert_eq!(
            damage("9(9(9(9(9(9(9(9(#))))))))"),
            Some((9, E::RowTooLong))
        );
        let deep = format!("{}#{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(damage(&deep), Some((33, E::GroupsTooDeep(32))));
    }

    #[test]
    fn text_is_no_row_and_damage_is_named() {
        use FormatErrorKind as E;
        assert_eq!(damage("Level 3"), None);
        assert_eq!(damage("1 2 3"), None);
        assert_eq!(damage("a|b"), None);
        assert_eq!(damage("#\t@"), Some((2, E::WhiteSpace('\t'))));
        assert_eq!(damage("#\u{a0}@"), Some((2, E::WhiteSpace('\u{a0}'))));
        assert_eq!(damage("##\u{3000}@"), Some((3, E::WhiteSpace('\u{3000}'))));
        assert_eq!(damage("##x-@"), Some((3, E::NotATile('x'))));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(line in "[#@$.*+ _0-9()|xp-]{0,40}") {
            if let RowLine::Rows(rows) = row_line(&line, Dialect::Xsb) {
                prop_assert!(rows.iter().all(|row| row.len() <= MAX_ROW));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(line in any::<String>()) {
            let _ = row_line(&line, Dialect::Xsb);
        }
    }
}
