//! One suite for every store, and what only the one on disk has to withstand.

use std::{fs, io::Write as _, path::Path, sync::Arc, time::Duration};

use proptest::prelude::*;
use soko::{
    board::{Cell, Size},
    plan::{Mode, Search, Shard, Tally, Work},
    rpc::v1,
    search::growth::{Extent, FloorSet},
};

use super::*;
use crate::model::{
    Check, Doubt, Epoch, JobId, JobRecord, LeaseKey, LedgerRecord, Phase, RequestId, ShardId,
    ShardRecord, WorkerName, Write,
};

fn set(tree: Tree, key: &[u8], value: &[u8]) -> Change {
    Change {
        tree,
        key: key.to_vec(),
        value: Some(value.to_vec()),
    }
}

fn unset(tree: Tree, key: &[u8]) -> Change {
    Change {
        tree,
        key: key.to_vec(),
        value: None,
    }
}

/// What every store does.
fn conforms(store: &mut dyn Store) {
    assert_eq!(store.get(Tree::Jobs, b"a").unwrap(), None);
    let batch = [
        set(Tree::Jobs, b"a", b"1"),
        set(Tree::Jobs, b"ab", b"2"),
        set(Tree::Jobs, b"b", b"3"),
        set(Tree::Shards, b"a", b"4"),
        set(Tree::Jobs, b"b", b"5"),
        unset(Tree::Jobs, b"none"),
    ];
    store.commit(&batch).unwrap();
    assert_eq!(store.get(Tree::Jobs, b"b").unwrap().unwrap(), b"5");
    assert_eq!(store.get(Tree::Shards, b"a").unwrap().unwrap(), b"4");
    let keys = |prefix: &[u8], after: Option<&[u8]>, limit| -> Vec<Vec<u8>> {
        let found = store.scan(Tree::Jobs, prefix, after, limit).unwrap();
        found.into_iter().map(|entry| entry.0).collect()
    };
    assert_eq!(
        keys(b"", None, 9),
        [b"a".to_vec(), b"ab".to_vec(), b"b".to_vec()]
    );
    assert_eq!(keys(b"a", None, 9), [b"a".to_vec(), b"ab".to_vec()]);
    assert_eq!(keys(b"a", Some(b"a"), 9), [b"ab".to_vec()]);
    assert_eq!(keys(b"", None, 1), [b"a".to_vec()]);
    assert_eq!(keys(b"b", Some(b"a"), 9), [b"b".to_vec()]);
    assert!(keys(b"c", None, 9).is_empty());
    let large = vec![7; MAX_VALUE];
    store.commit(&[set(Tree::Audit, b"l", &large)]).unwrap();
    assert_eq!(store.get(Tree::Audit, b"l").unwrap().unwrap(), large);
    let too_large = vec![7; MAX_VALUE + 1];
    assert!(store.commit(&[set(Tree::Audit, b"l", &too_large)]).is_err());
    store.commit(&[unset(Tree::Jobs, b"a")]).unwrap();
    assert_eq!(store.get(Tree::Jobs, b"a").unwrap(), None);
}

#[test]
fn the_memory_store_conforms() {
    conforms(&mut MemoryStore::new());
}

#[test]
fn the_disk_store_conforms_and_keeps_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = DiskStore::open(dir.path()).unwrap();
    conforms(&mut store);
    drop(store);
    let store = DiskStore::open(dir.path()).unwrap();
    assert_eq!(store.get(Tree::Jobs, b"b").unwrap().unwrap(), b"5");
    assert_eq!(store.get(Tree::Jobs, b"a").unwrap(), None);
}

fn search() -> Search {
    Search::new(Size::new(4, 4).unwrap(), Mode::Exhaustive)
}

fn job(id: u64) -> JobRecord {
    JobRecord {
        id: JobId(id),
        seq: id,
        request: RequestId::new("r").unwrap(),
        name: "a name".to_owned(),
        priority: -3,
        search: search(),
        phase: Phase::Running,
        reason: "why".to_owned(),
        engine: "test 1".to_owned(),
        plan: u128::MAX - 5,
        planned: 3,
        forgotten: false,
        doubts: vec![
            Doubt::Worker(WorkerName::new("w").unwrap()),
            Doubt::Engine("soko 0".to_owned()),
            Doubt::Shard(ShardId(7)),
        ],
        shards_done: 1,
        progress: 0.25,
        best_moves: 9,
        work_done: 100,
        core_ms: 7,
        accepted: 5,
        round: 2,
        elapsed: Duration::from_millis(1234),
        goal_best: [(Cell(0), 7), (Cell(5), 0)].into(),
    }
}

