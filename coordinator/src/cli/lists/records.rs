//! Records, one and many, and how one came about.

use std::{
    fmt::Write,
    time::{Duration, UNIX_EPOCH},
};

use serde::Serialize;
use soko::rpc::v1;
use soko::text::counted;

use crate::cli::{
    document::Witness,
    output::Show,
    text::{lines, table, text_or_none},
};

/// The best known level of a board size.
#[derive(Debug, Serialize)]
pub(crate) struct RecordDocument {
    rows: u32,
    cols: u32,
    max_moves: u32,
    exact: bool,
    #[serde(flatten)]
    level: Witness,
    /// Left out of lists, like the texts of the level.
    #[serde(skip_serializing_if = "String::is_empty")]
    shortest_solutions: String,
    title: Option<String>,
    author: Option<String>,
    source: String,
    job: Option<String>,
    /// How it was found, if that was in this cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
    /// Other classes of levels with as many moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Witness>,
}

/// How a level was found.
#[derive(Debug, Serialize)]
struct Provenance {
    job: String,
    /// `null` if it is the job's answer that was recorded.
    shard: Option<u64>,
    mode: String,
    seed: u64,
    engine: String,
    /// Levels that the shard started from, as XSB.
    parents: Vec<String>,
    time: String,
    /// What the one who handed it in says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl From<v1::Provenance> for Provenance {
    fn from(wire: v1::Provenance) -> Self {
        let time = UNIX_EPOCH + Duration::from_millis(wire.unix_ms);
        Self {
            job: wire.job,
            shard: (wire.shard > 0).then_some(wire.shard),
            mode: wire.mode,
            seed: wire.seed,
            engine: wire.engine,
            parents: wire.parents,
            time: humantime::format_rfc3339_seconds(time).to_string(),
            note: text_or_none(wire.note),
        }
    }
}

impl Provenance {
    fn text(&self) -> String {
        if self.job.is_empty() {
            let note = self.note.as_ref();
            let note = note.map_or(String::new(), |note| format!("\nnote: {note}"));
            return format!(
                "{} {}, solved again by {}{note}",
                self.mode, self.time, self.engine
            );
        }
        let shard = self.shard;
        let shard = shard.map_or(String::new(), |shard| format!(", shard {shard}"));
        format!(
            "found {} by {}, seed {}{shard}, {}",
            self.time,
            self.engine,
            self.seed,
            counted(self.parents.len(), "parent")
        )
    }
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
            provenance: record.provenance.map(Provenance::from),
            others: record.others.into_iter().map(Witness::from).collect(),
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
            "{}x{}: {}, {}",
            self.rows,
            self.cols,
            counted(self.max_moves, "move"),
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
        if let Some(it) = &self.provenance {
            let _ = write!(text, "\n{}", it.text());
        }
        if !self.others.is_empty() {
            let others = counted(self.others.len(), "other class");
            let _ = write!(text, "\n{others} of levels with as many moves");
        }
        let _ = write!(text, "\n\n{}\n", self.level.xsb.trim_end_matches('\n'));
        let _ = write!(
            text,
            "\n{}, {}: {}",
            counted(self.level.moves, "move"),
            counted(self.level.pushes, "push"),
            self.level.lurd
        );
        text
    }

    fn quiet(&self) -> String {
        self.max_moves.to_string()
    }
}

/// How the record of a board size came about.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct RecordHistory {
    records: Vec<RecordDocument>,
}

impl From<v1::RecordHistory> for RecordHistory {
    fn from(reply: v1::RecordHistory) -> Self {
        let records = reply.records.into_iter();
        Self {
            records: records.map(RecordDocument::from).collect(),
        }
    }
}

impl Show for RecordHistory {
    fn text(&self) -> String {
        let rows = self.records.iter().map(|record| {
            let provenance = record.provenance.as_ref();
            let of = |value: fn(&Provenance) -> String| provenance.map_or(String::new(), value);
            vec![
                record.max_moves.to_string(),
                record.bound().to_owned(),
                of(|it| it.time.clone()),
                of(|it| {
                    if it.job.is_empty() {
                        String::new()
                    } else {
                        it.seed.to_string()
                    }
                }),
                of(|it| it.shard.map_or(String::new(), |shard| shard.to_string())),
                record.source.clone(),
            ]
        });
        table(&[">moves", "", "found", ">seed", ">shard", "source"], rows)
    }

    fn quiet(&self) -> String {
        lines(self.records.iter().map(|it| it.max_moves.to_string()))
    }
}

/// The record table.
#[derive(Debug, Serialize)]
pub(in crate::cli) struct RecordList {
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
