//! Hunts: rounds, and improvements that are told at once.

use soko::{
    board::Size,
    level::Level,
    plan::{Search, Shard, Tally},
    search::{
        anneal,
        hunt::{self, Found, Hunt, Method},
    },
};

use super::{super::*, bench::*};
use crate::model::*;

/// A hunt of two rounds of two batches.
fn hunt() -> Search {
    let size = Size::new(4, 4).unwrap();
    let hunt = Hunt {
        method: Method::Anneal(anneal::Params::for_size(size)),
        batches: 2,
        rounds: 2,
        starts: vec![],
    };
    Search::hunt(size, 1, hunt)
}

fn hunted(moves: u32) -> Outcome {
    let level: Level = "@$.-\n----\n----\n----".parse().unwrap();
    let found = Found::solve(&level).unwrap().1;
    let tally = hunt::Tally {
        moves,
        found: [found].into(),
        accepted: 7,
        ..hunt::Tally::default()
    };
    Outcome::Completed {
        tally: Tally::Hunt(Box::new(tally)),
        remainder: vec![],
    }
}

impl Bench {
    fn file_hunt(&mut self) -> JobId {
        let submission = Submission {
            id: JobId(1),
            request: self.request(),
            search: hunt(),
            name: String::new(),
            priority: 0,
            resume_equal: false,
        };
        let job = self
            .scheduler
            .submit(submission, self.now, &mut self.effects)
            .unwrap()
            .job;
        self.plan(job, soko::plan::plan(&hunt()).unwrap().shards);
        self.effects.actions.clear();
        self.register("a", "a", vec![]);
        job
    }

    fn hunt_once(&mut self, moves: u32) {
        let lease = self.lease("a");
        let report = self.report_of("a", lease.key, hunted(moves));
        assert_eq!(self.report(&report), Verdict::Stored);
    }

    fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.effects.actions)
    }
}

/// The ticket of the only order, one for the next round.
fn round_order(bench: &mut Bench) -> Ticket {
    let actions = bench.actions();
    let [Action::NextRound(work, _)] = actions.as_slice() else {
        panic!("{actions:?}");
    };
    work.ticket
}

fn next(bench: &mut Bench, job: JobId, ticket: Ticket, shards: Vec<Shard>) {
    bench
        .scheduler
        .next_round(job, ticket, Ok(shards), bench.now, &mut bench.effects);
}

fn is_finish(actions: &[Action]) -> bool {
    matches!(actions, [Action::Finish(work)] if work.planned > 0)
}

#[test]
fn a_round_begins_when_the_one_before_is_over() {
    let mut bench = Bench::new();
    let job = bench.file_hunt();
    bench.hunt_once(9);
    bench.actions();
    bench.hunt_once(8);
    let ticket = round_order(&mut bench);
    let view = bench.view(job);
    assert_eq!((view.record.phase, view.accepted), (Phase::Running, 14));
    assert!((view.record.progress - 0.5).abs() < 1e-9);

    // An answer under another ticket, or one that comes twice, changes nothing.
    let shards = soko::plan::plan(&hunt()).unwrap().shards;
    next(&mut bench, job, Ticket(ticket.0 + 9), shards.clone());
    assert_eq!(bench.view(job).record.round, 0);
    next(&mut bench, job, ticket, shards.clone());
    next(&mut bench, job, ticket, shards);
    let view = bench.view(job);
    assert_eq!(
        (view.record.round, view.open, view.record.planned),
        (1, 2, 4)
    );
    bench.hunt_once(9);
    bench.hunt_once(9);
    assert!(is_finish(&bench.actions()));
    assert_eq!(bench.phase(job), Phase::Finalizing);
}

#[test]
fn a_round_without_shards_ends_the_job() {
    let mut bench = Bench::new();
    let job = bench.file_hunt();
    bench.hunt_once(9);
    bench.actions();
    bench.hunt_once(9);
    let ticket = round_order(&mut bench);
    next(&mut bench, job, ticket, vec![]);
    assert!(is_finish(&bench.actions()));
}

#[test]
fn a_job_cancelled_between_rounds_goes_on_when_it_is_resumed() {
    let mut bench = Bench::new();
    let job = bench.file_hunt();
    bench.hunt_once(9);
    bench.actions();
    bench.hunt_once(9);
    let old = round_order(&mut bench);
    bench.cancel(job).unwrap();
    let shards = soko::plan::plan(&hunt()).unwrap().shards;
    next(&mut bench, job, old, shards.clone());
    assert_eq!(
        (bench.phase(job), bench.view(job).open),
        (Phase::Cancelled, 0)
    );
    bench.actions();
    bench.resume(job).unwrap();
    let new = round_order(&mut bench);
    next(&mut bench, job, old, shards.clone());
    assert_eq!(bench.view(job).open, 0);
    next(&mut bench, job, new, shards);
    assert_eq!(bench.view(job).open, 2);
}

#[test]
fn each_improvement_is_told_at_once() {
    let mut bench = Bench::new();
    let job = bench.file_hunt();
    bench.hunt_once(9);
    let actions = bench.actions();
    let [Action::Improved(of, _, improvement)] = actions.as_slice() else {
        panic!("{actions:?}");
    };
    assert_eq!(*of, job);
    assert_eq!(improvement.engine, ENGINE);
    bench.now += secs(5);
    assert_eq!(bench.view(job).since_improvement, Some(secs(5)));
    bench.hunt_once(9);
    let again = bench.actions();
    assert!(!again.iter().any(|it| matches!(it, Action::Improved(..))));
}
