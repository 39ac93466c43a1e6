//! Which sets of a tree are searched.

/// Which sets of a tree are searched, by their number of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// All.
    Whole,
    /// Those with fewer cells than this.
    Below(u16),
    /// Those with fewer cells than this, and the crown: of the sets with
    /// exactly this many the longest are found, and none is counted. No set
    /// grows out of the crown, so most of its sets need not be visited; and
    /// the crown is the larger part of the tree.
    Crowned(u16),
}

impl Extent {
    /// The number of cells that the visited sets stay below, if there is a limit.
    pub const fn limit(self) -> Option<u16> {
        match self {
            Self::Whole => None,
            Self::Below(cells) | Self::Crowned(cells) => Some(cells),
        }
    }

    /// The same as a number that no set reaches where there is none.
    pub(super) fn below(self) -> usize {
        self.limit().map_or(usize::MAX, usize::from)
    }

    /// The number of cells of the sets of the crown.
    pub(super) fn crown(self) -> Option<usize> {
        match self {
            Self::Whole | Self::Below(_) => None,
            Self::Crowned(cells) => Some(cells.into()),
        }
    }
}
