//! What can be set, and the defaults for a size.

use crate::board::Size;
use crate::search::anneal;

/// The most levels on an island.
pub const MAX_POPULATION: u32 = 24;

/// The parameters of an island.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    /// Evaluations of a generation.
    pub evaluations: u64,
    /// Levels on an island at most.
    pub population: u32,
    /// Levels that an island gives to its neighbour after a generation.
    pub migrants: u32,
    /// Evaluations for polishing a child.
    pub polish: u64,
    /// Temperature at which polishing begins, in thousandths of a move.
    pub warm: u32,
    /// Cells of a child flipped at most.
    pub mutations: u32,
    /// Share of the children, in per cent, that have one parent only.
    pub single: u32,
}

/// Why parameters cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// A generation would be over before it begins.
    #[error("a generation and the polishing of a child need at least one evaluation each")]
    NoEvaluations,
    /// A population that is too small or too large.
    #[error("a population has 2 to {MAX_POPULATION} levels")]
    Population,
    /// More migrants than levels.
    #[error("there are fewer migrants than levels in a population, at most 8")]
    Migrants,
    /// A temperature of 0.
    #[error("the temperature must be more than 0")]
    Temperature,
    /// A share is beyond 100 %.
    #[error("shares are per cent, at most 100")]
    Share,
    /// There is no parameter of this name.
    #[error("there is no such parameter; there are {0}")]
    Unknown(String),
    /// A value that is too large for its parameter.
    #[error("the value of {0} is too large")]
    TooLarge(&'static str),
}

impl Params {
    /// Defaults for boards of this size.
    pub fn for_size(size: Size) -> Self {
        let annealing = anneal::Params::for_size(size);
        Self {
            evaluations: annealing.evaluations.min(6_000_000) / 2,
            population: 16,
            migrants: 3,
            polish: annealing.run.min(300_000) / 50,
            warm: annealing.warm,
            mutations: 4,
            single: 30,
        }
    }

    /// Sets one parameter by its name.
    ///
    /// # Errors
    /// [`ParamsError::Unknown`], [`ParamsError::TooLarge`].
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ParamsError> {
        let small = |name| u32::try_from(value).map_err(|_| ParamsError::TooLarge(name));
        match name {
            "evaluations" => self.evaluations = value,
            "polish" => self.polish = value,
            "population" => self.population = small("population")?,
            "migrants" => self.migrants = small("migrants")?,
            "warm" => self.warm = small("warm")?,
            "mutations" => self.mutations = small("mutations")?,
            "single" => self.single = small("single")?,
            _ => {
                let known = "evaluations, polish, population, migrants, warm, mutations, single";
                return Err(ParamsError::Unknown(known.to_owned()));
            }
        }
        Ok(())
    }

    /// Checks that a generation with these parameters does something and ends.
    ///
    /// # Errors
    /// [`ParamsError`] says what is wrong.
    pub fn check(&self) -> Result<(), ParamsError> {
        if self.evaluations == 0 || self.polish == 0 {
            return Err(ParamsError::NoEvaluations);
        }
        if !(2..=MAX_POPULATION).contains(&self.population) {
            return Err(ParamsError::Population);
        }
        if self.migrants >= self.population || self.migrants > 8 {
            return Err(ParamsError::Migrants);
        }
        if self.warm == 0 {
            return Err(ParamsError::Temperature);
        }
        if self.single > 100 {
            return Err(ParamsError::Share);
        }
        if self.mutations > 1000 {
            return Err(ParamsError::TooLarge("mutations"));
        }
        Ok(())
    }
}
