//! A worker, as far as the coordinator knows.

use std::{
    collections::{BTreeSet, VecDeque},
    time::Duration,
};

use crate::model::{InstanceId, JobId, LeaseKey, RequestId, ShardId};

/// How many answered requests for shards are remembered.
const REMEMBERED: usize = 8;

#[derive(Debug)]
pub(super) struct Worker {
    pub(super) instance: InstanceId,
    /// Processes that used the name before, newest last.
    pub(super) replaced: VecDeque<InstanceId>,
    pub(super) engine: String,
    pub(super) threads: u32,
    pub(super) last_seen: Duration,
    /// Derived from the leases, for finding a worker's leases; the leases
    /// themselves are with the shards.
    pub(super) leases: BTreeSet<(JobId, ShardId)>,
    answered: VecDeque<(RequestId, Vec<LeaseKey>)>,
    pub(super) draining: bool,
    /// Not heard of for too long, or gone.
    pub(super) lost: bool,
    pub(super) completed: u64,
    pub(super) failed: u64,
    /// Failures since the last success.
    pub(super) streak: u32,
    pub(super) quarantine: Option<Quarantine>,
    /// It gave a wrong result; nothing is taken from it any more.
    pub(super) distrusted: bool,
    /// Results of it that were found again by others.
    pub(super) vouched: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Quarantine {
    pub(super) until: Duration,
    pub(super) why: String,
}

impl Worker {
    pub(super) fn new(instance: InstanceId, now: Duration) -> Self {
        Self {
            instance,
            replaced: VecDeque::new(),
            engine: String::new(),
            threads: 1,
            last_seen: now,
            leases: BTreeSet::new(),
            answered: VecDeque::new(),
            draining: false,
            lost: false,
            completed: 0,
            failed: 0,
            streak: 0,
            quarantine: None,
            distrusted: false,
            vouched: 0,
        }
    }

    /// Whether work gets done here.
    pub(super) fn is_live(&self) -> bool {
        !self.lost
    }

    /// Whether it may be given work.
    pub(super) fn is_able(&self, engine: &str, now: Duration) -> bool {
        let free = self.quarantine.as_ref().is_none_or(|it| it.until <= now);
        self.is_live() && free && !self.draining && self.engine == engine
    }

    /// Another process takes over the name.
    pub(super) fn replace_instance(&mut self, instance: InstanceId) {
        let old = std::mem::replace(&mut self.instance, instance);
        if self.replaced.len() == REMEMBERED {
            self.replaced.pop_front();
        }
        self.replaced.push_back(old);
        self.answered.clear();
        self.draining = false;
    }

    /// The leases that were given in answer to a request.
    pub(super) fn answer_to(&self, request: &RequestId) -> Option<&[LeaseKey]> {
        self.answered
            .iter()
            .find(|(known, _)| known == request)
            .map(|(_, keys)| keys.as_slice())
    }

    pub(super) fn remember(&mut self, request: RequestId, keys: Vec<LeaseKey>) {
        if self.answered.len() == REMEMBERED {
            self.answered.pop_front();
        }
        self.answered.push_back((request, keys));
    }

    /// Counts a failure; too many in a row put the worker in quarantine.
    pub(super) fn count_failure(
        &mut self,
        why: &str,
        limit: u32,
        pause: Duration,
        now: Duration,
    ) -> bool {
        self.failed += 1;
        self.streak += 1;
        if self.streak < limit || self.quarantine.is_some() {
            return false;
        }
        self.quarantine = Some(Quarantine {
            until: now + pause,
            why: format!(
                "quarantined for {} s after {} failures in a row, the last one: {why}",
                pause.as_secs(),
                self.streak
            ),
        });
        true
    }
}
