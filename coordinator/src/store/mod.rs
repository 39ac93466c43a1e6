//! What survives: jobs, shards, results, records.
//!
//! | file | idea |
//! |---|---|
//! | `kv` | the trait [`Store`]: trees of bytes, changed by atomic, durable batches |
//! | `memory`, `disk` | its two implementations; `conformance` tests both alike |
//! | `totals` | counts and checksums by which damage is noticed at the start |
//! | `mark` | the number of commits, beside the database, by which a lost end is noticed |
//! | `rows` | records as messages behind a version byte |
//! | `chunks` | large rows in several values |
//! | `migrate` | from the schema of an older version to the present one |
//! | `export` | the whole store as JSON lines, and back |
//! | `recover` | a data directory rebuilt from an export |
//! | `catalog` | the typed view: apply changes, load a snapshot, page through a ledger |
//! | `thread` | the one thread that owns the store, and the handle to it |
//!
//! The database is sled, which keeps its promises only when used with care:
//! one thread writes; it collects what waits into one transaction, flushes,
//! asks the kernel to sync the file, and only then answers. docs/safety.md
//! lists what that prevents.

mod catalog;
mod chunks;
mod disk;
mod error;
mod export;
mod kv;
mod mark;
mod memory;
mod migrate;
mod recover;
mod rows;
mod thread;
mod totals;

#[cfg(test)]
mod conformance;

pub use catalog::{Catalog, LedgerPage};
pub use disk::DiskStore;
pub use error::StoreError;
pub use export::{ExportError, export, exports_dir, list_exports};
pub use kv::{Batch, Change, Entries, MAX_VALUE, Store, Tree};
pub use memory::MemoryStore;
pub use recover::{RecoverError, Recovered, recover};
pub use thread::{StoreHandle, StoreThread};
