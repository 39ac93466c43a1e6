//! Values to messages.

use std::time::Duration;

use soko::{plan::Search, rpc::v1, text::counted};

use crate::{
    model::{LeaseKey, Phase},
    records::{NoCandidate, Standing},
    scheduler::{BeatReply, Explanation, Grant, JobView, ShardState, ShardView, WorkerView},
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

/// A search as it is shown: the levels that a hunt starts from are left out,
/// since a list of jobs would be too long with them.
fn search(search: &Search) -> v1::Search {
    let mut shown = v1::Search::from(search);
    if let Some(hunt) = &mut shown.hunt {
        hunt.starts.clear();
    }
    shown
}

pub(crate) fn job(view: &JobView) -> v1::Job {
    let record = &view.record;
    v1::Job {
        job: record.id.to_string(),
        name: record.name.clone(),
        priority: record.priority,
        search: Some(search(&record.search)),
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
        goals: view
            .goals
            .iter()
            .map(|(goal, &(best_moves, shards_undone))| v1::GoalProgress {
                goal: goal.0,
                best_moves,
                shards_undone,
            })
            .collect(),
        accepted: view.accepted,
        running_best: view.running_best.clone(),
        since_improvement_ms: view.since_improvement.map_or(0, |time| millis(time).max(1)),
        round: record.round,
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
        draining: view.draining,
        lost: view.lost,
    }
}

pub(super) fn explanation(view: &JobView, explanation: Explanation) -> v1::Explanation {
    v1::Explanation {
        job: Some(job(view)),
        reasons: explanation.reasons,
        hint: explanation.hint,
        shards: explanation.shards.into_iter().map(shard).collect(),
    }
}

fn shard(view: ShardView) -> v1::ShardState {
    let (phase, worker, since, still) = match view.state {
        ShardState::Open => (
            v1::ShardPhase::Open,
            String::new(),
            Duration::ZERO,
            Duration::ZERO,
        ),
        ShardState::Leased {
            worker,
            since,
            still,
        } => (v1::ShardPhase::Leased, worker.to_string(), since, still),
        ShardState::Judged => (
            v1::ShardPhase::Judged,
            String::new(),
            Duration::ZERO,
            Duration::ZERO,
        ),
        ShardState::Poisoned => (
            v1::ShardPhase::Poisoned,
            String::new(),
            Duration::ZERO,
            Duration::ZERO,
        ),
    };
    v1::ShardState {
        shard: view.id.0,
        phase: phase.into(),
        reason: view.reason,
        weight: view.weight,
        attempts: view.attempts,
        failure: view.failure,
        worker,
        running_ms: millis(since),
        still_ms: millis(still),
    }
}

/// The answer to a level that is no candidate for the record table.
pub(super) fn no_candidate(why: &NoCandidate) -> v1::SubmitRecordReply {
    let (line, column) = why.place().unwrap_or_default();
    v1::SubmitRecordReply {
        verdict: v1::Verdict::Refused.into(),
        reason: why.reason().into(),
        message: why.to_string(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        ..v1::SubmitRecordReply::default()
    }
}

/// The answer to a level that was solved and compared with the record table.
pub(super) fn standing(standing: Standing, level: &v1::Record) -> v1::SubmitRecordReply {
    use v1::{RefusalReason as Reason, Verdict};
    let (n, moves) = (level.rows, level.max_moves);
    let length = counted(moves, "move");
    let (verdict, reason, before, message) = match standing {
        Standing::Best { before: 0 } => (
            Verdict::Stored,
            Reason::Unspecified,
            0,
            format!("the first known level of {n}x{n}, {length}"),
        ),
        Standing::Best { before } => (
            Verdict::Stored,
            Reason::Unspecified,
            before,
            format!("the new record of {n}x{n}: {length} instead of {before}"),
        ),
        Standing::Kept { before } => (
            Verdict::Kept,
            Reason::Unspecified,
            before,
            format!(
                "kept beside the record of {n}x{n}, which has {} too",
                counted(before, "move")
            ),
        ),
        Standing::Shorter { before } => (
            Verdict::Refused,
            Reason::NotBetter,
            before,
            format!("the level needs {length}, and the record of {n}x{n} has {before}"),
        ),
        Standing::Known { before } => (
            Verdict::Refused,
            Reason::Known,
            before,
            format!(
                "the record of {n}x{n} has {} too, and the table has this level already or \
                 enough others",
                counted(before, "move")
            ),
        ),
        Standing::Contradicts { before } => (
            Verdict::Refused,
            Reason::ContradictsProof,
            before,
            format!(
                "the level needs {length}, and {before} is proven to be the maximum of \
                 {n}x{n}; one of them is wrong: please tell the operator of this coordinator"
            ),
        ),
    };
    v1::SubmitRecordReply {
        verdict: verdict.into(),
        reason: reason.into(),
        message,
        n,
        moves,
        pushes: level.level.as_ref().map_or(0, |level| level.pushes),
        record_moves: before,
        ..v1::SubmitRecordReply::default()
    }
}
