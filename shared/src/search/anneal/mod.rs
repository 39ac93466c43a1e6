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
//! | `moves` | the changes that are tried |
//! | `run` | one run |
//! | `polish` | short runs for the genetic search |
//! | `elite` | the best states of a batch |
//! | `batch` | runs in a row, their starts and their yield |

mod batch;
mod elite;
mod moves;
mod params;
mod polish;
mod run;
mod temperature;

#[cfg(test)]
mod tests;

pub use batch::{AnnealError, Batch, Progress, Seed, check, run};
pub use elite::MAX_KEPT;
pub use params::{MAX_AREA, Moves, Params, ParamsError};
pub(super) use polish::Polisher;
