//! Floor sets as data: what shards and tallies carry.

use crate::board::Cell;

/// A set of floor cells, in ascending order without repeats.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloorSet(Vec<u16>);

impl FloorSet {
    /// The set of these cells.
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut cells: Vec<u16> = cells.into_iter().map(|cell| cell.0 as u16).collect();
        cells.sort_unstable();
        cells.dedup();
        Self(cells)
    }

    /// The cells in ascending order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.0.iter().map(|&cell| Cell(u32::from(cell)))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set has no cell.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `cell` is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.binary_search(&(cell.0 as u16)).is_ok()
    }

    /// The set as bytes: one byte per cell on boards of at most 256 cells,
    /// otherwise two, big-endian.
    pub fn to_bytes(&self, area: usize) -> Vec<u8> {
        if area <= 256 {
            self.0.iter().map(|&cell| cell as u8).collect()
        } else {
            self.0.iter().flat_map(|cell| cell.to_be_bytes()).collect()
        }
    }

    /// Reads what [`FloorSet::to_bytes`] wrote; `None` if the bytes are not a
    /// set of cells of a board with `area` cells.
    pub fn from_bytes(bytes: &[u8], area: usize) -> Option<Self> {
        let cells: Vec<u16> = if area <= 256 {
            bytes.iter().map(|&byte| u16::from(byte)).collect()
        } else {
            if !bytes.len().is_multiple_of(2) {
                return None;
            }
            bytes
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                .collect()
        };
        let ascending = cells.is_sorted_by(|a, b| a < b);
        let on_board = cells.last().is_none_or(|&last| usize::from(last) < area);
        (ascending && on_board).then_some(Self(cells))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_round_trip(cells in prop::collection::btree_set(0u32..900, 0..40), area in 1usize..900) {
            let set = FloorSet::new(cells.iter().filter(|&&c| (c as usize) < area).map(|&c| Cell(c)));
            prop_assert_eq!(FloorSet::from_bytes(&set.to_bytes(area), area), Some(set));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40), area in 1usize..900) {
            if let Some(set) = FloorSet::from_bytes(&bytes, area) {
                prop_assert_eq!(set.to_bytes(area), bytes);
            }
        }
    }
}
