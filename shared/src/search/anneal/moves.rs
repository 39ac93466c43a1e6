//! The changes that are tried.

use super::params::Moves;
use crate::search::field::Field;
use crate::search::random::Random;

/// A change of a layout and goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Open or fill a cell.
    Flip(usize),
    /// Open one cell and fill another.
    Swap(usize, usize),
    /// Put the goal on this floor cell.
    Goal(usize),
    /// Put the goal on the best cell.
    BestGoal,
}

impl Move {
    /// Changes the layout; a second time undoes it.
    #[inline]
    pub(super) fn toggle<F: Field>(self, field: &mut F) {
        match self {
            Self::Flip(cell) => field.toggle(cell),
            Self::Swap(opened, filled) => {
                field.toggle(opened);
                field.toggle(filled);
            }
            Self::Goal(_) | Self::BestGoal => {}
        }
    }

    /// Where the goal is afterwards, unless that has to be searched for.
    pub(super) const fn goal(self, before: usize) -> usize {
        match self {
            Self::Goal(cell) => cell,
            _ => before,
        }
    }
}

/// Draws moves.
#[derive(Debug, Clone)]
pub(super) struct Proposer {
    weights: Moves,
    total: usize,
}

impl Proposer {
    pub(super) fn new(weights: Moves) -> Self {
        let Moves {
            flip,
            swap,
            shift,
            goal,
            best_goal,
        } = weights;
        let total = [flip, swap, shift, goal, best_goal]
            .iter()
            .map(|&weight| weight as usize)
            .sum();
        Self { weights, total }
    }

    /// A move, or `None` if the one that was drawn is not possible here. The
    /// goal stays floor.
    #[inline]
    pub(super) fn propose<F: Field>(
        &self,
        field: &F,
        goal: usize,
        random: &mut Random,
    ) -> Option<Move> {
        let mut drawn = random.below(self.total);
        let mut is = |weight: u32| {
            let weight = weight as usize;
            let here = drawn < weight;
            drawn = drawn.wrapping_sub(weight);
            here
        };
        let proposed = if is(self.weights.flip) {
            Move::Flip(random.below(field.area()))
        } else if is(self.weights.swap) {
            Move::Swap(draw(field, false, random)?, draw(field, true, random)?)
        } else if is(self.weights.shift) {
            let wall = draw(field, false, random)?;
            let beside = neighbour(field, wall, random)?;
            if !field.is_floor(beside) {
                return None;
            }
            Move::Swap(wall, beside)
        } else if is(self.weights.goal) {
            let to = neighbour(field, goal, random)?;
            if !field.is_floor(to) {
                return None;
            }
            Move::Goal(to)
        } else {
            Move::BestGoal
        };
        match proposed {
            Move::Flip(filled) | Move::Swap(_, filled) if filled == goal => None,
            _ => Some(proposed),
        }
    }
}

/// A random wall or floor cell, if there is one.
#[inline]
fn draw<F: Field>(field: &F, floor: bool, random: &mut Random) -> Option<usize> {
    let area = field.area();
    let none = if floor { 0 } else { area };
    if field.floor_count() == none {
        return None;
    }
    loop {
        let number = random.below(area);
        if field.is_floor(number) == floor {
            return Some(number);
        }
    }
}

/// A random neighbour of a cell, `None` if that one is beyond the edge.
#[inline]
fn neighbour<F: Field>(field: &F, number: usize, random: &mut Random) -> Option<usize> {
    let (area, stride) = (field.area(), field.stride());
    match random.below(4) {
        0 => (!number.is_multiple_of(stride)).then(|| number - 1),
        1 => (!(number + 1).is_multiple_of(stride)).then_some(number + 1),
        2 => number.checked_sub(stride),
        _ => Some(number + stride).filter(|&below| below < area),
    }
}
