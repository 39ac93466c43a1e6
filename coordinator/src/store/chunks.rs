//! Large rows in several values.
//!
//! A value is a version byte, the number of further chunks (two bytes), and
//! data. Further chunks of the row with key K have the key K followed by
//! their number (two bytes), so they sort right behind it. Row keys have
//! lengths that are multiples of eight, which tells the two apart.

use std::{collections::HashMap, ops::RangeInclusive};

use super::{Batch, Change, Store, StoreError, Tree};

/// Version of the layout of rows.
const VERSION: u8 = 1;
/// Data bytes in one value.
const CHUNK: usize = 60 * 1024;
const HEADER: usize = 3;

/// Whether a key is that of a row, not of a further chunk.
pub(super) fn is_row(key: &[u8]) -> bool {
    key.len().is_multiple_of(8)
}

fn chunk_key(key: &[u8], index: u16) -> Vec<u8> {
    [key, &index.to_be_bytes()].concat()
}

/// Splits a value into its data and the number of further chunks.
fn open(tree: Tree, value: &[u8]) -> Result<(&[u8], u16), StoreError> {
    let bad = |detail: String| StoreError::BadRow {
        tree: tree.name(),
        detail,
    };
    match value {
        [VERSION, high, low, data @ ..] => Ok((data, u16::from_be_bytes([*high, *low]))),
        [VERSION, ..] | [] => Err(bad("it is too short".to_owned())),
        [other, ..] => Err(bad(format!("it has the unknown version {other}"))),
    }
}

/// Reads the row whose first value is given.
pub(super) fn join(
    store: &dyn Store,
    tree: Tree,
    key: &[u8],
    value: &[u8],
) -> Result<Vec<u8>, StoreError> {
    let (data, further) = open(tree, value)?;
    let mut row = data.to_vec();
    for index in 1..=further {
        let chunk = store
            .get(tree, &chunk_key(key, index))?
            .ok_or_else(|| StoreError::BadRow {
                tree: tree.name(),
                detail: "a chunk is missing".to_owned(),
            })?;
        row.extend_from_slice(open(tree, &chunk)?.0);
    }
    Ok(row)
}

/// Collects changes of rows into a batch.
pub(super) struct Writer<'a> {
    store: &'a dyn Store,
    batch: Batch,
    /// Rows of this batch that have further chunks, and how many. The store
    /// does not know them yet.
    large: HashMap<(Tree, Vec<u8>), u16>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(store: &'a dyn Store) -> Self {
        Self {
            store,
            batch: Batch::new(),
            large: HashMap::new(),
        }
    }

    pub(super) fn into_batch(self) -> Batch {
        self.batch
    }

    /// Stores a row.
    pub(super) fn put(&mut self, tree: Tree, key: &[u8], row: &[u8]) -> Result<(), StoreError> {
        let before = self.further_chunks(tree, key)?;
        let mut parts: Vec<&[u8]> = row.chunks(CHUNK).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        let further = u16::try_from(parts.len() - 1).map_err(|_| StoreError::BadRow {
            tree: tree.name(),
            detail: format!("{} bytes are too many for one row", row.len()),
        })?;
        for (index, part) in (0..).zip(parts) {
            let count: u16 = if index == 0 { further } else { 0 };
            let mut value = Vec::with_capacity(HEADER + part.len());
            value.push(VERSION);
            value.extend_from_slice(&count.to_be_bytes());
            value.extend_from_slice(part);
            let key = match index {
                0 => key.to_vec(),
                _ => chunk_key(key, index),
            };
            self.set(tree, key, Some(value));
        }
        self.remove_chunks(tree, key, further + 1..=before);
        if further > 0 {
            self.large.insert((tree, key.to_vec()), further);
        }
        Ok(())
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, tree: Tree, key: &[u8]) -> Result<(), StoreError> {
        let before = self.further_chunks(tree, key)?;
        self.remove_chunks(tree, key, 1..=before);
        self.set(tree, key.to_vec(), None);
        Ok(())
    }

    /// Removes all values whose keys start with `prefix`.
    pub(super) fn clear(&mut self, tree: Tree, prefix: &[u8]) -> Result<(), StoreError> {
        // What this batch has put there goes too.
        let fresh: Vec<Vec<u8>> = self
            .batch
            .iter()
            .filter(|it| it.tree == tree && it.value.is_some() && it.key.starts_with(prefix))
            .map(|it| it.key.clone())
            .collect();
        let stored = self.store.scan(tree, prefix, None, usize::MAX)?;
        for key in stored.into_iter().map(|entry| entry.0).chain(fresh) {
            self.set(tree, key, None);
        }
        Ok(())
    }

    /// Changes a value that is not a row.
    pub(super) fn set(&mut self, tree: Tree, key: Vec<u8>, value: Option<Vec<u8>>) {
        self.batch.push(Change { tree, key, value });
    }

    fn remove_chunks(&mut self, tree: Tree, key: &[u8], indices: RangeInclusive<u16>) {
        for index in indices {
            self.set(tree, chunk_key(key, index), None);
        }
    }

    /// How many further chunks the row may have now.
    fn further_chunks(&self, tree: Tree, key: &[u8]) -> Result<u16, StoreError> {
        let stored = match self.store.get(tree, key)? {
            Some(value) => open(tree, &value)?.1,
            None => 0,
        };
        let fresh = if self.large.is_empty() {
            0
        } else {
            let fresh = self.large.get(&(tree, key.to_vec()));
            fresh.copied().unwrap_or(0)
        };
        Ok(stored.max(fresh))
    }
}
