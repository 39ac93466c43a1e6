//! What can be set, and the defaults for a size.

use super::family::max_radius;
use crate::board::Size;

/// The largest side of a block or a graft.
const MAX_SIDE: u32 = 16;

/// The largest side of a window.
const MAX_WINDOW: u32 = 64;

/// What is searched around a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    /// Whether each cell is flipped: 1 or 0.
    pub flips: u32,
    /// Whether each pair of cells is flipped: 1 or 0.
    pub pairs: u32,
    /// Side of the square windows that are rewritten; 0 = none.
    pub window: u32,
    /// How many cells of a window change at most.
    pub window_radius: u32,
    /// Largest side of the blocks that are mirrored and rotated; 0 = none.
    pub blocks: u32,
    /// Largest side of the square blocks whose rows or columns move on by one
    /// in a circle; 0 = none.
    pub shifts: u32,
    /// Largest side of the square blocks that change places; 0 = none.
    pub swaps: u32,
    /// Whether the board is shifted as a torus: 1 or 0.
    pub torus: u32,
    /// Largest side of the square blocks that come from the other levels; 0 =
    /// none.
    pub grafts: u32,
    /// Goals up to this many cells from the level's goal, along either axis, are
    /// tried on every layout.
    pub near: u32,
    /// Layouts within this many per cent of the level's moves are tried with
    /// every goal; 0 = none.
    pub slack: u32,
}

/// Why parameters cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParamsError {
    /// No family is asked for.
    #[error("nothing to search: every family is switched off or has no layout here")]
    Nothing,
    /// A side or a share beyond what makes sense.
    #[error("{0} is at most {1}")]
    TooLarge(&'static str, u32),
    /// A window with more contents than can be counted.
    #[error("with windows of {0}x{0} cells, window-radius is at most {1}")]
    Radius(u32, u32),
    /// There is no parameter of this name.
    #[error("there is no such parameter; there are {0}")]
    Unknown(String),
}

impl Params {
    /// Defaults for boards of this size.
    pub fn for_size(size: Size) -> Self {
        Self {
            flips: 1,
            pairs: u32::from(size.area() <= 24 * 24),
            window: 3,
            window_radius: 9,
            blocks: 6,
            shifts: 6,
            swaps: if size.area() <= 24 * 24 { 3 } else { 0 },
            torus: 1,
            grafts: 8,
            near: 0,
            slack: 10,
        }
    }

    fn named(&mut self) -> [(&'static str, &mut u32, u32); 11] {
        [
            ("flips", &mut self.flips, 1),
            ("pairs", &mut self.pairs, 1),
            ("window", &mut self.window, MAX_WINDOW),
            ("window-radius", &mut self.window_radius, 9),
            ("blocks", &mut self.blocks, MAX_SIDE),
            ("shifts", &mut self.shifts, MAX_SIDE),
            ("swaps", &mut self.swaps, MAX_SIDE),
            ("torus", &mut self.torus, 1),
            ("grafts", &mut self.grafts, MAX_SIDE),
            ("near", &mut self.near, MAX_SIDE),
            ("slack", &mut self.slack, 100),
        ]
    }

    /// Sets one parameter by its name.
    ///
    /// # Errors
    /// [`ParamsError::Unknown`], [`ParamsError::TooLarge`].
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), ParamsError> {
        let mut named = self.named();
        let Some((_, number, limit)) = named.iter_mut().find(|(known, ..)| *known == name) else {
            let known = named.map(|(known, ..)| known);
            return Err(ParamsError::Unknown(known.join(", ")));
        };
        // Beyond the limit it stays, to be told.
        **number = u32::try_from(value).unwrap_or(u32::MAX).min(*limit + 1);
        self.check_limits()
    }

    fn check_limits(&self) -> Result<(), ParamsError> {
        let mut copy = *self;
        let mut named = copy.named().into_iter();
        match named.find(|(_, value, limit)| **value > *limit) {
            Some((name, _, limit)) => Err(ParamsError::TooLarge(name, limit)),
            None => Ok(()),
        }
    }

    /// Checks that a search with these parameters does something on boards of this
    /// size and ends.
    ///
    /// # Errors
    /// [`ParamsError`] says what is wrong.
    pub fn check(&self, size: Size) -> Result<(), ParamsError> {
        self.check_limits()?;
        let side = self.window.min(u32::from(size.rows().min(size.cols())));
        let radius = max_radius(side as u16);
        if self.window_radius.min(side.pow(2)) > radius {
            return Err(ParamsError::Radius(side, radius));
        }
        let families = [
            self.flips,
            self.pairs,
            self.window.min(self.window_radius),
            self.blocks,
            self.shifts,
            self.swaps,
            self.torus,
            self.grafts,
        ];
        if families.iter().all(|&it| it == 0) {
            return Err(ParamsError::Nothing);
        }
        Ok(())
    }
}
