//! Records as messages. The fields of a row keep their numbers for ever.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use prost::Message;
use soko::{
    board::Cell,
    plan::{Search, Shard, Tally},
    rpc::v1,
};

use super::{StoreError, Tree};
use crate::model::{
    Check, Doubt, Epoch, JobId, JobRecord, LedgerRecord, Phase, RequestId, ShardId, ShardRecord,
    WorkerName,
};

#[derive(Clone, PartialEq, Message)]
struct JobRow {
    #[prost(uint64, tag = "1")]
    seq: u64,
    #[prost(string, tag = "2")]
    request: String,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(sint32, tag = "4")]
    priority: i32,
    #[prost(message, optional, tag = "5")]
    search: Option<v1::Search>,
    #[prost(uint32, tag = "6")]
    phase: u32,
    #[prost(string, tag = "7")]
    reason: String,
    #[prost(string, tag = "8")]
    engine: String,
    #[prost(message, optional, tag = "9")]
    plan: Option<v1::U128>,
    #[prost(uint64, tag = "10")]
    shards_done: u64,
    #[prost(double, tag = "11")]
    progress: f64,
    #[prost(uint32, tag = "12")]
    best_moves: u32,
    #[prost(uint64, tag = "13")]
    work_done: u64,
    #[prost(uint64, tag = "14")]
    core_ms: u64,
    #[prost(uint64, tag = "15")]
    elapsed_ms: u64,
    #[prost(uint64, tag = "16")]
    planned: u64,
    #[prost(bool, tag = "17")]
    forgotten: bool,
    #[prost(message, repeated, tag = "18")]
    doubts: Vec<DoubtRow>,
    #[prost(btree_map = "uint32, uint32", tag = "20")]
    goal_best: BTreeMap<u32, u32>,
    #[prost(uint64, tag = "30")]
    accepted: u64,
    #[prost(uint32, tag = "31")]
    round: u32,
}

#[derive(Clone, PartialEq, Message)]
struct DoubtRow {
    #[prost(oneof = "DoubtKind", tags = "1, 2, 3")]
    kind: Option<DoubtKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum DoubtKind {
    #[prost(string, tag = "1")]
    Worker(String),
    #[prost(string, tag = "2")]
    Engine(String),
    #[prost(uint64, tag = "3")]
    Shard(u64),
}

#[derive(Clone, PartialEq, Message)]
struct CheckRow {
    #[prost(uint64, tag = "1")]
    of: u64,
    #[prost(string, tag = "2")]
    worker: String,
    #[prost(message, optional, tag = "3")]
    found: Option<v1::U128>,
    #[prost(uint64, tag = "4")]
    core_ms: u64,
}

#[derive(Clone, PartialEq, Message)]
struct ShardRow {
    #[prost(message, optional, tag = "1")]
    body: Option<v1::Shard>,
    #[prost(uint32, tag = "2")]
    attempts: u32,
    #[prost(uint64, optional, tag = "3")]
    failed: Option<u64>,
    #[prost(bool, tag = "4")]
    poisoned: bool,
    #[prost(string, tag = "5")]
    failure: String,
    #[prost(message, optional, tag = "6")]
    check: Option<CheckRow>,
}

#[derive(Clone, PartialEq, Message)]
struct LedgerRow {
    #[prost(uint64, tag = "1")]
    epoch: u64,
    #[prost(string, tag = "2")]
    request: String,
    #[prost(string, tag = "3")]
    worker: String,
    #[prost(string, tag = "4")]
    engine: String,
    #[prost(uint64, tag = "5")]
    core_ms: u64,
    #[prost(message, optional, tag = "6")]
    body: Option<v1::Shard>,
    #[prost(message, optional, tag = "7")]
    tally: Option<v1::Tally>,
    #[prost(uint64, repeated, tag = "8")]
    remainder: Vec<u64>,
}

/// Number of a phase on disk: its place in [`Phase::ALL`], from 1.
fn phase_number(phase: Phase) -> u32 {
    phase as u32 + 1
}

fn phase_of(number: u32) -> Option<Phase> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    Phase::ALL.get(index).copied()
}

