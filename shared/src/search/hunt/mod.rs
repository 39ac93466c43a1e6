//! Heuristic searches: what they are told, what they bring home.
//!
//! A [`Hunt`] is a fixed number of [`Batch`]es, each a fixed amount of work
//! that depends on the job's seed, its own number and its start levels, and on
//! nothing else; so a hunt repeats bit for bit wherever its batches are
//! computed. Their [`Tally`]s add up in any order. Rounds follow each other: when
//! all batches of one are done, the next one begins with what was found. Nothing that a hunt finds is
//! proven to be a maximum.
//!
//! | file | what it holds |
//! |---|---|
//! | `settings` | what a hunt is told |
//! | `batch` | one batch: its place in the hunt, and how it is computed |
//! | `around` | a part of a neighbourhood search |
//! | `found` | a level found, in the form that all its images share |
//! | `tally` | the best levels and the counts, with their algebra |
//! | `speed` | how many batches a time budget pays for |

mod around;
mod batch;
mod found;
mod settings;
mod speed;
mod tally;

pub use around::{Around, explore};
pub use batch::{Batch, run};
pub use found::Found;
pub(super) use found::hardest;
pub use settings::{
    Hunt, HuntError, MAX_BATCHES, MAX_ISLANDS, MAX_ROUNDS, MAX_STARTS, Method, Piece,
};
pub use speed::evaluations_per_second;
pub use tally::{Island, MAX_FOUND, Tally};
