//! Alphabets: which character stands for which tile.

use std::fmt;
use std::str::FromStr;

use crate::level::Tile;

/// An alphabet. `.`, `*` and `+` change their meaning from one to the other,
/// so that none is ever guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// The usual one: `# @ + $ * .`, floor as space, `-` or `_`, and the
    /// letters `p P b B` for `@ + $ *`.
    #[default]
    Xsb,
    /// `#` wall, `.` floor, `P` player, `*` box, `O` goal.
    Ksc,
    /// `#` wall, `.` floor, `S` player, `B` box, `T` goal (puzzle 1263 there).
    LeetCode,
    /// `#` wall, `.` floor, `~` void, `P` player, `X` box, `O` goal.
    SokoSolve,
    /// `#` wall, space floor, `@` player, `&` player on goal, `B` box, `X` goal.
    Dangarfield,
    /// `+` wall, `-` floor, `*` player, `%` player on goal, `@` box, `$` box
    /// on goal, `X` goal (reasoning-gym and relatives).
    ReasoningGym,
}

/// The characters of a dialect with their tiles; the first one of a tile is
/// the one that is written.
type Alphabet = &'static [(char, Tile)];

const XSB: Alphabet = &[
    ('#', Tile::Wall),
    ('-', Tile::Floor),
    ('_', Tile::Floor),
    (' ', Tile::Floor),
    ('.', Tile::Goal),
    ('$', Tile::Box),
    ('b', Tile::Box),
    ('*', Tile::BoxOnGoal),
    ('B', Tile::BoxOnGoal),
    ('@', Tile::Player),
    ('p', Tile::Player),
    ('+', Tile::PlayerOnGoal),
    ('P', Tile::PlayerOnGoal),
];
const KSC: Alphabet = &[
    ('#', Tile::Wall),
    ('.', Tile::Floor),
    (' ', Tile::Floor),
    ('P', Tile::Player),
    ('*', Tile::Box),
    ('O', Tile::Goal),
];
const LEET_CODE: Alphabet = &[
    ('#', Tile::Wall),
    ('.', Tile::Floor),
    ('S', Tile::Player),
    ('B', Tile::Box),
    ('T', Tile::Goal),
];
const SOKO_SOLVE: Alphabet = &[
    ('#', Tile::Wall),
    ('~', Tile::Wall),
    ('.', Tile::Floor),
    ('P', Tile::Player),
    ('X', Tile::Box),
    ('O', Tile::Goal),
];
const DANGARFIELD: Alphabet = &[
    ('#', Tile::Wall),
    (' ', Tile::Floor),
    ('-', Tile::Floor),
    ('@', Tile::Player),
    ('&', Tile::PlayerOnGoal),
    ('B', Tile::Box),
    ('X', Tile::Goal),
];
const REASONING_GYM: Alphabet = &[
    ('+', Tile::Wall),
    ('-', Tile::Floor),
    (' ', Tile::Floor),
    ('*', Tile::Player),
    ('%', Tile::PlayerOnGoal),
    ('@', Tile::Box),
    ('$', Tile::BoxOnGoal),
    ('X', Tile::Goal),
];

impl Dialect {
    /// Every dialect with its name on the command line.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("xsb", Self::Xsb),
        ("ksc", Self::Ksc),
        ("leetcode", Self::LeetCode),
        ("sokosolve", Self::SokoSolve),
        ("dangarfield", Self::Dangarfield),
        ("reasoning-gym", Self::ReasoningGym),
    ];

    const fn alphabet(self) -> Alphabet {
        match self {
            Self::Xsb => XSB,
            Self::Ksc => KSC,
            Self::LeetCode => LEET_CODE,
            Self::SokoSolve => SOKO_SOLVE,
            Self::Dangarfield => DANGARFIELD,
            Self::ReasoningGym => REASONING_GYM,
        }
    }

    /// The tile that a character stands for.
    pub fn tile(self, letter: char) -> Option<Tile> {
        let found = self.alphabet().iter().find(|&&(c, _)| c == letter);
        found.map(|&(_, tile)| tile)
    }

    /// The character that is written for a tile; `None` if the dialect has
    /// none, as some have none for a player on a goal.
    pub fn letter(self, tile: Tile) -> Option<char> {
        let found = self.alphabet().iter().find(|&&(_, t)| t == tile);
        found.map(|&(letter, _)| letter)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::NAMED.iter().find(|(_, dialect)| dialect == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

/// No dialect has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no dialect is called {0:?}; there are xsb, ksc, leetcode, sokosolve, dangarfield and reasoning-gym"
)]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found
            .map(|&(_, dialect)| dialect)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for (name, dialect) in Dialect::NAMED {
            assert_eq!(name.parse(), Ok(dialect));
            assert_eq!(dialect.to_string(), name);
            for tile in Tile::ALL {
                if let Some(letter) = dialect.letter(tile) {
                    assert_eq!(dialect.tile(letter), Some(tile), "{name}");
                }
            }
        }
    }

    #[test]
    fn the_usual_letters_are_those_of_the_tiles() {
        for tile in Tile::ALL {
            assert_eq!(Dialect::Xsb.letter(tile), Some(tile.xsb()));
        }
    }
}
