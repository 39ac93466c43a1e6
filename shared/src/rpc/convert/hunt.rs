//! Heuristic searches: what they are told, their batches and tallies.

use std::collections::{BTreeMap, BTreeSet};

use super::{WireError, error::at_most, shard::cell};
use crate::text::counted;
use crate::{
    board::{Board, Cell, Size},
    level::Level,
    plan::Effort,
    rpc::v1,
    search::{
        hunt::{
            Around, Batch, Found, Hunt, Island, MAX_FOUND, MAX_ISLANDS, MAX_ROUNDS, MAX_STARTS,
            Method, Tally,
        },
        neighborhood::Family,
    },
};

/// The most different results of runs in a tally.
const MAX_RUN_COUNTS: usize = 4096;

impl From<&Hunt> for v1::Hunt {
    fn from(hunt: &Hunt) -> Self {
        let method = match &hunt.method {
            Method::Anneal(params) => v1::hunt::Method::Anneal(params.into()),
            Method::Neighborhood(params) => v1::hunt::Method::Neighborhood(params.into()),
            Method::Genetic(params) => v1::hunt::Method::Genetic(params.into()),
            Method::Beam(params) => v1::hunt::Method::Beam(params.into()),
        };
        Self {
            batches: hunt.batches,
            rounds: hunt.rounds,
            starts: hunt.starts.iter().map(v1::Placement::from).collect(),
            method: Some(method),
        }
    }
}

pub(super) fn hunt_from_wire(wire: &v1::Hunt, size: Size) -> Result<Hunt, WireError> {
    let method = match wire.method.as_ref().ok_or(WireError::Missing("method"))? {
        v1::hunt::Method::Anneal(params) => Method::Anneal(params.into()),
        v1::hunt::Method::Neighborhood(params) => Method::Neighborhood(params.into()),
        v1::hunt::Method::Genetic(params) => Method::Genetic(params.into()),
        v1::hunt::Method::Beam(params) => Method::Beam(params.into()),
    };
    Ok(Hunt {
        method,
        batches: wire.batches,
        rounds: wire.rounds,
        starts: levels("starts", &wire.starts, size)?,
    })
}

impl From<&Level> for v1::Placement {
    fn from(level: &Level) -> Self {
        let mut floor = vec![0; level.size().area().div_ceil(8)];
        for cell in level.board().floor_cells() {
            floor[cell.index() / 8] |= 1 << (cell.index() % 8);
        }
        Self {
            floor,
            player: level.player().0,
            r#box: level.box_cell().0,
            goal: level.goal().0,
        }
    }
}

