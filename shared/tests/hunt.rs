//! Heuristic searches end to end: planned, computed in any order and in pieces,
//! merged, carried on round by round, finished.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Instant;

use soko::{
    board::Size,
    level::Level,
    plan::{Answer, Control, Search, Shard, Tally, Work, compute, finish, next_round, plan},
    search::{
        Convention, anneal, beam, genetic,
        hunt::{Hunt, Method},
        neighborhood,
    },
    solve,
};

/// Computes a search to its end. `broken` computes the shards in the opposite
/// order, stops each batch once and cuts everything else wherever it can be cut.
fn answer(search: &Search, broken: bool) -> (Answer, u32) {
    let mut open = plan(search).unwrap().shards;
    let mut tally = Tally::empty(search);
    let mut round = 0;
    loop {
        open.reverse();
        if broken {
            open.reverse();
        }
        while let Some(shard) = open.pop() {
            let control = Control::until(broken.then(Instant::now));
            if broken && open.len().is_multiple_of(2) {
                let stopped = Control::new();
                stopped.stop();
                let outcome = compute(search, &shard, &stopped).unwrap();
                assert!(!outcome.remainder.is_empty() || outcome.tally.work() > 0);
                assert!(tally.merge(&outcome.tally));
                for rest in outcome.remainder {
                    assert!(tally.merge(&compute_all(search, &rest)));
                }
            } else {
                let outcome = compute(search, &shard, &control).unwrap();
                assert!(tally.merge(&outcome.tally));
                open.extend(outcome.remainder);
            }
        }
        open = next_round(search, round, &tally);
        if open.is_empty() {
            break;
        }
        round += 1;
    }
    let answer = finish(search, &tally, &Control::new()).unwrap();
    (answer, round + 1)
}

fn compute_all(search: &Search, shard: &Shard) -> Tally {
    let outcome = compute(search, shard, &Control::new()).unwrap();
    assert!(outcome.remainder.is_empty());
    outcome.tally
}

fn size(n: u64) -> Size {
    Size::new(n, n).unwrap()
}

fn annealing(rounds: u32, starts: Vec<Level>) -> Search {
    let params = anneal::Params {
        evaluations: 8000,
        run: 2000,
        ..anneal::Params::for_size(size(4))
    };
    let hunt = Hunt {
        method: Method::Anneal(params),
        batches: 5,
        rounds,
        starts,
    };
    Search::hunt(size(4), 11, hunt)
}

fn around(level: &str, rounds: u32) -> Search {
    let level: Level = level.replace('/', "\n").parse().unwrap();
    let hunt = Hunt {
        method: Method::Neighborhood(neighborhood::Params::for_size(level.size())),
        batches: 0,
        rounds,
        starts: vec![level.clone()],
    };
    Search::hunt(level.size(), 0, hunt)
}

fn check(answer: &Answer) {
    assert!(!answer.proven);
    let best = answer.optimum(Convention::AnyStart);
    assert!(best.counts_are_lower_bounds);
    assert_eq!(best.total.level_classes, answer.witnesses.len() as u64);
    for witness in &answer.witnesses {
        let moves = solve::shortest_moves(&witness.level).unwrap();
        assert_eq!(
            (moves, Some(witness.moves)),
            (best.max_moves, best.max_moves)
        );
    }
}

#[test]
fn annealing_gives_one_answer_however_it_is_computed() {
    for rounds in [1, 3] {
        let search = annealing(rounds, vec![]);
        let (whole, done) = answer(&search, false);
        assert_eq!(answer(&search, true), (whole.clone(), done));
        assert_eq!(done, rounds);
        check(&whole);
        assert_eq!(whole.optimum(Convention::AnyStart).max_moves, Some(25));
        let effort = whole.hunt.unwrap();
        assert_eq!(effort.batches, u64::from(5 * rounds));
        assert_eq!(effort.by_round.len(), rounds as usize);
        assert!(effort.evaluations >= 40_000 * u64::from(rounds));
        assert!(effort.runs.values().sum::<u64>() >= u64::from(15 * rounds));
    }
}

