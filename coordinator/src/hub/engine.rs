//! What the coordinator computes itself.

use soko::plan::{self, Answer, Control, Outcome, Plan, Search, Shard, Tally};

/// What the coordinator computes itself: the cut of a job into shards, its
/// final step, and shards about which two workers disagree. Tests put another one in its place.
pub trait Engine: Send + Sync + 'static {
    /// Its name and version; workers must have the same.
    fn name(&self) -> &'static str;

    /// Cuts a search into shards.
    ///
    /// # Errors
    /// Why the search cannot be planned, for people.
    fn plan(&self, search: &Search) -> Result<Plan, String>;

    /// The shards of the round after `round`; none if the search is over. Only
    /// searches with several rounds are asked for.
    fn next_round(&self, search: &Search, round: u32, tally: &Tally) -> Vec<Shard> {
        plan::next_round(search, round, tally)
    }

    /// Computes a shard itself, to say which of two workers is right.
    ///
    /// # Errors
    /// Why the shard makes no sense, for people.
    fn compute(&self, search: &Search, shard: &Shard, control: &Control)
    -> Result<Outcome, String>;

    /// Turns the tally of a whole search into its answer; `None` if `control`
    /// stopped it.
    fn finish(&self, search: &Search, tally: &Tally, control: &Control) -> Option<Answer>;
}

/// The product's engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SokoEngine;

impl Engine for SokoEngine {
    fn name(&self) -> &'static str {
        plan::ENGINE
    }

    fn plan(&self, search: &Search) -> Result<Plan, String> {
        plan::plan(search).map_err(|error| error.to_string())
    }

    fn compute(
        &self,
        search: &Search,
        shard: &Shard,
        control: &Control,
    ) -> Result<Outcome, String> {
        plan::compute(search, shard, control).map_err(|error| error.to_string())
    }

    fn finish(&self, search: &Search, tally: &Tally, control: &Control) -> Option<Answer> {
        plan::finish(search, tally, control)
    }
}