fn shard(number: u64) -> ShardRecord {
    // The goal, a neighbour, and the bits of the number as further cells.
    let bits = (0..10).filter(|bit| number >> bit & 1 == 1);
    let cells = [0, 1].into_iter().chain(bits.map(|bit| bit + 2)).map(Cell);
    ShardRecord {
        body: Arc::new(Shard {
            weight: 0.5,
            work: Work::Growth {
                goal: Cell(0),
                roots: vec![FloorSet::new(cells)],
                extent: Extent::Whole,
            },
        }),
        attempts: 2,
        failed: Some(Epoch(44)),
        poisoned: false,
        failure: "what went wrong".to_owned(),
        check: (number % 2 == 1).then(|| Check {
            of: ShardId(number + 1),
            worker: WorkerName::new("w").unwrap(),
            found: u128::from(number) << 70,
            core_ms: 5,
        }),
    }
}

fn row(request: &str) -> LedgerRecord {
    LedgerRecord {
        epoch: Epoch(12),
        request: RequestId::new(request).unwrap(),
        worker: WorkerName::new("w").unwrap(),
        engine: "test 1".to_owned(),
        core_ms: 5,
        body: shard(1).body,
        tally: Tally::empty(&search()),
        remainder: vec![ShardId(8)],
    }
}

/// What the typed view does on any store.
fn catalog_conforms(catalog: &mut Catalog) {
    let writes = [
        Write::Serials(500),
        Write::Job(job(1)),
        Write::Shard(JobId(1), ShardId(1), shard(1)),
        Write::Shard(JobId(1), ShardId(2), shard(2)),
        Write::Job(job(2)),
        Write::Shard(JobId(2), ShardId(3), shard(3)),
    ];
    catalog.apply(&writes).unwrap();
    let done = [
        Write::Done(JobId(1), ShardId(1), row("once")),
        Write::Shard(JobId(1), ShardId(8), shard(8)),
        Write::DropShards(JobId(2)),
    ];
    catalog.apply(&done).unwrap();
    check_catalog(catalog);
}

fn check_catalog(catalog: &mut Catalog) {
    assert_eq!(catalog.serials().unwrap(), 500);
    let jobs = catalog.load().unwrap().jobs;
    assert_eq!(jobs.len(), 2);
    assert_eq!(jobs[0].record, job(1));
    let shards = [(ShardId(2), shard(2)), (ShardId(8), shard(8))];
    assert_eq!(jobs[0].shards, shards);
    assert!(jobs[1].shards.is_empty());
    let page = catalog.ledger(JobId(1), None, 10).unwrap();
    assert_eq!(page.rows, [(ShardId(1), row("once"))]);
    assert_eq!(page.next, None);
    let key = LeaseKey {
        job: JobId(1),
        shard: ShardId(1),
        epoch: Epoch(12),
    };
    let request = |text| RequestId::new(text).unwrap();
    assert!(catalog.has_result(key, &request("once")).unwrap());
    assert!(!catalog.has_result(key, &request("other")).unwrap());
    let other = LeaseKey {
        epoch: Epoch(13),
        ..key
    };
    assert!(!catalog.has_result(other, &request("once")).unwrap());
}

