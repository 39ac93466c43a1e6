//! The hub: one task that owns scheduler and record table.
//!
//! Everybody else has a [`HubHandle`] and sends it events. The hub handles
//! them one at a time, hands the changes to the store thread, and lets each
//! answer go once its changes are durable.
//!
//! | file | idea |
//! |---|---|
//! | `actor` | the task and its loop |
//! | `handle` | how events get there and answers come back |
//! | `engine` | planning and finishing, replaceable in tests |
//! | `slow` | planning, finishing and judging on threads of their own |
//! | `undo` | finding the results that are to be taken back |
//! | `answer` | the answer of a job as it is stored and sent |
//! | `parked` | questions for shards that wait until there are some |
//! | `watchers` | who follows which job |

mod actor;
mod answer;
mod engine;
mod handle;
mod parked;
mod slow;
mod undo;
mod watchers;

pub use actor::{Core, Hub, HubOptions};
pub use engine::{Engine, SokoEngine};
pub use handle::{HubClosed, HubHandle};
