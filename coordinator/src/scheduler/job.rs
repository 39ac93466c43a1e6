//! A job, and the transitions of its shards.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use soko::{board::Cell, plan::Tally, search::hunt::Hunt};

use super::{
    Ticket,
    meter::Meter,
    shard::{Dispute, Entry, Lease, State},
};
use crate::model::{JobId, JobRecord, LedgerRecord, Phase, ShardId, ShardRecord, WorkerName};

/// Place of a job in the order in which jobs get workers: higher priority
/// first, then the one with fewer leases, then the older one.
pub(super) type Turn = (Reverse<i32>, usize, u64, JobId);

/// A job in memory.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) record: JobRecord,
    /// Shards that are not done.
    shards: BTreeMap<ShardId, Entry>,
    /// The open ones that are parts of the job, heaviest first.
    open: BTreeSet<(Reverse<u64>, ShardId)>,
    /// The open ones that are second computations, by the worker that must not
    /// do them.
    open_checks: BTreeMap<WorkerName, BTreeSet<ShardId>>,
    /// All second computations, whatever their state.
    check_count: usize,
    leased: BTreeSet<ShardId>,
    poisoned: BTreeSet<ShardId>,
    /// Shards of each goal that are not done.
    goals: BTreeMap<Cell, u64>,
    /// Sum of the weights of the shards that are not done.
    undone: f64,
    /// When `record.elapsed` was brought up to date.
    since: Duration,
    pub(super) meter: Meter,
    /// Found unfinished at the start.
    pub(super) interrupted: bool,
    /// Taken up again by a request for an equal search.
    pub(super) resumed: bool,
    /// The newest piece of slow work for it.
    pub(super) ticket: Ticket,
    /// The best number of moves seen so far, and when it was first seen.
    improved: Option<(u32, Duration)>,
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
            open_checks: BTreeMap::new(),
            check_count: 0,
            leased: BTreeSet::new(),
            poisoned: BTreeSet::new(),
            goals: BTreeMap::new(),
            undone: 0.0,
            since: now,
            meter: Meter::default(),
            interrupted: false,
            resumed: false,
            ticket: Ticket::default(),
            improved: None,
            turn: None,
        }
    }

    // Transitions of a shard, one function each.

    /// New → open (or poisoned, when it was so on disk).
    pub(super) fn insert(&mut self, id: ShardId, record: ShardRecord) {
        let entry = Entry::new(record);
        self.count(&entry);
        self.list(id, &entry);
        self.shards.insert(id, entry);
    }

    /// Like [`Job::insert`] for all shards of a job that has none yet: there
    /// may be a million, and a tree is made faster at once than one by one.
    pub(super) fn fill(&mut self, shards: Vec<(ShardId, ShardRecord)>) {
        let mut entries = Vec::with_capacity(shards.len());
        let mut open = Vec::with_capacity(shards.len());
        for (id, record) in shards {
            let entry = Entry::new(record);
            self.count(&entry);
            if entry.check.is_none() && matches!(entry.state, State::Open) {
                open.push((by_weight(entry.body.weight), id));
            } else {
                self.list(id, &entry);
            }
            entries.push((id, entry));
        }
        self.shards = entries.into_iter().collect();
        self.open = open.into_iter().collect();
    }

    fn count(&mut self, entry: &Entry) {
        self.undone += entry.body.weight;
        self.check_count += usize::from(entry.check.is_some());
        if let Some(goal) = entry.goal() {
            *self.goals.entry(goal).or_default() += 1;
        }
    }

    fn list(&mut self, id: ShardId, entry: &Entry) {
        if matches!(entry.state, State::Poisoned) {
            self.poisoned.insert(id);
        } else {
            self.list_open(id, entry);
        }
    }

    fn list_open(&mut self, id: ShardId, entry: &Entry) {
        match &entry.check {
            Some(check) => {
                let checks = self.open_checks.entry(check.worker.clone());
                checks.or_default().insert(id);
            }
            None => {
                self.open.insert((by_weight(entry.body.weight), id));
            }
        }
    }

    /// Takes a shard off the open ones; `false` if it is not one.
    fn take_open(&mut self, id: ShardId) -> bool {
        let Some(entry) = self.shards.get(&id) else {
            return false;
        };
        let Some(check) = &entry.check else {
            return self.open.remove(&(by_weight(entry.body.weight), id));
        };
        let Some(checks) = self.open_checks.get_mut(&check.worker) else {
            return false;
        };
        let taken = checks.remove(&id);
        if checks.is_empty() {
            self.open_checks.remove(&check.worker);
        }
        taken
    }

    /// Open → leased. `false` if the shard is not open.
    pub(super) fn lease(&mut self, id: ShardId, lease: Lease) -> bool {
        if !self.take_open(id) {
            return false;
        }
        if let Some(entry) = self.shards.get_mut(&id) {
            entry.newest = Some(lease.epoch);
            entry.state = State::Leased(Box::new(lease));
            self.leased.insert(id);
        }
        true
    }

    /// Leased → open; gives back the lease that ended.
    pub(super) fn reopen(&mut self, id: ShardId) -> Option<Lease> {
        let mut entry = self.shards.remove(&id)?;
        let lease = match std::mem::replace(&mut entry.state, State::Open) {
            State::Leased(lease) => {
                self.leased.remove(&id);
                self.list_open(id, &entry);
                Some(*lease)
            }
            other => {
                entry.state = other;
                None
            }
        };
        self.shards.insert(id, entry);
        lease
    }

    /// Open → poisoned.
    pub(super) fn poison(&mut self, id: ShardId) {
        if self.take_open(id)
            && let Some(entry) = self.shards.get_mut(&id)
        {
            entry.state = State::Poisoned;
            self.poisoned.insert(id);
        }
    }

    /// Poisoned → open, with a clean slate.
    pub(super) fn cure(&mut self, id: ShardId) {
        if self.poisoned.remove(&id)
            && let Some(mut entry) = self.shards.remove(&id)
        {
            entry.attempts = 0;
            entry.failure.clear();
            entry.state = State::Open;
            self.list_open(id, &entry);
            self.shards.insert(id, entry);
        }
    }

    /// Open or leased → done.
    pub(super) fn complete(&mut self, id: ShardId) -> Option<Entry> {
        self.remove(id)
    }

    /// Open or leased → judged, until the coordinator has computed it.
    pub(super) fn judge(&mut self, id: ShardId, dispute: Dispute) {
        self.take_open(id);
        self.leased.remove(&id);
        if let Some(entry) = self.shards.get_mut(&id) {
            entry.state = State::Judged(dispute);
        }
    }

    /// Anything → gone.
    pub(super) fn remove(&mut self, id: ShardId) -> Option<Entry> {
        self.take_open(id);
        self.leased.remove(&id);
        self.poisoned.remove(&id);
        let entry = self.shards.remove(&id)?;
        self.undone -= entry.body.weight;
        self.check_count -= usize::from(entry.check.is_some());
        if let Some(count) = entry.goal().and_then(|goal| self.goals.get_mut(&goal)) {
            *count -= 1;
        }
        Some(entry)
    }

    /// Adds the result of a shard that is done to the totals.
    pub(super) fn credit(&mut self, row: &LedgerRecord) {
        let record = &mut self.record;
        let best = row.tally.best_moves();
        record.shards_done += 1;
        record.best_moves = record.best_moves.max(best);
        record.work_done = record.work_done.saturating_add(row.tally.work());
        record.core_ms = record.core_ms.saturating_add(row.core_ms);
        if let Tally::Hunt(tally) = &row.tally {
            record.accepted = record.accepted.saturating_add(tally.accepted);
        }
        if let Some(goal) = row.body.goal() {
            let known = record.goal_best.entry(goal).or_default();
            *known = best.max(*known);
        }
    }

    /// Forgets all shards; gives back those that were leased.
    pub(super) fn clear(&mut self) {
        self.shards.clear();
        self.open.clear();
        self.open_checks.clear();
        self.check_count = 0;
        self.leased.clear();
        self.poisoned.clear();
        self.undone = 0.0;
        self.goals.clear();
    }

    // What is where.

    pub(super) fn shard(&self, id: ShardId) -> Option<&Entry> {
        self.shards.get(&id)
    }

    /// The shards that are not done.
    pub(super) fn shards(&self) -> impl Iterator<Item = (ShardId, &Entry)> {
        self.shards.iter().map(|(&id, entry)| (id, entry))
    }

    /// Goals of the job with the best found in done shards and the number of
    /// shards that are not done.
    pub(super) fn goals(&self) -> BTreeMap<Cell, (u32, u64)> {
        let best = &self.record.goal_best;
        let mut goals: BTreeMap<Cell, (u32, u64)> = best
            .iter()
            .map(|(&goal, &best)| (goal, (best, 0)))
            .collect();
        for (&goal, &undone) in &self.goals {
            goals.entry(goal).or_default().1 = undone;
        }
        goals
    }

    pub(super) fn shard_mut(&mut self, id: ShardId) -> Option<&mut Entry> {
        self.shards.get_mut(&id)
    }

    pub(super) fn open_count(&self) -> usize {
        let checks: usize = self.open_checks.values().map(BTreeSet::len).sum();
        self.open.len() + checks
    }

    /// Whether some shard waits for a worker.
    pub(super) fn has_open(&self) -> bool {
        !self.open.is_empty() || !self.open_checks.is_empty()
    }

    pub(super) fn leased(&self) -> &BTreeSet<ShardId> {
        &self.leased
    }

    pub(super) fn poisoned(&self) -> &BTreeSet<ShardId> {
        &self.poisoned
    }

    /// Shards that are not done.
    pub(super) fn shard_count(&self) -> usize {
        self.shards.len()
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

    /// The next second computation that this worker may do.
    pub(super) fn next_check(&self, worker: &WorkerName) -> Option<ShardId> {
        let mut others = self
            .open_checks
            .iter()
            .filter(|(first, _)| *first != worker);
        others
            .next()
            .and_then(|(_, checks)| checks.first().copied())
    }

    /// Open second computations, each with the worker that must not do it.
    pub(super) fn open_checks(&self) -> impl Iterator<Item = (&WorkerName, ShardId)> {
        let by_worker = self.open_checks.iter();
        by_worker.flat_map(|(worker, checks)| checks.iter().map(move |&id| (worker, id)))
    }

    /// Second computations of these shards, whatever their state.
    pub(super) fn checks_of(&self, shards: &BTreeSet<ShardId>) -> Vec<ShardId> {
        if self.check_count == 0 {
            return Vec::new();
        }
        let checks = self.shards.iter().filter(|(_, entry)| {
            let check = entry.check.as_ref();
            check.is_some_and(|check| shards.contains(&check.of))
        });
        checks.map(|(&id, _)| id).collect()
    }

    /// Second computations that are not done.
    pub(super) fn check_count(&self) -> usize {
        self.check_count
    }

    /// Whether nothing is left but what was given up.
    pub(super) fn is_drained(&self) -> bool {
        self.shards.len() == self.poisoned.len()
    }

    /// Parts of the job that are neither done nor given up.
    pub(super) fn parts_left(&self) -> usize {
        self.shards.len() - self.check_count - self.poisoned.len()
    }

    /// Whether results are being taken back; until then nothing goes on.
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.record.doubts.is_empty()
    }

    /// Where the job stands in the order of turns; `None` if it has nothing to
    /// hand out.
    pub(super) fn wanted_turn(&self) -> Option<Turn> {
        let record = &self.record;
        let hands_out = record.phase == Phase::Running && !self.is_in_doubt();
        (hands_out && self.has_open()).then_some((
            Reverse(record.priority),
            self.leased.len(),
            record.seq,
            record.id,
        ))
    }

    // How far it is.

    /// Brings progress and elapsed time in the record up to date.
    pub(super) fn refresh(&mut self, now: Duration) {
        self.note_improvement(now);
        let hunt = self.hunt();
        let later = hunt.map_or(0.0, |hunt| hunt.share_after(self.record.round));
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
            let progress = (1.0 - later - self.undone + running).clamp(0.0, 1.0);
            record.progress = record.progress.max(progress);
        }
    }

    /// Sets or layouts done, those in running shards included.
    pub(super) fn work(&self) -> u64 {
        let running: u64 = self.leases().map(|lease| lease.work).sum();
        self.record.work_done.saturating_add(running)
    }

    /// Evaluations that were accepted, those in running shards included.
    pub(super) fn accepted(&self) -> u64 {
        let running: u64 = self.leases().map(|lease| lease.accepted).sum();
        self.record.accepted.saturating_add(running)
    }

    /// The best of each running shard that has found something, best first.
    pub(super) fn running_best(&self, limit: usize) -> Vec<u32> {
        let mut best: Vec<u32> = self.leases().map(|lease| lease.best_moves).collect();
        best.retain(|&moves| moves > 0);
        best.sort_unstable_by(|a, b| b.cmp(a));
        best.truncate(limit);
        best
    }

    /// Time since the best number of moves was first seen here.
    pub(super) fn since_improvement(&self, now: Duration) -> Option<Duration> {
        self.improved.map(|(_, at)| now.saturating_sub(at))
    }

    fn note_improvement(&mut self, now: Duration) {
        let best = self.best_moves();
        if best > self.improved.map_or(0, |(moves, _)| moves) {
            self.improved = Some((best, now));
        }
    }

    fn hunt(&self) -> Option<&Hunt> {
        self.record.search.hunt.as_deref()
    }

    /// The number of the last round that there may be.
    pub(super) fn last_round(&self) -> u32 {
        self.hunt().map_or(0, |hunt| hunt.rounds.saturating_sub(1))
    }

    /// Whether another round may follow.
    pub(super) fn has_more_rounds(&self) -> bool {
        self.record.round < self.last_round()
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
        assert_eq!(self.open_count(), count(|s| matches!(s, State::Open)));
        let checks = self.shards.values().filter(|entry| entry.check.is_some());
        assert_eq!(self.check_count, checks.count());
        assert_eq!(self.leased.len(), count(|s| matches!(s, State::Leased(_))));
        assert_eq!(self.poisoned.len(), count(|s| matches!(s, State::Poisoned)));
        let of_goals: u64 = self.goals.values().sum();
        let with_goal = self.shards.values().filter(|it| it.goal().is_some());
        assert_eq!(of_goals as usize, with_goal.count());
        let undone: f64 = self.shards.values().map(|entry| entry.body.weight).sum();
        assert!(self.shards.is_empty() || (undone - self.undone).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&self.record.progress));
    }
}
