//! The store on disk: sled, used so that it keeps its promises.

use std::{
    fs::{self, File, TryLockError},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use sled::transaction::{TransactionError, Transactional};

use super::{
    Change, Entries, MAX_VALUE, Store, StoreError, Tree,
    mark::Mark,
    totals::{self, Totals},
};

/// Name of sled's directory in the data directory.
pub(super) const STORE: &str = "store";
/// How long to wait for another coordinator that is just ending.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
/// How often to look whether it has ended.
const LOCK_INTERVAL: Duration = Duration::from_millis(20);
/// sled's cache. Measured to be enough: reads are rare after the start.
const CACHE_BYTES: u64 = 64 << 20;

/// Where a recovery builds the new store. While it is there, the directory is
/// neither what it was nor what it will be.
pub(super) const RECOVERING: &str = "recovering";

/// A store in a directory.
#[derive(Debug)]
pub struct DiskStore {
    dir: PathBuf,
    db: sled::Db,
    /// In the order of [`Tree::ALL`].
    trees: Vec<sled::Tree>,
    /// sled's data file, for the sync that its `flush` leaves out.
    file: File,
    totals: Totals,
    mark: Mark,
    /// Held as long as the store is open. Dropped last.
    _lock: File,
}

impl DiskStore {
    /// Whether this directory has data to open.
    pub(super) fn is_in(dir: &Path) -> bool {
        dir.join(STORE).is_dir()
    }

    /// Opens, or creates, the store in a directory, and checks that all of it
    /// is there.
    ///
    /// # Errors
    /// [`StoreError::InUse`], [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let io_error = |error| from_io(dir, &error);
        fs::create_dir_all(dir).map_err(io_error)?;
        let lock = lock(dir)?;
        if dir.join(RECOVERING).exists() {
            return Err(damaged(dir, "a recovery was interrupted"));
        }
        // sled panics on some kinds of damage.
        let opened = catch_unwind(AssertUnwindSafe(|| Self::open_locked(dir, lock)));
        opened.unwrap_or_else(|panic| Err(damaged(dir, &panic_text(&*panic))))
    }

    fn open_locked(dir: &Path, lock: File) -> Result<Self, StoreError> {
        let io_error = |error| from_io(dir, &error);
        let (mark, marked) = Mark::open(dir).map_err(io_error)?;
        let path = dir.join(STORE);
        let fresh = !path.exists();
        await_release(dir, &path.join("db"))?;
        let db = sled::Config::new()
            .path(&path)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .open()
            .map_err(|error| from_sled(dir, &error))?;
        let trees = Tree::ALL
            .iter()
            .map(|tree| db.open_tree(tree.name()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| from_sled(dir, &error))?;
        let file = File::open(path.join("db")).map_err(io_error)?;
        let mut store = Self {
            dir: dir.to_owned(),
            db,
            trees,
            file,
            totals: Totals::default(),
            mark,
            _lock: lock,
        };
        if fresh && marked == 0 {
            store.commit(&[])?;
            sync_dirs(&[dir, &path]).map_err(io_error)?;
        } else {
            store.totals = store.verify()?;
            let missing = marked.saturating_sub(store.totals.commits);
            if missing > 0 {
                let detail = format!("the last {missing} commits are missing");
                return Err(damaged(dir, &detail));
            }
        }
        Ok(store)
    }

    /// Reads everything and compares it with the stored totals.
    fn verify(&self) -> Result<Totals, StoreError> {
        let stored = self
            .get(Tree::Meta, totals::KEY)?
            .ok_or_else(|| damaged(&self.dir, "the totals are missing"))?;
        let stored = Totals::from_bytes(&stored)?;
        let mut found = Totals::default();
        for (tree, entries) in Tree::ALL.into_iter().zip(&self.trees) {
            for entry in entries {
                let (key, value) = entry.map_err(|error| from_sled(&self.dir, &error))?;
                if tree != Tree::Meta || &*key != totals::KEY {
                    found.add(tree, &key, &value);
                }
            }
        }
        stored
            .compare(&found)
            .map_err(|detail| damaged(&self.dir, &detail))?;
        Ok(stored)
    }

    fn write(&mut self, batch: &[Change]) -> Result<(), StoreError> {
        let before = self.totals;
        let done = self.trees.as_slice().transaction(|trees| {
            // sled may run this again after a conflict, so it starts anew.
            let mut totals = before;
            totals.commits += 1;
            for Change { tree, key, value } in batch {
                let entries = &trees[*tree as usize];
                let old = match value {
                    Some(value) => {
                        totals.add(*tree, key, value);
                        entries.insert(key.as_slice(), value.as_slice())?
                    }
                    None => entries.remove(key.as_slice())?,
                };
                if let Some(old) = old {
                    totals.remove(*tree, key, &old);
                }
            }
            trees[Tree::Meta as usize].insert(totals::KEY, totals.to_bytes())?;
            Ok(totals)
        });
        self.totals = done.map_err(|error: TransactionError<()>| match error {
            TransactionError::Storage(error) => from_sled(&self.dir, &error),
            TransactionError::Abort(()) => damaged(&self.dir, "a transaction was aborted"),
        })?;
        self.db
            .flush()
            .map_err(|error| from_sled(&self.dir, &error))?;
        // flush() hands the pages to the kernel (sync_file_range); this waits
        // until they are on the disk.
        let synced = self.file.sync_data();
        let marked = synced.and_then(|()| self.mark.set(self.totals.commits));
        marked.map_err(|error| from_io(&self.dir, &error))
    }
}

impl Store for DiskStore {
    fn commit(&mut self, batch: &[Change]) -> Result<(), StoreError> {
        check_sizes(batch)?;
        let dir = self.dir.clone();
        catch_unwind(AssertUnwindSafe(|| self.write(batch)))
            .unwrap_or_else(|panic| Err(damaged(&dir, &panic_text(&*panic))))
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.trees[tree as usize]
            .get(key)
            .map(|found| found.map(|value| value.to_vec()))
            .map_err(|error| from_sled(&self.dir, &error))
    }

    fn scan(
        &self,
        tree: Tree,
        prefix: &[u8],
        after: Option<&[u8]>,
        limit: usize,
    ) -> Result<Entries, StoreError> {
        let tree = &self.trees[tree as usize];
        let from = match after {
            // The smallest key greater than this one.
            Some(after) if after >= prefix => [after, &[0]].concat(),
            _ => prefix.to_vec(),
        };
        let mut found = Vec::new();
        for entry in tree.range(from..) {
            let (key, value) = entry.map_err(|error| from_sled(&self.dir, &error))?;
            if found.len() == limit || !key.starts_with(prefix) {
                break;
            }
            found.push((key.to_vec(), value.to_vec()));
        }
        Ok(found)
    }
}

/// Refuses values that a store does not take.
pub(super) fn check_sizes(batch: &[Change]) -> Result<(), StoreError> {
    let large = batch.iter().find(|it| {
        it.value
            .as_ref()
            .is_some_and(|value| value.len() > MAX_VALUE)
    });
    match large {
        None => Ok(()),
        Some(change) => Err(StoreError::BadRow {
            tree: change.tree.name(),
            detail: format!("a value of more than {MAX_VALUE} bytes"),
        }),
    }
}

pub(super) fn lock(dir: &Path) -> Result<File, StoreError> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(dir.join("lock"))
        .map_err(|error| from_io(dir, &error))?;
    wait_for(&file, dir)?;
    Ok(file)
}

