//! The gRPC services: messages in, events to the hub, answers out.
//!
//! | file | idea |
//! |---|---|
//! | `work` | how workers get shards |
//! | `report` | the stream of beats and results |
//! | `jobs` | filing and following jobs |
//! | `porting` | jobs leave and come as checkpoints |
//! | `watch` | the stream of a job's states |
//! | `records` | the record table |
//! | `read` | messages to values; everything a client sends is checked here |
//! | `show` | values to messages |
//! | `error` | every failure has a reason |
//! | `reason` | the stable names of all refusals, in one table |
//! | `named` | refusals of the transport get a reason too |

mod error;
mod jobs;
mod named;
mod porting;
mod read;
mod reason;
mod records;
mod report;
mod show;
mod watch;
mod work;

pub use error::ServiceError;
pub use jobs::Jobs;
pub use named::{named, named_answer};
pub use reason::{DOMAIN, Reason};
pub use records::Records;
pub(crate) use show::job as job_message;
pub use work::Work;

/// Largest message that is accepted, in bytes. Messages are under 1 MiB by
/// design; the rest is room for tallies of goals with many optimal starts.
pub const MESSAGE_LIMIT: usize = 4 << 20;
