//! A shard that is not done.

use std::{sync::Arc, time::Duration};

use soko::{board::Cell, plan::Shard};

use crate::model::{Check, Epoch, ShardRecord, WorkerName};

/// A shard that is not done, in memory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) body: Arc<Shard>,
    pub(super) attempts: u32,
    /// The lease whose reported failure was counted last.
    pub(super) failed: Option<Epoch>,
    /// What went wrong last, for people.
    pub(super) failure: String,
    /// It is the second computation of another shard.
    pub(super) check: Option<Check>,
    /// The newest lease known: given, or taken up, since the start.
    pub(super) newest: Option<Epoch>,
    pub(super) state: State,
}

#[derive(Debug)]
pub(super) enum State {
    Open,
    Leased(Box<Lease>),
    Poisoned,
    /// Only of a check: two workers disagree, the coordinator computes.
    Judged(Dispute),
}

/// What the second worker of a check says.
#[derive(Debug, Clone)]
pub(super) struct Dispute {
    pub(super) worker: WorkerName,
    /// What it found; `None` if it failed or did not come to an end.
    pub(super) found: Option<u128>,
}

/// A lease. Lives in memory only.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) epoch: Epoch,
    pub(super) worker: WorkerName,
    pub(super) granted_at: Duration,
    /// When it was given or `work` last grew.
    pub(super) progress_at: Duration,
    /// When a beat last mentioned it.
    pub(super) listed_at: Option<Duration>,
    pub(super) work: u64,
    pub(super) fraction: f64,
    pub(super) best_moves: u32,
    /// Evaluations that were accepted (heuristic modes).
    pub(super) accepted: u64,
}

/// Whether a message about a lease is to be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    /// No newer lease of the shard is known.
    Current,
    /// The failure of this lease was counted already.
    Failed,
    /// A newer lease exists, or this one never did.
    Stale,
}

impl Entry {
    pub(super) fn new(record: ShardRecord) -> Self {
        Self {
            body: record.body,
            attempts: record.attempts,
            failed: record.failed,
            failure: record.failure,
            check: record.check,
            newest: None,
            state: if record.poisoned {
                State::Poisoned
            } else {
                State::Open
            },
        }
    }

    pub(super) fn record(&self) -> ShardRecord {
        ShardRecord {
            body: Arc::clone(&self.body),
            attempts: self.attempts,
            failed: self.failed,
            poisoned: matches!(self.state, State::Poisoned),
            failure: self.failure.clone(),
            check: self.check.clone(),
        }
    }

    /// The compare of compare-and-set: only the newest lease of a shard is
    /// heard. Epochs below `floor` were given before the restart; which of
    /// those was the newest is not known until one turns up, and then only
    /// newer ones can follow.
    pub(super) fn fence(&self, epoch: Epoch, floor: Epoch) -> Fence {
        if self.failed == Some(epoch) {
            return Fence::Failed;
        }
        if matches!(self.state, State::Poisoned | State::Judged(_)) {
            return Fence::Stale;
        }
        let newest = self.newest == Some(epoch);
        let from_before = epoch < floor && self.newest < Some(epoch) && self.failed < Some(epoch);
        if newest || from_before {
            Fence::Current
        } else {
            Fence::Stale
        }
    }

    /// The goal that is not done as long as this is not, if any.
    pub(super) fn goal(&self) -> Option<Cell> {
        self.body.goal().filter(|_| self.check.is_none())
    }

    pub(super) fn lease(&self) -> Option<&Lease> {
        match &self.state {
            State::Leased(lease) => Some(lease),
            _ => None,
        }
    }

    pub(super) fn lease_mut(&mut self) -> Option<&mut Lease> {
        match &mut self.state {
            State::Leased(lease) => Some(lease),
            _ => None,
        }
    }
}

impl Lease {
    pub(super) fn new(epoch: Epoch, worker: WorkerName, now: Duration) -> Self {
        Self {
            epoch,
            worker,
            granted_at: now,
            progress_at: now,
            listed_at: None,
            work: 0,
            fraction: 0.0,
            best_moves: 0,
            accepted: 0,
        }
    }
}
