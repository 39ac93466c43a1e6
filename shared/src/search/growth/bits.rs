//! Words that hold one bit per cell of a floor set.

use std::{
    fmt::Debug,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not},
};

/// An unsigned word used as a set of small indices.
pub(super) trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + Not<Output = Self>
    + 'static
{
    /// Number of bits.
    const WIDTH: usize;
    /// The empty set.
    const EMPTY: Self;
    /// The set of all indices.
    const ALL: Self;

    /// The set with only `index`.
    fn bit(index: u8) -> Self;

    /// The set of all indices below `count`.
    fn below(count: usize) -> Self;

    /// Whether `index` is in the set.
    fn has(self, index: u8) -> bool {
        self & Self::bit(index) != Self::EMPTY
    }

    /// Removes and returns the smallest index.
    fn pop(&mut self) -> Option<u8>;
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const WIDTH: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;
            const ALL: Self = <$word>::MAX;

            #[inline]
            fn bit(index: u8) -> Self {
                1 << (u32::from(index) % <$word>::BITS)
            }

            fn below(count: usize) -> Self {
                if count >= Self::WIDTH {
                    Self::MAX
                } else {
                    (1 << count) - 1
                }
            }

            #[inline]
            fn pop(&mut self) -> Option<u8> {
                if *self == 0 {
                    return None;
                }
                let index = self.trailing_zeros() as u8;
                *self &= *self - 1;
                Some(index)
            }
        }
    };
}

bits!(u64);
bits!(u128);
