//! An engine whose shards are easy to count: a range of numbers, each of which
//! takes a millisecond.

use std::{ops::Range, thread::sleep, time::Duration};

use soko::{
    board::Size,
    plan::{Control, Mode, Outcome, Search, SearchError, Shard, Tally, Work},
};
use soko_worker::{Config, Engine};

/// A shard that begins here panics.
pub(crate) const PANICS: u64 = 1 << 40;
/// A shard that begins here is refused.
pub(crate) const REFUSED: u64 = 1 << 41;
/// A shard that starts here never ends, whatever it is told.
pub(crate) const HANGS: u64 = 1 << 42;

pub(crate) fn search() -> Search {
    Search::new(Size::new(7, 7).unwrap(), Mode::Census)
}

pub(crate) fn shard(range: Range<u64>) -> Shard {
    Shard {
        weight: 0.5,
        work: Work::Census {
            from: range.start,
            to: range.end,
        },
    }
}

pub(crate) fn range(shard: &Shard) -> Range<u64> {
    match shard.work {
        Work::Census { from, to } => from..to,
        _ => panic!("not one of ours"),
    }
}

fn compute(search: &Search, shard: &Shard, control: &Control) -> Result<Outcome, SearchError> {
    let Range { start, end } = range(shard);
    assert!(start != PANICS, "told to panic");
    if start == HANGS {
        control.report(1, 0.1, 0);
        loop {
            sleep(Duration::from_hours(1));
        }
    }
    if start == REFUSED {
        return Err(SearchError::BadShard("told to refuse".into()));
    }
    let mut at = start;
    while at < end && (at == start || !control.should_stop()) {
        sleep(Duration::from_millis(1));
        at += 1;
        control.report(at - start, (at - start) as f64 / (end - start) as f64, 0);
    }
    let rest = (at < end).then(|| self::shard(at..end));
    Ok(Outcome {
        tally: Tally::empty(search),
        remainder: rest.into_iter().collect(),
    })
}

/// Settings of a worker with this engine.
pub(crate) fn config(coordinator: &str, threads: usize) -> Config {
    Config {
        id: "w".into(),
        threads,
        max_backoff: Duration::from_millis(200),
        engine: Engine {
            name: "numbers 1",
            compute,
        },
        ..Config::new(coordinator)
    }
}
