//! Simulated annealing: hard levels on boards where exact search is out of
//! reach.
//!
//! A state is a wall layout with a goal; its score is the largest distance of
//! one backward search of that goal. A *run* cools from a start, keeps walking
//! over states of equal score once it is cold, and then takes the best goal for
//! the layout it ended on. A *batch* is a fixed number of evaluations, spent on
//! as many runs as they pay for; it depends on the job's seed, the shard, the
//! parameters and the given starts, and on nothing else.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | what can be set, and the defaults for a size |
//! | `temperature` | cooling and acceptance, the same bits on every machine |
//! | `field` | a layout that can be changed and scored |
//! | `moves` | the changes that are tried |
//! | `run` | one run |
//! | `elite` | the best states of a batch |
//! | `batch` | runs in a row, their starts and their yield |

mod batch;
mod elite;
mod field;
mod moves;
mod params;
mod run;
mod temperature;

#[cfg(test)]
mod tests;

pub use batch::{AnnealError, Batch, Found, Progress, Seed, run};
pub use elite::MAX_FOUND;
pub use params::{MAX_AREA, Moves, Params, ParamsError};
