//! Sides of a box, and the walks between them.

/// Sides of a box: up, right, down, left.
pub(super) const SIDES: usize = 4;

/// What the walks from one side of a box to each side of it take.
pub(super) type Between = [i16; SIDES];

/// There is no walk. Any two of these fit into a sum, and a sum of two walks is
/// less, as no walk takes as many moves as there is floor.
pub(super) const NO_WALK: i16 = i16::MAX / 2;

/// There are no walks between these sides.
pub(super) const NO_WALKS: Between = [NO_WALK; SIDES];

/// A bit for every walk between the sides of a box: by start, then by end.
pub(super) type Doubt = u16;

/// The bit of one.
pub(super) const fn walk_bit(from: usize, to: usize) -> Doubt {
    1 << (SIDES * from + to)
}

/// The side across the box.
pub(super) const fn opposite(side: usize) -> usize {
    side ^ 2
}
