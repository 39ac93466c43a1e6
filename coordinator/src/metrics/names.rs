//! Every metric in one table.

use std::fmt::Write;

/// What kind of number a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only grows while the coordinator runs.
    Counter,
    /// It goes up and down.
    Gauge,
    /// A distribution over buckets.
    Histogram,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// A metric.
#[derive(Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, without the suffix that its kind adds.
    pub(super) base: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Names of its labels.
    pub labels: &'static [&'static str],
    /// What it is.
    pub help: &'static str,
}

impl Metric {
    /// Its name in queries.
    pub fn name(&self) -> String {
        match self.kind {
            Kind::Counter => format!("{}_total", self.base),
            Kind::Gauge | Kind::Histogram => self.base.to_owned(),
        }
    }
}

macro_rules! metrics {
    ($($constant:ident = $kind:ident $base:literal [$($label:literal),*] $help:literal;)*) => {
        $(pub(super) const $constant: Metric = Metric {
            base: $base,
            kind: Kind::$kind,
            labels: &[$($label),*],
            help: $help,
        };)*
        /// All metrics, in the order in which they are written.
        pub const ALL: &[Metric] = &[$($constant),*];
    };
}

metrics! {
    BUILD = Gauge "soko_build_info" ["version", "engine"]
        "Always 1; its labels are the versions of the program and of its search engine";
    UPTIME = Gauge "soko_uptime_seconds" []
        "Seconds since the coordinator started";
    JOBS = Gauge "soko_jobs" ["state"]
        "Jobs by state; a running job without workers counts as starved";
    JOB_PROGRESS = Gauge "soko_job_progress_ratio" ["job"]
        "Share of the work that is done, 0 to 1, of each job that has not ended";
    JOB_BEST = Gauge "soko_job_best_moves" ["job"]
        "Largest number of moves found so far by each job that has not ended";
    JOB_RATE = Gauge "soko_job_work_per_second" ["job"]
        "Sets, layouts or levels per second over the last half minute, of each job that has not ended";
    SHARDS = Gauge "soko_shards" ["state"]
        "Shards that are not done, by state: open, leased, poisoned";
    WORKERS = Gauge "soko_workers" ["state"]
        "Workers by state: live, quarantined, lost";
    THREADS = Gauge "soko_worker_threads" []
        "Threads of the live workers that may get work";
    LEASES = Counter "soko_leases" []
        "Leases given";
    LEASES_AGAIN = Counter "soko_leases_again" []
        "Leases given for shards that had been leased before";
    LEASES_ADOPTED = Counter "soko_leases_adopted" []
        "Leases of an earlier start, or expired ones, that were taken up again";
    LEASES_LOST = Counter "soko_leases_lost" ["reason"]
        "Leases that ended without a result, by reason";
    RESULTS = Counter "soko_results" ["outcome"]
        "Results of workers by what came of them: stored, failed, rejected, stale";
    SHARDS_POISONED = Counter "soko_shards_poisoned" []
        "Shards given up after too many attempts";
    RECORDS = Gauge "soko_records" ["bound"]
        "Board sizes with a known level, by whether it is exact or a lower bound";
    RECORD_MOVES = Gauge "soko_record_moves" ["n"]
        "Moves of the best known level of the square board of side n";
    STORE_WAITING = Gauge "soko_store_waiting_requests" []
        "Requests that wait for the store's thread";
    HTTP_REQUESTS = Counter "soko_http_requests" ["route", "status"]
        "Requests to the web page by route and status";
    VIEWERS = Gauge "soko_http_viewers" []
        "Open streams of live updates";
    SOLVES = Counter "soko_level_solves" ["outcome"]
        "Levels given to the editor by what came of them: solved, unsolvable, refused, busy";
    SOLVE_SECONDS = Histogram "soko_level_solve_seconds" []
        "Seconds that the solver took for levels given to the editor";
}

/// The metrics as a page of documentation.
pub fn documentation() -> String {
    let mut page = "# Metrics

The coordinator serves these at `/metrics` of its `--http` address, in the OpenMetrics
text format, which Prometheus reads as it is. Counters start at 0 with the coordinator.
A dashboard for Grafana is in [deploy/grafana](../deploy/grafana), alert rules are in
[deploy/prometheus](../deploy/prometheus).

This page is made from the code. After a change there:
`SOKO_WRITE_DOCS=1 cargo test -p soko-coord --lib metrics`

| metric | kind | labels | meaning |
|---|---|---|---|
"
    .to_owned();
    for metric in ALL {
        let labels: Vec<String> = metric.labels.iter().map(|it| format!("`{it}`")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            metric.name(),
            metric.kind.name(),
            labels.join(", "),
            metric.help
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::PathBuf};

    use super::*;

    fn project() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn the_documentation_is_up_to_date() {
        let file = project().join("docs/metrics.md");
        if std::env::var_os("SOKO_WRITE_DOCS").is_some() {
            fs::write(&file, documentation()).unwrap();
        }
        let found = fs::read_to_string(&file).unwrap();
        assert_eq!(
            found,
            documentation(),
            "SOKO_WRITE_DOCS=1 cargo test -p soko-coord --lib metrics"
        );
    }

    /// What `promtool check metrics` complains about.
    #[test]
    fn the_names_follow_the_rules() {
        let mut seen = BTreeSet::new();
        for metric in ALL {
            let base = metric.base;
            assert!(seen.insert(base), "{base} twice");
            let letters = |text: &str| {
                text.bytes()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
            };
            assert!(base.starts_with("soko_") && letters(base), "{base}");
            for kind in ["_total", "_count", "_sum", "_bucket", "counter", "gauge"] {
                assert!(!base.ends_with(kind), "{base}");
            }
            for unit in ["_ms", "_milliseconds", "_minutes", "_percent", "_sec"] {
                assert!(!base.ends_with(unit), "{base}: not a base unit");
            }
            assert!(metric.labels.iter().all(|label| letters(label)), "{base}");
            assert!(!metric.help.is_empty() && !metric.help.ends_with('.'));
            assert!(!metric.help.contains(['\n', '\\', '|']), "{base}");
        }
    }

    /// Names that look like metrics of this program.
    fn names_in(text: &str) -> BTreeSet<String> {
        let word = |it: char| !(it.is_ascii_alphanumeric() || it == '_');
        text.split(word)
            .filter(|word| word.starts_with("soko_"))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn dashboard_and_alerts_name_metrics_that_exist() {
        let known: BTreeSet<String> = ALL
            .iter()
            .flat_map(|metric| match metric.kind {
                Kind::Histogram => ["_bucket", "_sum", "_count"]
                    .map(|suffix| format!("{}{suffix}", metric.base))
                    .to_vec(),
                _ => vec![metric.name()],
            })
            .collect();
        for (file, fewest) in [
            ("deploy/grafana/soko.json", 12),
            ("deploy/prometheus/alerts.yml", 6),
        ] {
            let text = fs::read_to_string(project().join(file)).unwrap();
            let used = names_in(&text);
            let unknown: Vec<_> = used.difference(&known).collect();
            assert!(unknown.is_empty(), "{file} names {unknown:?}");
            assert!(used.len() >= fewest, "{file} names few: {used:?}");
        }
    }
}
