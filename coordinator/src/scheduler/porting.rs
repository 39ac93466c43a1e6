//! A job leaves as a checkpoint, or comes as one.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::{Effects, Refusal, Scheduler, job::Job};
use crate::{
    checkpoint::Checkpoint,
    model::{Epoch, JobId, JobRecord, LedgerRecord, Phase, RequestId, ShardId, ShardRecord, Write},
};

impl Scheduler {
    /// The job as a checkpoint without what is done: that is in the ledger.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] before it is planned.
    pub fn export(&mut self, id: JobId, now: Duration) -> Result<Checkpoint, Refusal> {
        let Some(job) = self.jobs.get_mut(&id) else {
            return Err(Refusal::NoSuchJob(id.to_string()));
        };
        job.refresh(now);
        let record = &job.record;
        if record.engine.is_empty() {
            return Err(Refusal::WrongPhase {
                job: id,
                phase: record.phase.name(),
                why: "it has no plan yet",
            });
        }
        Ok(Checkpoint {
            name: record.name.clone(),
            search: record.search.clone(),
            engine: record.engine.clone(),
            plan: record.plan,
            elapsed: record.elapsed,
            done: BTreeMap::new(),
            open: job
                .shards()
                .filter(|(_, entry)| entry.check.is_none())
                .map(|(id, entry)| (id, Arc::clone(&entry.body)))
                .collect(),
        })
    }

    /// Files a job that goes on from a checkpoint. The caller has verified it.
    ///
    /// # Errors
    /// [`Refusal::TooManyJobs`], [`Refusal::Numbers`].
    pub fn import(
        &mut self,
        id: JobId,
        request: RequestId,
        checkpoint: Checkpoint,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let active = self.jobs.len() - self.ended.len();
        if active >= self.config.max_active_jobs {
            return Err(Refusal::TooManyJobs(active));
        }
        let ids: Vec<ShardId> = checkpoint
            .done
            .keys()
            .chain(checkpoint.open.keys())
            .copied()
            .collect();
        let numbers = self.serials.take(ids.len()).ok_or(Refusal::Numbers)?;
        // In the same order, so that parts still come after what they are
        // parts of.
        let mut sorted = ids;
        sorted.sort_unstable();
        let renamed: BTreeMap<ShardId, ShardId> =
            sorted.into_iter().zip(numbers.map(ShardId)).collect();
        let record = imported(id, self.next_seq, &request, &checkpoint);
        self.next_seq += 1;
        effects.writes.push(Write::Job(record.clone()));
        let mut job = Job::new(record, now);
        for (old, done) in checkpoint.done {
            let parts = done.remainder.iter().filter_map(|part| renamed.get(part));
            let row = LedgerRecord {
                // Never a lease of this coordinator.
                epoch: Epoch(0),
                request: request.clone(),
                worker: done.worker,
                engine: checkpoint.engine.clone(),
                core_ms: done.core_ms,
                body: done.body,
                remainder: parts.copied().collect(),
                tally: done.tally,
            };
            job.credit(&row);
            effects.writes.push(Write::Done(id, renamed[&old], row));
        }
        for (old, body) in checkpoint.open {
            let record = ShardRecord::new(body);
            let shard = renamed[&old];
            effects.writes.push(Write::Shard(id, shard, record.clone()));
            job.insert(shard, record);
        }
        self.jobs.insert(id, job);
        self.requests.insert(request, id);
        self.enter(id, Phase::Running, "", now, effects);
        self.settle_if_drained(id, now, effects);
        Ok(())
    }
}

fn imported(id: JobId, seq: u64, request: &RequestId, checkpoint: &Checkpoint) -> JobRecord {
    JobRecord {
        name: checkpoint.name.clone(),
        engine: checkpoint.engine.clone(),
        plan: checkpoint.plan,
        planned: checkpoint.roots().len() as u64,
        round: checkpoint.round(),
        elapsed: checkpoint.elapsed,
        ..JobRecord::new(id, seq, request.clone(), checkpoint.search.clone())
    }
}
