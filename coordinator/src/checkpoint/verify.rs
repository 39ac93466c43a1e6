//! Whether a checkpoint is of a plan and complete.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use soko::plan::{Plan, Shard, next_round};
use soko::text::counted;

use super::Checkpoint;
use crate::model::ShardId;

/// Why a checkpoint cannot be gone on with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCheckpoint {
    /// It was made by another engine.
    #[error("it was computed by engine {found}, this is {known}; use that version to go on")]
    Engine {
        /// The checkpoint's.
        found: String,
        /// This program's.
        known: String,
    },
    /// Its plan is not the plan of its search.
    #[error("its plan is not the one of its search; it was changed, or comes from another version")]
    Plan,
    /// Shards are missing or too many.
    #[error("its shards do not cover the job exactly once: {0}; export it again")]
    Cover(String),
    /// The stream or file does not hold what its header announces.
    #[error("it is not whole: {0}; export or copy it again")]
    Incomplete(String),
    /// Something in it cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

impl Checkpoint {
    /// Checks that the shards are those of `plan` and of the rounds that follow
    /// from what was found, each either open, or done
    /// together with or without a remainder that is in turn open or done. What
    /// the results say is not checked: that is what an audit is for.
    ///
    /// # Errors
    /// [`BadCheckpoint`].
    pub fn verify(&self, engine: &str, plan: &Plan) -> Result<(), BadCheckpoint> {
        if self.engine != engine {
            return Err(BadCheckpoint::Engine {
                found: self.engine.clone(),
                known: engine.to_owned(),
            });
        }
        if self.plan != plan.digest {
            return Err(BadCheckpoint::Plan);
        }
        let cover = |why: String| Err(BadCheckpoint::Cover(why));
        let mut parts: BTreeSet<ShardId> = BTreeSet::new();
        for (id, done) in &self.done {
            for part in &done.remainder {
                if !self.done.contains_key(part) && !self.open.contains_key(part) {
                    return cover(format!("shard {} is missing", part.0));
                }
                // Parts come later than what they are parts of, so that there
                // is no circle.
                if part <= id || !parts.insert(*part) {
                    return cover(format!("shard {} is a part of two", part.0));
                }
            }
        }
        if let Some(id) = self.open.keys().find(|id| self.done.contains_key(id)) {
            return cover(format!("shard {} is open and done", id.0));
        }
        let mut wanted: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let later = (0..self.round()).flat_map(|round| {
            let before = self.total_until(round);
            next_round(&self.search, round, &before)
        });
        for shard in plan.shards.iter().cloned().chain(later) {
            *wanted.entry(self.key(&shard)).or_default() += 1;
        }
        for id in self.roots() {
            let body = self.open.get(&id);
            let body = body.or_else(|| self.done.get(&id).map(|done| &done.body));
            let known = body.and_then(|body| wanted.get_mut(&self.key(body)));
            match known {
                Some(count) if *count > 0 => *count -= 1,
                _ => return cover(format!("shard {} is not one of the plan", id.0)),
            }
        }
        let missing: usize = wanted.values().sum();
        if missing > 0 {
            return cover(format!(
                "it lacks {} of the plan",
                counted(missing, "shard")
            ));
        }
        Ok(())
    }

    /// The work of a shard as bytes; its weight is only a guess.
    fn key(&self, shard: &Shard) -> Vec<u8> {
        let mut wire = shard.to_wire(self.search.size);
        wire.weight = 0.0;
        wire.encode_to_vec()
    }
}
