//! Why a job is not running, as documents.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;

use super::{
    output::Show,
    text::{seconds, state_name, table, text_or_none},
};

/// Why a job, or one shard of it, is not running.
#[derive(Debug, Serialize)]
pub(super) struct ExplanationDocument {
    job: String,
    state: &'static str,
    reasons: Vec<String>,
    hint: Option<String>,
    shards: Vec<ShardDocument>,
}

#[derive(Debug, Serialize)]
struct ShardDocument {
    shard: u64,
    state: &'static str,
    reason: String,
    weight: f64,
    attempts: u32,
    last_failure: Option<String>,
    worker: Option<String>,
    running_seconds: Option<f64>,
    seconds_without_progress: Option<f64>,
}

impl From<v1::Explanation> for ExplanationDocument {
    fn from(wire: v1::Explanation) -> Self {
        let job = wire.job.unwrap_or_default();
        Self {
            state: state_name(job.state()),
            job: job.job,
            reasons: wire.reasons,
            hint: text_or_none(wire.hint),
            shards: wire.shards.into_iter().map(ShardDocument::from).collect(),
        }
    }
}

impl From<v1::ShardState> for ShardDocument {
    fn from(wire: v1::ShardState) -> Self {
        let leased = wire.phase() == v1::ShardPhase::Leased;
        Self {
            shard: wire.shard,
            state: match wire.phase() {
                v1::ShardPhase::Open => "open",
                v1::ShardPhase::Leased => "running",
                v1::ShardPhase::Poisoned => "given up",
                v1::ShardPhase::Judged => "disputed",
                v1::ShardPhase::Unspecified => "unknown",
            },
            reason: wire.reason,
            weight: wire.weight,
            attempts: wire.attempts,
            last_failure: text_or_none(wire.failure),
            worker: text_or_none(wire.worker),
            running_seconds: leased.then_some(wire.running_ms as f64 / 1e3),
            seconds_without_progress: leased.then_some(wire.still_ms as f64 / 1e3),
        }
    }
}

impl Show for ExplanationDocument {
    fn text(&self) -> String {
        let mut text = format!("job {}: {}", self.job, self.state);
        // Writing to a string cannot fail.
        for reason in &self.reasons {
            let _ = write!(text, "\n  {reason}");
        }
        if let Some(hint) = &self.hint {
            let _ = write!(text, "\n  hint: {hint}");
        }
        if !self.shards.is_empty() {
            let rows = self.shards.iter().map(|shard| {
                let running = shard.running_seconds;
                vec![
                    shard.shard.to_string(),
                    shard.state.to_owned(),
                    running.map_or(String::new(), |it| seconds((it * 1e3) as u64)),
                    shard.attempts.to_string(),
                    shard
                        .last_failure
                        .clone()
                        .unwrap_or_else(|| shard.reason.clone()),
                ]
            });
            let columns = [">shard", "state", ">running", ">failures", "why"];
            let _ = write!(text, "\n\n{}", table(&columns, rows));
        }
        text
    }

    fn quiet(&self) -> String {
        self.reasons.first().cloned().unwrap_or_default()
    }
}

/// A job that was forgotten.
#[derive(Debug, Serialize)]
pub(super) struct DeletedDocument {
    pub(super) deleted: String,
}

impl Show for DeletedDocument {
    fn text(&self) -> String {
        format!("job {} is forgotten", self.deleted)
    }

    fn quiet(&self) -> String {
        self.deleted.clone()
    }
}
