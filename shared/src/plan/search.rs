//! What is searched for.

use crate::{
    board::{Cell, Size, SizeError},
    search::{
        census, growth,
        hunt::{Hunt, HuntError, Method},
    },
};

/// Version of everything that decides the content of a shard or of its tally.
/// It changes whenever one of them changes its meaning.
pub const ENGINE: &str = "soko-growth 2";

/// How the search is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Growth search over minimal floor sets: exact, proves the maximum.
    Exhaustive,
    /// Every wall layout up to symmetry, one by one: exact and slow.
    Census,
    /// Simulated annealing: finds good levels, proves nothing.
    Anneal,
    /// Growth search in the unbounded plane over sets of at most so many
    /// cells: exact, gives the maximum for every number of floor cells. The
    /// board is the square around all such sets, see [`Search::floor`].
    Floor,
    /// Exact local search around given levels.
    Neighborhood,
    /// Populations of levels on islands.
    Genetic,
    /// Levels grown cell by cell, the best of each layer kept.
    Beam,
}

impl Mode {
    /// The name used on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::Census => "census",
            Self::Anneal => "anneal",
            Self::Floor => "floor",
            Self::Neighborhood => "neighborhood",
            Self::Genetic => "genetic",
            Self::Beam => "beam",
        }
    }

    /// The mode of a way to hunt.
    pub const fn of(method: &Method) -> Self {
        match method {
            Method::Anneal(_) => Self::Anneal,
            Method::Neighborhood(_) => Self::Neighborhood,
            Method::Genetic(_) => Self::Genetic,
            Method::Beam(_) => Self::Beam,
        }
    }

    /// Whether the mode is a [`Hunt`].
    pub const fn is_heuristic(self) -> bool {
        matches!(
            self,
            Self::Anneal | Self::Neighborhood | Self::Genetic | Self::Beam
        )
    }
}

/// What is searched for. Equal searches have equal plans and equal answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Search {
    /// The board.
    pub size: Size,
    /// How it is searched.
    pub mode: Mode,
    /// Seed of the heuristic modes; ignored by the exact ones.
    pub seed: u64,
    /// Census: only layouts whose floor is in one piece.
    pub connected: bool,
    /// About how many core-milliseconds one shard should take; 0 = the
    /// default of the mode. Changes how the work is cut, never the answer.
    pub shard_ms: u32,
    /// What a heuristic mode is told; `None` in the exact ones.
    pub hunt: Option<Box<Hunt>>,
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
    /// A board that is not the square around all sets of a number of cells.
    #[error(
        "floor search takes a limit of 3 to {limit} floor cells and the square board of \
         2 * limit - 1 rows, not {size}; choose another limit"
    )]
    FloorLimit {
        /// The board.
        size: Size,
        /// The largest limit.
        limit: u16,
    },
    /// The mode has nothing to be estimated.
    #[error("the cost of a search of mode {0} is its budget; only exact searches are estimated")]
    NoEstimate(&'static str),
    /// Connected floor was asked for where it makes no difference.
    #[error("connected floor only is a choice of mode census; {0} search visits no other floor")]
    Connected(&'static str),
    /// A shard that does not belong to this search.
    #[error("the shard does not belong to the search: {0}")]
    BadShard(String),
    /// What a heuristic mode needs is missing, or given to another mode.
    #[error("mode {0} and what it is told do not go together")]
    OtherMode(&'static str),
    /// What a heuristic mode is told makes no sense.
    #[error(transparent)]
    Hunt(#[from] HuntError),
}

impl Search {
    /// An exact search with default cutting.
    pub const fn new(size: Size, mode: Mode) -> Self {
        Self {
            size,
            mode,
            seed: 0,
            connected: false,
            shard_ms: 0,
            hunt: None,
        }
    }

    /// A hunt with this seed.
    pub fn hunt(size: Size, seed: u64, hunt: Hunt) -> Self {
        let mode = Mode::of(&hunt.method);
        Self {
            seed,
            hunt: Some(Box::new(hunt)),
            ..Self::new(size, mode)
        }
    }

    /// A search for the longest solutions with at most `limit` floor cells in
    /// the unbounded plane. Sets of so many connected cells around a goal in
    /// the centre never leave the square of `2 * limit - 1` rows.
    ///
    /// # Errors
    /// [`SizeError`] if there is no such board; [`Search::validate`] checks
    /// what the engine can do.
    pub fn floor(limit: u64) -> Result<Self, SizeError> {
        let side = limit.saturating_mul(2).saturating_sub(1);
        Ok(Self::new(Size::new(side, side)?, Mode::Floor))
    }

    /// The goals of a growth search, one per orbit of the board's symmetries.
    pub(super) fn goals(&self) -> Vec<Cell> {
        if self.mode == Mode::Floor {
            let middle = self.size.rows() / 2;
            return vec![self.size.cell(middle, middle)];
        }
        let goals = growth::goals_of(self.size).into_iter();
        goals.map(|(goal, _)| goal).collect()
    }

    /// The layouts of a census.
    pub(super) const fn floors(&self) -> census::Floors {
        if self.connected {
            census::Floors::Connected
        } else {
            census::Floors::All
        }
    }

    /// The most floor cells of the sets that are searched, in mode floor.
    pub fn floor_limit(&self) -> Option<u16> {
        (self.mode == Mode::Floor).then(|| self.size.rows().div_ceil(2))
    }

    /// Checks that the engine of this mode can handle the board.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn validate(&self) -> Result<(), SearchError> {
        if self.connected && self.mode != Mode::Census {
            return Err(SearchError::Connected(self.mode.name()));
        }
        let other = || SearchError::OtherMode(self.mode.name());
        if self.hunt.is_some() != self.mode.is_heuristic() {
            return Err(other());
        }
        let limit = match self.mode {
            Mode::Exhaustive => growth::MAX_AREA,
            Mode::Census => census::MAX_AREA,
            Mode::Floor => return self.validate_floor(),
            Mode::Anneal | Mode::Neighborhood | Mode::Genetic | Mode::Beam => {
                let hunt = self.hunt.as_deref();
                let hunt = hunt.filter(|hunt| Mode::of(&hunt.method) == self.mode);
                return Ok(hunt.ok_or_else(other)?.check(self.size)?);
            }
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

    fn validate_floor(&self) -> Result<(), SearchError> {
        let side = self.size.rows();
        let limit = side.div_ceil(2);
        let fits = side % 2 == 1 && (3..=growth::MAX_FLOOR).contains(&limit);
        if self.size.is_square() && fits {
            return Ok(());
        }
        Err(SearchError::FloorLimit {
            size: self.size,
            limit: growth::MAX_FLOOR,
        })
    }
}
