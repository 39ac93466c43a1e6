//! Generations from outside.

use std::collections::BTreeSet;

use super::measure::measures;
use super::population::Population;
use super::*;
use crate::board::Size;
use crate::level::Level;
use crate::search::random::Random;
use crate::solve::shortest_moves;

fn size() -> Size {
    Size::new(5, 5).unwrap()
}

fn params(evaluations: u64) -> Params {
    Params {
        evaluations,
        polish: 500,
        ..Params::for_size(size())
    }
}

fn generation(shard: u64, starts: &[Level]) -> Generation {
    let random = Random::for_shard(3, shard);
    run(size(), &params(60_000), random, starts, &mut |_| true).unwrap()
}

#[test]
fn generations_repeat_and_lead_to_the_maximum() {
    let first = generation(0, &[]);
    assert_eq!(first, generation(0, &[]));
    assert_ne!(first, generation(1, &[]));
    let mut levels = first.levels;
    for round in 2..6 {
        let before = shortest_moves(&levels[0]).unwrap();
        levels = generation(round, &levels).levels;
        assert!(shortest_moves(&levels[0]).unwrap() >= before);
    }
    assert_eq!(shortest_moves(&levels[0]).unwrap(), Some(41));
    let layouts: BTreeSet<_> = levels
        .iter()
        .map(|it| it.reachable_floor().canonical())
        .collect();
    assert_eq!(layouts.len(), levels.len());
}

#[test]
fn the_measures_of_a_level() {
    // Right, right: two pushes in line.
    let line: Level = "@$-.".parse().unwrap();
    assert_eq!(measures(&line), Some([2, 0, 0, 0, 3]));
    // Around the box to push it back.
    let around: Level = "---\n.$@\n---".parse().unwrap();
    assert_eq!(measures(&around).map(|it| it[0]), Some(1));
    let behind: Level = "-----\n.-$-#\n-@---".parse().unwrap();
    let [moves, long, longest, turns, entered] = measures(&behind).unwrap();
    assert_eq!((moves, long, longest), (5, 1, 3));
    assert_eq!((turns, entered), (2, 6));
    assert_eq!(measures(&"@$#\n-#.\n---".parse().unwrap()), None);
}

#[test]
fn the_best_by_each_measure_stay() {
    let mut population = Population::new(3);
    let level = |text: &str| text.replace('/', "\n").parse::<Level>().unwrap();
    assert!(population.offer(level("@$----.")));
    assert!(!population.offer(level(".----$@")), "the same turned");
    assert!(population.offer(level("@$---.#")));
    assert!(population.offer(level("@$--.##")));
    assert_eq!(population.best(), 5);
    assert!(!population.offer(level("@$-.###")));
    assert_eq!(population.len(), 3);
    assert!(population.offer(level("@------/-$-.---")), "it turns");
    assert_eq!(population.len(), 3);
}

#[test]
fn a_generation_stops_when_told_and_bad_parameters_are_refused() {
    assert_eq!(
        run(size(), &params(1 << 40), Random::new(1), &[], &mut |_| {
            false
        }),
        None
    );
    let good = params(10);
    assert_eq!(good.check(), Ok(()));
    assert!(
        Params {
            population: 1,
            ..good
        }
        .check()
        .is_err()
    );
    assert!(
        Params {
            migrants: 16,
            ..good
        }
        .check()
        .is_err()
    );
    assert!(Params { polish: 0, ..good }.check().is_err());
    assert!(Params { warm: 0, ..good }.check().is_err());
    assert!(
        Params {
            single: 101,
            ..good
        }
        .check()
        .is_err()
    );
    let mut set = good;
    for name in "evaluations polish population migrants warm mutations single".split(' ') {
        let before = set;
        set.set(name, 19).unwrap();
        assert_ne!(before, set, "{name}");
    }
    assert!(set.set("x", 1).is_err());
}
