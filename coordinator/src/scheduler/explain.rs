//! Why a job or a shard is not running, for people.

use std::time::Duration;

use soko::text::counted;

use super::{Refusal, Scheduler, job::Job, shard::State, worker::Worker};
use crate::model::{JobId, Phase, ShardId, WorkerName};

/// Most shards of one kind in an explanation.
const MAX_SHARDS: usize = 20;

/// Why a job is where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What holds it up, or that nothing does; one thing each.
    pub reasons: Vec<String>,
    /// What to do about it; empty if there is nothing to do.
    pub hint: String,
    /// The shard asked for; otherwise those given up and those that have run
    /// longest, some of each.
    pub shards: Vec<ShardView>,
}

/// A shard that is not done.
#[derive(Debug, Clone, PartialEq)]
pub struct ShardView {
    /// Its number.
    pub id: ShardId,
    /// What happens to it.
    pub state: ShardState,
    /// Why it is in this state.
    pub reason: String,
    /// Share of the job that it stands for.
    pub weight: f64,
    /// Crashes and invalid results so far.
    pub attempts: u32,
    /// What went wrong last; empty if nothing did.
    pub failure: String,
}

/// What happens to a shard that is not done.
#[derive(Debug, Clone, PartialEq)]
pub enum ShardState {
    /// It waits for a worker.
    Open,
    /// It is computed.
    Leased {
        /// By whom.
        worker: WorkerName,
        /// For how long.
        since: Duration,
        /// How long it has made no progress.
        still: Duration,
    },
    /// It was given up.
    Poisoned,
    /// Two workers found different things; the coordinator computes it.
    Judged,
}

impl Scheduler {
    /// Why a job, or one shard of it, is not running.
    ///
    /// # Errors
    /// [`Refusal::NoSuchJob`], [`Refusal::NoSuchShard`].
    pub fn explain(
        &self,
        id: JobId,
        shard: Option<ShardId>,
        now: Duration,
    ) -> Result<Explanation, Refusal> {
        let job = self.jobs.get(&id);
        let job = job.ok_or_else(|| Refusal::NoSuchJob(id.to_string()))?;
        let (reasons, hint) = self.why(job, now);
        let shards: Vec<ShardId> = match shard {
            Some(shard) if job.shard(shard).is_none() => {
                let shard = shard.0;
                return Err(Refusal::NoSuchShard { job: id, shard });
            }
            Some(shard) => vec![shard],
            None => {
                let mut running: Vec<_> = job.leased().iter().copied().collect();
                running.sort_by_key(|&id| {
                    let lease = job.shard(id).and_then(|entry| entry.lease());
                    lease.map(|lease| lease.granted_at)
                });
                let given_up = job.poisoned().iter().copied().take(MAX_SHARDS);
                given_up
                    .chain(running.into_iter().take(MAX_SHARDS))
                    .collect()
            }
        };
        let first = reasons.first().cloned().unwrap_or_default();
        let shards = shards.into_iter();
        let shards = shards.filter_map(|id| shard_view(job, id, &first, now));
        Ok(Explanation {
            shards: shards.collect(),
            reasons,
            hint,
        })
    }

    /// Why a job is where it is, and what to do about it.
    fn why(&self, job: &Job, now: Duration) -> (Vec<String>, String) {
        let record = &job.record;
        let id = record.id;
        let told = || match record.reason.as_str() {
            "" => record.phase.name().to_owned(),
            reason => reason.to_owned(),
        };
        let nothing = String::new();
        match record.phase {
            Phase::Queued => {
                let ahead = self.queue.iter().take_while(|turn| turn.2 != id).count();
                let ahead = ahead + usize::from(self.planning.is_some());
                let why = format!(
                    "it waits for {} to be cut into shards",
                    counted(ahead, "job")
                );
                (vec![why], nothing)
            }
            Phase::Planning => (vec!["it is being cut into shards".to_owned()], nothing),
            Phase::Finalizing => {
                let why = "all shards are done; all optimal levels are being counted";
                (vec![why.to_owned()], nothing)
            }
            Phase::Paused | Phase::Cancelled => {
                let hint = if record.forgotten {
                    "submit it again".to_owned()
                } else {
                    format!("`soko-coord jobs resume {id}` goes on")
                };
                (vec![told()], hint)
            }
            Phase::Incomplete => {
                let hint = format!("`soko-coord jobs retry {id}` tries the shards again");
                (vec![told()], hint)
            }
            Phase::Done => (vec!["it is done".to_owned()], nothing),
            Phase::Failed => (vec![told()], "submit it again".to_owned()),
            Phase::Running => self.why_running(job, now),
        }
    }

