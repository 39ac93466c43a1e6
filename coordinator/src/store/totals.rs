//! Counts and checksums over the trees. sled 0.34 can open a damaged file with
//! fewer entries and say nothing; these say it.

use super::{StoreError, Tree};

/// Entries of each tree and the wrapping sum of their checksums. Kept up to
/// date in the same transactions as the entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    trees: [(u64, u64); Tree::ALL.len()],
    /// Commits so far.
    pub(super) commits: u64,
}

/// Where the totals are, in [`Tree::Meta`], which they leave out.
pub(super) const KEY: &[u8] = b"totals";

fn checksum(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&(key.len() as u32).to_be_bytes());
    hasher.update(key);
    hasher.update(value);
    u64::from(hasher.finalize())
}

impl Totals {
    pub(super) fn add(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        let (count, sum) = &mut self.trees[tree as usize];
        *count = count.wrapping_add(1);
        *sum = sum.wrapping_add(checksum(key, value));
    }

    pub(super) fn remove(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        let (count, sum) = &mut self.trees[tree as usize];
        *count = count.wrapping_sub(1);
        *sum = sum.wrapping_sub(checksum(key, value));
    }

    /// Says in what tree the entries found differ from these totals.
    pub(super) fn compare(&self, found: &Self) -> Result<(), String> {
        for tree in Tree::ALL {
            let (wanted, is) = (self.trees[tree as usize], found.trees[tree as usize]);
            if wanted.0 != is.0 {
                let name = tree.name();
                return Err(format!(
                    "tree {name} should have {} entries and has {}",
                    wanted.0, is.0
                ));
            }
            if wanted.1 != is.1 {
                return Err(format!("tree {} has a wrong checksum", tree.name()));
            }
        }
        Ok(())
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let trees = self.trees.iter().flat_map(|&(count, sum)| [count, sum]);
        trees
            .chain([self.commits])
            .flat_map(u64::to_be_bytes)
            .collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let mut totals = Self::default();
        if bytes.len() != totals.trees.len() * 16 + 8 {
            return Err(StoreError::BadRow {
                tree: Tree::Meta.name(),
                detail: "totals of a wrong length".to_owned(),
            });
        }
        let number = |at: usize| {
            let bytes = bytes[at..at + 8].iter();
            bytes.fold(0, |n, &byte| n << 8 | u64::from(byte))
        };
        for (index, slot) in totals.trees.iter_mut().enumerate() {
            *slot = (number(index * 16), number(index * 16 + 8));
        }
        totals.commits = number(totals.trees.len() * 16);
        Ok(totals)
    }
}
