//! Machine words that hold a set of cells.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells, one bit each, in a single machine word.
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
    /// Every cell moved up by `by` bits, which must be below [`BITS`](Self::BITS).
    fn up(self, by: u32) -> Self;
    #[must_use]
    /// Every cell moved down by `by` bits, which must be below [`BITS`](Self::BITS).
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

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const BITS: u32 = <$type>::BITS;
            const EMPTY: Self = 0;
            type Table<T: Copy + Send + Debug> = [T; <$type>::BITS as usize];

            fn table<T: Copy + Send + Debug>(entry: T) -> Self::Table<T> {
                [entry; <$type>::BITS as usize]
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
                (self.trailing_zeros() & (Self::BITS - 1)) as usize
            }
        }
    };
}

word!(u64);
word!(u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_11_full_words_do_not_overflow_a_shift() {
        assert_eq!(<u64 as Word>::first(64), u64::MAX);
        assert_eq!(<u64 as Word>::first(0), 0);
        assert_eq!(<u128 as Word>::first(128), u128::MAX);
        assert_eq!(<u64 as Word>::first(64).cells().count(), 64);
    }

    #[test]
    fn cells_are_listed_once_and_in_order() {
        let set = u128::cell(3) | u128::cell(64) | u128::cell(127);
        assert_eq!(set.cells().collect::<Vec<_>>(), [3, 64, 127]);
    }
}
