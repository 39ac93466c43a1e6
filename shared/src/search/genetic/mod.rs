//! Genetic search: populations of levels on islands.
//!
//! A child is a level with a rectangle of another one, mutated and then polished
//! by a short annealing. An island keeps the best levels by several measures, so
//! that what makes levels long (many long walks, one very long walk, turns, used
//! floor) survives beside length itself; no two of its levels have the same
//! layout up to symmetry. An island's *generation* is a fixed number of
//! evaluations; between generations islands exchange levels.
//!
//! | file | what it holds |
//! |---|---|
//! | `params` | what can be set, and the defaults for a size |
//! | `measure` | the measures of a level |
//! | `population` | the levels of an island |
//! | `island` | one generation |

mod island;
mod measure;
mod params;
mod population;

#[cfg(test)]
mod tests;

pub use island::{Generation, run};
pub use measure::{MEASURES, Measures};
pub use params::{MAX_POPULATION, Params, ParamsError};
