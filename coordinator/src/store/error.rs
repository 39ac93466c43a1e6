//! What can go wrong with the store.

use std::path::PathBuf;

/// What can go wrong with the store. Every error but `Busy` is final for the
/// running process: memory may be ahead of the disk, so it has to end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another coordinator has the directory open.
    #[error(
        "the data directory {0} is in use by another soko-coord; \
         stop that one or choose another directory with --data"
    )]
    InUse(PathBuf),
    /// What is on disk does not add up.
    #[error(
        "the data in {dir} is damaged ({detail}); \
         move the directory away, or rebuild it with `soko-coord recover --data {dir}`"
    )]
    Damaged {
        /// The data directory.
        dir: PathBuf,
        /// What does not add up.
        detail: String,
    },
    /// The data was written by a newer version.
    #[error(
        "the data in {dir} has schema {found}, this soko-coord reads up to {known}; \
         use a newer soko-coord"
    )]
    Newer {
        /// The data directory.
        dir: PathBuf,
        /// Schema found.
        found: u32,
        /// Newest schema that this version reads.
        known: u32,
    },
    /// Reading or writing failed.
    #[error("the data directory {dir} cannot be used: {detail}")]
    Io {
        /// The data directory.
        dir: PathBuf,
        /// What failed.
        detail: String,
    },
    /// A row that cannot be read.
    #[error("a row in tree {tree} cannot be read: {detail}")]
    BadRow {
        /// Tree of the row.
        tree: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}
