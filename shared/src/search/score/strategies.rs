//! What the scorers are tested on.

use proptest::prelude::*;

use crate::board::{Board, Size};

/// Layouts of any packed size and any density of floor, connected or not.
pub(super) fn layouts(max_side: u64) -> impl Strategy<Value = Board> {
    (1..=max_side, 1..=max_side, 0.2..1.0_f64).prop_flat_map(|(rows, cols, density)| {
        let size = Size::new(rows, cols).unwrap();
        proptest::collection::vec(proptest::bool::weighted(density), size.area()).prop_map(
            move |floor| Board::from_floor(size, size.cells().filter(|cell| floor[cell.index()])),
        )
    })
}