fn level_from_wire(
    field: &'static str,
    wire: &v1::Placement,
    size: Size,
) -> Result<Level, WireError> {
    let area = size.area();
    let bit = |index: usize| {
        let byte = wire.floor.get(index / 8);
        byte.is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    };
    let whole = wire.floor.len() == area.div_ceil(8);
    if !whole || (area..area.next_multiple_of(8)).any(bit) {
        return Err(WireError::invalid(
            field,
            format!("not the floor of a {size} board"),
        ));
    }
    let floor = (0..area as u32).filter(|&index| bit(index as usize));
    Level::new(
        Board::from_floor(size, floor.map(Cell)),
        cell(field, wire.player, size)?,
        cell(field, wire.r#box, size)?,
        cell(field, wire.goal, size)?,
    )
    .map_err(|error| WireError::invalid(field, error.to_string()))
}

fn levels(
    field: &'static str,
    wire: &[v1::Placement],
    size: Size,
) -> Result<Vec<Level>, WireError> {
    at_most(field, wire.len(), MAX_STARTS)?;
    let levels = wire.iter().map(|level| level_from_wire(field, level, size));
    levels.collect()
}

impl From<&Batch> for v1::BatchShard {
    fn from(batch: &Batch) -> Self {
        Self {
            round: batch.round,
            index: batch.index,
            starts: batch.starts.iter().map(v1::Placement::from).collect(),
        }
    }
}

pub(super) fn batch_from_wire(
    wire: &v1::BatchShard,
    size: Size,
    hunt: Option<&Hunt>,
) -> Result<Batch, WireError> {
    if hunt.is_none_or(|hunt| wire.index >= hunt.batches) {
        return Err(WireError::invalid(
            "index",
            format!("the hunt has no batch {}", wire.index),
        ));
    }
    Ok(Batch {
        round: wire.round,
        index: wire.index,
        starts: levels("starts", &wire.starts, size)?,
    })
}

impl From<&Around> for v1::AroundShard {
    fn from(around: &Around) -> Self {
        Self {
            round: around.round,
            centre: Some((&around.centre).into()),
            from: around.from,
            to: around.to,
        }
    }
}

pub(super) fn around_from_wire(wire: &v1::AroundShard, size: Size) -> Result<Around, WireError> {
    let centre = wire.centre.as_ref().ok_or(WireError::Missing("centre"))?;
    if wire.from >= wire.to {
        return Err(WireError::invalid("from", "no chunks"));
    }
    Ok(Around {
        round: wire.round,
        centre: level_from_wire("centre", centre, size)?,
        from: wire.from,
        to: wire.to,
    })
}

impl From<&Tally> for v1::HuntTally {
    fn from(tally: &Tally) -> Self {
        let found = tally.found.iter().map(|found| v1::FoundLevel {
            level: Some((&found.level).into()),
            pushes: found.pushes,
        });
        Self {
            moves: tally.moves,
            found: found.collect(),
            capped: tally.capped,
            batches: tally.batches,
            evaluations: tally.evaluations,
            accepted: tally.accepted,
            runs: runs_to_wire(&tally.runs),
            digest: Some(tally.digest.into()),
            by_round: rounds_to_wire(&tally.by_round),
            covered: tally
                .covered
                .iter()
                .map(|(family, &layouts)| family_to_wire(family.name(), layouts))
                .collect(),
            centres: tally.centres,
            islands: tally.islands.iter().map(island_to_wire).collect(),
        }
    }
}

pub(super) fn tally_from_wire(wire: &v1::HuntTally, size: Size) -> Result<Tally, WireError> {
    at_most("found", wire.found.len(), MAX_FOUND)?;
    at_most("runs", wire.runs.len(), MAX_RUN_COUNTS)?;
    let found = wire.found.iter().map(|found| {
        let level = found.level.as_ref().ok_or(WireError::Missing("level"))?;
        let level = level_from_wire("found", level, size)?;
        Ok(Found {
            pushes: found.pushes,
            floor: level.floor() as u32,
            level,
        })
    });
    let found: BTreeSet<Found> = found.collect::<Result<_, WireError>>()?;
    if found.len() != wire.found.len() {
        return Err(WireError::invalid("found", "a level occurs twice"));
    }
    if found.is_empty() != (wire.moves == 0) {
        return Err(WireError::invalid(
            "found",
            "moves and levels contradict each other",
        ));
    }
    let runs: BTreeMap<u32, u64> = wire.runs.iter().map(|it| (it.moves, it.runs)).collect();
    if runs.len() != wire.runs.len() {
        return Err(WireError::invalid("runs", "a score occurs twice"));
    }
    at_most("by_round", wire.by_round.len(), MAX_ROUNDS as usize)?;
    at_most("covered", wire.covered.len(), Family::ALL.len())?;
    let by_round = wire
        .by_round
        .iter()
        .map(|it| (it.round, it.moves))
        .collect();
    let covered = wire.covered.iter().map(|it| {
        let known = Family::ALL
            .into_iter()
            .find(|family| family.name() == it.family);
        let family = known.ok_or_else(|| WireError::invalid("family", it.family.clone()))?;
        Ok((family, it.layouts))
    });
    at_most("islands", wire.islands.len(), MAX_ISLANDS as usize)?;
    let islands = wire.islands.iter().map(|island| {
        let levels = levels("islands", &island.levels, size)?;
        let round = island.round;
        Ok((island.island, Island { round, levels }))
    });
    // A shortest solution visits no state (player, box) twice.
    if wire.moves as usize > size.area() * size.area() {
        let why = format!("{} on a {size} board", counted(wire.moves, "move"));
        return Err(WireError::invalid("moves", why));
    }
    Ok(Tally {
        moves: wire.moves,
        found,
        capped: wire.capped,
        batches: wire.batches,
        evaluations: wire.evaluations,
        accepted: wire.accepted,
        runs,
        by_round,
        covered: covered.collect::<Result<_, WireError>>()?,
        centres: wire.centres,
        islands: islands.collect::<Result<_, WireError>>()?,
        digest: wire.digest.ok_or(WireError::Missing("digest"))?.into(),
    })
}

fn runs_to_wire(runs: &BTreeMap<u32, u64>) -> Vec<v1::RunCount> {
    let runs = runs.iter();
    runs.map(|(&moves, &runs)| v1::RunCount { moves, runs })
        .collect()
}

fn island_to_wire((&island, it): (&u32, &Island)) -> v1::Island {
    v1::Island {
        island,
        round: it.round,
        levels: it.levels.iter().map(v1::Placement::from).collect(),
    }
}

fn rounds_to_wire(rounds: &BTreeMap<u32, u32>) -> Vec<v1::RoundBest> {
    let rounds = rounds.iter();
    rounds
        .map(|(&round, &moves)| v1::RoundBest { round, moves })
        .collect()
}

fn family_to_wire(family: &str, layouts: u64) -> v1::FamilyCount {
    v1::FamilyCount {
        family: family.to_owned(),
        layouts,
    }
}

impl From<&Effort> for v1::HuntEffort {
    fn from(effort: &Effort) -> Self {
        Self {
            batches: effort.batches,
            evaluations: effort.evaluations,
            accepted: effort.accepted,
            runs: runs_to_wire(&effort.runs),
            by_round: rounds_to_wire(&effort.by_round),
            covered: effort
                .covered
                .iter()
                .map(|(family, &layouts)| family_to_wire(family, layouts))
                .collect(),
            centres: effort.centres,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::{self, Control, Search, Shard, Work};
    use crate::search::{anneal, beam, genetic, neighborhood};

    fn hunt(starts: Vec<Level>) -> (Size, Hunt) {
        let size = Size::new(4, 4).unwrap();
        let hunt = Hunt {
            method: Method::Anneal(anneal::Params {
                evaluations: 2000,
                run: 500,
                ..anneal::Params::for_size(size)
            }),
            batches: 3,
            rounds: 1,
            starts,
        };
        (size, hunt)
    }

    fn level() -> Level {
        "@$.-\n----\n----\n-###".parse().unwrap()
    }

    #[test]
    fn a_hunt_round_trips_with_its_batches_and_tallies() {
        for starts in [Vec::new(), vec![level()]] {
            let (size, hunt) = hunt(starts);
            let search = Search::hunt(size, 7, hunt);
            let wire = v1::Search::from(&search);
            assert_eq!(Search::try_from(&wire), Ok(search.clone()));
            for shard in plan::plan(&search).unwrap().shards {
                assert_eq!(
                    Shard::from_wire(&shard.to_wire(size), &search),
                    Ok(shard.clone())
                );
                let outcome = plan::compute(&search, &shard, &Control::new()).unwrap();
                let wire = outcome.to_wire(size);
                assert!(matches!(&outcome.tally, plan::Tally::Hunt(tally) if tally.moves > 0));
                assert_eq!(plan::Outcome::from_wire(&wire, &search), Ok(outcome));
            }
        }
    }

    #[test]
    fn every_method_round_trips_with_its_tallies() {
        let (size, hunt) = hunt(Vec::new());
        let genetic = genetic::Params {
            evaluations: 3000,
            polish: 100,
            ..genetic::Params::for_size(size)
        };
        let beam = beam::Params {
            evaluations: 300,
            width: 5,
            ..beam::Params::for_size(size)
        };
        let around = neighborhood::Params::for_size(size);
        for (method, starts) in [
            (Method::Genetic(genetic), vec![]),
            (Method::Beam(beam), vec![]),
            (Method::Neighborhood(around), vec![level()]),
        ] {
            let hunt = Hunt {
                method,
                starts,
                ..hunt.clone()
            };
            let search = Search::hunt(size, 7, hunt);
            let wire = v1::Search::from(&search);
            assert_eq!(Search::try_from(&wire), Ok(search.clone()));
            let shard = plan::plan(&search).unwrap().shards.remove(0);
            assert_eq!(
                Shard::from_wire(&shard.to_wire(size), &search),
                Ok(shard.clone())
            );
            let outcome = plan::compute(&search, &shard, &Control::new()).unwrap();
            assert!(outcome.tally.best_moves() > 0);
            assert_eq!(
                plan::Outcome::from_wire(&outcome.to_wire(size), &search),
                Ok(outcome)
            );
        }
    }

    #[test]
    fn hunts_that_make_no_sense_are_refused() {
        let (size, hunt) = hunt(vec![level()]);
        let good = v1::Hunt::from(&hunt);
        let refused = |change: fn(&mut v1::Hunt)| {
            let mut wire = good.clone();
            change(&mut wire);
            hunt_from_wire(&wire, size).is_err()
        };
        assert!(!refused(|_| ()));
        assert!(refused(|hunt| hunt.method = None));
        assert!(refused(
            |hunt| hunt.starts = vec![hunt.starts[0].clone(); MAX_STARTS + 1]
        ));
        assert!(refused(|hunt| hunt.starts[0].floor = vec![255]));
        assert!(refused(|hunt| hunt.starts[0].floor.push(0)));
        assert!(refused(|hunt| hunt.starts[0].goal = 16));
        assert!(refused(|hunt| hunt.starts[0].goal = 1));
    }

    #[test]
    fn bits_beyond_the_board_are_refused() {
        let size = Size::new(3, 3).unwrap();
        let read = |last| {
            let placement = v1::Placement {
                floor: vec![255, last],
                player: 0,
                r#box: 1,
                goal: 2,
            };
            level_from_wire("starts", &placement, size).is_ok()
        };
        assert!(read(0) && read(1));
        assert!(!read(2));
    }

    #[test]
    fn batches_and_tallies_that_make_no_sense_are_refused() {
        let (size, hunt) = hunt(Vec::new());
        let shard = v1::BatchShard {
            index: 3,
            ..v1::BatchShard::default()
        };
        assert!(batch_from_wire(&shard, size, Some(&hunt)).is_err());
        let shard = v1::BatchShard { index: 2, ..shard };
        assert!(batch_from_wire(&shard, size, Some(&hunt)).is_ok());
        assert!(batch_from_wire(&shard, size, None).is_err());

        let good = v1::HuntTally {
            moves: 1,
            found: vec![v1::FoundLevel {
                level: Some((&level()).into()),
                pushes: 1,
            }],
            digest: Some(v1::U128::default()),
            ..v1::HuntTally::default()
        };
        let refused = |change: fn(&mut v1::HuntTally)| {
            let mut wire = good.clone();
            change(&mut wire);
            tally_from_wire(&wire, size).is_err()
        };
        assert!(!refused(|_| ()));
        assert!(refused(|tally| tally.moves = 0));
        assert!(refused(|tally| tally.moves = 257));
        assert!(refused(|tally| tally.digest = None));
        assert!(refused(|tally| tally.found.push(tally.found[0].clone())));
        assert!(refused(
            |tally| tally.found = vec![tally.found[0].clone(); MAX_FOUND + 1]
        ));
        assert!(refused(
            |tally| tally.runs = vec![v1::RunCount { moves: 1, runs: 1 }; 2]
        ));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            use prost::Message;
            let (size, hunt) = hunt(Vec::new());
            if let Ok(wire) = v1::HuntTally::decode(bytes.as_slice()) {
                let _ = tally_from_wire(&wire, size);
            }
            if let Ok(wire) = v1::Hunt::decode(bytes.as_slice()) {
                let _ = hunt_from_wire(&wire, size);
            }
            if let Ok(wire) = v1::BatchShard::decode(bytes.as_slice()) {
                let _ = batch_from_wire(&wire, size, Some(&hunt)).map(Work::Batch);
            }
        }
    }
}
