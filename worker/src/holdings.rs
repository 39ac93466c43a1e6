//! Which leases the worker holds, and how each is stopped.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use soko::{plan::Control, rpc::v1};
use tokio::sync::watch;

/// A lease that is queued or computed.
#[derive(Debug)]
pub(crate) struct Holding {
    plan: v1::U128,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    /// Waits for a thread.
    Queued,
    /// Computed under this control.
    Running(Arc<Control>),
    /// Nobody wants its result any more.
    Dropped,
}

impl Holding {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while it is held")
    }

    /// Queued → running, with this much time. `None` if the lease was dropped.
    pub(crate) fn begin(&self, budget: Option<Duration>) -> Option<Arc<Control>> {
        let mut state = self.state();
        if !matches!(*state, State::Queued) {
            return None;
        }
        let deadline = budget.map(|budget| Instant::now() + budget);
        let control = Arc::new(Control::until(deadline));
        *state = State::Running(Arc::clone(&control));
        Some(control)
    }

    /// Whether the result of the computation is still wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        !matches!(*self.state(), State::Dropped)
    }

    /// Drops the lease, whatever its state.
    fn revoke(&self) {
        if let State::Running(control) = std::mem::replace(&mut *self.state(), State::Dropped) {
            control.stop();
        }
    }

    /// Drops the lease if it waits; `true` if it did.
    fn withdraw(&self) -> bool {
        let mut state = self.state();
        let queued = matches!(*state, State::Queued);
        if queued {
            *state = State::Dropped;
        }
        queued
    }

    /// Asks the computation to hand in what it has.
    fn stop(&self) {
        if let State::Running(control) = &*self.state() {
            control.stop();
        }
    }

    fn progress(&self, key: v1::LeaseKey) -> Option<v1::Progress> {
        match &*self.state() {
            State::Queued => Some(v1::Progress {
                key: Some(key),
                queued: true,
                ..v1::Progress::default()
            }),
            State::Running(control) => Some(v1::Progress {
                key: Some(key),
                work: control.work(),
                fraction: control.fraction(),
                best_moves: control.best_moves(),
                accepted: control.accepted(),
                queued: false,
            }),
            State::Dropped => None,
        }
    }
}

/// Handle to the leases that the worker holds.
#[derive(Debug, Clone)]
pub(crate) struct Holdings {
    table: Arc<Mutex<Table>>,
    /// How many there are, for those who wait for room or for the end.
    count: Arc<watch::Sender<usize>>,
}

#[derive(Debug, Default)]
struct Table {
    leases: HashMap<v1::LeaseKey, Arc<Holding>>,
    /// The worker is leaving: nothing more is taken.
    closed: bool,
}

