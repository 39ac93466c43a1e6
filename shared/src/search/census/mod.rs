//! The census: the slow, independent enumerator.
//!
//! Walks every wall layout of a board that is canonical under the board's
//! symmetries and scores it over all goals, boxes and players. It shares no
//! code with growth search, so that the two can check each other, and yields
//! what growth search cannot: how many layouts admit which best OPT.
//!
//! | file | what it holds |
//! |---|---|
//! | `walk` | hot loop: the layouts of a range of ranks |
//! | `canonical` | symmetries of a packed board, which layouts are canonical |
//! | `optimal` | counts and witnesses of the levels that attain the best value |
//! | `tally` | the result of a range; results of disjoint ranges add up |
//!
//! A layout's *rank* is its floor read as a binary number, the first cell the
//! lowest bit; a board that is wider than tall is read column by column. The
//! ranks of a board are `0..ranks(size)`, and a shard is a range of them.

mod canonical;
mod optimal;
mod tally;
mod walk;

#[cfg(test)]
mod tests;

pub use optimal::{MAX_WITNESSES, Optimal, Witness};
pub use tally::{Histogram, Layouts, Tally};
pub use walk::{CensusError, Floors, MAX_AREA, ranks, run};
