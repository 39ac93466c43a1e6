//! Between the wire types and the types of [`crate::plan`].
//!
//! Types that can be read without knowing more implement `From` and
//! `TryFrom`. Shards and tallies are read in the light of the search they
//! belong to (the board decides how many bytes a cell takes and which cells
//! exist), so they have `from_wire` and `to_wire` instead.
//!
//! Reading never panics, whatever arrives, and what was read keeps the
//! invariants written at the domain types.

mod answer;
mod error;
mod hunt;
mod method;
mod outcome;
mod search;
mod shard;
mod tally;

pub use error::WireError;
pub use outcome::MAX_REMAINDER;
pub use shard::MAX_ROOTS;