    fn why_running(&self, job: &Job, now: Duration) -> (Vec<String>, String) {
        if let Some(doubt) = job.record.doubts.first() {
            let why = format!("results of {doubt} are being taken back");
            return (vec![why], String::new());
        }
        let (open, leased) = (job.open_count(), job.leased().len());
        let given_up = job.poisoned().len();
        let mut reasons = Vec::new();
        let mut hint = String::new();
        let live: Vec<(&WorkerName, &Worker)> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.is_live())
            .collect();
        let engine = job.record.engine.as_str();
        let able = live
            .iter()
            .filter(|(_, worker)| worker.is_able(engine, now));
        if live.is_empty() {
            reasons.push("no worker is connected".to_owned());
            "start one with `soko-worker --coordinator …`".clone_into(&mut hint);
        } else if able.count() == 0 {
            for (name, worker) in live.iter().take(MAX_SHARDS) {
                reasons.push(match &worker.quarantine {
                    Some(quarantine) if now < quarantine.until => {
                        format!("worker {name} is {}", quarantine.why)
                    }
                    _ if worker.draining => format!("worker {name} is being drained"),
                    _ => format!(
                        "worker {name} computes with engine {}, the job needs {}",
                        worker.engine, job.record.engine
                    ),
                });
            }
            "mend these workers or start others".clone_into(&mut hint);
        } else if open > 0 && leased == 0 {
            let first = self.turns.first().map(|turn| turn.3);
            if first.is_some_and(|first| first != job.record.id) {
                reasons.push("jobs of higher priority, or with fewer leases, come first".into());
            } else {
                reasons.push("it is next; all workers are busy".to_owned());
            }
        } else if open > 0 {
            let slots = self.slots();
            reasons.push(format!(
                "{} being computed, {open} waiting for a place on {}",
                counted(leased, "shard"),
                counted(slots, "worker thread")
            ));
        } else {
            reasons.push(format!(
                "all that is left is being computed: {}",
                counted(leased, "shard")
            ));
        }
        if given_up > 0 {
            reasons.push(format!(
                "{} given up after {} each",
                counted(given_up, "shard"),
                counted(self.config.attempts, "attempt")
            ));
            if hint.is_empty() {
                let id = job.record.id;
                hint = format!("`soko-coord jobs retry {id}` tries them again");
            }
        }
        (reasons, hint)
    }
}

fn shard_view(job: &Job, id: ShardId, why: &str, now: Duration) -> Option<ShardView> {
    let entry = job.shard(id)?;
    let (state, reason) = match &entry.state {
        State::Open => (ShardState::Open, why.to_owned()),
        State::Leased(lease) => {
            let state = ShardState::Leased {
                worker: lease.worker.clone(),
                since: now.saturating_sub(lease.granted_at),
                still: now.saturating_sub(lease.progress_at),
            };
            (state, format!("computed by worker {}", lease.worker))
        }
        State::Judged(dispute) => {
            let reason = format!(
                "worker {} does not find what another one found; the coordinator computes it",
                dispute.worker
            );
            (ShardState::Judged, reason)
        }
        State::Poisoned => {
            let reason = format!("given up after {}", counted(entry.attempts, "attempt"));
            (ShardState::Poisoned, reason)
        }
    };
    Some(ShardView {
        id,
        state,
        reason,
        weight: entry.body.weight,
        attempts: entry.attempts,
        failure: entry.failure.clone(),
    })
}
