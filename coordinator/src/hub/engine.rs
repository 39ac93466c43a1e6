//! What the coordinator computes itself.

use soko::plan::{self, Answer, Control, Plan, Search, Tally};

/// What the coordinator computes itself: the cut of a job into shards and its
/// final step. Tests put another one in its place.
pub trait Engine: Send + Sync + 'static {
    /// Its name and version; workers must have the same.
    fn name(&self) -> &'static str;

    /// Cuts a search into shards.
    ///
    /// # Errors
    /// Why the search cannot be planned, for people.
    fn plan(&self, search: &Search) -> Result<Plan, String>;

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

    fn finish(&self, search: &Search, tally: &Tally, control: &Control) -> Option<Answer> {
        plan::finish(search, tally, control)
    }
}
