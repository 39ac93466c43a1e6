//! The backward search from push to push, on boards of up to 4096 cells.
//!
//! Where the player stands matters only beside the box: such a state is a *side*,
//! a box cell and the direction of the player from it. A pull leads from a side to
//! another one; between the sides of one box the player walks, and walks take what
//! the shortest path around the box takes. So the search is one of shortest paths
//! in a graph of four nodes a box cell, instead of one node for every pair of box
//! and player, and only the last walk, to the player's farthest cell, is left.
//!
//! What walks take is *kept* for one layout. A layout that differs from it in a few
//! cells asks again only for the walks that the change may have made longer or
//! shorter, and for those only that the search comes by. Walks depend on no goal, so
//! other goals of a layout cost the search alone. The plain twin of all this is
//! [`super::reference`].
//!
//! | file | what it holds |
//! |---|---|
//! | `scorer` | a layout that can be changed and scored |
//! | `side` | sides of a box, and the walks between them |
//! | `ground` | the floor |
//! | `walker` | hot loop: the player's walks around a box |
//! | `kept` | what walks take, for one layout |
//! | `paths` | hot loop: shortest paths over sides |

mod ground;
mod kept;
mod paths;
mod scorer;
mod side;
mod walker;

#[cfg(test)]
mod tests;

pub use scorer::{MAX_AREA, Pushes};