/// Waits until sled has let its data file go. Its threads hold the file's lock
/// a little longer than the store that was closed, and the kernel frees the
/// locks of a killed process one after another; sled itself does not wait.
/// Nobody new can come in between, for our own lock is held.
fn await_release(dir: &Path, db: &Path) -> Result<(), StoreError> {
    match File::open(db) {
        Ok(file) => wait_for(&file, dir),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(from_io(dir, &error)),
    }
}

/// Locks a file of the data directory, with patience.
fn wait_for(file: &File, dir: &Path) -> Result<(), StoreError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_PATIENCE => {
                thread::sleep(LOCK_INTERVAL);
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(dir.to_owned())),
            Err(TryLockError::Error(error)) => return Err(from_io(dir, &error)),
        }
    }
}

/// Makes the names of new files durable.
fn sync_dirs(dirs: &[&Path]) -> io::Result<()> {
    dirs.iter().try_for_each(|dir| File::open(dir)?.sync_all())
}

fn damaged(dir: &Path, detail: &str) -> StoreError {
    StoreError::Damaged {
        dir: dir.to_owned(),
        detail: detail.to_owned(),
    }
}

fn from_io(dir: &Path, error: &io::Error) -> StoreError {
    StoreError::Io {
        dir: dir.to_owned(),
        detail: error.to_string(),
    }
}

fn from_sled(dir: &Path, error: &sled::Error) -> StoreError {
    match error {
        sled::Error::Io(error) => from_io(dir, error),
        other => damaged(dir, &other.to_string()),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("the database gave up").to_owned()
}
