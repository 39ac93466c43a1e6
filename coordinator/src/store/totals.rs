//! Counts and checksums over the trees. sled 0.34 can open a damaged file with
//! fewer entries and say nothing; these say it.

use super::{StoreError, Tree};

/// Entries of each tree and the wrapping sum of their checksums. Kept up to
/// date in the same transactions as the entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals([(u64, u64); Tree::ALL.len()]);

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
        let (count, sum) = &mut self.0[tree as usize];
        *count = count.wrapping_add(1);
        *sum = sum.wrapping_add(checksum(key, value));
    }

    pub(super) fn remove(&mut self, tree: Tree, key: &[u8], value: &[u8]) {
        let (count, sum) = &mut self.0[tree as usize];
        *count = count.wrapping_sub(1);
        *sum = sum.wrapping_sub(checksum(key, value));
    }

    /// Says in what tree the entries found differ from these totals.
    pub(super) fn compare(&self, found: &Self) -> Result<(), String> {
        for tree in Tree::ALL {
            let (wanted, is) = (self.0[tree as usize], found.0[tree as usize]);
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
        self.0
            .iter()
            .flat_map(|&(count, sum)| [count.to_be_bytes(), sum.to_be_bytes()].concat())
            .collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let mut totals = Self::default();
        if bytes.len() != totals.0.len() * 16 {
            return Err(StoreError::BadRow {
                tree: Tree::Meta.name(),
                detail: "totals of a wrong length".to_owned(),
            });
        }
        for (slot, chunk) in totals.0.iter_mut().zip(bytes.chunks_exact(16)) {
            let number = |part: &[u8]| part.iter().fold(0, |n, &b| n << 8 | u64::from(b));
            *slot = (number(&chunk[..8]), number(&chunk[8..]));
        }
        Ok(totals)
    }
}
