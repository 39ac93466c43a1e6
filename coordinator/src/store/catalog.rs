//! The typed view of a store.

use std::{collections::HashMap, path::Path};

use prost::Message;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use soko::{plan::Search, rpc::v1};

use super::{
    Batch, Change, Entries, MemoryStore, Store, StoreError, Tree,
    chunks::{self, Writer},
    disk::DiskStore,
    export::list_exports,
    migrate, rows, totals,
};
use crate::{
    model::{
        Epoch, JobId, LeaseKey, LedgerRecord, Phase, RequestId, ShardId, Snapshot, StoredJob, Write,
    },
    records::outline,
};

/// Schema of the trees. Grows when a version can no longer read what an older
/// one wrote.
pub(super) const SCHEMA: u32 = 2;
const SCHEMA_KEY: &[u8] = b"schema";
const SERIALS_KEY: &[u8] = b"serials";
const IMPORTED_KEY: &[u8] = b"imported";
/// Rows read at a time when walking through a tree.
const PAGE: usize = 4096;
/// Revisions of a record that its history keeps: whoever hands in levels could
/// fill the disk otherwise.
const REVISIONS: u32 = 200;

/// Jobs, shards, results and records in a store.
pub struct Catalog {
    store: Box<dyn Store>,
    /// Searches of all jobs: shards and results are read with their help.
    searches: HashMap<JobId, Search>,
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalog")
            .field("jobs", &self.searches.len())
            .finish_non_exhaustive()
    }
}

/// A part of a ledger.
#[derive(Debug, Clone, Default)]
pub struct LedgerPage {
    /// Rows in the order of their shards' numbers.
    pub rows: Vec<(ShardId, LedgerRecord)>,
    /// Where the next part starts; `None` after the last one.
    pub next: Option<ShardId>,
}

impl Catalog {
    /// Whether this directory has data to open.
    pub fn is_in(dir: &Path) -> bool {
        DiskStore::is_in(dir)
    }

