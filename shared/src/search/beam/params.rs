//! What can be set, and the defaults for a size.

use crate::board::Size;
use crate::search::growth;

/// The largest board that levels are grown on, in cells.
pub const MAX_AREA: usize = growth::MAX_AREA;

/// The parameters of a batch of growths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    /// Evaluations of a batch. The growth that is under way is finished.
    pub evaluations: u64,
    /// Sets kept of a layer.
    pub width: u32,
    /// What a long walk is worth, in thousandths of a move.
    pub walks: u32,
    /// Largest noise, in thousandths of a move.
    pub noise: u32,
}

/// Why parameters cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// A batch would be over before it begins.
    #[error("a batch needs at least one evaluation")]
    NoEvaluations,
    /// A beam that keeps nothing, or too much.
    #[error("a beam is 1 to 100000 sets wide")]
    Width,
    /// The board is larger than levels can be grown on.
    #[error("levels are grown on boards of at most {MAX_AREA} cells, not {0}")]
    TooLarge(Size),
    /// No layout of this size has a level.
    #[error("no level exists on a {0} board")]
    NoLevel(Size),
    /// There is no parameter of this name.
    #[error("there is no such parameter; there are {0}")]
    Unknown(String),
    /// A value that is too large for its parameter.
    #[error("the value of {0} is too large")]
    Value(&'static str),
}

impl Params {
    /// Defaults for boards of this size.
    pub fn for_size(size: Size) -> Self {
        Self {
            evaluations: if size.area() <= 64 { 400_000 } else { 100_000 },
            width: 300,
            walks: 0,
            noise: 3000,
        }
    }

    /// Sets one parameter by its name.
    ///
    /// # Errors
    /// [`ParamsError::Unknown`], [`ParamsError::Value`].
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ParamsError> {
        let small = |name| u32::try_from(value).map_err(|_| ParamsError::Value(name));
        match name {
            "evaluations" => self.evaluations = value,
            "width" => self.width = small("width")?,
            "walks" => self.walks = small("walks")?,
            "noise" => self.noise = small("noise")?,
            _ => {
                return Err(ParamsError::Unknown(
                    "evaluations, width, walks, noise".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Checks that a batch with these parameters does something and ends.
    ///
    /// # Errors
    /// [`ParamsError`] says what is wrong.
    pub fn check(&self, size: Size) -> Result<(), ParamsError> {
        if size.area() > MAX_AREA {
            return Err(ParamsError::TooLarge(size));
        }
        if size.rows().max(size.cols()) < 3 {
            return Err(ParamsError::NoLevel(size));
        }
        if self.evaluations == 0 {
            return Err(ParamsError::NoEvaluations);
        }
        if !(1..=100_000).contains(&self.width) {
            return Err(ParamsError::Width);
        }
        Ok(())
    }
}
