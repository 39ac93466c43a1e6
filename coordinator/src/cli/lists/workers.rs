//! Workers, one and many.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;

use crate::cli::{
    output::Show,
    text::{lines, table, text_or_none},
};

/// A worker.
#[derive(Debug, Serialize)]
pub(crate) struct WorkerDocument {
    worker: String,
    state: &'static str,
    engine: String,
    threads: u32,
    leases: u32,
    silent_seconds: f64,
    completed: u64,
    failed: u64,
    quarantined: Option<String>,
}

/// Workers.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct WorkerList {
    workers: Vec<WorkerDocument>,
}

impl From<v1::ListWorkersReply> for WorkerList {
    fn from(reply: v1::ListWorkersReply) -> Self {
        Self {
            workers: reply
                .workers
                .into_iter()
                .map(WorkerDocument::from)
                .collect(),
        }
    }
}

impl From<v1::Worker> for WorkerDocument {
    fn from(worker: v1::Worker) -> Self {
        let state = if worker.lost {
            "gone"
        } else if !worker.quarantined.is_empty() {
            "quarantined"
        } else if worker.draining {
            "draining"
        } else {
            "connected"
        };
        Self {
            worker: worker.worker,
            state,
            engine: worker.engine,
            threads: worker.threads,
            leases: worker.leases,
            silent_seconds: worker.silent_ms as f64 / 1e3,
            completed: worker.completed,
            failed: worker.failed,
            quarantined: text_or_none(worker.quarantined),
        }
    }
}

impl Show for WorkerDocument {
    fn text(&self) -> String {
        let mut text = format!("worker {}: {}", self.worker, self.state);
        // Writing to a string cannot fail.
        if let Some(why) = &self.quarantined {
            let _ = write!(text, "\n  reason    {why}");
        }
        let _ = write!(text, "\n  engine    {}", self.engine);
        let _ = write!(text, "\n  threads   {}", self.threads);
        let _ = write!(
            text,
            "\n  shards    {} running, {} done, {} failed",
            self.leases, self.completed, self.failed
        );
        let _ = write!(text, "\n  heard     {:.0} s ago", self.silent_seconds);
        text
    }

    fn quiet(&self) -> String {
        self.state.to_owned()
    }
}

impl Show for WorkerList {
    fn text(&self) -> String {
        let rows = self.workers.iter().map(|worker| {
            vec![
                worker.worker.clone(),
                worker.state.to_owned(),
                worker.threads.to_string(),
                worker.leases.to_string(),
                worker.completed.to_string(),
                worker.failed.to_string(),
                format!("{:.0} s ago", worker.silent_seconds),
                worker.engine.clone(),
                worker.quarantined.clone().unwrap_or_default(),
            ]
        });
        let columns = [
            "worker",
            "state",
            ">threads",
            ">leases",
            ">completed",
            ">failed",
            ">heard",
            "engine",
            "quarantined",
        ];
        table(&columns, rows)
    }

    fn quiet(&self) -> String {
        lines(self.workers.iter().map(|worker| worker.worker.clone()))
    }
}
