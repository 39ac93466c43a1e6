//! Numbers of levels.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Numbers of levels and layouts, raw and up to the symmetries of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Levels: layout, goal, box and player.
    pub levels: u64,
    /// Levels up to symmetry.
    pub level_classes: u64,
    /// Layouts that have one of the levels.
    pub layouts: u64,
    /// Those layouts up to symmetry.
    pub layout_classes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.levels += other.levels;
        self.level_classes += other.level_classes;
        self.layouts += other.layouts;
        self.layout_classes += other.layout_classes;
    }
}
