//! A job is cancelled, paused, resumed, retried, deleted.

use std::time::Duration;

use super::{Action, Effects, Refusal, Scheduler};
use crate::model::{JobId, Phase, Write};

impl Scheduler {
    /// Ends a job. Ending it again changes nothing.
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
                self.drop_shards(id, effects);
                self.enter(id, Phase::Cancelled, "cancelled by request", now, effects);
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

    /// Goes on with a paused job.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::WrongPhase`] unless it is paused.
    pub fn resume(
        &mut self,
        id: JobId,
        now: Duration,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        match self.phase(id)? {
            Phase::Paused => {
                self.go_on(id, now, effects);
                Ok(())
            }
            Phase::Running => {
                effects.barrier = true;
                Ok(())
            }
            phase => Err(wrong(id, phase, "only a paused job can be resumed")),
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
