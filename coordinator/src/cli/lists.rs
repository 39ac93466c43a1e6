//! Jobs, workers and records, one and many.

use std::fmt::Write;

use serde::Serialize;
use soko::rpc::v1;

use super::{
    document::Witness,
    output::Show,
    progress,
    text::{mode_name, seconds, state_name, table},
};

/// A number of which 0 means that there is none.
fn some(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// A text of which the empty one means that there is none.
fn text_or_none(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// A job.
#[derive(Debug, Clone, Serialize)]
pub(super) struct JobDocument {
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
    #[serde(skip)]
    line: String,
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
        Self {
            line,
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
            best_moves: some(job.best_moves),
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
        text
    }

    fn quiet(&self) -> String {
        self.job.clone()
    }
}

/// Jobs.
#[derive(Debug, Serialize)]
pub(super) struct JobList {
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

/// A worker.
#[derive(Debug, Serialize)]
struct WorkerDocument {
    worker: String,
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
pub(super) struct WorkerList {
    workers: Vec<WorkerDocument>,
}

impl From<v1::ListWorkersReply> for WorkerList {
    fn from(reply: v1::ListWorkersReply) -> Self {
        let workers = reply.workers.into_iter().map(|worker| WorkerDocument {
            worker: worker.worker,
            engine: worker.engine,
            threads: worker.threads,
            leases: worker.leases,
            silent_seconds: worker.silent_ms as f64 / 1e3,
            completed: worker.completed,
            failed: worker.failed,
            quarantined: text_or_none(worker.quarantined),
        });
        Self {
            workers: workers.collect(),
        }
    }
}

impl Show for WorkerList {
    fn text(&self) -> String {
        let rows = self.workers.iter().map(|worker| {
            vec![
                worker.worker.clone(),
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

/// The best known level of a board size.
#[derive(Debug, Serialize)]
pub(super) struct RecordDocument {
    rows: u32,
    cols: u32,
    max_moves: u32,
    exact: bool,
    #[serde(flatten)]
    level: Witness,
    shortest_solutions: String,
    title: Option<String>,
    author: Option<String>,
    source: String,
    job: Option<String>,
}

impl From<v1::Record> for RecordDocument {
    fn from(record: v1::Record) -> Self {
        let level = record.level.unwrap_or_default();
        Self {
            rows: record.rows,
            cols: record.cols,
            max_moves: record.max_moves,
            exact: record.exact,
            shortest_solutions: level.shortest_solutions.clone(),
            level: level.into(),
            title: text_or_none(record.title),
            author: text_or_none(record.author),
            source: record.source,
            job: text_or_none(record.job),
        }
    }
}

impl RecordDocument {
    fn bound(&self) -> &'static str {
        if self.exact { "exact" } else { "lower bound" }
    }
}

impl Show for RecordDocument {
    fn text(&self) -> String {
        let mut text = format!(
            "{}x{}: {} moves, {}",
            self.rows,
            self.cols,
            self.max_moves,
            self.bound()
        );
        let by = self
            .author
            .as_deref()
            .map_or(String::new(), |it| format!(" by {it}"));
        if let Some(title) = &self.title {
            let _ = write!(text, "\n{title}{by}");
        }
        let _ = write!(text, "\nsource: {}", self.source);
        let _ = write!(text, "\n\n{}\n", self.level.xsb.trim_end_matches('\n'));
        let _ = write!(
            text,
            "\n{} moves, {} pushes: {}",
            self.level.moves, self.level.pushes, self.level.lurd
        );
        text
    }

    fn quiet(&self) -> String {
        self.max_moves.to_string()
    }
}

/// The record table.
#[derive(Debug, Serialize)]
pub(super) struct RecordList {
    records: Vec<RecordDocument>,
}

impl From<v1::ListRecordsReply> for RecordList {
    fn from(reply: v1::ListRecordsReply) -> Self {
        Self {
            records: reply
                .records
                .into_iter()
                .map(RecordDocument::from)
                .collect(),
        }
    }
}

impl Show for RecordList {
    fn text(&self) -> String {
        let rows = self.records.iter().map(|record| {
            vec![
                format!("{}x{}", record.rows, record.cols),
                record.max_moves.to_string(),
                record.bound().to_owned(),
                record.level.floor.to_string(),
                record.source.clone(),
            ]
        });
        table(&[">board", ">moves", "", ">floor", "source"], rows)
    }

    fn quiet(&self) -> String {
        let values = self.records.iter();
        lines(values.map(|it| format!("{}x{} {}", it.rows, it.cols, it.max_moves)))
    }
}

fn lines(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_objects_with_one_list() {
        let json = |value| serde_json::to_string(&value).unwrap();
        let jobs = JobList::from(v1::ListJobsReply::default());
        assert_eq!(json(serde_json::to_value(jobs).unwrap()), r#"{"jobs":[]}"#);
        let workers = WorkerList::from(v1::ListWorkersReply::default());
        assert_eq!(
            json(serde_json::to_value(workers).unwrap()),
            r#"{"workers":[]}"#
        );
        let records = RecordList::from(v1::ListRecordsReply::default());
        assert_eq!(
            json(serde_json::to_value(records).unwrap()),
            r#"{"records":[]}"#
        );
    }

    #[test]
    fn what_is_not_known_is_null() {
        let job = serde_json::to_value(JobDocument::from(v1::Job::default())).unwrap();
        assert!(job["best_moves"].is_null());
        assert!(job["eta_seconds"].is_null());
        assert!(job.get("line").is_none());
        let record = serde_json::to_value(RecordDocument::from(v1::Record::default())).unwrap();
        assert!(record["title"].is_null());
    }

    #[test]
    fn a_job_that_is_nearly_done_is_not_at_100_percent() {
        let job = v1::Job {
            progress: 0.999,
            ..v1::Job::default()
        };
        assert_eq!(JobDocument::from(job).percent(), "99 %");
    }
}
