//! Move strings in LURD notation.

use std::fmt;
use std::str::FromStr;

use super::RunLengthError;
use super::run_length::{compress, expand};
use crate::board::Dir;

/// One step of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the player goes.
    pub dir: Dir,
    /// Whether the player pushes a box; written in upper case.
    pub push: bool,
}

impl Move {
    /// The letter of this move: `l u r d`, in upper case for a push.
    pub const fn letter(self) -> char {
        let letter = match self.dir {
            Dir::Left => b'l',
            Dir::Up => b'u',
            Dir::Right => b'r',
            Dir::Down => b'd',
        };
        if self.push {
            letter.to_ascii_uppercase() as char
        } else {
            letter as char
        }
    }

    /// The move that a letter stands for, if any.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let dir = match letter {
            'l' | 'L' => Dir::Left,
            'u' | 'U' => Dir::Up,
            'r' | 'R' => Dir::Right,
            'd' | 'D' => Dir::Down,
            _ => return None,
        };
        Some(Self {
            dir,
            push: letter.is_ascii_uppercase(),
        })
    }
}

/// The most moves that a text may have once its run lengths are expanded.
const MAX_MOVES: usize = 1 << 26;

/// Why a text is not a move string, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct LurdError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: LurdErrorKind,
}

/// What is wrong with a move string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LurdErrorKind {
    /// A letter that is no move.
    #[error("{0:?} is not a move; moves are l, u, r, d, in upper case for pushes")]
    NotAMove(char),
    /// A sign that means something in other programs.
    #[error("{0:?} marks {1}, which one-box solutions do not have; remove it")]
    Unsupported(char, &'static str),
    /// A run length that is none.
    #[error(transparent)]
    RunLength(RunLengthError),
}

/// A sequence of moves, the letters `l u r d` in upper case where a box is
/// pushed.
///
/// The case is kept as it was written; whether it is right only a level can
/// tell, see [`replay`](crate::solve::replay).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Lurd(Vec<Move>);

impl Lurd {
    /// The moves in order.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// Number of moves, pushes included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no move at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves with run lengths where that is shorter: `3r4U`.
    pub fn to_run_lengths(&self) -> String {
        compress(self.0.iter().map(|step| step.letter()))
    }

    /// Number of moves written as pushes.
    pub fn pushes(&self) -> usize {
        self.0.iter().filter(|step| step.push).count()
    }
}

impl FromIterator<Move> for Lurd {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl FromStr for Lurd {
    type Err = LurdError;

    /// Reads letters in either case, with run lengths such as `3r4U` or
    /// `2(3(dr)R)`; white space is skipped.
    fn from_str(text: &str) -> Result<Self, LurdError> {
        let mut letters = Vec::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len());
        for (line, content) in (1..).zip(text.lines()) {
            for (column, letter) in (1..).zip(content.chars()) {
                if !letter.is_whitespace() {
                    letters.push(letter);
                    places.push((line, column));
                }
            }
        }
        let moves = expand(&letters, MAX_MOVES, Move::from_letter);
        moves.map(Self).map_err(|(index, error)| {
            let (line, column) = places.get(index).copied().unwrap_or((1, 1));
            let kind = match error {
                RunLengthError::Unknown(letter @ ('[' | ']')) => {
                    LurdErrorKind::Unsupported(letter, "a jump or a pull")
                }
                RunLengthError::Unknown(letter @ ('{' | '}')) => {
                    LurdErrorKind::Unsupported(letter, "a change of player")
                }
                RunLengthError::Unknown(letter @ '*') => {
                    LurdErrorKind::Unsupported(letter, "the current position")
                }
                RunLengthError::Unknown(letter) => LurdErrorKind::NotAMove(letter),
                other => LurdErrorKind::RunLength(other),
            };
            LurdError { line, column, kind }
        })
    }
}

impl fmt::Display for Lurd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.iter().map(|step| step.letter()).collect();
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_wrong_letter_is_named_with_its_place() {
        let error = "lurd\n lxr".parse::<Lurd>().unwrap_err();
        assert_eq!((error.line, error.column), (2, 3));
        assert_eq!(error.kind, LurdErrorKind::NotAMove('x'));
        let error = "ll[R".parse::<Lurd>().unwrap_err();
        assert_eq!(error.column, 3);
        assert!(error.to_string().contains("a jump"), "{error}");
    }

    #[test]
    fn counts() {
        let lurd: Lurd = "dl luR".parse().unwrap();
        assert_eq!((lurd.len(), lurd.pushes()), (5, 1));
    }

    #[test]
    fn run_lengths() {
        let read = |text: &str| text.parse::<Lurd>().map(|lurd| lurd.to_string());
        assert_eq!(read("3r4U").unwrap(), "rrrUUUU");
        assert_eq!(read("2(3(dr)R)").unwrap(), "drdrdrRdrdrdrR");
        let error = read("99999999999999999999r").unwrap_err();
        assert_eq!(
            error.kind,
            LurdErrorKind::RunLength(RunLengthError::TooLong(MAX_MOVES))
        );
        assert!(read("r3").is_err() && read("(r").is_err() && read("r)").is_err());
    }

    proptest! {
        #[test]
        fn run_length_round_trip(text in "[lurdLURD]{0,60}") {
            let lurd: Lurd = text.parse().unwrap();
            prop_assert_eq!(lurd.to_run_lengths().parse::<Lurd>().unwrap(), lurd);
        }

        #[test]
        fn text_round_trip(text in "[lurdLURD]{0,60}") {
            prop_assert_eq!(text.parse::<Lurd>().unwrap().to_string(), text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = text.parse::<Lurd>();
        }
    }
}
