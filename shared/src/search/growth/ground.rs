//! The board of one goal: neighbours, the goal's symmetries, cell hashes.

use crate::board::{Cell, DIRS, Size, Symmetry};

/// Marks the absence of a cell in tables of cell indices.
pub(super) const NO_CELL: u16 = u16::MAX;

/// What growth search knows of a board and a goal before it starts.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    pub(super) size: Size,
    pub(super) goal: Cell,
    /// Neighbour of each cell by direction, or [`NO_CELL`].
    pub(super) neighbours: Vec<[u16; 4]>,
    /// The symmetries of the board that fix the goal, identity first: image
    /// of each cell.
    pub(super) stabiliser: Vec<Vec<u16>>,
    /// Hashes of the images of each cell. Those of a set are the wrapping sums
    /// over its cells; they only order and pre-select, equality is always
    /// decided on the cells.
    pub(super) hashes: Vec<Hashes>,
}

/// A hash for each symmetry of the stabiliser, which are repeated up to eight:
/// so those of a cell lie side by side.
pub(super) type Hashes = [u64; 8];

impl Ground {
    pub(super) fn new(size: Size, goal: Cell) -> Self {
        let neighbours = size
            .cells()
            .map(|cell| DIRS.map(|dir| size.step(cell, dir).map_or(NO_CELL, |next| next.0 as u16)))
            .collect();
        let stabiliser: Vec<Vec<u16>> = symmetries(size)
            .into_iter()
            .filter(|image| u32::from(image[goal.index()]) == goal.0)
            .collect();
        let of_cell = |cell: Cell| {
            std::array::from_fn(|k| {
                let image = &stabiliser[k % stabiliser.len()];
                mix(u64::from(image[cell.index()]))
            })
        };
        let hashes = size.cells().map(of_cell).collect();
        Self {
            size,
            goal,
            neighbours,
            stabiliser,
            hashes,
        }
    }
}

/// Goals to search on a board, one per orbit of its symmetries with the size of
/// the orbit: each orbit's smallest cell, in reading order.
pub fn goals_of(size: Size) -> Vec<(Cell, u64)> {
    let group = symmetries(size);
    size.cells()
        .filter_map(|cell| {
            let mut orbit: Vec<u16> = group.iter().map(|image| image[cell.index()]).collect();
            orbit.sort_unstable();
            orbit.dedup();
            (u32::from(orbit[0]) == cell.0).then_some((cell, orbit.len() as u64))
        })
        .collect()
}

/// The symmetries of a board as cell permutations, identity first.
pub(super) fn symmetries(size: Size) -> Vec<Vec<u16>> {
    Symmetry::of(size)
        .iter()
        .map(|symmetry| {
            let image = |cell| symmetry.apply(size, cell).0 as u16;
            size.cells().map(image).collect()
        })
        .collect()
}

/// The finaliser of `SplitMix64` (Steele, Lea and Flood, 2014).
pub(super) fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_four_or_eight_distinct_permutations() {
        for (rows, cols, order) in [(3, 3, 8), (6, 6, 8), (3, 4, 4), (1, 5, 2), (1, 1, 1)] {
            let size = Size::new(rows, cols).unwrap();
            let mut group = symmetries(size);
            for image in &group {
                let mut sorted = image.clone();
                sorted.sort_unstable();
                assert!(
                    sorted
                        .iter()
                        .enumerate()
                        .all(|(i, &cell)| i == usize::from(cell))
                );
            }
            assert!(group[0].is_sorted());
            group.sort();
            group.dedup();
            assert_eq!(group.len(), order, "{size}");
        }
    }

    #[test]
    fn orbits_of_goals_cover_the_board() {
        for (rows, cols, count) in [(3, 3, 3), (6, 6, 6), (7, 7, 10), (8, 8, 10), (3, 4, 4)] {
            let size = Size::new(rows, cols).unwrap();
            let goals = goals_of(size);
            assert_eq!(goals.len(), count, "{size}");
            assert_eq!(goals.iter().map(|g| g.1).sum::<u64>(), size.area() as u64);
        }
    }
}
