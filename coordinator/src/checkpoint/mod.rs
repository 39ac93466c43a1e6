//! A job as one file: what is done, with its results, and what is left.
//!
//! A half-done job can be carried to another machine so, its ledger can be
//! looked at, and parts of it can be computed again and compared.
//!
//! | file | what it holds |
//! |---|---|
//! | `tree` | the shards of a job as a forest: each with the parts made of its remainder |
//! | `verify` | whether a checkpoint is of a plan and complete |
//! | `wire` | a checkpoint as a stream of messages |
//! | `file` | the stream as a file |
//! | `audit` | computing shards again |

mod audit;
mod file;
mod tree;
mod verify;
mod wire;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use soko::plan::{Search, Shard, Tally};

pub use audit::{Audited, audit, choose};
pub use file::{FileError, read, write};
pub use verify::BadCheckpoint;
pub use wire::{Collector, header};

use crate::model::{ShardId, WorkerName};

/// A job, as far as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Text for people.
    pub name: String,
    /// What is searched for.
    pub search: Search,
    /// Engine that planned it and computed all of it.
    pub engine: String,
    /// Digest of the plan.
    pub plan: u128,
    /// Time since it was filed, while a coordinator ran.
    pub elapsed: Duration,
    /// Shards that are done.
    pub done: BTreeMap<ShardId, DoneShard>,
    /// Shards that are not done. No shard is in both maps.
    pub open: BTreeMap<ShardId, Arc<Shard>>,
}

/// A shard that is done.
#[derive(Debug, Clone, PartialEq)]
pub struct DoneShard {
    /// What the shard was.
    pub body: Arc<Shard>,
    /// What was found in the part that was done.
    pub tally: Tally,
    /// Shards made of the part that was not done.
    pub remainder: Vec<ShardId>,
    /// Who computed it.
    pub worker: WorkerName,
    /// Core-milliseconds it took.
    pub core_ms: u64,
}
