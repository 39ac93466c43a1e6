//! Machine words that hold a set of cells.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells, one bit each, in one machine word or a few.
pub trait Word:
    Copy
    + Debug
    + Eq
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
    /// Every cell moved up by `by` bits, fewer than 61. What
    /// leaves the word is lost or lands beyond it.
    fn up(self, by: u32) -> Self;
    #[must_use]
    /// Every cell moved down by `by` bits, fewer than 61.
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

/// Cells in each machine word of [`Words`].
const PER_WORD: u32 = 61;

/// A set of cells in `N` machine words of 61 bits each, the lowest first.
///
/// For two words a 128-bit integer would do, but its shifts become
/// double-precision shifts, which cost several times a plain one on many
/// processors. With fewer than 64 bits to a word, a carry is an ordinary shift by
/// another amount. Bits beyond the 61st of a word may be set by
/// [`up`](Word::up) and [`down`](Word::down); like cells beyond the board they
/// have to be masked out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words<const N: usize>([u64; N]);

macro_rules! wordwise {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident) => {
        impl<const N: usize> $trait for Words<N> {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$method(other.0[i])))
            }
        }

        impl<const N: usize> $assign_trait for Words<N> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

wordwise!(BitAnd, bitand, BitAndAssign, bitand_assign);
wordwise!(BitOr, bitor, BitOrAssign, bitor_assign);
wordwise!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(Not::not))
    }
}

/// The length of a table depends on the number of words in a way that generic
/// code cannot express.
macro_rules! words {
    ($n:literal, $table:literal) => {
        impl Word for Words<$n> {
            const BITS: u32 = $n * PER_WORD;
            const TABLE: usize = $table;
            const EMPTY: Self = Self([0; $n]);
            type Table<T: Copy + Send + Debug> = [T; $table];

            fn table<T: Copy + Send + Debug>(entry: T) -> Self::Table<T> {
                [entry; $table]
            }

            #[inline]
            fn cell(bit: usize) -> Self {
                let mut set = Self::EMPTY;
                set.0[bit / PER_WORD as usize] = 1 << (bit % PER_WORD as usize);
                set
            }

            fn first(count: u32) -> Self {
                Self(std::array::from_fn(|i| {
                    u64::first(count.saturating_sub(i as u32 * PER_WORD).min(PER_WORD))
                }))
            }

            #[inline]
            fn up(self, by: u32) -> Self {
                Self(std::array::from_fn(|i| {
                    let carry = if i == 0 {
                        0
                    } else {
                        self.0[i - 1] >> (PER_WORD - by)
                    };
                    self.0[i] << by | carry
                }))
            }

            #[inline]
            fn down(self, by: u32) -> Self {
                Self(std::array::from_fn(|i| {
                    let carry = if i + 1 == $n {
                        0
                    } else {
                        self.0[i + 1] << (PER_WORD - by)
                    };
                    self.0[i] >> by | carry
                }))
            }

            #[inline]
            fn len(self) -> u32 {
                self.0.iter().map(|word| word.count_ones()).sum()
            }

            #[inline]
            fn lowest(self) -> usize {
                let mut bit = 0;
                for (i, word) in self.0.iter().enumerate().rev() {
                    if *word != 0 {
                        bit = i * PER_WORD as usize + word.trailing_zeros() as usize;
                    }
                }
                // The mask tells the compiler that a table access is in bounds.
                bit & (Self::TABLE - 1)
            }
        }
    };
}

words!(2, 128);
words!(3, 256);
words!(4, 256);
words!(5, 512);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_11_full_words_do_not_overflow_a_shift() {
        assert_eq!(u64::first(64), u64::MAX);
        assert_eq!(u64::first(0), 0);
        assert_eq!(u64::first(64).cells().count(), 64);
        assert_eq!(Words::<2>::first(122).cells().count(), 122);
        assert_eq!(Words::<2>::first(61).cells().last(), Some(60));
        assert_eq!(Words::<2>::first(0), Words::<2>::EMPTY);
    }

    #[test]
    fn cells_are_listed_once_and_in_order() {
        let set = Words::<2>::cell(3)
            | Words::<2>::cell(60)
            | Words::<2>::cell(61)
            | Words::<2>::cell(121);
        assert_eq!(set.cells().collect::<Vec<_>>(), [3, 60, 61, 121]);
        assert_eq!(set.len(), 4);
        assert!(set.has(61) && !set.has(62));
    }

    fn every_cell_moves<W: Word>() {
        let all = W::first(W::BITS);
        let bits = W::BITS as usize;
        for bit in 0..bits {
            for by in 1..=17 {
                let expected = if bit + by < bits {
                    W::cell(bit + by)
                } else {
                    W::EMPTY
                };
                assert_eq!(W::cell(bit).up(by as u32) & all, expected);
                let expected = if bit >= by {
                    W::cell(bit - by)
                } else {
                    W::EMPTY
                };
                assert_eq!(W::cell(bit).down(by as u32) & all, expected);
                assert_eq!(W::cell(bit).lowest(), bit);
            }
        }
        assert_eq!(all.len(), W::BITS);
        assert!(all.cells().eq(0..bits));
    }

    #[test]
    fn every_cell_moves_across_the_words() {
        every_cell_moves::<u64>();
        every_cell_moves::<Words<2>>();
        every_cell_moves::<Words<3>>();
        every_cell_moves::<Words<4>>();
        every_cell_moves::<Words<5>>();
    }
}
