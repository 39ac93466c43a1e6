//! Checkpoints of jobs that were computed in pieces.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use soko::{
    board::Size,
    plan::{Control, ENGINE, Mode, Search, Tally, compute, plan},
    search::growth::GoalTally,
};

use super::*;
use crate::model::{ShardId, WorkerName};

fn search() -> Search {
    Search {
        shard_ms: 1,
        ..Search::new(Size::new(5, 5).unwrap(), Mode::Exhaustive)
    }
}

/// A job of which `steps` pieces were computed, each stopped at once.
fn half_done(steps: usize) -> Checkpoint {
    let search = search();
    let plan = plan(&search).unwrap();
    let mut checkpoint = Checkpoint {
        name: "half".to_owned(),
        engine: ENGINE.to_owned(),
        plan: plan.digest,
        elapsed: Duration::from_secs(3),
        done: BTreeMap::new(),
        open: (1..)
            .map(ShardId)
            .zip(plan.shards.into_iter().map(Arc::new))
            .collect(),
        search,
    };
    let mut next = checkpoint.open.len() as u64 + 1;
    for _ in 0..steps {
        let Some((id, body)) = checkpoint.open.pop_first() else {
            break;
        };
        let control = Control::until(Some(Instant::now()));
        let outcome = compute(&checkpoint.search, &body, &control).unwrap();
        let remainder: Vec<ShardId> = outcome
            .remainder
            .into_iter()
            .map(|part| {
                let id = ShardId(next);
                next += 1;
                checkpoint.open.insert(id, Arc::new(part));
                id
            })
            .collect();
        let done = DoneShard {
            body,
            tally: outcome.tally,
            remainder,
            worker: WorkerName::new("w").unwrap(),
            core_ms: 1,
        };
        checkpoint.done.insert(id, done);
    }
    checkpoint
}

fn verify(checkpoint: &Checkpoint) -> Result<(), BadCheckpoint> {
    checkpoint.verify(ENGINE, &plan(&checkpoint.search).unwrap())
}

#[test]
fn a_checkpoint_survives_its_file() {
    for steps in [0, 5, usize::MAX] {
        let checkpoint = half_done(steps);
        verify(&checkpoint).unwrap();
        let mut file = Vec::new();
        write(&checkpoint, &mut file).unwrap();
        assert_eq!(read(file.as_slice()).unwrap(), checkpoint);
    }
}

#[test]
fn a_finished_one_has_the_whole_answer() {
    let checkpoint = half_done(usize::MAX);
    assert!(checkpoint.open.is_empty());
    let Tally::Growth(goals) = checkpoint.total() else {
        panic!("a tally of another kind");
    };
    let sets: u64 = goals.values().map(GoalTally::sets).sum();
    assert_eq!(sets, 39_505);
    let roots = checkpoint.roots();
    assert_eq!(roots.len(), plan(&search()).unwrap().shards.len());
    let mut sum = Tally::empty(&checkpoint.search);
    for root in roots {
        assert!(sum.merge(&checkpoint.whole(root).unwrap()));
    }
    assert_eq!(sum, checkpoint.total());
}

#[test]
fn a_file_that_was_cut_or_changed_is_refused() {
    let checkpoint = half_done(4);
    let mut file = Vec::new();
    write(&checkpoint, &mut file).unwrap();
    for length in 0..file.len() {
        assert!(read(&file[..length]).is_err(), "cut at {length}");
    }
    for place in 0..file.len() {
        let mut changed = file.clone();
        changed[place] ^= 1;
        // A byte that says nothing may change; the content may not.
        if let Ok(other) = read(changed.as_slice()) {
            assert_eq!(other, checkpoint, "changed at {place}");
        }
    }
}

#[test]
fn shards_that_are_missing_or_too_many_are_noticed() {
    let whole = half_done(6);
    let broken = |change: fn(&mut Checkpoint)| {
        let mut checkpoint = whole.clone();
        change(&mut checkpoint);
        verify(&checkpoint).unwrap_err()
    };
    let covers = |error| matches!(error, BadCheckpoint::Cover(_));
    assert!(covers(broken(|it| drop(it.open.pop_first()))));
    assert!(covers(broken(|it| drop(it.open.pop_last()))));
    assert!(covers(broken(|it| drop(it.done.pop_first()))));
    assert!(covers(broken(|it| {
        let (&id, done) = it.done.first_key_value().unwrap();
        it.open.insert(id, Arc::clone(&done.body));
    })));
    assert!(covers(broken(|it| {
        let body = Arc::clone(it.open.values().next().unwrap());
        it.open.insert(ShardId(9999), body);
    })));
    assert!(covers(broken(|it| {
        let (&id, _) = it.done.first_key_value().unwrap();
        it.done.get_mut(&id).unwrap().remainder.push(id);
    })));
    assert_eq!(broken(|it| it.plan ^= 1), BadCheckpoint::Plan);
    let other = broken(|it| it.engine.push('x'));
    assert!(matches!(other, BadCheckpoint::Engine { .. }));
}

#[test]
fn an_audit_finds_a_result_that_is_wrong() {
    let mut checkpoint = half_done(usize::MAX);
    let all = choose(&checkpoint, usize::MAX, 0);
    assert_eq!(all.len(), checkpoint.done.len());
    assert_eq!(choose(&checkpoint, 3, 7), choose(&checkpoint, 3, 7));
    assert_eq!(choose(&checkpoint, 3, 7).len(), 3);
    assert!(audit(&checkpoint, &all, |_| ()).iter().all(|it| it.agrees));
    let root = checkpoint.roots()[0];
    let done = checkpoint.done.get_mut(&root).unwrap();
    let Tally::Growth(goals) = &mut done.tally else {
        panic!("a tally of another kind");
    };
    goals.values_mut().next().unwrap().digest ^= 1;
    let wrong = audit(&checkpoint, &[root], |_| ());
    assert_eq!(wrong.len(), 1);
    assert!(!wrong[0].agrees);
}

#[test]
fn what_is_not_done_is_not_audited() {
    let checkpoint = half_done(1);
    let unfinished = checkpoint.roots()[0];
    if checkpoint.whole(unfinished).is_none() {
        assert!(audit(&checkpoint, &[unfinished], |_| ()).is_empty());
        assert!(choose(&checkpoint, 9, 0).is_empty());
    }
}
