//! A job, and the transitions of its shards.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    meter::Meter,
    shard::{Entry, Lease, State},
};
use crate::model::{JobId, JobRecord, Phase, ShardId, ShardRecord};

/// Place of a job in the order in which jobs get workers: higher priority
/// first, then the one with fewer leases, then the older one.
pub(super) type Turn = (Reverse<i32>, usize, u64, JobId);

/// A job in memory.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) record: JobRecord,
    /// Shards that are not done.
    shards: BTreeMap<ShardId, Entry>,
    /// The open ones, heaviest first.
    open: BTreeSet<(Reverse<u64>, ShardId)>,
    leased: BTreeSet<ShardId>,
    poisoned: BTreeSet<ShardId>,
    /// Sum of the weights of the shards that are not done.
    undone: f64,
    /// When `record.elapsed` was brought up to date.
    since: Duration,
    pub(super) meter: Meter,
    /// Found unfinished at the start.
    pub(super) interrupted: bool,
    /// Taken up again by a request for an equal search.
    pub(super) resumed: bool,
    /// Where the job stands in the order of turns, if it does.
    pub(super) turn: Option<Turn>,
}

/// A weight as a key that sorts like the number.
fn by_weight(weight: f64) -> Reverse<u64> {
    // The bit patterns of non-negative numbers sort like the numbers.
    Reverse(weight.max(0.0).to_bits())
}

impl Job {
    pub(super) fn new(record: JobRecord, now: Duration) -> Self {
        Self {
            record,
            shards: BTreeMap::new(),
            open: BTreeSet::new(),
            leased: BTreeSet::new(),
            poisoned: BTreeSet::new(),
            undone: 0.0,
            since: now,
            meter: Meter::default(),
            interrupted: false,
            resumed: false,
            turn: None,
        }
    }

    // Transitions of a shard, one function each.

    /// New → open (or poisoned, when it was so on disk).
    pub(super) fn insert(&mut self, id: ShardId, record: ShardRecord) {
        let entry = Entry::new(record);
        self.undone += entry.body.weight;
        if matches!(entry.state, State::Poisoned) {
            self.poisoned.insert(id);
        } else {
            self.open.insert((by_weight(entry.body.weight), id));
        }
        self.shards.insert(id, entry);
    }

    /// Open → leased. `false` if the shard is not open.
    pub(super) fn lease(&mut self, id: ShardId, lease: Lease) -> bool {
        let Some(entry) = self.shards.get_mut(&id) else {
            return false;
        };
        if !self.open.remove(&(by_weight(entry.body.weight), id)) {
            return false;
        }
        entry.newest = Some(lease.epoch);
        entry.state = State::Leased(Box::new(lease));
        self.leased.insert(id);
        true
    }

    /// Leased → open; gives back the lease that ended.
    pub(super) fn reopen(&mut self, id: ShardId) -> Option<Lease> {
        let entry = self.shards.get_mut(&id)?;
        if !self.leased.remove(&id) {
            return None;
        }
        self.open.insert((by_weight(entry.body.weight), id));
        match std::mem::replace(&mut entry.state, State::Open) {
            State::Leased(lease) => Some(*lease),
            _ => None,
        }
    }

    /// Open → poisoned.
    pub(super) fn poison(&mut self, id: ShardId) {
        if let Some(entry) = self.shards.get_mut(&id)
            && self.open.remove(&(by_weight(entry.body.weight), id))
        {
            entry.state = State::Poisoned;
            self.poisoned.insert(id);
        }
    }

    /// Poisoned → open, with a clean slate.
    pub(super) fn cure(&mut self, id: ShardId) {
        if self.poisoned.remove(&id)
            && let Some(entry) = self.shards.get_mut(&id)
        {
            entry.attempts = 0;
            entry.state = State::Open;
            self.open.insert((by_weight(entry.body.weight), id));
        }
    }

