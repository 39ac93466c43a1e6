//! One line to board rows: `|` separators and run lengths.
//!
//! A count stands before the tile or the group that it repeats: `3#4-p.#`,
//! `2(3(#-)#)`. Groups nest; a row never spans two lines.

use super::{Dialect, FormatErrorKind, MAX_ROW};
use crate::level::Tile;
use crate::level::run_length::expand;

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

/// Reads a line as board rows.
pub(super) fn row_line(line: &str, dialect: Dialect) -> RowLine {
    if let Some(other) = not_a_row(line, dialect) {
        return other;
    }
    let mut rows = Vec::new();
    let mut column = 1;
    for segment in line.split('|') {
        let letters: Vec<char> = segment.chars().collect();
        let item = |letter| {
            dialect.tile(letter).map(|tile| RawTile {
                tile,
                blank: letter == ' ',
            })
        };
        match expand(&letters, MAX_ROW, item) {
            Ok(row) => rows.push(row),
            Err((index, error)) => {
                return RowLine::Other(Some((column + index, FormatErrorKind::RunLength(error))));
            }
        }
        column += letters.len() + 1;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::level::RunLengthError;

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
        use RunLengthError as E;
        let damage = |line| match damage(line) {
            Some((column, FormatErrorKind::RunLength(error))) => Some((column, error)),
            other => panic!("{line:?}: {other:?}"),
        };
        assert_eq!(damage("3#4"), Some((3, E::CountAlone("4".into()))));
        assert_eq!(damage("#|3#4"), Some((5, E::CountAlone("4".into()))));
        assert_eq!(damage("0#"), Some((1, E::ZeroCount)));
        assert_eq!(damage("2(3(#-)#"), Some((2, E::Unclosed)));
        assert_eq!(damage(")#("), Some((1, E::Unopened)));
        assert_eq!(damage("#2()"), Some((3, E::EmptyGroup)));
        assert_eq!(damage("999999999#"), Some((1, E::TooLong(MAX_ROW))));
        assert_eq!(
            damage("99999999999999999999999999#"),
            Some((1, E::TooLong(MAX_ROW)))
        );
        assert_eq!(
            damage("9(9(9(9(9(9(9(9(#))))))))"),
            Some((9, E::TooLong(MAX_ROW)))
        );
        let deep = format!("{}#{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(damage(&deep), Some((33, E::TooDeep)));
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
