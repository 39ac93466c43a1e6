//! Move strings in LURD notation.

use std::fmt;
use std::str::FromStr;

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

/// Why a text is not a move string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}, column {column}: {found:?} is not a move; moves are l, u, r, d, in upper case for pushes"
)]
pub struct LurdError {
    /// Line of the first wrong character, from 1.
    pub line: usize,
    /// Column of the first wrong character, from 1, in characters.
    pub column: usize,
    /// The wrong character.
    pub found: char,
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

    /// Reads letters in either case; white space between them is skipped.
    fn from_str(text: &str) -> Result<Self, LurdError> {
        let mut moves = Vec::with_capacity(text.len());
        for (number, line) in text.lines().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                match Move::from_letter(letter) {
                    Some(step) => moves.push(step),
                    None if letter.is_whitespace() => {}
                    None => {
                        return Err(LurdError {
                            line: number + 1,
                            column: column + 1,
                            found: letter,
                        });
                    }
                }
            }
        }
        Ok(Self(moves))
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
        assert_eq!((error.line, error.column, error.found), (2, 3, 'x'));
    }

    #[test]
    fn counts() {
        let lurd: Lurd = "dl luR".parse().unwrap();
        assert_eq!((lurd.len(), lurd.pushes()), (5, 1));
    }

    proptest! {
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