    /// Open or leased → done.
    pub(super) fn complete(&mut self, id: ShardId) -> Option<Entry> {
        let entry = self.shards.remove(&id)?;
        self.open.remove(&(by_weight(entry.body.weight), id));
        self.leased.remove(&id);
        self.poisoned.remove(&id);
        self.undone -= entry.body.weight;
        self.record.shards_done += 1;
        Some(entry)
    }

    /// Forgets all shards; gives back those that were leased.
    pub(super) fn clear(&mut self) {
        self.shards.clear();
        self.open.clear();
        self.leased.clear();
        self.poisoned.clear();
    }

    // What is where.

    pub(super) fn shard(&self, id: ShardId) -> Option<&Entry> {
        self.shards.get(&id)
    }

    pub(super) fn shard_mut(&mut self, id: ShardId) -> Option<&mut Entry> {
        self.shards.get_mut(&id)
    }

    pub(super) fn open_count(&self) -> usize {
        self.open.len()
    }

    pub(super) fn leased(&self) -> &BTreeSet<ShardId> {
        &self.leased
    }

    pub(super) fn poisoned(&self) -> &BTreeSet<ShardId> {
        &self.poisoned
    }

    /// The open shards in the order in which they are handed out.
    pub(super) fn next_open(&self, lightest: bool) -> Option<ShardId> {
        let next = if lightest {
            self.open.last()
        } else {
            self.open.first()
        };
        next.map(|&(_, id)| id)
    }

    pub(super) fn is_drained(&self) -> bool {
        self.open.is_empty() && self.leased.is_empty()
    }

    /// Where the job stands in the order of turns; `None` if it has nothing to
    /// hand out.
    pub(super) fn wanted_turn(&self) -> Option<Turn> {
        let record = &self.record;
        (record.phase == Phase::Running && !self.open.is_empty()).then_some((
            Reverse(record.priority),
            self.leased.len(),
            record.seq,
            record.id,
        ))
    }

    // How far it is.

    /// Brings progress and elapsed time in the record up to date.
    pub(super) fn refresh(&mut self, now: Duration) {
        let record = &mut self.record;
        if record.phase.has_ended() {
            return;
        }
        record.elapsed += now.saturating_sub(self.since);
        self.since = now;
        if matches!(
            record.phase,
            Phase::Running | Phase::Paused | Phase::Finalizing
        ) {
            let running: f64 = self
                .leased
                .iter()
                .filter_map(|id| {
                    let entry = self.shards.get(id)?;
                    Some(entry.body.weight * entry.lease()?.fraction)
                })
                .sum();
            // Weights are guesses and sums of floats: never show more than
            // all, nor less than before.
            let progress = (1.0 - self.undone + running).clamp(0.0, 1.0);
            record.progress = record.progress.max(progress);
        }
    }

    /// Sets or layouts done, those in running shards included.
    pub(super) fn work(&self) -> u64 {
        let running: u64 = self.leases().map(|lease| lease.work).sum();
        self.record.work_done.saturating_add(running)
    }

    /// Largest number of moves seen, those in running shards included.
    pub(super) fn best_moves(&self) -> u32 {
        self.leases()
            .map(|lease| lease.best_moves)
            .fold(self.record.best_moves, u32::max)
    }

    fn leases(&self) -> impl Iterator<Item = &Lease> {
        self.leased
            .iter()
            .filter_map(|id| self.shards.get(id)?.lease())
    }

    /// Panics if the indices disagree with the shards.
    #[cfg(test)]
    pub(super) fn check(&self) {
        let count = |wanted: fn(&State) -> bool| {
            self.shards
                .values()
                .filter(|entry| wanted(&entry.state))
                .count()
        };
        assert_eq!(self.open.len(), count(|s| matches!(s, State::Open)));
        assert_eq!(self.leased.len(), count(|s| matches!(s, State::Leased(_))));
        assert_eq!(self.poisoned.len(), count(|s| matches!(s, State::Poisoned)));
        let undone: f64 = self.shards.values().map(|entry| entry.body.weight).sum();
        assert!(self.shards.is_empty() || (undone - self.undone).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&self.record.progress));
    }
}
