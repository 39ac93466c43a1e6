//! A part of the layouts around a level.

use super::settings::check_sizes;
use super::{Hunt, HuntError, Tally};
use crate::board::Size;
use crate::level::Level;
use crate::search::neighborhood::{self, Params, Space};

/// A part of the layouts around a level.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Around {
    /// Its round, from 0.
    pub round: u32,
    /// The level in the middle.
    pub centre: Level,
    /// First chunk.
    pub from: u64,
    /// One past the last chunk.
    pub to: u64,
}

/// Searches a part of the layouts around a level until it is done or `control`
/// says no; gives the first chunk that is not done.
///
/// # Errors
/// [`HuntError`] if the part does not belong to the hunt.
pub fn explore(
    size: Size,
    hunt: &Hunt,
    params: &Params,
    around: &Around,
    control: &mut neighborhood::Control<'_>,
) -> Result<(Tally, u64), HuntError> {
    check_sizes(std::slice::from_ref(&around.centre), size)?;
    let space = Space::new(&around.centre, &hunt.starts, params);
    let to = around.to.min(neighborhood::chunks(&space));
    if around.from >= to {
        return Ok((Tally::default(), around.to));
    }
    let explored = neighborhood::explore(&space, params, around.from..to, control);
    let mut tally = Tally {
        evaluations: explored.evaluations,
        accepted: explored.accepted,
        covered: explored.covered,
        digest: explored.digest,
        ..Tally::default()
    };
    if around.from == 0 && explored.next > 0 {
        tally.centres = 1;
        tally.offer(&around.centre);
    }
    for level in &explored.levels {
        tally.offer(level);
    }
    if tally.moves > 0 {
        tally.by_round.insert(around.round, tally.moves);
    }
    let next = if explored.next == to {
        around.to
    } else {
        explored.next
    };
    Ok((tally, next))
}
