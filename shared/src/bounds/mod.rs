//! How long the shortest solution of a level on an n×n board can be: proven
//! bounds of M(n), the construction behind the lower one, and a plot of both.

mod construction;
mod density;
mod formulas;

pub use construction::{Construction, ConstructionError, best_parameters, construct};
pub use density::{RecordPoint, density_plot};
pub use formulas::{Bound, BoundKind, EXACT, bounds, construction_moves, upper_bound_with_floor};
