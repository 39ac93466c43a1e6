//! What the logs and the store say afterwards.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, ensure};
use serde::Serialize;
use soko_coord::{
    model::{Phase, ShardId},
    store::Catalog,
};

/// What was seen in a run. None of the first four may be zero, or the run has
/// shown nothing.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Seen {
    /// Results that workers heard to be stored.
    pub(crate) acked: usize,
    /// Leases of shards that had been leased before.
    pub(crate) leased_again: usize,
    /// Leases taken up again after a restart or a reconnect.
    pub(crate) taken_up_again: usize,
    /// Results that came too late, or once more.
    pub(crate) stale: usize,
    /// Leases given.
    pub(crate) leased: usize,
    /// Results found again by another worker.
    pub(crate) checked: usize,
    /// Results that another worker did not find again.
    pub(crate) disputed: usize,
    /// Results taken back.
    pub(crate) taken_back: usize,
    /// Workers put in quarantine for a wrong result, once for each start of the
    /// coordinator.
    pub(crate) quarantined: usize,
    /// Honest ones among them.
    pub(crate) slandered: usize,
    /// Starts of the coordinator.
    pub(crate) starts: usize,
    /// Results in the ledger.
    pub(crate) results: u64,
    /// Acknowledged results that the ledger does not have, those that were
    /// taken back left out.
    pub(crate) acked_and_lost: usize,
    /// Epochs that were leased twice.
    pub(crate) leased_twice: usize,
}

/// The value of a field of a log line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!(" {name}="))? + name.len() + 2;
    let value = line[start..].split_whitespace().next()?;
    Some(value.trim_matches('"'))
}

/// A lease as the logs write it, without its epoch.
fn shard_of(lease: &str) -> &str {
    lease.split('@').next().unwrap_or(lease)
}

/// Reads the logs of all processes, and the store, which nobody else has open.
pub(crate) fn read(dir: &Path, data: &Path) -> anyhow::Result<Seen> {
    let mut seen = Seen::default();
    let mut epochs: BTreeSet<String> = BTreeSet::new();
    let mut checks: BTreeSet<String> = BTreeSet::new();
    let mut taken_back: BTreeSet<String> = BTreeSet::new();
    let log = fs::read(dir.join("coordinator.log"))?;
    for line in String::from_utf8_lossy(&log).lines() {
        let has = |text: &str| line.contains(text);
        if has("shard leased") {
            let lease = field(line, "lease").context("a lease without a name")?;
            let epoch = lease.split('@').nth(1).unwrap_or_default();
            seen.leased += 1;
            seen.leased_again += usize::from(field(line, "again") == Some("true"));
            seen.leased_twice += usize::from(!epochs.insert(epoch.to_owned()));
            if field(line, "check") == Some("true") {
                checks.insert(shard_of(lease).to_owned());
            }
        } else if has("result taken back") {
            let job = field(line, "job").unwrap_or_default();
            let shard = field(line, "shard").unwrap_or_default();
            taken_back.insert(format!("{job}/{shard}"));
            seen.taken_back += 1;
        }
        seen.taken_up_again += usize::from(has("lease taken up again"));
        seen.stale += usize::from(has("result ignored"));
        seen.checked += usize::from(has("result found again"));
        seen.disputed += usize::from(has("a result was not found again"));
        if has("is not what others find") {
            seen.quarantined += 1;
            let name = field(line, "worker").unwrap_or_default();
            let honest = name
                .strip_prefix('w')
                .is_some_and(|it| it.parse::<u32>().is_ok());
            seen.slandered += usize::from(honest);
        }
        seen.starts += usize::from(has("coordinator serves"));
    }
    let ledger = ledger(data, &mut seen)?;
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or("");
        let of_a_worker = name.starts_with('w') && path.extension().is_some_and(|it| it == "log");
        if !of_a_worker {
            continue;
        }
        let log = fs::read(&path)?;
        for line in String::from_utf8_lossy(&log).lines() {
            if !line.contains("result stored") {
                continue;
            }
            let lease = field(line, "lease").context("a result without a lease")?;
            let request = field(line, "request").context("a result without a request")?;
            seen.acked += 1;
            let kept = ledger.get(lease).is_some_and(|known| known == request);
            let excused = checks.contains(shard_of(lease)) || taken_back.contains(shard_of(lease));
            if !kept && !excused {
                eprintln!("acknowledged and lost: {lease}, request {request}");
                seen.acked_and_lost += 1;
            }
        }
    }
    Ok(seen)
}

/// All results of all jobs: leases and the requests that brought them. Each
/// shard of a plan and of every remainder has one, no more and no less.
fn ledger(data: &Path, seen: &mut Seen) -> anyhow::Result<BTreeMap<String, String>> {
    let mut catalog = Catalog::open(data)?;
    let snapshot = catalog.load()?;
    let mut ledger = BTreeMap::new();
    for stored in &snapshot.jobs {
        let job = stored.record.id;
        let (mut rows, mut wanted) = (0_u64, stored.record.planned);
        let mut shards: BTreeSet<ShardId> = BTreeSet::new();
        let mut from = None;
        loop {
            let page = catalog.ledger(job, from, 1000)?;
            for (shard, row) in page.rows {
                rows += 1;
                wanted += row.remainder.len() as u64;
                ensure!(shards.insert(shard), "a shard has two results");
                let lease = format!("{job}/{}@{}", shard.0, row.epoch.0);
                ledger.insert(lease, row.request.to_string());
            }
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        seen.results += rows;
        if stored.record.phase == Phase::Done {
            ensure!(
                rows == wanted,
                "job {job} has {rows} results instead of {wanted}"
            );
            ensure!(
                rows == stored.record.shards_done,
                "job {job} counts otherwise than its ledger"
            );
        }
    }
    Ok(ledger)
}
