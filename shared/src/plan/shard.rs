//! Pieces of a search.

use crate::{
    board::Cell,
    search::{
        growth::{Extent, FloorSet},
        hunt::{Around, Batch},
    },
};

/// One piece of a search. The shards of a search are disjoint and cover it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shard {
    /// Share of the whole search that this shard stands for, 0..=1, as far as
    /// the plan can know. Used for progress only.
    pub weight: f64,
    /// What is to be done.
    pub work: Work,
}

impl Shard {
    /// The goal whose sets the shard visits, in growth search.
    pub fn goal(&self) -> Option<Cell> {
        match &self.work {
            Work::Growth { goal, .. } | Work::Recheck { goal, .. } => Some(*goal),
            Work::Census { .. } | Work::Batch(_) | Work::Around(_) => None,
        }
    }

    /// The round that the shard belongs to, from 0; exact searches have one.
    pub const fn round(&self) -> u32 {
        match &self.work {
            Work::Growth { .. } | Work::Recheck { .. } | Work::Census { .. } => 0,
            Work::Batch(batch) => batch.round,
            Work::Around(around) => around.round,
        }
    }
}

/// The work of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Subtrees of the tree of minimal sets of one goal.
    Growth {
        /// The goal.
        goal: Cell,
        /// Roots of the subtrees.
        roots: Vec<FloorSet>,
        /// Which sets of the subtrees belong to the shard.
        extent: Extent,
    },
    /// What one result of a growth shard says was done: its subtrees without
    /// those that were handed back. Never part of a plan; given to another
    /// worker to see whether it finds the same.
    Recheck {
        /// The goal.
        goal: Cell,
        /// Roots of the subtrees.
        roots: Vec<FloorSet>,
        /// Which sets of the subtrees belong to the shard.
        extent: Extent,
        /// Roots of the subtrees that were handed back; not empty, and all of
        /// them have to be met.
        except: Vec<FloorSet>,
    },
    /// Wall layouts by rank: bit i of the rank is 1 when cell i is wall.
    Census {
        /// First rank.
        from: u64,
        /// One past the last rank.
        to: u64,
    },
    /// One batch of a hunt. It is done as a whole or not at all.
    Batch(Batch),
    /// Layouts around a level.
    Around(Around),
}