#[test]
fn islands_and_beams_give_one_answer_however_they_are_computed() {
    let genetic = genetic::Params {
        evaluations: 6000,
        polish: 200,
        ..genetic::Params::for_size(size(4))
    };
    let beam = beam::Params {
        evaluations: 1000,
        width: 30,
        ..beam::Params::for_size(size(4))
    };
    for (method, least) in [(Method::Genetic(genetic), 22), (Method::Beam(beam), 20)] {
        let hunt = Hunt {
            method,
            batches: 3,
            rounds: 4,
            starts: vec![],
        };
        let search = Search::hunt(size(4), 2, hunt);
        let (whole, rounds) = answer(&search, false);
        assert_eq!(answer(&search, true), (whole.clone(), rounds));
        assert_eq!(rounds, 4);
        check(&whole);
        let best = whole.optimum(Convention::AnyStart).max_moves;
        assert!(best >= Some(least), "{best:?}");
    }
}

#[test]
fn another_seed_and_given_starts_are_another_search() {
    let digest = |search: &Search| plan(search).unwrap().digest;
    let search = annealing(1, vec![]);
    let start: Level = "@$.-\n----\n----\n----".parse().unwrap();
    let other = annealing(1, vec![start]);
    assert_ne!(digest(&search), digest(&other));
    assert_ne!(
        digest(&search),
        digest(&Search {
            seed: 12,
            ..search.clone()
        })
    );
    check(&answer(&other, false).0);
}

#[test]
fn neighborhood_search_climbs_and_tells_what_it_covered() {
    let search = around("@$.-/----/----/----", 50);
    let (whole, rounds) = answer(&search, false);
    assert_eq!(answer(&search, true), (whole.clone(), rounds));
    check(&whole);
    let effort = whole.hunt.clone().unwrap();
    assert!((2..50).contains(&rounds), "{rounds}");
    assert_eq!(effort.batches, 0);
    // Each round but the last is better than the one before.
    let best: Vec<u32> = effort.by_round.values().copied().collect();
    assert_eq!(best.len(), rounds as usize);
    assert!(
        best.windows(2).rev().skip(1).all(|pair| pair[0] < pair[1]),
        "{best:?}"
    );
    assert!(whole.optimum(Convention::AnyStart).max_moves >= Some(18));
    assert_eq!(effort.covered["flips"], 16 * effort.centres);
    assert_eq!(effort.covered["pairs"], 120 * effort.centres);
    assert_eq!(effort.covered["windows"], 4 * 512 * effort.centres);
    assert_eq!(effort.covered["torus"], 15 * effort.centres);
}

#[test]
fn the_first_round_is_around_the_given_level_as_it_is() {
    // Most of its floor is redundant.
    let search = around("@$.-/----/----/----", 1);
    let start = &search.hunt.as_ref().unwrap().starts[0];
    for shard in plan(&search).unwrap().shards {
        assert!(matches!(shard.work, Work::Around(it) if it.centre == *start));
    }
}

#[test]
fn the_maximum_of_a_board_has_no_better_neighbour() {
    // The level of 25 moves on 4×4, proven to be the maximum.
    let seeds = soko::records::seeds();
    let seed = seeds.iter().find(|seed| seed.moves == 25).unwrap();
    let (answer, rounds) = answer(&around(&seed.level.to_xsb(), 50), false);
    assert_eq!(rounds, 1);
    assert_eq!(answer.optimum(Convention::AnyStart).max_moves, Some(25));
}

#[test]
fn starts_without_a_solution_are_refused() {
    let stuck: Level = "@---\n----\n--##\n.-#$".parse().unwrap();
    let error = plan(&annealing(1, vec![stuck])).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("level 1 to start from has no solution"),
        "{error}"
    );
}
