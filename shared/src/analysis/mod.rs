//! What a solution looks like, and what single cells do to a level.

mod best_player;
mod cells;
mod visits;
mod walks;

pub use best_player::best_player;
pub use cells::{CellReport, Flip, cell_report};
pub use visits::{Visits, visits};
pub use walks::{LongWalks, PushGroup, long_walks, push_groups};

use crate::board::Size;

/// How much room a level takes for its length: the square of the board's area
/// over the moves, n⁴ ∕ OPT for a square. The lower, the denser.
pub fn reciprocal_density(size: Size, moves: u32) -> f64 {
    let area = size.area() as f64;
    area * area / f64::from(moves)
}