impl Shard {
    /// The part of this shard that is done when `remainder` was handed back,
    /// as a shard of its own; `None` if that is nothing, or if it is not known
    /// how the two fit together.
    pub fn done_part(&self, remainder: &[Self]) -> Option<Self> {
        let work = match &self.work {
            work if remainder.is_empty() => work.clone(),
            Work::Growth {
                goal,
                roots,
                extent,
            } => {
                let parts = remainder.iter().map(|part| match &part.work {
                    Work::Growth {
                        goal: part_goal,
                        roots,
                        extent: part_extent,
                    } if part_goal == goal && part_extent == extent => Some(roots),
                    _ => None,
                });
                let parts: Option<Vec<&Vec<FloorSet>>> = parts.collect();
                Work::Recheck {
                    goal: *goal,
                    roots: roots.clone(),
                    extent: *extent,
                    except: parts?.into_iter().flatten().cloned().collect(),
                }
            }
            &Work::Census { from, to } => {
                let mut parts = Vec::new();
                for part in remainder {
                    let Work::Census { from, to } = part.work else {
                        return None;
                    };
                    parts.push((from, to));
                }
                parts.sort_unstable();
                let next = parts.first()?.0;
                let joined = parts.windows(2).all(|pair| pair[0].1 == pair[1].0);
                let ends = parts.last()?.1 == to;
                if !joined || !ends || next <= from {
                    return None;
                }
                Work::Census { from, to: next }
            }
            Work::Batch(_) | Work::Around(_) | Work::Recheck { .. } => return None,
        };
        Some(Self { weight: 0.0, work })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::{
        board::Size,
        plan::{Control, Mode, Search, Tally, compute, plan},
    };

    /// Computes a shard in pieces and sees that each piece can be done again,
    /// from what it handed back alone.
    fn every_part_can_be_done_again(search: &Search) -> usize {
        let mut total = Tally::empty(search);
        let mut again = Tally::empty(search);
        let mut open = plan(search).unwrap().shards;
        let mut parts = 0;
        while let Some(shard) = open.pop() {
            // The time is up at once, so that it stops as early as it can.
            let control = Control::until(Some(Instant::now()));
            let outcome = compute(search, &shard, &control).unwrap();
            assert!(total.merge(&outcome.tally));
            let done = shard.done_part(&outcome.remainder).unwrap();
            let second = compute(search, &done, &Control::new()).unwrap();
            assert_eq!(second.tally, outcome.tally, "{done:?}");
            assert!(second.remainder.is_empty());
            assert!(again.merge(&second.tally));
            parts += usize::from(!outcome.remainder.is_empty());
            open.extend(outcome.remainder);
        }
        assert_eq!(total, again);
        parts
    }

    #[test]
    fn what_a_result_says_was_done_can_be_done_again() {
        let of = |mode, n| Search::new(Size::new(n, n).unwrap(), mode);
        // It stops after some thousand sets or layouts at the earliest.
        let parts = [
            every_part_can_be_done_again(&of(Mode::Exhaustive, 5)),
            every_part_can_be_done_again(&Search::floor(14).unwrap()),
            every_part_can_be_done_again(&of(Mode::Census, 4)),
        ];
        assert!(parts[0] > 3 && parts[1] > 3 && parts[2] > 0, "{parts:?}");
    }

    #[test]
    fn an_invented_remainder_is_noticed() {
        let search = Search::new(Size::new(5, 5).unwrap(), Mode::Exhaustive);
        let shards = plan(&search).unwrap().shards;
        let control = Control::until(Some(Instant::now()));
        let mut stopped = shards.iter().filter_map(|shard| {
            let outcome = compute(&search, shard, &control).ok()?;
            (outcome.remainder.len() > 1).then_some((shard, outcome.remainder))
        });
        let (shard, remainder) = stopped.next().unwrap();
        let bad = |remainder: &[Shard]| {
            let done = shard.done_part(remainder).unwrap();
            compute(&search, &done, &Control::new())
        };
        assert!(bad(&remainder).is_ok());
        // The same subtree twice.
        let twice = [remainder[0].clone(), remainder[0].clone()];
        assert!(bad(&twice).is_err());
        // A subtree of a subtree that is handed back as well is never met.
        let control = Control::until(Some(Instant::now()));
        let deeper = remainder.iter().find_map(|part| {
            let outcome = compute(&search, part, &control).ok()?;
            outcome.remainder.first().cloned()
        });
        if let Some(deeper) = deeper {
            let mut more = remainder.clone();
            more.push(deeper);
            assert!(bad(&more).is_err());
        }
        // Less than was handed back: a lie about what was done, and another
        // tally.
        let fewer = bad(&remainder[1..]).unwrap().tally;
        assert_ne!(fewer, bad(&remainder).unwrap().tally);
    }

    #[test]
    fn a_census_hands_back_its_end() {
        let part = |from, to| Shard {
            weight: 1.0,
            work: Work::Census { from, to },
        };
        let whole = part(10, 20);
        let done = |remainder: &[Shard]| whole.done_part(remainder).map(|it| it.work);
        assert_eq!(done(&[]), Some(whole.work.clone()));
        let tail = [part(17, 20), part(15, 17)];
        assert_eq!(done(&tail), Some(Work::Census { from: 10, to: 15 }));
        assert_eq!(done(&[part(15, 17)]), None);
        assert_eq!(done(&[part(15, 17), part(18, 20)]), None);
        assert_eq!(done(&[part(10, 20)]), None);
    }
}
