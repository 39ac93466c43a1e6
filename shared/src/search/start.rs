//! Which starts count as levels.

use serde::{Deserialize, Serialize};

/// Whether a level's player may start on the goal (XSB `+`).
///
/// The published exact values for n = 3…6 leave such levels out, while the
/// rules allow them, so every maximum is carried under both conventions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Convention {
    /// The player starts on another cell than the goal.
    OffGoal,
    /// The player starts anywhere.
    AnyStart,
}

impl Convention {
    /// Both conventions, in the order of their discriminants.
    pub const ALL: [Self; 2] = [Self::OffGoal, Self::AnyStart];
}
