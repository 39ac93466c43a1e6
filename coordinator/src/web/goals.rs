//! How far each part of a job is: goals, or batches.

use std::collections::BTreeMap;

use serde::Serialize;
use soko::{
    board::{Cell, Size},
    plan::{Mode, Search, Tally},
    search::{Convention, growth::goals_of},
};

use crate::{hub::HubHandle, model::JobId, scheduler::GoalView, service::ServiceError};

/// What the ledger of a job says about its parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ledger {
    goals: BTreeMap<Cell, Done>,
    /// In jobs that do not go goal by goal: done shards by the moves they found.
    pub(super) found: BTreeMap<u32, u64>,
}

/// What has been done for one goal.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Done {
    shards: u64,
    sets: u64,
    best_moves: u32,
    core_ms: u64,
}

/// How far one goal is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct GoalDocument {
    /// From 1.
    row: u16,
    col: u16,
    progress: f64,
    shards_done: u64,
    shards_open: u64,
    shards_leased: u64,
    sets: u64,
    best_moves: Option<u32>,
    core_seconds: f64,
}

/// Whether a search goes goal by goal.
pub(super) fn has_goals(search: &Search) -> bool {
    search.mode == Mode::Exhaustive
}

/// Sums the ledger of a job.
pub(super) async fn ledger(hub: &HubHandle, job: JobId) -> Result<Ledger, ServiceError> {
    let mut sums = Ledger::default();
    let read = hub.store().each_result(job, |_, row| {
        let Tally::Growth(goals) = &row.tally else {
            *sums.found.entry(row.tally.best_moves()).or_default() += 1;
            return;
        };
        for (goal, tally) in goals {
            let done = sums.goals.entry(*goal).or_default();
            done.shards += 1;
            done.sets += tally.nodes();
            done.best_moves = done.best_moves.max(tally.best(Convention::AnyStart).moves);
            done.core_ms += row.core_ms;
        }
    });
    read.await?;
    Ok(sums)
}

/// All goals of a board. In a plan each goal has the same weight. A job that
/// is over has nothing left, so `left` says nothing and `progress` is its own.
pub(super) fn documents(
    size: Size,
    done: &Ledger,
    left: &BTreeMap<Cell, GoalView>,
    is_over: bool,
) -> Vec<GoalDocument> {
    let goals = goals_of(size);
    let count = goals.len() as f64;
    let document = |(goal, _): (Cell, u64)| {
        let done = done.goals.get(&goal).copied().unwrap_or_default();
        let view = left.get(&goal).copied().unwrap_or_default();
        let best = done.best_moves.max(view.best_moves);
        GoalDocument {
            row: size.row(goal) + 1,
            col: size.col(goal) + 1,
            progress: if is_over && done.shards == 0 {
                0.0
            } else {
                (1.0 - view.undone * count).clamp(0.0, 1.0)
            },
            shards_done: done.shards,
            shards_open: view.open,
            shards_leased: view.leased,
            sets: done.sets,
            best_moves: (best > 0).then_some(best),
            core_seconds: done.core_ms as f64 / 1e3,
        }
    };
    goals.into_iter().map(document).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goal_has_its_own_progress() {
        let size = Size::new(3, 3).unwrap();
        // Three goals up to symmetry: corner, edge, middle.
        let corner = Done {
            shards: 2,
            sets: 7,
            best_moves: 9,
            core_ms: 1500,
        };
        let done = Ledger {
            goals: BTreeMap::from([(Cell(0), corner)]),
            ..Ledger::default()
        };
        let half = GoalView {
            undone: 1.0 / 6.0,
            open: 1,
            leased: 1,
            best_moves: 4,
        };
        let whole = GoalView {
            undone: 1.0 / 3.0,
            open: 3,
            ..GoalView::default()
        };
        let left = BTreeMap::from([(Cell(1), half), (Cell(4), whole)]);
        let goals = documents(size, &done, &left, false);
        let progress: Vec<f64> = goals.iter().map(|goal| goal.progress).collect();
        assert_eq!(goals.len(), 3);
        for (found, wanted) in progress.iter().zip([1.0, 0.5, 0.0]) {
            assert!((found - wanted).abs() < 1e-9, "{progress:?}");
        }
        assert_eq!(
            (goals[0].best_moves, goals[1].best_moves),
            (Some(9), Some(4))
        );
        assert_eq!(
            (goals[2].row, goals[2].col, goals[2].best_moves),
            (2, 2, None)
        );
    }
}
