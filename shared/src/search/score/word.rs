//! Machine words that hold a set of cells.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells, one bit each, in one machine word or two.
pub trait Word:
    Copy
    + Debug
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// Number of cells that fit.
    const BITS: u32;
    /// Length of a table, a power of two that is at least [`BITS`](Self::BITS).
    const TABLE: usize;
    /// No cell.
    const EMPTY: Self;
    /// Something for each cell. A type of its own so that the length is known
    /// to the compiler.
    type Table<T: Copy + Send + Debug>: AsRef<[T]> + AsMut<[T]> + Copy + Send + Debug;

    /// A table with the same entry for each cell.
    fn table<T: Copy + Send + Debug>(entry: T) -> Self::Table<T>;
    /// Only this cell; `bit` must be below [`BITS`](Self::BITS).
    fn cell(bit: usize) -> Self;
    /// All cells below `count`, which may be [`BITS`](Self::BITS).
    fn first(count: u32) -> Self;
    #[must_use]
    /// Every cell moved up by `by` bits, at most half of [`BITS`](Self::BITS). What
    /// leaves the word is lost or lands beyond it.
    fn up(self, by: u32) -> Self;
    #[must_use]
    /// Every cell moved down by `by` bits, at most half of [`BITS`](Self::BITS).
    fn down(self, by: u32) -> Self;
    /// Number of cells.
    fn len(self) -> u32;
    /// The lowest cell of a set that is not empty.
    fn lowest(self) -> usize;

    /// Whether there is no cell.
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether this cell is in the set.
    fn has(self, bit: usize) -> bool {
        !(self & Self::cell(bit)).is_empty()
    }

    /// The cells in ascending order.
    fn cells(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            if self.is_empty() {
                return None;
            }
            let bit = self.lowest();
            self ^= Self::cell(bit);
            Some(bit)
        })
    }
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
    const TABLE: usize = 64;
    const EMPTY: Self = 0;
    type Table<T: Copy + Send + Debug> = [T; Self::TABLE];

    fn table<T: Copy + Send + Debug>(entry: T) -> Self::Table<T> {
        [entry; Self::TABLE]
    }

    #[inline]
    fn cell(bit: usize) -> Self {
        1 << bit
    }

    fn first(count: u32) -> Self {
        if count == 0 {
            0
        } else {
            Self::MAX >> (Self::BITS - count)
        }
    }

    #[inline]
    fn up(self, by: u32) -> Self {
        self << by
    }

    #[inline]
    fn down(self, by: u32) -> Self {
        self >> by
    }

    #[inline]
    fn len(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest(self) -> usize {
        // The mask tells the compiler that a table access is in bounds.
        self.trailing_zeros() as usize & (Self::TABLE - 1)
    }
}

/// A set of up to 122 cells in two machine words of 61 bits each.
///
/// A 128-bit integer would do, but its shifts become double-precision shifts,
/// which cost several times a plain one on many processors. With fewer than 64
/// bits to a word, a carry is an ordinary shift by another amount. Bits beyond
/// the 61st of a word may be set by [`up`](Word::up) and [`down`](Word::down);
/// like cells beyond the board they have to be masked out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pair {
    high: u64,
    low: u64,
}

/// Cells in each word of a [`Pair`].
const HALF: u32 = 61;

macro_rules! pairwise {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident) => {
        impl $trait for Pair {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self {
                    high: self.high.$method(other.high),
                    low: self.low.$method(other.low),
                }
            }
        }

        impl $assign_trait for Pair {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

pairwise!(BitAnd, bitand, BitAndAssign, bitand_assign);
pairwise!(BitOr, bitor, BitOrAssign, bitor_assign);
pairwise!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl Not for Pair {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self {
            high: !self.high,
            low: !self.low,
        }
    }
}

impl Word for Pair {
    const BITS: u32 = 2 * HALF;
    const TABLE: usize = 128;
    const EMPTY: Self = Self { high: 0, low: 0 };
    type Table<T: Copy + Send + Debug> = [T; Self::TABLE];

    fn table<T: Copy + Send + Debug>(entry: T) -> Self::Table<T> {
        [entry; Self::TABLE]
    }

    #[inline]
    fn cell(bit: usize) -> Self {
        let bit = bit as u32;
        if bit < HALF {
            Self {
                high: 0,
                low: 1 << bit,
            }
        } else {
            Self {
                high: 1 << (bit - HALF),
                low: 0,
            }
        }
    }

    fn first(count: u32) -> Self {
        Self {
            high: u64::first(count.saturating_sub(HALF)),
            low: u64::first(count.min(HALF)),
        }
    }

    #[inline]
    fn up(self, by: u32) -> Self {
        Self {
            high: self.high << by | self.low >> (HALF - by),
            low: self.low << by,
        }
    }

    #[inline]
    fn down(self, by: u32) -> Self {
        Self {
            high: self.high >> by,
            low: self.low >> by | self.high << (HALF - by),
        }
    }

    #[inline]
    fn len(self) -> u32 {
        self.high.count_ones() + self.low.count_ones()
    }

    #[inline]
    fn lowest(self) -> usize {
        let bit = if self.low == 0 {
            HALF + self.high.trailing_zeros()
        } else {
            self.low.trailing_zeros()
        };
        // The mask tells the compiler that a table access is in bounds.
        bit as usize & (Self::TABLE - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_11_full_words_do_not_overflow_a_shift() {
        assert_eq!(u64::first(64), u64::MAX);
        assert_eq!(u64::first(0), 0);
        assert_eq!(u64::first(64).cells().count(), 64);
        assert_eq!(Pair::first(122).cells().count(), 122);
        assert_eq!(Pair::first(61).cells().last(), Some(60));
        assert_eq!(Pair::first(0), Pair::EMPTY);
    }

    #[test]
    fn cells_are_listed_once_and_in_order() {
        let set = Pair::cell(3) | Pair::cell(60) | Pair::cell(61) | Pair::cell(121);
        assert_eq!(set.cells().collect::<Vec<_>>(), [3, 60, 61, 121]);
        assert_eq!(set.len(), 4);
        assert!(set.has(61) && !set.has(62));
    }

    #[test]
    fn every_cell_moves_across_the_halves() {
        let all = Pair::first(122);
        for bit in 0..122 {
            for by in 1..=11 {
                let up = Pair::cell(bit).up(by as u32) & all;
                let expected = if bit + by < 122 {
                    Pair::cell(bit + by)
                } else {
                    Pair::EMPTY
                };
                assert_eq!(up, expected);
                let down = Pair::cell(bit).down(by as u32) & all;
                let expected = if bit >= by {
                    Pair::cell(bit - by)
                } else {
                    Pair::EMPTY
                };
                assert_eq!(down, expected);
            }
        }
    }
}
