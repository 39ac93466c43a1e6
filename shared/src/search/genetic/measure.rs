//! The measures of a level.

use crate::analysis::push_groups;
use crate::level::Level;
use crate::solve::shortest;

/// Number of measures.
pub const MEASURES: usize = 5;

/// What makes a level good, most important first: moves, long walks (at least
/// half as long as the longest), the longest walk, turns of the player, floor
/// cells that the player enters.
pub type Measures = [u32; MEASURES];

/// The measures of a level; `None` if it has no solution.
pub(super) fn measures(level: &Level) -> Option<Measures> {
    let solution = shortest(level).ok()??;
    let walks: Vec<u32> = push_groups(&solution.lurd)
        .iter()
        .map(|group| group.walk as u32)
        .collect();
    let longest = walks.iter().copied().max().unwrap_or(0);
    let long = walks
        .iter()
        .filter(|&&walk| walk > 0 && walk * 2 >= longest);
    let steps = solution.lurd.moves();
    let turns = steps.windows(2).filter(|pair| pair[0].dir != pair[1].dir);
    let mut entered = std::collections::BTreeSet::from([level.player()]);
    let mut player = level.player();
    for step in steps {
        if let Some(next) = level.size().step(player, step.dir) {
            player = next;
            entered.insert(player);
        }
    }
    Some([
        solution.moves,
        long.count() as u32,
        longest,
        turns.count() as u32,
        entered.len() as u32,
    ])
}
