//! Results that are taken back.
//!
//! A result is taken back together with everything that was split off it, for
//! what it handed back may be as wrong as what it counted; its shard is open
//! again as it was. What is in doubt is written to disk first; until the
//! results are found and taken back the job hands out nothing and takes
//! nothing, so that nothing is split off them meanwhile.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use soko::{board::Cell, plan::Shard};

use super::{Action, Effects, Loss, Scheduler, Ticket};
use crate::model::{Doubt, Epoch, JobId, Phase, ShardId, ShardRecord, Write};

/// Results that are to be taken back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Undo {
    /// Shards that are open again as they were, with the leases that had
    /// completed them.
    pub back: Vec<(ShardId, Epoch, Arc<Shard>)>,
    /// Shards whose results are taken back: these, and those that were split
    /// off them.
    pub results: BTreeSet<ShardId>,
    /// Shards without a result that were split off them.
    pub parts: Vec<ShardId>,
    /// Largest number of moves in the results that stay; 0 = none.
    pub best_moves: u32,
    /// Sets or layouts in the results that stay.
    pub work_done: u64,
    /// Largest number of moves in the results that stay, by goal.
    pub goal_best: BTreeMap<Cell, u32>,
}

impl Scheduler {
    /// Takes back results of jobs: of those given, or of all. Gives back the
    /// jobs that are looked through.
    pub fn invalidate(
        &mut self,
        doubt: &Doubt,
        only: Option<JobId>,
        now: Duration,
        effects: &mut Effects,
    ) -> Vec<JobId> {
        let jobs = self.jobs.values();
        let jobs = jobs.filter(|job| !job.record.engine.is_empty());
        let jobs: Vec<JobId> = jobs
            .map(|job| job.record.id)
            .filter(|&id| only.is_none_or(|only| only == id))
            .collect();
        for &id in &jobs {
            self.doubt(id, doubt.clone(), now, effects);
        }
        jobs
    }

    /// Begins to take back results of a job.
    pub(super) fn doubt(&mut self, id: JobId, doubt: Doubt, now: Duration, effects: &mut Effects) {
        let Some(job) = self.jobs.get_mut(&id) else {
            return;
        };
        if job.record.engine.is_empty() || job.record.doubts.contains(&doubt) {
            return;
        }
        tracing::info!(job = %id, %doubt, "results are taken back");
        job.record.doubts.push(doubt);
        if job.record.phase == Phase::Finalizing {
            effects.actions.push(Action::Abandon(id));
            self.enter(id, Phase::Running, "", now, effects);
        } else {
            self.save(id, now, effects);
        }
        self.update_turn(id);
        self.take_back(id, effects);
    }

    /// Asks for the results that are in doubt.
    pub(super) fn take_back(&mut self, id: JobId, effects: &mut Effects) {
        let ticket = self.ticket(id);
        if let Some(job) = self.jobs.get(&id) {
            effects.actions.push(Action::Undo {
                job: id,
                ticket,
                doubts: job.record.doubts.clone(),
            });
        }
    }

    /// The results that are in doubt are found: takes them back. Gives back
    /// whether the job had an answer, which is void now.
    pub fn undone(
        &mut self,
        id: JobId,
        ticket: Ticket,
        undo: Undo,
        now: Duration,
        effects: &mut Effects,
    ) -> bool {
        let Some(job) = self.jobs.get_mut(&id).filter(|job| job.ticket == ticket) else {
            return false;
        };
        job.record.doubts.clear();
        if undo.results.is_empty() {
            self.save(id, now, effects);
            self.update_turn(id);
            effects.work = true;
            self.settle_if_drained(id, now, effects);
            return false;
        }
        let had_answer = job.record.phase == Phase::Done;
        self.stats.undone += undo.results.len() as u64;
        tracing::warn!(
            job = %id,
            results = undo.results.len(),
            open_again = undo.back.len(),
            "results taken back"
        );
        for shard in &undo.results {
            tracing::debug!(job = %id, shard = shard.0, "result taken back");
        }
        let gone = job.checks_of(&undo.results);
        for shard in undo.parts.into_iter().chain(gone) {
            if self
                .jobs
                .get(&id)
                .is_some_and(|job| job.leased().contains(&shard))
            {
                self.end_lease(id, shard);
                self.stats.count_lost(Loss::Distrusted);
            }
            if let Some(job) = self.jobs.get_mut(&id)
                && job.remove(shard).is_some()
            {
                effects.writes.push(Write::DropShard(id, shard));
            }
        }
        let Some(job) = self.jobs.get_mut(&id) else {
            return false;
        };
        let taken = undo.results.len() as u64;
        job.record.shards_done = job.record.shards_done.saturating_sub(taken);
        job.record.best_moves = undo.best_moves;
        job.record.work_done = undo.work_done;
        job.record.goal_best = undo.goal_best;
        let results = undo.results.into_iter().collect();
        effects.writes.push(Write::Undo(id, results));
        let of_other_engine = job.record.engine != self.config.engine;
        if of_other_engine {
            // This engine plans it anew; nothing of it is left.
            job.record.engine.clear();
            job.record.plan = 0;
            job.record.planned = 0;
            job.record.forgotten = false;
            self.drop_shards(id, effects);
            self.enter(id, Phase::Queued, "", now, effects);
            return had_answer;
        }
        for (shard, epoch, body) in undo.back {
            // Results of the leases that were, sent once more, are too late.
            let record = ShardRecord {
                failed: Some(epoch),
                ..ShardRecord::new(body)
            };
            effects.writes.push(Write::Shard(id, shard, record.clone()));
            job.insert(shard, record);
        }
        if had_answer {
            self.enter(id, Phase::Running, "", now, effects);
        } else {
            self.save(id, now, effects);
        }
        self.update_turn(id);
        effects.work = true;
        self.settle_if_drained(id, now, effects);
        had_answer
    }
}
