//! What the coordinator knows, as plain data: names, the records that are
//! kept on disk, and the changes made to them.
//!
//! Scheduler and store both speak this language, so that neither knows the
//! other.

mod fingerprint;
mod ids;
mod record;
mod write;

pub use fingerprint::fingerprint;
pub use ids::{Epoch, InstanceId, JobId, LeaseKey, NameError, RequestId, ShardId, WorkerName};
pub use record::{Check, Doubt, JobRecord, LedgerRecord, Phase, ShardRecord};
pub use write::{Snapshot, StoredJob, Write};