    /// Opens, or creates, the data directory.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let catalog = DiskStore::open(dir).and_then(|store| Self::new(Box::new(store)));
        catalog.map_err(|error| match error {
            StoreError::Damaged { dir, detail } => {
                let exports = list_exports(&dir).unwrap_or_default();
                let newest = exports.first().map_or_else(
                    || "there is no export".to_owned(),
                    |path| format!("the newest export is {}", path.display()),
                );
                let detail = format!("{detail}; {newest}");
                StoreError::Damaged { dir, detail }
            }
            StoreError::Newer { found, known, .. } => StoreError::Newer {
                dir: dir.to_owned(),
                found,
                known,
            },
            StoreError::BadRow { .. } => StoreError::Damaged {
                dir: dir.to_owned(),
                detail: error.to_string(),
            },
            other => other,
        })
    }

    /// Some entries of a tree as they are kept, after this key.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn page(
        &self,
        tree: Tree,
        after: Option<&[u8]>,
        limit: usize,
    ) -> Result<Entries, StoreError> {
        let mut page = self.store.scan(tree, &[], after, limit)?;
        // The totals are the store's own, and made anew with each commit.
        page.retain(|(key, _)| tree != Tree::Meta || key != totals::KEY);
        Ok(page)
    }

    /// An empty catalog in memory.
    ///
    /// # Errors
    /// None in practice.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::new(Box::new(MemoryStore::new()))
    }

    /// The catalog in a store.
    ///
    /// # Errors
    /// [`StoreError::Newer`], or what the store says.
    pub fn new(mut store: Box<dyn Store>) -> Result<Self, StoreError> {
        let mut found = SCHEMA;
        match store.get(Tree::Meta, SCHEMA_KEY)? {
            None => {
                store.commit(&[schema_change(SCHEMA)])?;
            }
            Some(bytes) => {
                found = bytes.iter().fold(0, |n, &byte| n << 8 | u32::from(byte));
                if found > SCHEMA {
                    return Err(StoreError::Newer {
                        dir: std::path::PathBuf::new(),
                        found,
                        known: SCHEMA,
                    });
                }
            }
        }
        if found < SCHEMA {
            migrate::up(&mut *store, found)?;
        }
        Ok(Self {
            store,
            searches: HashMap::new(),
        })
    }

    /// Everything that a scheduler starts from.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn load(&mut self) -> Result<Snapshot, StoreError> {
        let mut jobs = Vec::new();
        for (key, bytes) in self.rows(Tree::Jobs, &[])? {
            let id = JobId(number(Tree::Jobs, &key)?);
            let record = rows::decode_job(id, &bytes)?;
            self.searches.insert(id, record.search.clone());
            let mut shards = Vec::new();
            // Of the ended jobs, these two can go on.
            let resumable = matches!(record.phase, Phase::Incomplete | Phase::Cancelled);
            if !record.phase.has_ended() || resumable {
                // There may be a million, and a start should not take long.
                let rows = self.rows(Tree::Shards, &job_key(id))?.into_par_iter();
                let read = rows.map(|(key, bytes)| {
                    let shard = ShardId(number(Tree::Shards, &key[8..])?);
                    Ok((shard, rows::decode_shard(&bytes, &record.search)?))
                });
                shards = read.collect::<Result<_, StoreError>>()?;
            }
            jobs.push(StoredJob { record, shards });
        }
        Ok(Snapshot { jobs })
    }

    /// All numbers below this one may have been used.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn serials(&self) -> Result<u64, StoreError> {
        let found = self.store.get(Tree::Meta, SERIALS_KEY)?;
        // Numbers start at 1, so that 0 is never a lease.
        found.map_or(Ok(1), |bytes| number(Tree::Meta, &bytes))
    }

    /// How many of the levels known from the start have been imported.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn imported(&self) -> Result<u64, StoreError> {
        let found = self.store.get(Tree::Meta, IMPORTED_KEY)?;
        found.map_or(Ok(0), |bytes| number(Tree::Meta, &bytes))
    }

    /// Makes the changes durable, all together; gives them back as they are kept.
    ///
    /// # Errors
    /// [`StoreError`] is final.
    pub fn apply<'a>(
        &mut self,
        writes: impl IntoIterator<Item = &'a Write>,
    ) -> Result<Batch, StoreError> {
        let mut writer = Writer::new(&*self.store);
        for write in writes {
            match write {
                Write::Job(record) => {
                    self.searches.insert(record.id, record.search.clone());
                    writer.put(Tree::Jobs, &job_key(record.id), &rows::encode_job(record))?;
                }
                Write::Shard(job, shard, record) => {
                    let search = search(&self.searches, *job)?;
                    let row = rows::encode_shard(record, search);
                    writer.put(Tree::Shards, &shard_key(*job, *shard), &row)?;
                }
                Write::Done(job, shard, record) => {
                    let search = search(&self.searches, *job)?;
                    let row = rows::encode_ledger(record, search);
                    let key = shard_key(*job, *shard);
                    writer.remove(Tree::Shards, &key)?;
                    writer.put(Tree::Results, &key, &row)?;
                }
                Write::DropShard(job, shard) => {
                    writer.remove(Tree::Shards, &shard_key(*job, *shard))?;
                }
                Write::Checked(job, shard, worker) => {
                    let key = shard_key(*job, *shard);
                    writer.put(Tree::Audit, &key, worker.as_str().as_bytes())?;
                }
                Write::Undo(job, shards) => {
                    for &shard in shards {
                        let key = shard_key(*job, shard);
                        writer.remove(Tree::Results, &key)?;
                        writer.remove(Tree::Audit, &key)?;
                    }
                }
                Write::DropShards(job) => writer.clear(Tree::Shards, &job_key(*job))?,
                Write::DropJob(job) => {
                    self.searches.remove(job);
                    writer.clear(Tree::Shards, &job_key(*job))?;
                    writer.clear(Tree::Results, &job_key(*job))?;
                    writer.clear(Tree::Audit, &job_key(*job))?;
                    writer.remove(Tree::Jobs, &job_key(*job))?;
                }
                Write::Answer(job, answer) => {
                    writer.put(Tree::Results, &job_key(*job), &answer.encode_to_vec())?;
                }
                Write::Record(record) => {
                    let key = size_key(record.rows, record.cols);
                    let row = record.encode_to_vec();
                    writer.put(Tree::Records, &key, &row)?;
                    // The history: the row as it was last in each revision, without
                    // the levels beside it.
                    let mut past = (**record).clone();
                    past.others.clear();
                    let key = revision_key(record, record.revision);
                    writer.put(Tree::Records, &key, &past.encode_to_vec())?;
                    if let Some(dropped) = record.revision.checked_sub(REVISIONS) {
                        writer.remove(Tree::Records, &revision_key(record, dropped))?;
                    }
                }
                Write::Imported(levels) => {
                    let value = levels.to_be_bytes().to_vec();
                    writer.set(Tree::Meta, IMPORTED_KEY.to_vec(), Some(value));
                }
                Write::Serials(next) => {
                    let value = next.to_be_bytes().to_vec();
                    writer.set(Tree::Meta, SERIALS_KEY.to_vec(), Some(value));
                }
            }
        }
        let batch = writer.into_batch();
        self.store.commit(&batch)?;
        Ok(batch)
    }

    /// Whether the ledger has a result of this lease and request.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_result(&self, key: LeaseKey, request: &RequestId) -> Result<bool, StoreError> {
        let row = self.row(Tree::Results, &shard_key(key.job, key.shard))?;
        let Some(row) = row else {
            return Ok(false);
        };
        let (epoch, stored) = rows::decode_ledger_key(&row)?;
        Ok(epoch == Epoch(key.epoch.0) && stored == request.as_str())
    }

    /// A part of a job's ledger, from shard `from` on.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ledger(
        &self,
        job: JobId,
        from: Option<ShardId>,
        limit: usize,
    ) -> Result<LedgerPage, StoreError> {
        let Some(search) = self.searches.get(&job) else {
            return Ok(LedgerPage::default());
        };
        let prefix = job_key(job);
        // The row without a shard number is the answer; all others follow it.
        let after = from.map_or(prefix.clone(), |shard| shard_key(job, shard));
        let mut page = LedgerPage::default();
        let found = self
            .store
            .scan(Tree::Results, &prefix, Some(&after), limit.max(1))?;
        let full = found.len() == limit.max(1);
        for (key, value) in &found {
            if !chunks::is_row(key) {
                continue;
            }
            let shard = ShardId(number(Tree::Results, &key[8..])?);
            let row = chunks::join(&*self.store, Tree::Results, key, value)?;
            page.rows.push((shard, rows::decode_ledger(&row, search)?));
        }
        if full && let Some((key, _)) = found.last() {
            let shard = key.get(8..16).unwrap_or_default();
            page.next = Some(ShardId(number(Tree::Results, shard)?));
        }
        Ok(page)
    }

    /// The result of one shard.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ledger_row(
        &self,
        job: JobId,
        shard: ShardId,
    ) -> Result<Option<LedgerRecord>, StoreError> {
        let Some(search) = self.searches.get(&job) else {
            return Ok(None);
        };
        let row = self.row(Tree::Results, &shard_key(job, shard))?;
        row.map(|row| rows::decode_ledger(&row, search)).transpose()
    }

    /// How many results of a job were found again by another worker.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn checked(&self, job: JobId) -> Result<u64, StoreError> {
        let mut count = 0;
        each_row(&*self.store, Tree::Audit, &job_key(job), |_, _| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// The answer of a job.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn answer(&self, job: JobId) -> Result<Option<v1::JobResult>, StoreError> {
        let row = self.row(Tree::Results, &job_key(job))?;
        row.map(|row| rows::decode_answer(&row)).transpose()
    }

    /// All records, smallest board first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn records(&self) -> Result<Vec<v1::Record>, StoreError> {
        let rows = self.rows(Tree::Records, &[])?;
        rows.iter()
            .filter(|(key, _)| key.len() == SIZE_KEY)
            .map(|(_, row)| rows::decode_record(row))
            .collect()
    }

    /// How the record of a board size came about, oldest first. Without the
    /// texts of the levels.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn record_history(&self, rows: u32, cols: u32) -> Result<Vec<v1::Record>, StoreError> {
        let mut history = Vec::new();
        each_row(
            &*self.store,
            Tree::Records,
            &size_key(rows, cols),
            |key, row| {
                if key.len() > SIZE_KEY {
                    history.push(outline(&rows::decode_record(&row)?));
                }
                Ok(())
            },
        )?;
        Ok(history)
    }

    #[cfg(test)]
    pub(super) fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn row(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let value = self.store.get(tree, key)?;
        value
            .map(|value| chunks::join(&*self.store, tree, key, &value))
            .transpose()
    }

    fn rows(&self, tree: Tree, prefix: &[u8]) -> Result<Entries, StoreError> {
        let mut rows = Vec::new();
        each_row(&*self.store, tree, prefix, |key, row| {
            rows.push((key, row));
            Ok(())
        })?;
        Ok(rows)
    }
}

