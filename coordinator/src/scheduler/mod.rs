//! The scheduler: a pure state machine from (state, event, time) to effects.
//!
//! It opens no socket, reads no clock and starts no thread. Each event is a
//! method of [`Scheduler`]; it answers at once from memory and adds what has
//! to follow to [`Effects`]: changes to make durable, and slow work to start.
//! An answer may be given to the outside only after the changes of its event
//! are durable; whoever drives the scheduler sees to that.
//!
//! | file | events |
//! |---|---|
//! | `filing` | a job is filed, planned, finished |
//! | `porting` | a job leaves or comes as a checkpoint |
//! | `steering` | a job is cancelled, paused, resumed, retried |
//! | `attendance` | a worker registers, beats, hands back, drains |
//! | `leasing` | a worker asks for shards |
//! | `results` | a worker hands in a result: the one fenced way to complete |
//! | `checks` | results that are computed a second time |
//! | `doubts` | results that are taken back |
//! | `watch` | time passes: silent workers, stalled leases |
//! | `explain` | why a job or a shard is not running |
//!
//! `job`, `shard` and `worker` hold the state with one function for each
//! transition.

mod attendance;
mod checks;
mod config;
mod doubts;
mod effects;
mod explain;
mod filing;
mod job;
mod leasing;
mod meter;
mod porting;
mod refusal;
mod results;
mod shard;
mod state;
mod stats;
mod steering;
mod view;
mod watch;
mod worker;

#[cfg(test)]
mod rules;
#[cfg(test)]
mod simulation;

pub use attendance::{BeatReply, Held, Progress, Registered, Registration};
pub use config::Config;
pub use doubts::Undo;
pub use effects::{Action, Effects, Gathering, Improvement, Ticket};
pub use explain::{Explanation, ShardState, ShardView};
pub use filing::{Planned, Submission, Submitted};
pub use leasing::{Ask, Grant, Granted};
pub use refusal::Refusal;
pub use results::{Outcome, Report, Verdict};
pub use state::{Scheduler, Serials};
pub use stats::{Loss, Stats};
pub use view::{GoalView, JobView, WorkerView};
