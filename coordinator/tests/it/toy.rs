//! A search that takes no time: each shard is a list of sets to be counted.

use std::hash::{DefaultHasher, Hash, Hasher};

use soko::{
    board::{Cell, Size},
    plan::{Answer, Control, Mode, Optimum, Outcome, Plan, Search, Shard, Tally, Witness, Work},
    records::seeds,
    search::{
        Counts,
        growth::{Extent, FloorSet, GoalTally, Layer},
    },
    solve::shortest_moves,
};
use soko_coord::hub::Engine;

/// Sets in each shard of a plan.
pub(crate) const SETS: usize = 4;

pub(crate) fn search(n: u64) -> Search {
    Search::new(Size::new(n, n).unwrap(), Mode::Exhaustive)
}

/// Counts sets. The number of shards is the search's `shard_ms`.
#[derive(Debug)]
pub(crate) struct Toy;

fn hash(set: &FloorSet) -> u128 {
    let mut hasher = DefaultHasher::new();
    set.hash(&mut hasher);
    u128::from(hasher.finish())
}

fn tally(sets: &[FloorSet]) -> Tally {
    let tally = GoalTally {
        layers: vec![Layer {
            nodes: sets.len() as u64,
            ..Layer::default()
        }],
        digest: sets
            .iter()
            .fold(0u128, |sum, set| sum.wrapping_add(hash(set))),
        ..GoalTally::default()
    };
    Tally::Growth([(Cell(0), tally)].into())
}

fn shard(sets: Vec<FloorSet>, weight: f64) -> Shard {
    Shard {
        weight,
        work: Work::Growth {
            goal: Cell(0),
            roots: sets,
            extent: Extent::Whole,
        },
    }
}

/// All sets of a search, one number each.
fn all_sets(search: &Search) -> Vec<FloorSet> {
    let count = search.shard_ms as usize * SETS;
    let set = |number: usize| {
        // From 256 on they repeat; the counts still tell.
        let bits = (0..8).filter(move |bit| number >> bit & 1 == 1);
        FloorSet::new([Cell(0)].into_iter().chain(bits.map(|bit| Cell(bit + 1))))
    };
    (0..count).map(set).collect()
}

/// What the search must find: sets and digest.
pub(crate) fn truth(search: &Search) -> (u64, u128) {
    let total = tally(&all_sets(search));
    (total.work(), total.digest())
}

/// Computes a shard, or the first half of it.
pub(crate) fn compute(work: &Shard, half: bool) -> Outcome {
    let roots: Vec<FloorSet> = match &work.work {
        Work::Growth { roots, .. } => roots.clone(),
        Work::Recheck { roots, except, .. } => {
            // Sets may be there several times; each is left out once.
            let mut left = except.clone();
            let kept = |set: &&FloorSet| match left.iter().position(|it| it == *set) {
                Some(at) => {
                    left.remove(at);
                    false
                }
                None => true,
            };
            roots.iter().filter(kept).cloned().collect()
        }
        _ => panic!("the toy has no such shards"),
    };
    let done = if half {
        roots.len().div_ceil(2)
    } else {
        roots.len()
    };
    let rest = roots[done..].to_vec();
    let remainder = if rest.is_empty() {
        vec![]
    } else {
        vec![shard(rest, work.weight / 2.0)]
    };
    Outcome {
        tally: tally(&roots[..done]),
        remainder,
    }
}

impl Engine for Toy {
    fn name(&self) -> &'static str {
        "toy 1"
    }

    fn plan(&self, search: &Search) -> Result<Plan, String> {
        if search.seed == 13 {
            return Err("the toy does not like 13".to_owned());
        }
        assert!(search.seed != 14, "the toy panics at 14");
        let weight = 1.0 / f64::from(search.shard_ms.max(1));
        let sets = all_sets(search);
        let shards = sets.chunks(SETS).map(|sets| shard(sets.to_vec(), weight));
        Ok(Plan {
            shards: shards.collect(),
            digest: u128::from(search.shard_ms) << 64 | u128::from(search.seed),
        })
    }

    fn compute(&self, _: &Search, shard: &Shard, _: &Control) -> Result<Outcome, String> {
        Ok(compute(shard, false))
    }

    fn finish(&self, search: &Search, tally: &Tally, _: &Control) -> Option<Answer> {
        // The known level of this size stands for the one found.
        let level = seeds()
            .into_iter()
            .map(|seed| seed.level)
            .find(|level| level.size() == search.size);
        let moves = level.as_ref().and_then(|level| shortest_moves(level).ok()?);
        let optimum = || Optimum {
            max_moves: moves,
            total: Counts::default(),
            by_floor: vec![],
            counts_are_lower_bounds: false,
        };
        Some(Answer {
            proven: true,
            optimum: [optimum(), optimum()],
            witnesses: level
                .zip(moves)
                .map(|(level, moves)| Witness { level, moves })
                .into_iter()
                .collect(),
            witnesses_left_out: 0,
            floor_sets: tally.work(),
            states: 0,
            canonical_layouts: 0,
            histogram: vec![],
            hunt: None,
            by_floor_limit: vec![],
            engine: "toy 1",
            digest: tally.digest(),
        })
    }
}
