//! Values to messages.

use std::time::Duration;

use soko::rpc::v1;

use crate::{
    model::{LeaseKey, Phase},
    scheduler::{BeatReply, Grant, JobView, WorkerView},
};

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn millis_u32(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

pub(super) fn key(key: LeaseKey) -> v1::LeaseKey {
    v1::LeaseKey {
        job: key.job.to_string(),
        shard: key.shard.0,
        epoch: key.epoch.0,
    }
}

pub(super) fn grant(grant: Grant) -> v1::LeaseReply {
    let leases = grant.leases.into_iter().map(|lease| v1::Lease {
        key: Some(key(lease.key)),
        shard: Some(lease.shard.to_wire(lease.search.size)),
        search: Some((&lease.search).into()),
        plan: Some(lease.plan.into()),
        budget_ms: millis_u32(lease.budget),
    });
    v1::LeaseReply {
        leases: leases.collect(),
        retry_after_ms: millis_u32(grant.retry_after),
        reason: grant.reason,
        drain: grant.drain,
    }
}

pub(super) fn beat_reply(reply: BeatReply) -> v1::BeatReply {
    v1::BeatReply {
        revoked: reply.revoked.into_iter().map(key).collect(),
        drain: reply.drain,
        unknown: reply.unknown,
    }
}

fn state(phase: Phase, starved: bool) -> v1::JobState {
    match phase {
        Phase::Queued => v1::JobState::Queued,
        Phase::Planning => v1::JobState::Planning,
        Phase::Running if starved => v1::JobState::Starved,
        Phase::Running => v1::JobState::Running,
        Phase::Paused => v1::JobState::Paused,
        Phase::Finalizing => v1::JobState::Finalizing,
        Phase::Done => v1::JobState::Done,
        Phase::Incomplete => v1::JobState::Incomplete,
        Phase::Cancelled => v1::JobState::Cancelled,
        Phase::Failed => v1::JobState::Failed,
    }
}

pub(super) fn job(view: &JobView) -> v1::Job {
    let record = &view.record;
    v1::Job {
        job: record.id.to_string(),
        name: record.name.clone(),
        priority: record.priority,
        search: Some((&record.search).into()),
        state: state(record.phase, view.starved).into(),
        reason: record.reason.clone(),
        shards_done: record.shards_done,
        shards_open: view.open as u64,
        shards_leased: view.leased as u64,
        shards_poisoned: view.poisoned as u64,
        progress: record.progress,
        best_moves: view.best_moves,
        work_done: view.work,
        work_rate: view.rate,
        // A time that rounds to nothing is still known.
        eta_ms: view.eta.map_or(0, |eta| millis(eta).max(1)),
        elapsed_ms: millis(record.elapsed),
        core_ms: record.core_ms,
        resumed: view.resumed,
    }
}

pub(super) fn worker(view: WorkerView) -> v1::Worker {
    v1::Worker {
        worker: view.worker.to_string(),
        engine: view.engine,
        threads: view.threads,
        leases: view.leases as u32,
        silent_ms: millis(view.silent),
        completed: view.completed,
        failed: view.failed,
        quarantined: view.quarantined,
    }
}