#[test]
fn the_catalog_works_in_memory_and_on_disk() {
    catalog_conforms(&mut Catalog::in_memory().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let mut catalog = Catalog::open(dir.path()).unwrap();
    catalog_conforms(&mut catalog);
    drop(catalog);
    check_catalog(&mut Catalog::open(dir.path()).unwrap());
}

#[test]
fn ledgers_are_read_in_pages() {
    let mut catalog = Catalog::in_memory().unwrap();
    let mut writes = vec![Write::Job(job(1)), Write::Job(job(2))];
    writes.extend((0..10).map(|i| Write::Done(JobId(1), ShardId(i), row("r"))));
    writes.push(Write::Done(JobId(2), ShardId(4), row("r")));
    writes.push(Write::Answer(JobId(1), Box::default()));
    catalog.apply(&writes).unwrap();
    let mut seen = Vec::new();
    let mut from = None;
    loop {
        let page = catalog.ledger(JobId(1), from, 3).unwrap();
        seen.extend(page.rows.iter().map(|row| row.0.0));
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
}

#[test]
fn large_rows_are_cut_and_leave_nothing_behind() {
    let answer = |bytes: usize| v1::JobResult {
        engine: "x".repeat(bytes),
        ..v1::JobResult::default()
    };
    let mut catalog = Catalog::in_memory().unwrap();
    let values = |catalog: &Catalog| {
        let found = catalog.store().scan(Tree::Results, &[], None, 99);
        found.unwrap().len()
    };
    catalog.apply(&[Write::Job(job(1))]).unwrap();
    for (bytes, chunks) in [(10, 1), (300_000, 5), (61_430, 1), (200_000, 4), (0, 1)] {
        let write = Write::Answer(JobId(1), Box::new(answer(bytes)));
        // Twice in one batch, with another size in between.
        let between = Write::Answer(JobId(1), Box::new(answer(130_000)));
        catalog.apply(&[write.clone(), between, write]).unwrap();
        assert_eq!(catalog.answer(JobId(1)).unwrap(), Some(answer(bytes)));
        assert_eq!(values(&catalog), chunks, "{bytes} bytes");
    }
    catalog.apply(&[Write::DropJob(JobId(1))]).unwrap();
    assert_eq!(catalog.answer(JobId(1)).unwrap(), None);
    assert_eq!(values(&catalog), 0);
}

#[test]
fn a_second_coordinator_is_told_so() {
    let dir = tempfile::tempdir().unwrap();
    let first = Catalog::open(dir.path()).unwrap();
    let second = Catalog::open(dir.path()).unwrap_err();
    assert_eq!(second, StoreError::InUse(dir.path().to_owned()));
    drop(first);
    Catalog::open(dir.path()).unwrap();
}

#[test]
fn a_lock_that_sled_still_holds_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    drop(Catalog::open(dir.path()).unwrap());
    let file = fs::File::open(dir.path().join("store/db")).unwrap();
    file.lock().unwrap();
    let (opening, opened) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| opening.send(Catalog::open(dir.path()).map(drop)));
        let early = opened.recv_timeout(Duration::from_millis(300));
        assert!(early.is_err(), "it is locked: {early:?}");
        drop(file);
        opened.recv().unwrap().unwrap();
    });
}

#[test]
fn a_newer_schema_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = DiskStore::open(dir.path()).unwrap();
    let newer = 99_u32.to_be_bytes();
    store.commit(&[set(Tree::Meta, b"schema", &newer)]).unwrap();
    drop(store);
    let error = Catalog::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }));
    assert!(error.to_string().contains(&*dir.path().to_string_lossy()));
}

#[test]
fn data_of_schema_1_is_migrated() {
    let dir = tempfile::tempdir().unwrap();
    let mut catalog = Catalog::open(dir.path()).unwrap();
    // What this version leaves out of a row, the first one did not know.
    let old = |id, phase| JobRecord {
        planned: 0,
        phase,
        ..job(id)
    };
    let mut writes = vec![
        Write::Job(old(1, Phase::Running)),
        Write::Job(old(2, Phase::Cancelled)),
        Write::Job(JobRecord {
            engine: String::new(),
            ..old(3, Phase::Queued)
        }),
    ];
    // Three shards of the plan; one left two behind, one of which is done.
    let done = |remainder: &[u64]| LedgerRecord {
        remainder: remainder.iter().map(|&id| ShardId(id)).collect(),
        ..row("r")
    };
    for id in [1, 2, 3, 4, 5] {
        writes.push(Write::Shard(JobId(1), ShardId(id), shard(id)));
    }
    writes.push(Write::Done(JobId(1), ShardId(1), done(&[4, 5])));
    writes.push(Write::Done(JobId(1), ShardId(4), done(&[])));
    catalog.apply(&writes).unwrap();
    drop(catalog);
    let mut store = DiskStore::open(dir.path()).unwrap();
    let one = 1_u32.to_be_bytes();
    store.commit(&[set(Tree::Meta, b"schema", &one)]).unwrap();
    drop(store);
    for _ in 0..2 {
        let mut catalog = Catalog::open(dir.path()).unwrap();
        let jobs = catalog.load().unwrap().jobs;
        let seen = jobs.iter().map(|it| {
            let it = &it.record;
            (it.id.0, it.planned, it.forgotten)
        });
        assert_eq!(
            seen.collect::<Vec<_>>(),
            [(1, 3, false), (2, 0, true), (3, 0, false)]
        );
        assert_eq!(jobs[0].shards.len(), 3);
        assert_eq!(
            catalog.store().get(Tree::Meta, b"schema").unwrap().unwrap(),
            2_u32.to_be_bytes()
        );
    }
}

fn filled(dir: &Path) {
    let mut catalog = Catalog::open(dir).unwrap();
    catalog_conforms(&mut catalog);
    for i in 100..400 {
        let write = Write::Shard(JobId(1), ShardId(i), shard(i));
        catalog.apply([&write]).unwrap();
    }
}

