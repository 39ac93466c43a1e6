//! Finding the results that are to be taken back.

use std::collections::{BTreeSet, HashMap, HashSet};

use soko::board::Cell;

use super::HubHandle;
use crate::{
    model::{Doubt, Epoch, JobId, LedgerRecord, ShardId},
    scheduler::{Ticket, Undo},
    store::StoreError,
};

/// Finds the results of a job that are in doubt and tells the hub.
pub(super) async fn undo(hub: HubHandle, job: JobId, ticket: Ticket, doubts: Vec<Doubt>) {
    let undo = match find(&hub, job, doubts).await {
        Ok(undo) => undo,
        // The hub notices a broken store by itself; the next start does it.
        Err(error) => {
            tracing::error!(%job, %error, "the ledger cannot be read");
            return;
        }
    };
    let told = hub.call(move |core, now, effects| {
        let had_answer = core.scheduler.undone(job, ticket, undo, now, effects);
        if had_answer {
            effects
                .writes
                .extend(core.records.withdraw_proof(&job.to_string()));
        }
    });
    // When the hub has closed, the next start does it.
    let _ = told.await;
}

/// What is kept of a row while all are looked through.
struct Row {
    epoch: Epoch,
    remainder: Vec<ShardId>,
    goal: Option<Cell>,
    best_moves: u32,
    work: u64,
}

async fn find(hub: &HubHandle, job: JobId, doubts: Vec<Doubt>) -> Result<Undo, StoreError> {
    let mut rows: HashMap<ShardId, Row> = HashMap::new();
    let mut doubtful: Vec<ShardId> = Vec::new();
    let read = hub.store().each_result(job, |shard, row| {
        if doubts.iter().any(|doubt| is_in(doubt, shard, &row)) {
            doubtful.push(shard);
        }
        let row = Row {
            epoch: row.epoch,
            goal: row.body.goal(),
            best_moves: row.tally.best_moves(),
            work: row.tally.work(),
            remainder: row.remainder,
        };
        rows.insert(shard, row);
    });
    read.await?;
    let Closure {
        tops,
        results,
        parts,
    } = Closure::of(&rows, &doubtful);
    let mut undo = Undo {
        parts,
        ..Undo::default()
    };
    for shard in tops {
        let found = hub
            .store()
            .read(move |catalog| catalog.ledger_row(job, shard))
            .await?;
        if let Some(row) = found {
            undo.back.push((shard, rows[&shard].epoch, row.body));
        }
    }
    for row in rows.iter().filter(|(shard, _)| !results.contains(shard)) {
        undo.best_moves = undo.best_moves.max(row.1.best_moves);
        undo.work_done = undo.work_done.saturating_add(row.1.work);
        if let Some(goal) = row.1.goal {
            let best = undo.goal_best.entry(goal).or_default();
            *best = row.1.best_moves.max(*best);
        }
    }
    undo.results = results;
    Ok(undo)
}

fn is_in(doubt: &Doubt, shard: ShardId, row: &LedgerRecord) -> bool {
    match doubt {
        Doubt::Worker(worker) => row.worker == *worker,
        Doubt::Engine(engine) => row.engine == *engine,
        Doubt::Shard(doubtful) => shard == *doubtful,
    }
}

/// Doubtful results with all that was split off them.
#[derive(Debug, Default, PartialEq)]
struct Closure {
    /// Doubtful results that were not split off another one.
    tops: BTreeSet<ShardId>,
    /// All results.
    results: BTreeSet<ShardId>,
    /// All that have no result yet.
    parts: Vec<ShardId>,
}

impl Closure {
    fn of(rows: &HashMap<ShardId, Row>, doubtful: &[ShardId]) -> Self {
        let mut below: HashSet<ShardId> = HashSet::new();
        let mut closure = Self::default();
        let mut open: Vec<ShardId> = doubtful.to_vec();
        let mut seen: HashSet<ShardId> = doubtful.iter().copied().collect();
        while let Some(shard) = open.pop() {
            let Some(row) = rows.get(&shard) else {
                closure.parts.push(shard);
                continue;
            };
            closure.results.insert(shard);
            for &part in &row.remainder {
                below.insert(part);
                if seen.insert(part) {
                    open.push(part);
                }
            }
        }
        let tops = doubtful.iter().filter(|shard| !below.contains(shard));
        closure.tops = tops.copied().collect();
        closure.parts.sort_unstable();
        closure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_split_off_goes_too() {
        let row = |remainder: &[u64]| Row {
            epoch: Epoch(1),
            remainder: remainder.iter().map(|&id| ShardId(id)).collect(),
            goal: None,
            best_moves: 0,
            work: 0,
        };
        // 1 → 2, 3; 2 → 4; 3 has no result yet; 5 → 6.
        let rows = HashMap::from([
            (ShardId(1), row(&[2, 3])),
            (ShardId(2), row(&[4])),
            (ShardId(4), row(&[])),
            (ShardId(5), row(&[6])),
            (ShardId(6), row(&[])),
        ]);
        let ids = |ids: &[u64]| ids.iter().map(|&id| ShardId(id)).collect::<BTreeSet<_>>();
        let closure = Closure::of(&rows, &[ShardId(4), ShardId(1), ShardId(6)]);
        assert_eq!(closure.tops, ids(&[1, 6]));
        assert_eq!(closure.results, ids(&[1, 2, 4, 6]));
        assert_eq!(closure.parts, [ShardId(3)]);
        assert_eq!(Closure::of(&rows, &[]), Closure::default());
    }
}
