//! The levels of an island.

use super::measure::{MEASURES, Measures, measures};
use crate::board::Board;
use crate::level::Level;

/// A level and its measures.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    measures: Measures,
    /// The layout up to symmetry.
    key: Board,
    level: Level,
}

/// Levels of different layouts, the best by each measure.
#[derive(Debug)]
pub(super) struct Population {
    limit: usize,
    /// Longest first; ties by the layout.
    members: Vec<Member>,
}

impl Population {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            limit,
            members: Vec::new(),
        }
    }

    pub(super) fn levels(&self) -> impl ExactSizeIterator<Item = &Level> {
        self.members.iter().map(|member| &member.level)
    }

    pub(super) fn level(&self, index: usize) -> &Level {
        &self.members[index].level
    }

    pub(super) const fn len(&self) -> usize {
        self.members.len()
    }

    /// Moves of the longest level; 0 if there is none.
    pub(super) fn best(&self) -> u32 {
        self.members.first().map_or(0, |first| first.measures[0])
    }

    /// Takes a level in if it is good enough; `true` if it was.
    pub(super) fn offer(&mut self, level: Level) -> bool {
        let key = level.reachable_floor().canonical();
        if self.members.iter().any(|member| member.key == key) {
            return false;
        }
        let Some(measures) = measures(&level) else {
            return false;
        };
        let new = Member {
            measures,
            key,
            level,
        };
        let at = self
            .members
            .partition_point(|old| (old.measures[0], &new.key) > (new.measures[0], &old.key));
        let entered = new.clone();
        self.members.insert(at, new);
        if self.members.len() > self.limit {
            let worst = self.least_needed();
            self.members.remove(worst);
        }
        self.members.contains(&entered)
    }

    /// The shortest member that is not the best by one of the measures. The best
    /// by another measure than moves counts only from three fifths of the moves
    /// of the longest one on.
    fn least_needed(&self) -> usize {
        let floor = self.best() / 5 * 3;
        let elite: Vec<usize> = (1..MEASURES)
            .filter_map(|measure| {
                let candidates = self.members.iter().enumerate();
                let candidates = candidates.filter(|(_, it)| it.measures[0] >= floor);
                let best = candidates
                    .max_by_key(|(at, it)| (it.measures[measure], std::cmp::Reverse(*at)));
                best.map(|(at, _)| at)
            })
            .collect();
        let mut rest = (1..self.members.len()).rev();
        rest.find(|at| !elite.contains(at))
            .unwrap_or(self.members.len() - 1)
    }
}