/// Walks over the rows of a tree whose keys start with `prefix`.
pub(super) fn each_row(
    store: &dyn Store,
    tree: Tree,
    prefix: &[u8],
    mut visit: impl FnMut(Vec<u8>, Vec<u8>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut after: Option<Vec<u8>> = None;
    loop {
        let page = store.scan(tree, prefix, after.as_deref(), PAGE)?;
        let Some((last, _)) = page.last() else {
            return Ok(());
        };
        after = Some(last.clone());
        for (key, value) in page {
            if chunks::is_row(&key) {
                let row = chunks::join(store, tree, &key, &value)?;
                visit(key, row)?;
            }
        }
    }
}

/// Notes the schema of the trees.
pub(super) fn schema_change(schema: u32) -> Change {
    Change {
        tree: Tree::Meta,
        key: SCHEMA_KEY.to_vec(),
        value: Some(schema.to_be_bytes().to_vec()),
    }
}

pub(super) fn job_key(job: JobId) -> Vec<u8> {
    job.0.to_be_bytes().to_vec()
}

fn shard_key(job: JobId, shard: ShardId) -> Vec<u8> {
    [job.0.to_be_bytes(), shard.0.to_be_bytes()].concat()
}

/// Length of the key of a board size.
const SIZE_KEY: usize = 8;

fn size_key(rows: u32, cols: u32) -> Vec<u8> {
    [rows.to_be_bytes(), cols.to_be_bytes()].concat()
}

fn revision_key(record: &v1::Record, revision: u32) -> Vec<u8> {
    let size = size_key(record.rows, record.cols);
    [size, u64::from(revision).to_be_bytes().to_vec()].concat()
}

pub(super) fn number(tree: Tree, bytes: &[u8]) -> Result<u64, StoreError> {
    let bytes: [u8; 8] = bytes.try_into().map_err(|_| StoreError::BadRow {
        tree: tree.name(),
        detail: "a number of a wrong length".to_owned(),
    })?;
    Ok(u64::from_be_bytes(bytes))
}

fn search(searches: &HashMap<JobId, Search>, job: JobId) -> Result<&Search, StoreError> {
    searches.get(&job).ok_or_else(|| StoreError::BadRow {
        tree: Tree::Jobs.name(),
        detail: format!("job {job} was never stored"),
    })
}
