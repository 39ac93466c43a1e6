//! Which layouts are canonical under the symmetries of their board.

use crate::search::score::packing::Packing;

/// Symmetries of a rectangle; a square has all eight, other boards the first
/// four.
const MAX_SYMMETRIES: usize = 8;

/// The lowest cells of a layout, whose images come from a table. The other
/// cells change so rarely that theirs are put together bit by bit.
pub(super) const LOW_BITS: u32 = 9;

/// A symmetry: the image of every bit.
type Permutation = Vec<u8>;

/// The symmetries of a packed board, the identity first.
#[derive(Debug)]
pub(super) struct Symmetries {
    permutations: Vec<Permutation>,
    /// Images of the lowest cells, by their pattern.
    low: Vec<[u64; MAX_SYMMETRIES]>,
}

/// The set of symmetries that map a layout to itself, one bit each.
pub(super) type Stabiliser = u8;

impl Symmetries {
    pub(super) fn new(packing: Packing) -> Self {
        let (rows, cols) = (packing.rows as usize, packing.cols as usize);
        let count = if rows == cols { 8 } else { 4 };
        let permutations: Vec<Permutation> = (0..count)
            .map(|symmetry| {
                (0..rows * cols)
                    .map(|bit| {
                        let (mut row, mut col) = (bit / cols, bit % cols);
                        if symmetry & 1 != 0 {
                            col = cols - 1 - col;
                        }
                        if symmetry & 2 != 0 {
                            row = rows - 1 - row;
                        }
                        if symmetry & 4 != 0 {
                            (row, col) = (col, row);
                        }
                        (row * cols + col) as u8
                    })
                    .collect()
            })
            .collect();
        let low_bits = LOW_BITS.min(packing.rows * packing.cols);
        let low = (0..1 << low_bits)
            .map(|pattern| images(&permutations, pattern))
            .collect();
        Self { permutations, low }
    }

    /// Number of symmetries.
    pub(super) fn len(&self) -> usize {
        self.permutations.len()
    }

    /// Images of a set of cells under each symmetry.
    pub(super) fn images(&self, set: u64) -> [u64; MAX_SYMMETRIES] {
        images(&self.permutations, set)
    }

    /// Whether the layout `high | low` is canonical, the smallest of its images:
    /// then the symmetries that map it to itself. `high` has none of the
    /// lowest cells and `high_images` are its images.
    #[inline]
    pub(super) fn canonical(
        &self,
        high: u64,
        high_images: &[u64; MAX_SYMMETRIES],
        low: u64,
    ) -> Option<Stabiliser> {
        let layout = high | low;
        let low_images = &self.low[low as usize];
        let mut stabiliser = 1;
        for symmetry in 1..self.permutations.len() {
            let image = high_images[symmetry] | low_images[symmetry];
            if image < layout {
                return None;
            }
            stabiliser |= u8::from(image == layout) << symmetry;
        }
        Some(stabiliser)
    }

    /// The image of a cell.
    pub(super) fn image(&self, symmetry: usize, bit: u8) -> u8 {
        self.permutations[symmetry][usize::from(bit)]
    }
}

fn images(permutations: &[Permutation], mut set: u64) -> [u64; MAX_SYMMETRIES] {
    let mut images = [0; MAX_SYMMETRIES];
    while set != 0 {
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        for (image, permutation) in images.iter_mut().zip(permutations) {
            *image |= 1 << permutation[bit];
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn symmetries(rows: u64, cols: u64) -> Symmetries {
        Symmetries::new(Packing::new(Size::new(rows, cols).unwrap()).unwrap())
    }

    #[test]
    fn symmetries_are_distinct_permutations_and_a_group() {
        for (rows, cols) in [(4, 4), (6, 6), (5, 3), (3, 5)] {
            let group = symmetries(rows, cols);
            let area = (rows * cols) as u8;
            let all: std::collections::HashSet<_> = group.permutations.iter().collect();
            assert_eq!(all.len(), group.len());
            assert!((0..area).all(|bit| group.image(0, bit) == bit));
            for a in 0..group.len() {
                for b in 0..group.len() {
                    let product: Permutation = (0..area)
                        .map(|bit| group.image(b, group.image(a, bit)))
                        .collect();
                    assert!(all.contains(&product));
                }
            }
        }
    }

    #[test]
    fn case_10_one_canonical_layout_per_orbit() {
        for (rows, cols) in [(3, 3), (4, 3), (2, 5), (4, 4)] {
            let group = symmetries(rows, cols);
            let mut orbits = std::collections::HashSet::new();
            let mut canonical = std::collections::HashSet::new();
            let mut raw = 0;
            for layout in 0..1_u64 << (rows * cols) {
                let low = layout & ((1 << LOW_BITS) - 1);
                let high = layout & !low;
                let images = group.images(layout);
                orbits.insert(images[..group.len()].iter().copied().min());
                if let Some(stabiliser) = group.canonical(high, &group.images(high), low) {
                    canonical.insert(Some(layout));
                    raw += group.len() as u64 / u64::from(stabiliser.count_ones());
                }
            }
            assert_eq!(canonical, orbits);
            // Case 26: the orbit sizes add up to all layouts.
            assert_eq!(raw, 1 << (rows * cols));
        }
    }
}
