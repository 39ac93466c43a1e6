//! Jobs, one and many.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;
use soko::text::counted;

use crate::cli::{
    output::Show,
    progress,
    text::{lines, mode_name, number_or_none, seconds, state_name, table},
};

/// A job.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct JobDocument {
    job: String,
    name: String,
    state: &'static str,
    reason: String,
    mode: &'static str,
    rows: u32,
    cols: u32,
    seed: u64,
    priority: i32,
    progress: f64,
    best_moves: Option<u32>,
    shards: Shards,
    work_done: u64,
    work_per_second: f64,
    eta_seconds: Option<f64>,
    elapsed_seconds: f64,
    core_seconds: f64,
    resumed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    goals: Vec<Goal>,
    /// What a heuristic search has done so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    hunt: Option<HuntProgress>,
    #[serde(skip)]
    line: String,
}

/// How far the search of one goal is.
#[derive(Debug, Clone, Serialize)]
struct Goal {
    row: u32,
    col: u32,
    best_moves: Option<u32>,
    /// Whether its best is proven.
    finished: bool,
    shards_undone: u64,
}

#[derive(Debug, Clone, Serialize)]
struct HuntProgress {
    round: u32,
    rounds: u32,
    batches: u32,
    accepted: u64,
    running_best: Vec<u32>,
    seconds_since_improvement: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
struct Shards {
    done: u64,
    open: u64,
    leased: u64,
    poisoned: u64,
}

impl From<v1::Job> for JobDocument {
    fn from(job: v1::Job) -> Self {
        let line = progress::line(&job);
        let state = state_name(job.state());
        let search = job.search.unwrap_or_default();
        let goals = job.goals.iter().map(|goal| Goal {
            row: goal.goal / search.cols.max(1),
            col: goal.goal % search.cols.max(1),
            best_moves: number_or_none(goal.best_moves),
            finished: goal.shards_undone == 0,
            shards_undone: goal.shards_undone,
        });
        let since = job.since_improvement_ms;
        let hunt = search.hunt.as_ref().map(|hunt| HuntProgress {
            round: job.round,
            rounds: hunt.rounds,
            batches: hunt.batches,
            accepted: job.accepted,
            running_best: job.running_best,
            seconds_since_improvement: (since > 0).then_some(since as f64 / 1e3),
        });
        Self {
            goals: goals.collect(),
            line,
            hunt,
            state,
            mode: mode_name(&search),
            rows: search.rows,
            cols: search.cols,
            seed: search.seed,
            job: job.job,
            name: job.name,
            reason: job.reason,
            priority: job.priority,
            progress: job.progress,
            best_moves: number_or_none(job.best_moves),
            shards: Shards {
                done: job.shards_done,
                open: job.shards_open,
                leased: job.shards_leased,
                poisoned: job.shards_poisoned,
            },
            work_done: job.work_done,
            work_per_second: job.work_rate,
            eta_seconds: (job.eta_ms > 0).then_some(job.eta_ms as f64 / 1e3),
            elapsed_seconds: job.elapsed_ms as f64 / 1e3,
            core_seconds: job.core_ms as f64 / 1e3,
            resumed: job.resumed,
        }
    }
}

impl JobDocument {
    fn percent(&self) -> String {
        // Rounded down: 100 % is for what is done.
        format!("{:.0} %", (self.progress * 100.0).floor())
    }
}

impl Show for JobDocument {
    fn text(&self) -> String {
        let mut text = format!("job {}: {}", self.job, self.state);
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                let _ = write!(text, "\n  {name:<9} {value}");
            }
        };
        add("name", &self.name);
        add("reason", &self.reason);
        add(
            "search",
            &format!("{}x{} {}", self.rows, self.cols, self.mode),
        );
        add("progress", &format!("{} {}", self.percent(), self.line));
        let Shards {
            done,
            open,
            leased,
            poisoned,
        } = self.shards;
        let shards = format!("{done} done, {leased} running, {open} open, {poisoned} given up");
        add("shards", &shards);
        let time = seconds((self.elapsed_seconds * 1e3) as u64);
        add(
            "time",
            &format!("{time}, {:.1} core-seconds", self.core_seconds),
        );
        for goal in &self.goals {
            let best = goal
                .best_moves
                .map_or("none".to_owned(), |it| it.to_string());
            let state = if goal.finished {
                "proven".to_owned()
            } else {
                format!("{} left", counted(goal.shards_undone, "shard"))
            };
            let (row, col) = (goal.row, goal.col);
            add("goal", &format!("({row}, {col}): best {best}, {state}"));
        }
        text
    }

    fn quiet(&self) -> String {
        self.job.clone()
    }
}

/// Jobs.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct JobList {
    jobs: Vec<JobDocument>,
}

impl From<v1::ListJobsReply> for JobList {
    fn from(reply: v1::ListJobsReply) -> Self {
        Self {
            jobs: reply.jobs.into_iter().map(JobDocument::from).collect(),
        }
    }
}

impl Show for JobList {
    fn text(&self) -> String {
        let rows = self.jobs.iter().map(|job| {
            vec![
                job.job.clone(),
                job.state.to_owned(),
                format!("{}x{} {}", job.rows, job.cols, job.mode),
                job.percent(),
                job.best_moves.map_or(String::new(), |it| it.to_string()),
                seconds((job.elapsed_seconds * 1e3) as u64),
                job.name.clone(),
            ]
        });
        let columns = ["job", "state", "search", ">done", ">best", ">time", "name"];
        table(&columns, rows)
    }

    fn quiet(&self) -> String {
        lines(self.jobs.iter().map(Show::quiet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_is_nearly_done_is_not_at_100_percent() {
        let job = v1::Job {
            progress: 0.999,
            ..v1::Job::default()
        };
        assert_eq!(JobDocument::from(job).percent(), "99 %");
    }
}