fn bad(tree: Tree) -> impl Fn(String) -> StoreError {
    move |detail| StoreError::BadRow {
        tree: tree.name(),
        detail,
    }
}

fn decode<M: Message + Default>(tree: Tree, bytes: &[u8]) -> Result<M, StoreError> {
    M::decode(bytes).map_err(|error| bad(tree)(error.to_string()))
}

pub(super) fn encode_job(record: &JobRecord) -> Vec<u8> {
    let row = JobRow {
        seq: record.seq,
        request: record.request.to_string(),
        name: record.name.clone(),
        priority: record.priority,
        search: Some((&record.search).into()),
        phase: phase_number(record.phase),
        reason: record.reason.clone(),
        engine: record.engine.clone(),
        plan: Some(record.plan.into()),
        shards_done: record.shards_done,
        progress: record.progress,
        best_moves: record.best_moves,
        work_done: record.work_done,
        core_ms: record.core_ms,
        elapsed_ms: record.elapsed.as_millis() as u64,
        planned: record.planned,
        forgotten: record.forgotten,
        goal_best: record
            .goal_best
            .iter()
            .map(|(goal, &best)| (goal.0, best))
            .collect(),
        accepted: record.accepted,
        round: record.round,
        doubts: record.doubts.iter().map(encode_doubt).collect(),
    };
    row.encode_to_vec()
}

pub(super) fn decode_job(id: JobId, bytes: &[u8]) -> Result<JobRecord, StoreError> {
    let bad = bad(Tree::Jobs);
    let row: JobRow = decode(Tree::Jobs, bytes)?;
    let search = row.search.ok_or_else(|| bad("no search".to_owned()))?;
    Ok(JobRecord {
        id,
        seq: row.seq,
        request: RequestId::new(&row.request).map_err(|error| bad(error.to_string()))?,
        name: row.name,
        priority: row.priority,
        search: Search::try_from(&search).map_err(|error| bad(error.to_string()))?,
        phase: phase_of(row.phase).ok_or_else(|| bad(format!("phase {}", row.phase)))?,
        reason: row.reason,
        engine: row.engine,
        plan: row.plan.map_or(0, u128::from),
        shards_done: row.shards_done,
        progress: row.progress.clamp(0.0, 1.0),
        best_moves: row.best_moves,
        work_done: row.work_done,
        core_ms: row.core_ms,
        accepted: row.accepted,
        round: row.round,
        elapsed: Duration::from_millis(row.elapsed_ms),
        planned: row.planned,
        forgotten: row.forgotten,
        goal_best: row
            .goal_best
            .into_iter()
            .map(|(goal, best)| (Cell(goal), best))
            .collect(),
        doubts: row
            .doubts
            .into_iter()
            .map(|it| decode_doubt(it).map_err(&bad))
            .collect::<Result<_, _>>()?,
    })
}

pub(super) fn encode_shard(record: &ShardRecord, search: &Search) -> Vec<u8> {
    let row = ShardRow {
        body: Some(record.body.to_wire(search.size)),
        attempts: record.attempts,
        failed: record.failed.map(|epoch| epoch.0),
        poisoned: record.poisoned,
        failure: record.failure.clone(),
        check: record.check.as_ref().map(|check| CheckRow {
            of: check.of.0,
            worker: check.worker.to_string(),
            found: Some(check.found.into()),
            core_ms: check.core_ms,
        }),
    };
    row.encode_to_vec()
}

pub(super) fn decode_shard(bytes: &[u8], search: &Search) -> Result<ShardRecord, StoreError> {
    let row: ShardRow = decode(Tree::Shards, bytes)?;
    Ok(ShardRecord {
        body: body(Tree::Shards, row.body.as_ref(), search)?,
        attempts: row.attempts,
        failed: row.failed.map(Epoch),
        poisoned: row.poisoned,
        failure: row.failure,
        check: row.check.as_ref().map(decode_check).transpose()?,
    })
}

