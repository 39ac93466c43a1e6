//! The shards of a job as a forest.

use std::collections::BTreeSet;

use soko::plan::Tally;

use super::Checkpoint;
use crate::model::ShardId;

impl Checkpoint {
    /// The shards of the plan: those that are nobody's remainder.
    pub fn roots(&self) -> Vec<ShardId> {
        let parts: BTreeSet<ShardId> = self
            .done
            .values()
            .flat_map(|shard| shard.remainder.iter().copied())
            .collect();
        let all = self.done.keys().chain(self.open.keys());
        all.filter(|id| !parts.contains(id)).copied().collect()
    }

    /// What was found in a shard and in all parts made of its remainder;
    /// `None` if some of it is not done.
    pub fn whole(&self, shard: ShardId) -> Option<Tally> {
        let mut sum = Tally::empty(&self.search);
        let mut left = vec![shard];
        while let Some(id) = left.pop() {
            let done = self.done.get(&id)?;
            if !sum.merge(&done.tally) {
                return None;
            }
            left.extend(&done.remainder);
        }
        Some(sum)
    }

    /// The last round that has shards, from 0.
    pub fn round(&self) -> u32 {
        let done = self.done.values().map(|done| done.body.round());
        let open = self.open.values().map(|shard| shard.round());
        done.chain(open).max().unwrap_or(0)
    }

    /// What was found in all that is done.
    pub fn total(&self) -> Tally {
        self.total_until(u32::MAX)
    }

    /// What was found in the rounds up to this one.
    pub fn total_until(&self, round: u32) -> Tally {
        let mut sum = Tally::empty(&self.search);
        let done = self.done.values();
        for done in done.filter(|done| done.body.round() <= round) {
            // Reading a checkpoint lets no tally of another kind in.
            let _ = sum.merge(&done.tally);
        }
        sum
    }
}
