//! A job is cancelled, paused, resumed, retried, deleted.

use std::time::Duration;

use super::{Action, Effects, Refusal, Scheduler};
use crate::model::{JobId, Phase, Write};

impl Scheduler {
    /// Ends a job; what it has is kept, and it can be resumed. Ending it again
    /// changes nothing.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] if it ended otherwise.
    pub fn cancel(
        &mut self,
        id: JobId,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        match self.phase(id)? {
            Phase::Cancelled => {
                effects.barrier = true;
                Ok(())
            }
            phase if phase.has_ended() => Err(wrong(id, phase, "it has ended already")),
            phase => {
                if matches!(phase, Phase::Planning | Phase::Finalizing) {
                    effects.actions.push(Action::Abandon(id));
                }
                if phase == Phase::Planning {
                    // It is planned from the start when it is resumed.
                    self.drop_shards(id, effects);
                } else {
                    self.end_leases(id, effects);
                }
                let why = format!(
                    "cancelled by request; `soko-coord jobs resume {id}` goes on with what it has"
                );
                self.enter(id, Phase::Cancelled, &why, now, effects);
                Ok(())
            }
        }
    }

    /// Hands out no more shards of the job; running ones end normally.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] unless it is running.
    pub fn pause(
        &mut self,
        id: JobId,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        match self.phase(id)? {
            Phase::Running => {
                let why = format!("paused by request; `soko-coord jobs resume {id}` goes on");
                self.enter(id, Phase::Paused, &why, now, effects);
                Ok(())
            }
            Phase::Paused => {
                effects.barrier = true;
                Ok(())
            }
            phase => Err(wrong(id, phase, "only a running job can be paused")),
        }
    }

    /// Goes on with a paused or cancelled job from where it was.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] unless it is paused or
    /// cancelled.
    pub fn resume(
        &mut self,
        id: JobId,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        match self.phase(id)? {
            Phase::Cancelled if self.is_forgotten(id) => Err(wrong(
                id,
                Phase::Cancelled,
                "its open shards were not kept; submit it again",
            )),
            Phase::Cancelled if self.is_of_other_engine(id) => Err(wrong(
                id,
                Phase::Cancelled,
                "it was planned by another engine version; submit it again",
            )),
            Phase::Paused | Phase::Cancelled => {
                self.go_on(id, now, effects);
                Ok(())
            }
            phase if phase.has_ended() => Err(wrong(
                id,
                phase,
                "only a paused or cancelled job can be resumed",
            )),
            _ => {
                effects.barrier = true;
                Ok(())
            }
        }
    }

    /// Gives the job's poisoned shards another chance; gives back how many.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] if it has ended
    /// otherwise than incomplete.
    pub fn retry(
        &mut self,
        id: JobId,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<usize, Refusal> {
        let phase = self.phase(id)?;
        if phase.has_ended() && phase != Phase::Incomplete {
            return Err(wrong(id, phase, "only an incomplete job can be retried"));
        }
        if self.is_of_other_engine(id) {
            let why = "it was planned by another engine version; submit it again";
            return Err(wrong(id, phase, why));
        }
        let Some(job) = self.jobs.get_mut(&id) else {
            return Err(Refusal::NoSuchJob(id.to_string()));
        };
        let poisoned: Vec<_> = job.poisoned().iter().copied().collect();
        for &shard in &poisoned {
            job.cure(shard);
            if let Some(entry) = job.shard(shard) {
                effects.writes.push(Write::Shard(id, shard, entry.record()));
            }
        }
        if phase == Phase::Incomplete {
            self.enter(id, Phase::Running, "", now, effects);
        } else {
            self.update_turn(id);
            effects.work = true;
        }
        Ok(poisoned.len())
    }

    /// Forgets a job that has ended.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] unless it has ended.
    pub fn delete(&mut self, id: JobId, effects: &mut Effects) -> Result<(), Refusal> {
        let phase = self.phase(id)?;
        if !phase.has_ended() {
            return Err(wrong(id, phase, "cancel it first"));
        }
        self.forget(id, effects);
        Ok(())
    }

    fn is_forgotten(&self, id: JobId) -> bool {
        self.jobs.get(&id).is_some_and(|job| job.record.forgotten)
    }

    fn is_of_other_engine(&self, id: JobId) -> bool {
        self.jobs.get(&id).is_some_and(|job| {
            !job.record.engine.is_empty() && job.record.engine != self.config.engine
        })
    }

    fn phase(&self, id: JobId) -> Result<Phase, Refusal> {
        self.jobs
            .get(&id)
            .map(|job| job.record.phase)
            .ok_or_else(|| Refusal::NoSuchJob(id.to_string()))
    }
}

fn wrong(job: JobId, phase: Phase, why: &'static str) -> Refusal {
    Refusal::WrongPhase {
        job,
        phase: phase.name(),
        why,
    }
}