fn encode_doubt(doubt: &Doubt) -> DoubtRow {
    let kind = match doubt {
        Doubt::Worker(worker) => DoubtKind::Worker(worker.to_string()),
        Doubt::Engine(engine) => DoubtKind::Engine(engine.clone()),
        Doubt::Shard(shard) => DoubtKind::Shard(shard.0),
    };
    DoubtRow { kind: Some(kind) }
}

fn decode_doubt(row: DoubtRow) -> Result<Doubt, String> {
    match row.kind {
        Some(DoubtKind::Worker(worker)) => WorkerName::new(&worker)
            .map(Doubt::Worker)
            .map_err(|error| error.to_string()),
        Some(DoubtKind::Engine(engine)) => Ok(Doubt::Engine(engine)),
        Some(DoubtKind::Shard(shard)) => Ok(Doubt::Shard(ShardId(shard))),
        None => Err("an unknown kind of doubt".to_owned()),
    }
}

fn decode_check(row: &CheckRow) -> Result<Check, StoreError> {
    let worker = WorkerName::new(&row.worker);
    Ok(Check {
        of: ShardId(row.of),
        worker: worker.map_err(|error| bad(Tree::Shards)(error.to_string()))?,
        found: row.found.map_or(0, u128::from),
        core_ms: row.core_ms,
    })
}

pub(super) fn encode_ledger(record: &LedgerRecord, search: &Search) -> Vec<u8> {
    let row = LedgerRow {
        epoch: record.epoch.0,
        request: record.request.to_string(),
        worker: record.worker.to_string(),
        engine: record.engine.clone(),
        core_ms: record.core_ms,
        body: Some(record.body.to_wire(search.size)),
        tally: Some(record.tally.to_wire(search.size)),
        remainder: record.remainder.iter().map(|shard| shard.0).collect(),
    };
    row.encode_to_vec()
}

pub(super) fn decode_ledger(bytes: &[u8], search: &Search) -> Result<LedgerRecord, StoreError> {
    let bad = bad(Tree::Results);
    let row: LedgerRow = decode(Tree::Results, bytes)?;
    let tally = row.tally.ok_or_else(|| bad("no tally".to_owned()))?;
    Ok(LedgerRecord {
        epoch: Epoch(row.epoch),
        request: RequestId::new(&row.request).map_err(|error| bad(error.to_string()))?,
        worker: WorkerName::new(&row.worker).map_err(|error| bad(error.to_string()))?,
        engine: row.engine,
        core_ms: row.core_ms,
        body: body(Tree::Results, row.body.as_ref(), search)?,
        tally: Tally::from_wire(&tally, search).map_err(|error| bad(error.to_string()))?,
        remainder: row.remainder.into_iter().map(ShardId).collect(),
    })
}

/// Lease and request of a ledger row, without reading the rest.
pub(super) fn decode_ledger_key(bytes: &[u8]) -> Result<(Epoch, String), StoreError> {
    let row: LedgerRow = decode(Tree::Results, bytes)?;
    Ok((Epoch(row.epoch), row.request))
}

/// Shards in the remainder of a ledger row, without reading the rest.
pub(super) fn decode_remainder(bytes: &[u8]) -> Result<u64, StoreError> {
    let row: LedgerRow = decode(Tree::Results, bytes)?;
    Ok(row.remainder.len() as u64)
}

pub(super) fn decode_answer(bytes: &[u8]) -> Result<v1::JobResult, StoreError> {
    decode(Tree::Results, bytes)
}

pub(super) fn decode_record(bytes: &[u8]) -> Result<v1::Record, StoreError> {
    decode(Tree::Records, bytes)
}

fn body(tree: Tree, wire: Option<&v1::Shard>, search: &Search) -> Result<Arc<Shard>, StoreError> {
    let wire = wire.ok_or_else(|| bad(tree)("no shard".to_owned()))?;
    Shard::from_wire(wire, search)
        .map(Arc::new)
        .map_err(|error| bad(tree)(error.to_string()))
}
