//! The gRPC services: messages in, events to the hub, answers out.
//!
//! | file | idea |
//! |---|---|
//! | `work` | how workers get shards |
//! | `report` | the stream of beats and results |
//! | `jobs` | filing and following jobs |
//! | `watch` | the stream of a job's states |
//! | `records` | the record table |
//! | `read` | messages to values; everything a client sends is checked here |
//! | `show` | values to messages |
//! | `error` | every failure as a stable code |

mod error;
mod jobs;
mod read;
mod records;
mod report;
mod show;
mod watch;
mod work;

pub use error::{CODE_KEY, RETRY_KEY, ServiceError};
pub use jobs::Jobs;
pub use records::Records;
pub use work::Work;

/// Largest message that is accepted, in bytes. Messages are under 1 MiB by
/// design; the rest is room for tallies of goals with many optimal starts.
pub const MESSAGE_LIMIT: usize = 4 << 20;
