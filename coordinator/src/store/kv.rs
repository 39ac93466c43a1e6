//! The trait that every store implements.

use super::StoreError;

/// Largest value that a store takes, in bytes. Larger ones would leak files
/// when overwritten (sled 0.34 moves values of 128 KiB and more out of its
/// log); the layer above cuts them into chunks.
pub const MAX_VALUE: usize = 64 * 1024 - 1;

/// A named tree of keys and values, sorted by key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tree {
    /// Schema, number source, totals.
    Meta,
    /// One row for each job.
    Jobs,
    /// Shards that are not done.
    Shards,
    /// The ledgers, and the answers of jobs.
    Results,
    /// The record table.
    Records,
    /// Results that were found again by another worker.
    Audit,
}

impl Tree {
    /// Every tree.
    pub const ALL: [Self; 6] = [
        Self::Meta,
        Self::Jobs,
        Self::Shards,
        Self::Results,
        Self::Records,
        Self::Audit,
    ];

    /// Its name on disk.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Jobs => "jobs",
            Self::Shards => "shards",
            Self::Results => "results",
            Self::Records => "records",
            Self::Audit => "audit",
        }
    }
}

/// One change: a new value for a key, or its removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The tree.
    pub tree: Tree,
    /// The key.
    pub key: Vec<u8>,
    /// The new value, at most [`MAX_VALUE`] bytes; `None` removes the key.
    pub value: Option<Vec<u8>>,
}

/// Changes that happen together or not at all, in this order.
pub type Batch = Vec<Change>;

/// Keys with their values.
pub type Entries = Vec<(Vec<u8>, Vec<u8>)>;

/// Trees of bytes, changed by atomic and durable batches.
pub trait Store: Send {
    /// Makes the changes. When this returns, they are on disk; if it fails,
    /// either all or none of them may be.
    ///
    /// # Errors
    /// [`StoreError`] is final: the store is not to be used any more.
    fn commit(&mut self, batch: &[Change]) -> Result<(), StoreError>;

    /// The value of a key.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// The first `limit` entries whose keys start with `prefix` and are
    /// greater than `after`, in the order of their keys.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    fn scan(
        &self,
        tree: Tree,
        prefix: &[u8],
        after: Option<&[u8]>,
        limit: usize,
    ) -> Result<Entries, StoreError>;
}