impl Default for Holdings {
    fn default() -> Self {
        Self {
            table: Arc::default(),
            count: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl Holdings {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("no panic while it is held")
    }

    /// Adds a lease; `None` if it is held already or nothing is taken any
    /// more.
    pub(crate) fn insert(&self, key: v1::LeaseKey, plan: v1::U128) -> Option<Arc<Holding>> {
        let mut table = self.table();
        if table.closed || table.leases.contains_key(&key) {
            return None;
        }
        let holding = Arc::new(Holding {
            plan,
            state: Mutex::new(State::Queued),
        });
        table.leases.insert(key, Arc::clone(&holding));
        self.count.send_replace(table.leases.len());
        Some(holding)
    }

    /// Forgets a lease.
    pub(crate) fn remove(&self, key: &v1::LeaseKey) {
        let mut table = self.table();
        table.leases.remove(key);
        self.count.send_replace(table.leases.len());
    }

    /// Drops leases that are no longer the worker's.
    pub(crate) fn revoke(&self, keys: &[v1::LeaseKey]) {
        let table = self.table();
        for key in keys {
            if let Some(holding) = table.leases.get(key) {
                tracing::info!(job = key.job, shard = key.shard, "lease revoked");
                holding.revoke();
            }
        }
    }

    /// Drops all leases: the worker ends.
    pub(crate) fn revoke_all(&self) {
        self.table()
            .leases
            .values()
            .for_each(|holding| holding.revoke());
    }

    /// Takes no more leases, and drops and returns those that wait for a
    /// thread.
    #[must_use = "they have to be given back"]
    pub(crate) fn close(&self) -> Vec<v1::LeaseKey> {
        let mut table = self.table();
        table.closed = true;
        let queued = table
            .leases
            .iter()
            .filter(|(_, holding)| holding.withdraw());
        queued.map(|(key, _)| key.clone()).collect()
    }

    /// Asks all computations to hand in what they have.
    pub(crate) fn stop_running(&self) {
        self.table()
            .leases
            .values()
            .for_each(|holding| holding.stop());
    }

    /// How far each lease is.
    pub(crate) fn progress(&self) -> Vec<v1::Progress> {
        let table = self.table();
        let progress = table
            .leases
            .iter()
            .map(|(key, it)| it.progress(key.clone()));
        progress.flatten().collect()
    }

    /// The leases as a worker presents them when it registers.
    pub(crate) fn held(&self) -> Vec<v1::HeldLease> {
        let table = self.table();
        let wanted = table
            .leases
            .iter()
            .filter(|(_, holding)| holding.is_wanted());
        wanted
            .map(|(key, holding)| v1::HeldLease {
                key: Some(key.clone()),
                plan: Some(holding.plan),
            })
            .collect()
    }

    /// How many leases are held.
    pub(crate) fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until at most so many leases are held.
    pub(crate) async fn at_most(&self, limit: usize) {
        let mut count = self.count.subscribe();
        let reached = count.wait_for(|&count| count <= limit).await;
        reached.expect("the sender lives in self");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(shard: u64) -> v1::LeaseKey {
        v1::LeaseKey {
            job: "j".into(),
            shard,
            epoch: 1,
        }
    }

    #[test]
    fn a_lease_is_held_once() {
        let holdings = Holdings::default();
        assert!(holdings.insert(key(1), v1::U128::default()).is_some());
        assert!(holdings.insert(key(1), v1::U128::default()).is_none());
        assert_eq!(holdings.count(), 1);
        holdings.remove(&key(1));
        assert_eq!(holdings.count(), 0);
    }

    #[test]
    fn a_revoked_lease_stops_and_is_not_wanted() {
        let holdings = Holdings::default();
        let running = holdings.insert(key(1), v1::U128::default()).unwrap();
        let queued = holdings.insert(key(2), v1::U128::default()).unwrap();
        let control = running.begin(None).unwrap();
        holdings.revoke(&[key(1), key(2), key(3)]);
        assert!(control.should_stop());
        assert!(!running.is_wanted());
        assert!(queued.begin(None).is_none());
        assert!(holdings.progress().is_empty());
        assert!(holdings.held().is_empty());
    }

    #[test]
    fn closing_drops_what_waits_and_takes_no_more() {
        let holdings = Holdings::default();
        let running = holdings.insert(key(1), v1::U128::default()).unwrap();
        let queued = holdings.insert(key(2), v1::U128::default()).unwrap();
        let control = running.begin(None).unwrap();
        assert_eq!(holdings.close(), [key(2)]);
        assert!(holdings.insert(key(3), v1::U128::default()).is_none());
        assert!(!control.should_stop());
        assert!(queued.begin(None).is_none());
        holdings.stop_running();
        assert!(control.should_stop());
        assert!(running.is_wanted(), "its partial result is");
    }

    #[test]
    fn a_budget_counts_from_the_begin() {
        let holdings = Holdings::default();
        for (number, budget, stops) in [
            (1, Duration::from_hours(1), false),
            (2, Duration::ZERO, true),
        ] {
            let holding = holdings.insert(key(number), v1::U128::default()).unwrap();
            let control = holding.begin(Some(budget)).unwrap();
            assert_eq!(control.should_stop(), stops, "{budget:?}");
        }
    }
}
