//! The simulated disk, and what has to hold on it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use soko::plan::Tally;

use super::toy::{count, range, units};
use crate::{
    model::{
        Doubt, Epoch, JobId, JobRecord, LedgerRecord, ShardId, ShardRecord, Snapshot, StoredJob,
        Write,
    },
    scheduler::Undo,
};

/// What is on the simulated disk.
#[derive(Clone, Default)]
pub(super) struct Disk {
    pub(super) boots: u64,
    pub(super) jobs: BTreeMap<JobId, JobRecord>,
    pub(super) shards: BTreeMap<(JobId, ShardId), ShardRecord>,
    pub(super) ledger: BTreeMap<(JobId, ShardId), LedgerRecord>,
    /// Results found again by another worker.
    pub(super) checked: BTreeSet<(JobId, ShardId)>,
    /// Results taken back.
    pub(super) undone: BTreeSet<(JobId, ShardId, Epoch)>,
}

impl Disk {
    pub(super) fn apply(&mut self, write: Write) {
        match write {
            Write::Job(record) => {
                self.jobs.insert(record.id, record);
            }
            Write::Shard(job, shard, record) => {
                assert!(
                    !self.ledger.contains_key(&(job, shard)),
                    "a done shard is back"
                );
                self.shards.insert((job, shard), record);
            }
            Write::Done(job, shard, row) => {
                assert!(self.shards.remove(&(job, shard)).is_some());
                let old = self.ledger.insert((job, shard), row);
                assert!(old.is_none(), "a shard was counted twice");
            }
            Write::DropShard(job, shard) => {
                self.shards.remove(&(job, shard));
            }
            Write::Checked(job, shard, _) => {
                assert!(self.ledger.contains_key(&(job, shard)));
                self.checked.insert((job, shard));
            }
            Write::Undo(job, shards) => {
                for shard in shards {
                    self.checked.remove(&(job, shard));
                    let row = self.ledger.remove(&(job, shard)).unwrap();
                    self.undone.insert((job, shard, row.epoch));
                }
            }
            Write::DropShards(job) => self.shards.retain(|key, _| key.0 != job),
            Write::DropJob(job) => {
                self.jobs.remove(&job);
                self.shards.retain(|key, _| key.0 != job);
                self.ledger.retain(|key, _| key.0 != job);
            }
            Write::Answer(..) | Write::Record(_) | Write::Imported(_) | Write::Serials(_) => {
                unreachable!("not for the scheduler to write")
            }
        }
    }

    /// The doubtful results of a job, and all that was split off them: found
    /// in another way than the product does, parents first.
    pub(super) fn find_doubtful(&self, job: JobId, doubts: &[Doubt]) -> Undo {
        let mut undo = Undo::default();
        let mut gone: BTreeSet<ShardId> = BTreeSet::new();
        // Numbers only grow, so a shard comes before what is split off it;
        // those that were put back keep theirs, and so does this.
        for (&(_, shard), row) in self
            .ledger
            .range((job, ShardId(0))..=(job, ShardId(u64::MAX)))
        {
            let doubtful = doubts.iter().any(|doubt| match doubt {
                Doubt::Worker(worker) => row.worker == *worker,
                Doubt::Engine(engine) => row.engine == *engine,
                Doubt::Shard(it) => *it == shard,
            });
            let below = gone.contains(&shard);
            if doubtful && !below {
                undo.back.push((shard, row.epoch, Arc::clone(&row.body)));
            }
            if doubtful || below {
                undo.results.insert(shard);
                gone.extend(&row.remainder);
            } else {
                undo.best_moves = undo.best_moves.max(row.tally.best_moves());
                undo.work_done += row.tally.work();
            }
        }
        let parts = gone.difference(&undo.results);
        undo.parts = parts.copied().collect();
        undo
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let jobs = self.jobs.values().map(|record| StoredJob {
            record: record.clone(),
            shards: self
                .shards
                .range((record.id, ShardId(0))..=(record.id, ShardId(u64::MAX)))
                .map(|(key, shard)| (key.1, shard.clone()))
                .collect(),
        });
        Snapshot {
            jobs: jobs.collect(),
        }
    }

    /// Every unit of a planned job is in the ledger or in a shard to be done,
    /// exactly once: both a count and a sum of hashes say so.
    pub(super) fn check_conservation(&self) {
        for record in self.jobs.values() {
            if record.engine.is_empty() {
                continue;
            }
            let mut total = Tally::empty(&record.search);
            for (key, row) in &self.ledger {
                if key.0 == record.id {
                    assert!(total.merge(&row.tally));
                }
            }
            for (key, shard) in &self.shards {
                if key.0 == record.id && shard.check.is_none() {
                    assert!(total.merge(&count(range(&shard.body))));
                }
            }
            assert_eq!(total, count((0, units(&record.search))));
        }
    }
}
