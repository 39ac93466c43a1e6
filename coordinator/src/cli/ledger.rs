//! What a job has found so far, by goal and by shard.

use std::collections::BTreeMap;

use serde::Serialize;
use soko::{
    board::Cell,
    plan::Tally,
    search::{Convention, growth::GoalTally},
    text::counted,
};

use super::{output::Show, text::table};
use crate::checkpoint::{Checkpoint, DoneShard};

/// The ledger of a job.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LedgerDocument {
    mode: &'static str,
    rows: u16,
    cols: u16,
    engine: String,
    plan: String,
    shards_done: usize,
    shards_open: usize,
    /// Digest of all that is done.
    digest: String,
    core_seconds: f64,
    /// Growth search only.
    goals: Vec<GoalLine>,
    shards: Vec<ShardLine>,
}

/// What was found for one goal.
#[derive(Debug, Clone, Serialize)]
struct GoalLine {
    row: u16,
    col: u16,
    /// Whether all its shards are done, so that its best is proven.
    finished: bool,
    shards_open: usize,
    best: Option<u32>,
    nodes: u64,
    floor_sets: u64,
    states: u64,
    digest: String,
    core_seconds: f64,
    by_floor: Vec<LayerLine>,
}

/// What was found among the sets with one number of cells.
#[derive(Debug, Clone, Serialize)]
struct LayerLine {
    floor: usize,
    best: Option<u32>,
    nodes: u64,
    floor_sets: u64,
    states: u64,
}

/// What was found in one shard.
#[derive(Debug, Clone, Serialize)]
struct ShardLine {
    shard: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<[u16; 2]>,
    best: Option<u32>,
    /// Sets visited (growth) or layouts done (census).
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_sets: Option<u64>,
    digest: String,
    core_seconds: f64,
    worker: String,
    /// Shards made of the part that was not done.
    parts: Vec<u64>,
}

fn some(moves: u32) -> Option<u32> {
    (moves > 0).then_some(moves)
}

fn hex(digest: u128) -> String {
    format!("{digest:032x}")
}

impl From<&Checkpoint> for LedgerDocument {
    fn from(checkpoint: &Checkpoint) -> Self {
        let size = checkpoint.search.size;
        let place = |goal: Cell| [size.row(goal), size.col(goal)];
        let total = checkpoint.total();
        let core_ms: u64 = checkpoint.done.values().map(|done| done.core_ms).sum();
        let line = |(id, done): (&crate::model::ShardId, &DoneShard)| ShardLine {
            shard: id.0,
            goal: done.body.goal().map(place),
            best: some(done.tally.best_moves()),
            nodes: done.tally.work(),
            floor_sets: match &done.tally {
                Tally::Growth(goals) => Some(goals.values().map(GoalTally::sets).sum()),
                Tally::Census(_) | Tally::Hunt(_) => None,
            },
            digest: hex(done.tally.digest()),
            core_seconds: done.core_ms as f64 / 1e3,
            worker: done.worker.to_string(),
            parts: done.remainder.iter().map(|part| part.0).collect(),
        };
        Self {
            mode: checkpoint.search.mode.name(),
            rows: size.rows(),
            cols: size.cols(),
            engine: checkpoint.engine.clone(),
            plan: hex(checkpoint.plan),
            shards_done: checkpoint.done.len(),
            shards_open: checkpoint.open.len(),
            digest: hex(total.digest()),
            core_seconds: core_ms as f64 / 1e3,
            goals: goal_lines(checkpoint, &total),
            shards: checkpoint.done.iter().map(line).collect(),
        }
    }
}

fn goal_lines(checkpoint: &Checkpoint, total: &Tally) -> Vec<GoalLine> {
    let Tally::Growth(found) = total else {
        return Vec::new();
    };
    let size = checkpoint.search.size;
    let mut open: BTreeMap<Cell, usize> = BTreeMap::new();
    for goal in checkpoint.open.values().filter_map(|shard| shard.goal()) {
        *open.entry(goal).or_default() += 1;
    }
    let mut core_ms: BTreeMap<Cell, u64> = BTreeMap::new();
    for done in checkpoint.done.values() {
        if let Some(goal) = done.body.goal() {
            *core_ms.entry(goal).or_default() += done.core_ms;
        }
    }
    let mut goals: Vec<Cell> = found.keys().chain(open.keys()).copied().collect();
    goals.sort_unstable();
    goals.dedup();
    let nothing = GoalTally::default();
    goals
        .into_iter()
        .map(|goal| {
            let tally = found.get(&goal).unwrap_or(&nothing);
            let shards_open = open.get(&goal).copied().unwrap_or(0);
            let layers = tally.layers.iter().enumerate();
            GoalLine {
                row: size.row(goal),
                col: size.col(goal),
                finished: shards_open == 0,
                shards_open,
                best: some(tally.best(Convention::AnyStart).moves),
                nodes: tally.nodes(),
                floor_sets: tally.sets(),
                states: tally.states(),
                digest: hex(tally.digest),
                core_seconds: core_ms.get(&goal).copied().unwrap_or(0) as f64 / 1e3,
                by_floor: layers
                    .filter(|(_, layer)| layer.nodes > 0)
                    .map(|(floor, layer)| LayerLine {
                        floor,
                        best: some(layer.moves),
                        nodes: layer.nodes,
                        floor_sets: layer.sets,
                        states: layer.states,
                    })
                    .collect(),
            }
        })
        .collect()
}

impl Show for LedgerDocument {
    fn text(&self) -> String {
        let mut text = format!(
            "{}x{} {}, engine {}, plan {}\n{} done, {} open, {:.1} core-seconds, digest {}",
            self.rows,
            self.cols,
            self.mode,
            self.engine,
            self.plan,
            counted(self.shards_done, "shard"),
            self.shards_open,
            self.core_seconds,
            self.digest,
        );
        if !self.goals.is_empty() {
            let rows = self.goals.iter().map(|goal| {
                vec![
                    format!("({}, {})", goal.row, goal.col),
                    goal.best.map_or("none".to_owned(), |best| best.to_string()),
                    if goal.finished {
                        "proven".to_owned()
                    } else {
                        format!("{} open", goal.shards_open)
                    },
                    goal.nodes.to_string(),
                    goal.floor_sets.to_string(),
                    goal.states.to_string(),
                    format!("{:.1}", goal.core_seconds),
                ]
            });
            let columns = [
                "goal", ">best", "shards", ">visited", ">sets", ">states", ">core-s",
            ];
            text.push_str("\n\n");
            text.push_str(&table(&columns, rows.collect::<Vec<_>>()));
        }
        text
    }

    fn quiet(&self) -> String {
        self.digest.clone()
    }
}
