//! What stands on one cell.

/// What stands on one cell of a [`Grid`](super::Grid).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    /// A wall.
    Wall,
    /// Empty floor.
    Floor,
    /// An empty goal.
    Goal,
    /// A box beside the goals.
    Box,
    /// A box on a goal.
    BoxOnGoal,
    /// The player.
    Player,
    /// The player on a goal.
    PlayerOnGoal,
}

impl Tile {
    /// Every tile, in the order of their declaration.
    pub const ALL: [Self; 7] = [
        Self::Wall,
        Self::Floor,
        Self::Goal,
        Self::Box,
        Self::BoxOnGoal,
        Self::Player,
        Self::PlayerOnGoal,
    ];

    /// The tile's usual XSB character; floor is `-`, which no mail program eats.
    pub const fn xsb(self) -> char {
        match self {
            Self::Wall => '#',
            Self::Floor => '-',
            Self::Goal => '.',
            Self::Box => '$',
            Self::BoxOnGoal => '*',
            Self::Player => '@',
            Self::PlayerOnGoal => '+',
        }
    }

    /// Whether a player could stand here if nothing else did.
    pub const fn is_floor(self) -> bool {
        !matches!(self, Self::Wall)
    }

    /// Whether a box stands here.
    pub const fn has_box(self) -> bool {
        matches!(self, Self::Box | Self::BoxOnGoal)
    }

    /// Whether this cell is a goal.
    pub const fn has_goal(self) -> bool {
        matches!(self, Self::Goal | Self::BoxOnGoal | Self::PlayerOnGoal)
    }

    /// Whether a player stands here.
    pub const fn has_player(self) -> bool {
        matches!(self, Self::Player | Self::PlayerOnGoal)
    }
}
