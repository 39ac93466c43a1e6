//! Outcomes: a tally and the remainder.

use super::{WireError, error::at_most};
use crate::{
    board::Size,
    plan::{Outcome, Search, Shard, Tally},
    rpc::v1,
};

/// The most shards that a remainder may have. One hand-back must not flood
/// the job.
pub const MAX_REMAINDER: usize = 1024;

impl Outcome {
    /// The outcome as a message. `size` is the board of its search.
    pub fn to_wire(&self, size: Size) -> v1::Completed {
        v1::Completed {
            tally: Some(self.tally.to_wire(size)),
            remainder: self
                .remainder
                .iter()
                .map(|shard| shard.to_wire(size))
                .collect(),
        }
    }

    /// Reads the outcome of a shard of `search`.
    ///
    /// # Errors
    /// [`WireError`] if no shard of this search can have this outcome.
    pub fn from_wire(wire: &v1::Completed, search: &Search) -> Result<Self, WireError> {
        let tally = wire.tally.as_ref().ok_or(WireError::Missing("tally"))?;
        at_most("remainder", wire.remainder.len(), MAX_REMAINDER)?;
        Ok(Self {
            tally: Tally::from_wire(tally, search)?,
            remainder: wire
                .remainder
                .iter()
                .map(|shard| Shard::from_wire(shard, search))
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{
            shard::tests::{any_growth_shard, any_search},
            tally::tests::any_growth_tally,
        },
        *,
    };
    use crate::plan::{Mode, Work};

    proptest! {
        #[test]
        fn outcomes_round_trip(
            (search, tally, remainder) in any_search(Mode::Exhaustive, 2..20).prop_flat_map(|search| {
                let shards = prop::collection::vec(any_growth_shard(&search), 0..4);
                (Just(search.clone()), any_growth_tally(&search), shards)
            })
        ) {
            let outcome = Outcome { tally, remainder };
            prop_assert_eq!(Outcome::from_wire(&outcome.to_wire(search.size), &search), Ok(outcome));
        }
    }

    #[test]
    fn a_remainder_has_a_limit() {
        let search = Search::new(Size::new(2, 2).unwrap(), Mode::Exhaustive);
        let shard = Shard {
            weight: 0.0,
            work: Work::Growth {
                goal: crate::board::Cell(0),
                roots: vec![crate::search::growth::FloorSet::new([crate::board::Cell(
                    0,
                )])],
                extent: crate::search::growth::Extent::Whole,
            },
        };
        let with = |count| {
            let outcome = Outcome {
                tally: Tally::empty(&search),
                remainder: vec![shard.clone(); count],
            };
            Outcome::from_wire(&outcome.to_wire(search.size), &search).is_ok()
        };
        assert!(with(MAX_REMAINDER));
        assert!(!with(MAX_REMAINDER + 1));
    }
}
