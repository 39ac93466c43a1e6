//! A store that forgets everything at its end. For tests and for trying out.

use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Included, Unbounded},
};

use super::{Change, Entries, Store, StoreError, Tree};

/// A store in memory.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    trees: BTreeMap<Tree, BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Store for MemoryStore {
    fn commit(&mut self, batch: &[Change]) -> Result<(), StoreError> {
        super::disk::check_sizes(batch)?;
        for change in batch {
            let tree = self.trees.entry(change.tree).or_default();
            match &change.value {
                Some(value) => tree.insert(change.key.clone(), value.clone()),
                None => tree.remove(&change.key),
            };
        }
        Ok(())
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.trees.get(&tree).and_then(|it| it.get(key)).cloned())
    }

    fn scan(
        &self,
        tree: Tree,
        prefix: &[u8],
        after: Option<&[u8]>,
        limit: usize,
    ) -> Result<Entries, StoreError> {
        let Some(tree) = self.trees.get(&tree) else {
            return Ok(Vec::new());
        };
        let from = match after {
            Some(after) if after >= prefix => Excluded(after),
            _ => Included(prefix),
        };
        let found = tree
            .range::<[u8], _>((from, Unbounded))
            .take_while(|(key, _)| key.starts_with(prefix))
            .take(limit)
            .map(|(key, value)| (key.clone(), value.clone()));
        Ok(found.collect())
    }
}
