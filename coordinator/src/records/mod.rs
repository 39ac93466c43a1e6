//! The record table: the best known level of each board size.
//!
//! | file | idea |
//! |---|---|
//! | `table` | which level is the record, and whether it is proven |
//! | `solved` | every level is solved here before it can be a record |
//! | `import` | the levels known from the start, brought in when there is time |
//! | `handed_in` | a level from outside, read and solved, or why it is refused |
//! | `recheck` | a row of the table, solved again |
//! | `turns` | levels from outside are solved a few at a time |

mod handed_in;
mod import;
mod recheck;
mod solved;
mod table;
mod turns;

pub use handed_in::{HandedIn, NoCandidate, SOLVER_MEMORY, candidate, is_shown};
pub use import::import_seeds;
pub use recheck::recheck;
pub use solved::{NotALevel, found_level, improvement, seed_level, solve, solve_within};
pub use table::{RecordTable, Standing, outline};
pub use turns::{NoTurn, Turns};
