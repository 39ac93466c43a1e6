//! Nothing is acknowledged before it is on disk.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use soko::rpc::v1;
use soko_coord::{
    ServeError,
    store::{Catalog, Change, Entries, MemoryStore, Store, StoreError, Tree},
};
use tokio::time::timeout;

use super::{
    cluster::{Cluster, PATIENCE, Puppet},
    toy,
};

/// A store whose commits wait for the gate, or fail.
struct Gated {
    store: MemoryStore,
    gate: Arc<Mutex<bool>>,
}

impl Store for Gated {
    fn commit(&mut self, batch: &[Change]) -> Result<(), StoreError> {
        let full = *self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        if full {
            return Err(StoreError::Io {
                dir: "/data".into(),
                detail: "no space left on device".to_owned(),
            });
        }
        self.store.commit(batch)
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.get(tree, key)
    }

    fn scan(
        &self,
        tree: Tree,
        prefix: &[u8],
        after: Option<&[u8]>,
        limit: usize,
    ) -> Result<Entries, StoreError> {
        self.store.scan(tree, prefix, after, limit)
    }
}

async fn gated() -> (Cluster, Arc<Mutex<bool>>) {
    let gate = Arc::new(Mutex::new(false));
    let store = Gated {
        store: MemoryStore::new(),
        gate: Arc::clone(&gate),
    };
    let catalog = Catalog::new(Box::new(store)).unwrap();
    (Cluster::start(catalog, |_| {}).await, gate)
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_an_ack_waits_for_the_disk() {
    let (cluster, gate) = gated().await;
    let mut search = toy::search(3);
    search.shard_ms = 2;
    cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    // The first shard is sure to be stored with its job before the gate shuts.
    worker.work(false).await;
    let (shut, is_shut) = tokio::sync::oneshot::channel();
    let (open, opened) = std::sync::mpsc::channel::<()>();
    let holding = tokio::task::spawn_blocking(move || {
        let _held = gate.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = shut.send(());
        let _ = opened.recv();
    });
    is_shut.await.unwrap();
    let ack = worker.work(false);
    tokio::pin!(ack);
    let early = timeout(Duration::from_millis(300), &mut ack).await;
    assert!(early.is_err(), "acknowledged before it was stored");
    drop(open);
    assert_eq!(ack.await.status(), v1::AckStatus::Stored);
    holding.await.unwrap();
    cluster.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_the_coordinator_and_nothing_is_acknowledged() {
    let (cluster, gate) = gated().await;
    let mut search = toy::search(3);
    search.shard_ms = 2;
    cluster.submit(&search).await;
    let mut worker = Puppet::connect(&cluster, "a").await;
    worker.work(false).await;
    *gate.lock().unwrap() = true;
    let request = v1::SubmitJobRequest {
        request_id: "late".to_owned(),
        search: Some((&search).into()),
        ..v1::SubmitJobRequest::default()
    };
    let status = cluster.jobs().await.submit_job(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unavailable);
    assert!(status.message().contains("no space left"), "{status}");
    let ended = timeout(PATIENCE, cluster.ended).await.unwrap().unwrap();
    assert!(matches!(ended, Err(ServeError::Store(_))), "{ended:?}");
}
