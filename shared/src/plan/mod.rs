//! A search, cut into shards, and the algebra of shard results.
//!
//! The way of the data: a [`Search`] is planned into disjoint [`Shard`]s
//! ([`plan`]); each is computed ([`compute`]) into a [`Tally`] and a remainder
//! of smaller shards; tallies add up in any order; when nothing is left, the
//! heuristic modes may go on with another round ([`next_round`]), and at last one
//! final step ([`finish`]) turns the job's tally into its [`Answer`].
//!
//! Any partition of the shards, any order and any number of hand-backs lead to
//! the same tally, and so to the same answer.

mod answer;
mod compute;
mod estimate;
mod planner;
mod search;
mod shard;
mod tally;

pub use answer::{
    Answer, Effort, FloorCount, FloorLimit, HistogramBin, MAX_WITNESSES, Optimum, Witness, finish,
};
pub use compute::{Control, Outcome, compute};
pub use estimate::{Estimate, Sampled, estimate};
pub use planner::{Plan, next_round, plan};
pub use search::{ENGINE, Mode, Search, SearchError};
pub use shard::{Shard, Work};
pub use tally::Tally;
