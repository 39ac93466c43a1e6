//! The record table: the best known level of each board size.
//!
//! | file | idea |
//! |---|---|
//! | `table` | which level is the record, and whether it is proven |
//! | `solved` | every level is solved here before it can be a record |
//! | `import` | the levels known from the start, brought in when there is time |

mod import;
mod solved;
mod table;

pub use import::import_seeds;
pub use solved::{NotALevel, proven_level, seed_level, solve};
pub use table::RecordTable;
