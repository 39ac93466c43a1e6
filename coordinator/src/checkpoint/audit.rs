//! Computing shards again and comparing what is found.

use rand::{SeedableRng, rngs::StdRng, seq::index};
use rayon::prelude::*;
use soko::plan::{Control, Outcome, compute};

use super::Checkpoint;
use crate::model::ShardId;

/// A shard that was computed again, with all parts made of its remainder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// The shard.
    pub shard: ShardId,
    /// Sets or layouts in it.
    pub work: u64,
    /// Digest of what the job has.
    pub digest: u128,
    /// Whether the same was found again, digest, numbers and best starts.
    pub agrees: bool,
}

/// Up to `count` shards that are done with all their parts, picked at random.
/// The same seed picks the same shards of the same checkpoint.
pub fn choose(checkpoint: &Checkpoint, count: usize, seed: u64) -> Vec<ShardId> {
    let done: Vec<ShardId> = checkpoint
        .done
        .keys()
        .copied()
        .filter(|&shard| checkpoint.whole(shard).is_some())
        .collect();
    let mut random = StdRng::seed_from_u64(seed);
    let chosen = index::sample(&mut random, done.len(), count.min(done.len()));
    let mut chosen: Vec<ShardId> = chosen.into_iter().map(|place| done[place]).collect();
    chosen.sort_unstable();
    chosen
}

/// Computes shards again on the present rayon pool. Calls `finished` for each.
/// Shards that are not done with all their parts are left out.
pub fn audit(
    checkpoint: &Checkpoint,
    shards: &[ShardId],
    finished: impl Fn(&Audited) + Sync,
) -> Vec<Audited> {
    shards
        .par_iter()
        .filter_map(|&shard| {
            let known = checkpoint.whole(shard)?;
            let body = &checkpoint.done.get(&shard)?.body;
            let found = compute(&checkpoint.search, body, &Control::new());
            let agrees = matches!(
                &found,
                Ok(Outcome { tally, remainder }) if remainder.is_empty() && *tally == known
            );
            let audited = Audited {
                shard,
                work: known.work(),
                digest: known.digest(),
                agrees,
            };
            finished(&audited);
            Some(audited)
        })
        .collect()
}
