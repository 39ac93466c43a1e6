//! A data directory rebuilt from an export.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Catalog, DiskStore, ExportError, StoreError,
    disk::{RECOVERING, STORE},
    export::{import, list_exports},
};
use crate::model::Write;

/// What was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The export that was read.
    pub from: PathBuf,
    /// Its lines.
    pub lines: u64,
    /// Jobs that are there again.
    pub jobs: usize,
    /// Where the damaged data is now.
    pub set_aside: Option<PathBuf>,
}

/// Why nothing was rebuilt. What was there is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// There is nothing to be mended.
    #[error(
        "the data in {} is whole; nothing was changed (name an export with --from to go back to it)",
        .0.display()
    )]
    Whole(PathBuf),
    /// There is no export that could be used.
    #[error("{} has no export that can be read{detail}", dir.display())]
    NoExport {
        /// The data directory.
        dir: PathBuf,
        /// Why each of them cannot.
        detail: String,
    },
    /// An export cannot be used.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Files cannot be moved.
    #[error("the data directory {} cannot be changed: {source}", dir.display())]
    Io {
        /// The directory.
        dir: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

/// Numbers used after the export was made are not known; this is more than a
/// thousand starts of the coordinator use.
const SERIALS_LEAP: u64 = 1 << 50;

/// Rebuilds a data directory: from the export given, or from the newest one
/// that is whole. The damaged data is set aside, not deleted. If it is cut off
/// in between, the directory cannot be opened until it is done again.
///
/// # Errors
/// [`RecoverError`].
pub fn recover(dir: &Path, from: Option<&Path>) -> Result<Recovered, RecoverError> {
    let io_error = |source| RecoverError::Io {
        dir: dir.to_owned(),
        source,
    };
    if from.is_none() && !dir.join(RECOVERING).exists() && dir.join(STORE).exists() {
        match Catalog::open(dir) {
            Ok(_) => return Err(RecoverError::Whole(dir.to_owned())),
            Err(StoreError::Damaged { .. } | StoreError::BadRow { .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let _lock = super::disk::lock(dir)?;
    let building = dir.join(RECOVERING);
    let exports = match from {
        Some(from) => vec![from.to_owned()],
        None => list_exports(dir).map_err(io_error)?,
    };
    let mut refused = String::new();
    for export in exports {
        if building.exists() {
            fs::remove_dir_all(&building).map_err(io_error)?;
        }
        match build(&building, &export) {
            Ok((lines, jobs)) => {
                let set_aside = exchange(dir, &building).map_err(io_error)?;
                return Ok(Recovered {
                    from: export,
                    lines,
                    jobs,
                    set_aside,
                });
            }
            Err(error) if from.is_some() => {
                fs::remove_dir_all(&building).map_err(io_error)?;
                return Err(error);
            }
            Err(error) => {
                refused.push_str("; ");
                refused.push_str(&error.to_string());
            }
        }
    }
    if building.exists() && dir.join(STORE).exists() {
        fs::remove_dir_all(&building).map_err(io_error)?;
    }
    Err(RecoverError::NoExport {
        dir: dir.to_owned(),
        detail: refused,
    })
}

/// Builds a data directory of its own and sees that it can be read.
fn build(building: &Path, export: &Path) -> Result<(u64, usize), RecoverError> {
    let mut store = DiskStore::open(building)?;
    let lines = import(export, &mut store)?;
    let mut catalog = Catalog::new(Box::new(store))?;
    let serials = catalog.serials()?.saturating_add(SERIALS_LEAP);
    catalog.apply(&[Write::Serials(serials)])?;
    let jobs = catalog.load()?.jobs.len();
    catalog.records()?;
    Ok((lines, jobs))
}

/// Puts the new store where the old one was.
fn exchange(dir: &Path, building: &Path) -> io::Result<Option<PathBuf>> {
    let mut aside = None;
    if dir.join(STORE).exists() {
        let free = (1..u32::MAX)
            .map(|number| dir.join(format!("damaged-{number}")))
            .find(|path| !path.exists());
        let free = free.ok_or_else(|| io::Error::other("no name is free"))?;
        fs::create_dir(&free)?;
        fs::rename(dir.join(STORE), free.join(STORE))?;
        aside = Some(free);
    }
    if let Some(aside) = &aside
        && dir.join("mark").exists()
    {
        fs::rename(dir.join("mark"), aside.join("mark"))?;
    }
    fs::rename(building.join(STORE), dir.join(STORE))?;
    fs::rename(building.join("mark"), dir.join("mark"))?;
    fs::remove_dir_all(building)?;
    fs::File::open(dir)?.sync_all()?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, thread};

    use soko::{
        board::Size,
        plan::{Mode, Search, Shard, Tally, Work},
    };

    use super::{
        super::{StoreThread, export, exports_dir},
        *,
    };
    use crate::model::{
        Epoch, JobId, JobRecord, LedgerRecord, Phase, RequestId, ShardId, ShardRecord, WorkerName,
    };

    fn search() -> Search {
        Search::new(Size::new(5, 5).unwrap(), Mode::Census)
    }

    fn body(number: u64) -> Arc<Shard> {
        Arc::new(Shard {
            weight: 0.1,
            work: Work::Census {
                from: number,
                to: number + 1,
            },
        })
    }

    fn job() -> Write {
        Write::Job(JobRecord {
            phase: Phase::Running,
            engine: "e".to_owned(),
            plan: 1,
            ..JobRecord::new(JobId(1), 1, RequestId::new("r").unwrap(), search())
        })
    }

    fn open_shard(number: u64) -> Write {
        Write::Shard(JobId(1), ShardId(number), ShardRecord::new(body(number)))
    }

    fn done(number: u64) -> Write {
        let row = LedgerRecord {
            epoch: Epoch(number),
            request: RequestId::new("r").unwrap(),
            worker: WorkerName::new("w").unwrap(),
            engine: "e".to_owned(),
            core_ms: 1,
            body: body(number),
            tally: Tally::empty(&search()),
            remainder: vec![],
        };
        Write::Done(JobId(1), ShardId(number), row)
    }

    /// A store with so many open shards, and a thread that owns it.
    fn filled(dir: &Path, shards: u64) -> StoreThread {
        let mut catalog = Catalog::open(dir).unwrap();
        let writes: Vec<Write> = std::iter::once(job())
            .chain((1..=shards).map(open_shard))
            .collect();
        catalog.apply(&writes).unwrap();
        StoreThread::start(catalog).unwrap()
    }

    /// Open shards and results.
    fn counts(dir: &Path) -> (usize, usize) {
        let mut catalog = Catalog::open(dir).unwrap();
        let open = catalog.load().unwrap().jobs[0].shards.len();
        let page = catalog.ledger(JobId(1), None, usize::MAX - 1).unwrap();
        (open, page.rows.len())
    }

    #[test]
    fn d4_an_export_of_a_store_in_motion_is_of_one_moment() {
        const SHARDS: u64 = 4000;
        let dir = tempfile::tempdir().unwrap();
        let store = filled(dir.path(), SHARDS);
        let handle = store.handle();
        let mover = thread::spawn(move || {
            for number in 1..=SHARDS {
                handle.commit(vec![done(number)], |stored| stored.unwrap());
            }
        });
        let mut seen = Vec::new();
        for _ in 0..4 {
            export(&store.handle(), dir.path(), None).unwrap();
            let newest = list_exports(dir.path()).unwrap().remove(0);
            let copy = tempfile::tempdir().unwrap();
            let recovered = recover(copy.path(), Some(&newest)).unwrap();
            assert_eq!(recovered.jobs, 1);
            let (open, results) = counts(copy.path());
            assert_eq!(open + results, SHARDS as usize, "{open} and {results}");
            seen.push(results);
        }
        mover.join().unwrap();
        store.stop();
        assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
        assert_eq!(list_exports(dir.path()).unwrap().len(), 3, "old ones go");
    }

    #[test]
    fn case_29_a_damaged_directory_is_rebuilt_from_the_newest_whole_export() {
        let dir = tempfile::tempdir().unwrap();
        let store = filled(dir.path(), 10);
        export(&store.handle(), dir.path(), None).unwrap();
        store.handle().commit(vec![done(1)], |_| {});
        let second = export(&store.handle(), dir.path(), None).unwrap();
        store.stop();
        assert!(matches!(
            recover(dir.path(), None),
            Err(RecoverError::Whole(_))
        ));
        // The newest export is cut short, and the store is damaged.
        let whole = fs::read(&second).unwrap();
        fs::write(&second, &whole[..whole.len() - 20]).unwrap();
        let before = Catalog::open(dir.path()).unwrap().serials().unwrap();
        let db = dir.path().join("store/db");
        let bytes = fs::read(&db).unwrap();
        fs::write(&db, vec![0x5a; bytes.len()]).unwrap();
        let error = Catalog::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("soko-coord recover"), "{error}");
        assert!(error.contains("export-000002"), "{error}");
        // A recovery that was cut off leaves nothing that could be opened.
        fs::create_dir(dir.path().join(RECOVERING)).unwrap();
        let error = Catalog::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("interrupted"), "{error}");

        let recovered = recover(dir.path(), None).unwrap();
        assert!(recovered.from.ends_with("export-000001.jsonl.zst"));
        let aside = recovered.set_aside.unwrap();
        assert_eq!(fs::read(aside.join("store/db")).unwrap().len(), bytes.len());
        assert_eq!(counts(dir.path()), (10, 0));
        let after = Catalog::open(dir.path()).unwrap().serials().unwrap();
        assert!(
            after > before + (1 << 49),
            "L9: numbers are never used again"
        );
        // A later one, once it is whole.
        fs::write(&second, &whole).unwrap();
        recover(dir.path(), Some(&second)).unwrap();
        assert_eq!(counts(dir.path()), (9, 1));
    }

    #[test]
    fn without_an_export_nothing_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        filled(dir.path(), 3).stop();
        fs::create_dir_all(exports_dir(dir.path())).unwrap();
        let db = dir.path().join("store/db");
        let bytes = fs::read(&db).unwrap();
        fs::write(&db, &bytes[..bytes.len() / 3]).unwrap();
        let error = recover(dir.path(), None).unwrap_err();
        assert!(matches!(error, RecoverError::NoExport { .. }), "{error}");
        assert!(db.exists() && !dir.path().join("damaged-1").exists());
        let none = recover(dir.path(), Some(Path::new("/none"))).unwrap_err();
        assert!(matches!(none, RecoverError::Export(_)), "{none}");
    }
}
