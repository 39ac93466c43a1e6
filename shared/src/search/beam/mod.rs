//! Beam search: levels grown cell by cell.
//!
//! A growth begins with a goal and one of its neighbours and goes through the
//! layers of the [growth tree](crate::search::growth): sets of floor in which
//! every cell is essential to some level. Of each layer only the best sets are
//! kept, by the largest distance of a start, the number of long walks of that
//! start's solution, and some noise. Growths with other goals and other noise
//! follow until the evaluations are used up.

mod grow;
mod params;

#[cfg(test)]
mod tests;

pub use grow::{Grown, run};
pub use params::{MAX_AREA, Params, ParamsError};
