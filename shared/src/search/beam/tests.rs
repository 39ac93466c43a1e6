//! Growths from outside.

use super::*;
use crate::board::Size;
use crate::search::random::Random;
use crate::solve::shortest_moves;

fn size(n: u64) -> Size {
    Size::new(n, n).unwrap()
}

fn grown(n: u64, params: &Params, shard: u64) -> Grown {
    run(size(n), params, Random::for_shard(5, shard), &mut |_| true).unwrap()
}

#[test]
fn a_wide_beam_finds_the_maximum_of_small_boards() {
    for (n, moves) in [(3, 10), (4, 25)] {
        let params = Params {
            evaluations: 20_000,
            width: 1000,
            ..Params::for_size(size(n))
        };
        let grown = grown(n, &params, 0);
        assert_eq!(shortest_moves(&grown.levels[0]).unwrap(), Some(moves));
        assert_eq!(grown.runs.keys().max(), Some(&moves));
        assert!(grown.accepted <= grown.evaluations);
    }
}

#[test]
fn a_batch_repeats_and_another_one_differs() {
    for walks in [0, 2000] {
        let params = Params {
            evaluations: 3000,
            width: 20,
            walks,
            ..Params::for_size(size(6))
        };
        let first = grown(6, &params, 0);
        assert_eq!(first, grown(6, &params, 0));
        assert_ne!(first, grown(6, &params, 1));
        assert!(shortest_moves(&first.levels[0]).unwrap() > Some(30));
    }
}

#[test]
fn a_batch_stops_when_told_and_bad_parameters_are_refused() {
    let good = Params::for_size(size(6));
    assert_eq!(run(size(6), &good, Random::new(1), &mut |_| false), None);
    assert_eq!(good.check(size(6)), Ok(()));
    for bad in [
        Params {
            evaluations: 0,
            ..good
        },
        Params { width: 0, ..good },
        Params {
            width: 100_001,
            ..good
        },
    ] {
        assert!(bad.check(size(6)).is_err());
    }
    assert_eq!(good.check(size(12)), Err(ParamsError::TooLarge(size(12))));
    assert_eq!(good.check(size(2)), Err(ParamsError::NoLevel(size(2))));
    let mut set = good;
    for name in ["evaluations", "width", "walks", "noise"] {
        let before = set;
        set.set(name, 77).unwrap();
        assert_ne!(before, set, "{name}");
    }
    assert!(set.set("x", 1).is_err());
}
