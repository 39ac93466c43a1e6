//! Jobs whose results are a count and a sum of hashes.

use soko::{
    board::Cell,
    plan::{Plan, Search, Shard, Tally, Work},
    search::growth::{GoalTally, Layer},
};

use super::dice::Dice;

pub(super) fn units(search: &Search) -> u64 {
    u64::from(search.size.cols()) * 10
}

pub(super) fn range(shard: &Shard) -> (u64, u64) {
    match shard.work {
        Work::Census { from, to } => (from, to),
        _ => unreachable!("the simulation has no such shards"),
    }
}

pub(super) fn piece(from: u64, to: u64) -> Shard {
    Shard {
        weight: (to - from) as f64 / 100.0,
        work: Work::Census { from, to },
    }
}

/// The tally of the units of a range.
pub(super) fn count((from, to): (u64, u64)) -> Tally {
    let mut tally = GoalTally {
        layers: vec![Layer {
            nodes: to - from,
            ..Layer::default()
        }],
        ..GoalTally::default()
    };
    for unit in from..to {
        let mut dice = Dice(unit);
        let hash = u128::from(dice.roll()) << 64 | u128::from(dice.roll());
        tally.digest = tally.digest.wrapping_add(hash);
    }
    Tally::Growth([(Cell(0), tally)].into())
}

pub(super) fn plan(search: &Search, cut: u64) -> Plan {
    let total = units(search);
    let shards = (0..total)
        .step_by(cut as usize)
        .map(|from| piece(from, (from + cut).min(total)))
        .collect();
    Plan {
        shards,
        digest: u128::from(total) << 64 | u128::from(cut),
    }
}
