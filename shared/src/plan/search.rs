//! What is searched for.

use serde::{Deserialize, Serialize};

use crate::{
    board::Size,
    search::{census, growth},
};

/// Version of everything that decides the content of a shard or of its tally.
/// It changes whenever one of them changes its meaning.
pub const ENGINE: &str = "soko-growth 1";

/// How the search is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Growth search over minimal floor sets: exact, proves the maximum.
    Exhaustive,
    /// Every wall layout up to symmetry, one by one: exact and slow.
    Census,
}

impl Mode {
    /// The name used on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Census => "census",
        }
    }
}

/// What is searched for. Equal searches have equal plans and equal answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Search {
    /// The board.
    pub size: Size,
    /// How it is searched.
    pub mode: Mode,
    /// Seed of the heuristic modes; ignored by the exact ones.
    pub seed: u64,
    /// About how many core-milliseconds one shard should take; 0 = the
    /// default of the mode. Changes how the work is cut, never the answer.
    pub shard_ms: u32,
}

/// Why a search cannot be planned or a shard cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The board has more cells than the engine of this mode can handle.
    #[error(
        "{mode} search handles boards of up to {limit} cells, {size} has {area}; \
         choose a smaller board or another mode"
    )]
    TooLarge {
        /// Name of the mode.
        mode: &'static str,
        /// The board.
        size: Size,
        /// Cells of the board.
        area: usize,
        /// The most cells that the mode can handle.
        limit: usize,
    },
    /// A shard that does not belong to this search.
    #[error("the shard does not belong to the search: {0}")]
    BadShard(String),
}

impl Search {
    /// An exact search with default cutting.
    pub const fn new(size: Size, mode: Mode) -> Self {
        Self {
            size,
            mode,
            seed: 0,
            shard_ms: 0,
        }
    }

    /// Checks that the engine of this mode can handle the board.
    ///
    /// # Errors
    /// [`SearchError::TooLarge`].
    pub fn validate(&self) -> Result<(), SearchError> {
        let limit = match self.mode {
            Mode::Exhaustive => growth::MAX_AREA,
            Mode::Census => census::MAX_AREA,
        };
        let area = self.size.area();
        if area > limit {
            return Err(SearchError::TooLarge {
                mode: self.mode.name(),
                size: self.size,
                area,
                limit,
            });
        }
        Ok(())
    }
}
