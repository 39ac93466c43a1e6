//! Results until the coordinator has them on disk.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
};

use soko::rpc::v1;
use tokio::sync::watch;

use crate::WorkerError;

mod disk;

use disk::Disk;

/// Handle to the results that the coordinator has not confirmed yet.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    queue: Arc<Mutex<Queue>>,
    /// The next number of the queue, for those who wait for results, and the
    /// number of results, for those who wait for the end.
    state: Arc<watch::Sender<(u64, usize)>>,
    disk: Option<Disk>,
}

#[derive(Debug, Default)]
struct Queue {
    results: BTreeMap<u64, v1::ShardResult>,
    /// Number of the next result that is put in.
    next: u64,
}

impl Queue {
    fn push(&mut self, result: v1::ShardResult) {
        self.results.insert(self.next, result);
        self.next += 1;
    }

    fn take(&mut self, request_id: &str) -> Option<v1::ShardResult> {
        let mut numbers = self.results.iter();
        let (&number, _) = numbers.find(|(_, result)| result.request_id == request_id)?;
        self.results.remove(&number)
    }
}

impl Outbox {
    /// An outbox with the results found in `dir`, or an empty one in memory.
    pub(crate) fn open(dir: Option<&Path>) -> Result<Self, WorkerError> {
        let mut queue = Queue::default();
        let disk = match dir {
            None => None,
            Some(dir) => {
                let error = |source| WorkerError::Outbox {
                    path: dir.to_owned(),
                    source,
                };
                let disk = Disk::open(dir).map_err(error)?;
                disk.load()
                    .map_err(error)?
                    .into_iter()
                    .for_each(|it| queue.push(it));
                if !queue.results.is_empty() {
                    let results = queue.results.len();
                    tracing::info!(results, "unconfirmed results found in the outbox");
                }
                Some(disk)
            }
        };
        let state = (queue.next, queue.results.len());
        Ok(Self {
            queue: Arc::new(Mutex::new(queue)),
            state: Arc::new(watch::Sender::new(state)),
            disk,
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no panic while it is held")
    }

    fn announce(&self, queue: &Queue) {
        self.state.send_replace((queue.next, queue.results.len()));
    }

    /// Puts a result in; it is on disk when this returns, if there is a disk.
    pub(crate) async fn put(&self, result: v1::ShardResult) {
        if let Some(disk) = &self.disk {
            disk.write(&result).await;
        }
        let mut queue = self.queue();
        queue.push(result);
        self.announce(&queue);
    }

    /// Forgets a result; `None` if it is not there (any more).
    pub(crate) async fn forget(&self, request_id: &str) -> Option<v1::ShardResult> {
        let result = {
            let mut queue = self.queue();
            let result = queue.take(request_id)?;
            self.announce(&queue);
            result
        };
        if let Some(disk) = &self.disk {
            disk.remove(request_id).await;
        }
        Some(result)
    }

    /// Puts a result that could not be taken at the end of the queue.
    pub(crate) fn requeue(&self, request_id: &str) {
        let mut queue = self.queue();
        if let Some(result) = queue.take(request_id) {
            queue.push(result);
        }
        self.announce(&queue);
    }

    /// The first result with this number or a later one; waits for it.
    pub(crate) async fn next(&self, from: u64) -> (u64, v1::ShardResult) {
        let mut state = self.state.subscribe();
        loop {
            let found = self.queue().results.range(from..).next().map(clone_entry);
            if let Some(found) = found {
                return found;
            }
            let changed = state.changed().await;
            changed.expect("the sender lives in self");
        }
    }

    /// The leases whose results are here, as a worker presents them.
    pub(crate) fn held(&self) -> Vec<v1::HeldLease> {
        let queue = self.queue();
        let held = queue.results.values().map(|result| v1::HeldLease {
            key: result.key.clone(),
            plan: result.plan,
        });
        held.collect()
    }

    /// Number of results.
    pub(crate) fn len(&self) -> usize {
        self.state.borrow().1
    }

    /// Whether all results are confirmed.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits until all results are confirmed.
    pub(crate) async fn emptied(&self) {
        let mut state = self.state.subscribe();
        let empty = state.wait_for(|&(_, len)| len == 0).await;
        empty.expect("the sender lives in self");
    }
}

fn clone_entry((&number, result): (&u64, &v1::ShardResult)) -> (u64, v1::ShardResult) {
    (number, result.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(request_id: &str) -> v1::ShardResult {
        v1::ShardResult {
            request_id: request_id.into(),
            core_ms: 7,
            ..v1::ShardResult::default()
        }
    }

    #[tokio::test]
    async fn results_come_in_order_until_they_are_forgotten() {
        let outbox = Outbox::open(None).unwrap();
        outbox.put(result("a")).await;
        outbox.put(result("b")).await;
        let (first, a) = outbox.next(0).await;
        let (second, b) = outbox.next(first + 1).await;
        assert_eq!((a.request_id, b.request_id), ("a".into(), "b".into()));
        // A new stream starts over with what is not confirmed.
        assert!(outbox.forget("a").await.is_some());
        assert!(outbox.forget("a").await.is_none());
        assert_eq!(outbox.next(0).await.1.request_id, "b");
        // What could not be taken comes again, on the same stream.
        outbox.requeue("b");
        assert_eq!(outbox.next(second + 1).await.1.request_id, "b");
        assert_eq!(outbox.len(), 1);
    }

    #[tokio::test]
    async fn waiting_ends_when_a_result_arrives() {
        let outbox = Outbox::open(None).unwrap();
        let waiting = tokio::spawn({
            let outbox = outbox.clone();
            async move { outbox.next(0).await }
        });
        tokio::task::yield_now().await;
        outbox.put(result("a")).await;
        assert_eq!(waiting.await.unwrap().1, result("a"));
    }

    #[tokio::test]
    async fn results_survive_on_disk_until_they_are_confirmed() {
        let dir = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(Some(dir.path())).unwrap();
        outbox.put(result("a")).await;
        outbox.put(result("b")).await;
        drop(outbox);
        let outbox = Outbox::open(Some(dir.path())).unwrap();
        assert_eq!(outbox.len(), 2);
        outbox.forget("a").await;
        let outbox = Outbox::open(Some(dir.path())).unwrap();
        assert_eq!(outbox.next(0).await.1, result("b"));
        outbox.forget("b").await;
        assert!(Outbox::open(Some(dir.path())).unwrap().is_empty());
    }
}
