//! The typed view of a store.

use std::{collections::HashMap, path::Path};

use prost::Message;
use soko::{plan::Search, rpc::v1};

use super::{
    Entries, MemoryStore, Store, StoreError, Tree,
    chunks::{self, Writer},
    disk::DiskStore,
    rows,
};
use crate::model::{
    Epoch, JobId, LeaseKey, LedgerRecord, Phase, RequestId, ShardId, Snapshot, StoredJob, Write,
};

/// Schema of the trees. Grows when a version can no longer read what an older
/// one wrote.
const SCHEMA: u32 = 1;
const SCHEMA_KEY: &[u8] = b"schema";
const SERIALS_KEY: &[u8] = b"serials";
const IMPORTED_KEY: &[u8] = b"imported";
/// Rows read at a time when walking through a tree.
const PAGE: usize = 4096;

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
    /// Opens, or creates, the data directory.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let catalog = Self::new(Box::new(DiskStore::open(dir)?));
        catalog.map_err(|error| match error {
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
        match store.get(Tree::Meta, SCHEMA_KEY)? {
            None => {
                let mut writer = Writer::new(&*store);
                let schema = SCHEMA.to_be_bytes().to_vec();
                writer.set(Tree::Meta, SCHEMA_KEY.to_vec(), Some(schema));
                let batch = writer.into_batch();
                store.commit(&batch)?;
            }
            Some(bytes) => {
                let found = bytes.iter().fold(0, |n, &byte| n << 8 | u32::from(byte));
                if found > SCHEMA {
                    return Err(StoreError::Newer {
                        dir: std::path::PathBuf::new(),
                        found,
                        known: SCHEMA,
                    });
                }
            }
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
            // Of the ended jobs, only incomplete ones have shards to retry.
            if !record.phase.has_ended() || record.phase == Phase::Incomplete {
                for (key, bytes) in self.rows(Tree::Shards, &job_key(id))? {
                    let shard = ShardId(number(Tree::Shards, &key[8..])?);
                    shards.push((shard, rows::decode_shard(&bytes, &record.search)?));
                }
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

    /// Makes the changes durable, all together.
    ///
    /// # Errors
    /// [`StoreError`] is final.
    pub fn apply<'a>(
        &mut self,
        writes: impl IntoIterator<Item = &'a Write>,
    ) -> Result<(), StoreError> {
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
                Write::DropShards(job) => writer.clear(Tree::Shards, &job_key(*job))?,
                Write::DropJob(job) => {
                    self.searches.remove(job);
                    writer.clear(Tree::Shards, &job_key(*job))?;
                    writer.clear(Tree::Results, &job_key(*job))?;
                    writer.remove(Tree::Jobs, &job_key(*job))?;
                }
                Write::Answer(job, answer) => {
                    writer.put(Tree::Results, &job_key(*job), &answer.encode_to_vec())?;
                }
                Write::Record(record) => {
                    let key = size_key(record.rows, record.cols);
                    writer.put(Tree::Records, &key, &record.encode_to_vec())?;
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
        self.store.commit(&batch)
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
            .map(|(_, row)| rows::decode_record(row))
            .collect()
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
        let mut after: Option<Vec<u8>> = None;
        loop {
            let page = self.store.scan(tree, prefix, after.as_deref(), PAGE)?;
            let Some((last, _)) = page.last() else {
                return Ok(rows);
            };
            after = Some(last.clone());
            for (key, value) in page {
                if chunks::is_row(&key) {
                    let row = chunks::join(&*self.store, tree, &key, &value)?;
                    rows.push((key, row));
                }
            }
        }
    }
}

fn job_key(job: JobId) -> Vec<u8> {
    job.0.to_be_bytes().to_vec()
}

fn shard_key(job: JobId, shard: ShardId) -> Vec<u8> {
    [job.0.to_be_bytes(), shard.0.to_be_bytes()].concat()
}

fn size_key(rows: u32, cols: u32) -> Vec<u8> {
    [rows.to_be_bytes(), cols.to_be_bytes()].concat()
}

fn number(tree: Tree, bytes: &[u8]) -> Result<u64, StoreError> {
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
