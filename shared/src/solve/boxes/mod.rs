//! Solutions of levels with several boxes.
//!
//! The rules are those of one box, except that a level is over when every box
//! is on a goal, whichever goals they are. The number of states grows with each
//! box by a factor of the board's size, so that every search here may end
//! without an answer, and then says so.
//!
//! | file | what it holds |
//! |---|---|
//! | `ground` | the floor with numbered cells, and the pushes from each cell to each goal |
//! | `assign` | the cheapest way to give every box a goal of its own: a lower bound |
//! | `frozen` | boxes that can never move again |
//! | `flood` | where the player can walk |
//! | `scratch` | the pushes that are possible in a state |
//! | `states` | a set of states with exact comparison, any number of cells and boxes |
//! | `astar` | A*: fewest moves or pushes, proven |
//! | `beam` | beam search: a solution, not proven to be the best |
//! | `exhaustive` | every state, step by step: slow, for comparison |
//! | `route` | from pushes to moves |
//! | `request` | what is asked and answered; the choice of a search |

mod assign;
mod astar;
mod beam;
mod exhaustive;
mod flood;
mod frozen;
mod ground;
mod request;
mod route;
mod scratch;
mod states;
#[cfg(test)]
mod tests;

pub use request::{Answer, BeamOptions, Effort, Method, Order, Unfinished, Verdict, solve_boxes};