#[test]
fn issue_29_a_file_cut_short_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let file = dir.path().join("store/db");
    let length = fs::metadata(&file).unwrap().len();
    let mut noticed = 0;
    for part in 1..8 {
        let copy = tempfile::tempdir().unwrap();
        copy_dir(dir.path(), copy.path());
        let file = copy.path().join("store/db");
        let cut = fs::File::options().write(true).open(&file).unwrap();
        cut.set_len(length * part / 8).unwrap();
        noticed += u32::from(is_damaged_or_whole(copy.path()));
    }
    assert!(noticed > 0);
}

#[test]
fn issue_29_flipped_bytes_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let original = fs::read(dir.path().join("store/db")).unwrap();
    let used: Vec<usize> = (0..original.len()).filter(|&i| original[i] != 0).collect();
    for at in (0..16).map(|i| used[i * (used.len() - 1) / 15]) {
        let copy = tempfile::tempdir().unwrap();
        copy_dir(dir.path(), copy.path());
        let mut bytes = original.clone();
        bytes[at] ^= 0x55;
        let mut file = fs::File::create(copy.path().join("store/db")).unwrap();
        file.write_all(&bytes).unwrap();
        is_damaged_or_whole(copy.path());
    }
}

/// Opens a damaged copy: it is either refused by name (`true`), or all there.
fn is_damaged_or_whole(dir: &Path) -> bool {
    match Catalog::open(dir) {
        Err(error) => {
            assert!(
                error.to_string().contains(&*dir.to_string_lossy()),
                "{error}"
            );
            true
        }
        Ok(mut catalog) => {
            // The byte was not in use any more.
            let jobs = catalog.load().unwrap().jobs;
            assert_eq!(jobs[0].shards.len(), 302, "silently fewer");
            false
        }
    }
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[tokio::test]
async fn the_thread_answers_in_order_and_after_the_disk() {
    let thread = StoreThread::start(Catalog::in_memory().unwrap()).unwrap();
    let handle = thread.handle();
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    for i in 0..200 {
        let sender = sender.clone();
        handle.commit(vec![Write::Job(job(i))], move |done| {
            sender.send((i, done)).unwrap();
        });
    }
    let count = handle
        .read(|catalog| Ok(catalog.ledger(JobId(199), None, 1)?.rows.len()))
        .await;
    assert_eq!(count, Ok(0));
    for i in 0..200 {
        assert_eq!(receiver.recv().await, Some((i, Ok(()))));
    }
    thread.stop();
    let closed = handle.read(Catalog::serials).await;
    assert_eq!(closed, Err(StoreError::Closed));
}

#[tokio::test]
async fn a_store_that_failed_once_takes_nothing_more() {
    let thread = StoreThread::start(Catalog::in_memory().unwrap()).unwrap();
    let handle = thread.handle();
    // A shard of a job that was never stored cannot be written.
    let bad = vec![Write::Shard(JobId(9), ShardId(1), shard(1))];
    handle.commit(bad, |done| assert!(done.is_err()));
    assert!(handle.read(Catalog::serials).await.is_err());
    thread.stop();
}

#[test]
fn the_history_of_a_record_is_bounded() {
    let level = |moves| v1::Level {
        lurd: "r".repeat(100_000),
        moves,
        ..v1::Level::default()
    };
    let mut catalog = Catalog::in_memory().unwrap();
    let row = |revision: u32| v1::Record {
        rows: 9,
        cols: 9,
        max_moves: revision,
        level: Some(level(revision)),
        others: vec![level(revision); 2],
        revision,
        ..v1::Record::default()
    };
    for revision in 1..=203 {
        let write = Write::Record(Box::new(row(revision)));
        catalog.apply([&write]).unwrap();
        // A level beside it is the same revision once more.
        catalog.apply([&write]).unwrap();
    }
    let history = catalog.record_history(9, 9).unwrap();
    let kept: Vec<u32> = history.iter().map(|it| it.revision).collect();
    assert_eq!(kept, (4..=203).collect::<Vec<_>>());
    assert_eq!(catalog.records().unwrap(), [row(203)]);
    let stored = catalog.store().scan(Tree::Records, &[], None, usize::MAX);
    let bytes: usize = stored.unwrap().iter().map(|it| it.1.len()).sum();
    assert!(bytes < 205 * 100_500, "{bytes}: no others in the history");
}

proptest! {
    #[test]
    fn any_rows_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut store = MemoryStore::new();
        store.commit(&[
            set(Tree::Jobs, &[0; 8], &bytes),
            set(Tree::Results, &[0; 16], &bytes),
            set(Tree::Records, &[0; 8], &bytes),
        ]).unwrap();
        let mut catalog = Catalog::new(Box::new(store)).unwrap();
        let _ = catalog.load();
        let _ = catalog.records();
        let _ = catalog.answer(JobId(0));
    }
}
