//! All metrics as text.

use std::{collections::BTreeMap, fmt, sync::Arc};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet, text::encode},
    metrics::MetricType,
    registry::Registry,
};

use super::{
    Counters, Kind, Metric, Snapshot,
    counters::Labels,
    names::{
        BUILD, HTTP_REQUESTS, JOB_BEST, JOB_PROGRESS, JOB_RATE, JOBS, LEASES, LEASES_ADOPTED,
        LEASES_AGAIN, LEASES_LOST, RECORD_MOVES, RECORDS, RESULTS, SHARDS, SHARDS_POISONED,
        SOLVE_SECONDS, SOLVES, STORE_WAITING, THREADS, UPTIME, VIEWERS, WORKERS,
    },
};
use crate::{
    model::Phase,
    scheduler::{JobView, Loss, WorkerView},
};

/// Content type of [`exposition`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// All metrics in the `OpenMetrics` text format.
///
/// # Errors
/// None in practice: text is written to memory.
pub fn exposition(snapshot: Snapshot, counters: Arc<Counters>) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Scrape { snapshot, counters }));
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Scrape {
    snapshot: Snapshot,
    counters: Arc<Counters>,
}

/// Values by labels.
type Series<T> = Vec<(Labels, T)>;

fn one<T>(value: T) -> Series<T> {
    vec![(Labels::new(), value)]
}

/// Series that differ by one label.
fn by<T, N: Into<String>>(
    label: &'static str,
    values: impl IntoIterator<Item = (N, T)>,
) -> Series<T> {
    let series = values.into_iter();
    series
        .map(|(name, value)| (vec![(label, name.into())], value))
        .collect()
}

fn gauges(encoder: &mut DescriptorEncoder, metric: &Metric, series: Series<f64>) -> fmt::Result {
    debug_assert_eq!(metric.kind, Kind::Gauge);
    let mut encoder =
        encoder.encode_descriptor(metric.base, metric.help, None, MetricType::Gauge)?;
    for (labels, value) in series {
        encoder.encode_family(&labels)?.encode_gauge(&value)?;
    }
    Ok(())
}

fn counts(encoder: &mut DescriptorEncoder, metric: &Metric, series: Series<u64>) -> fmt::Result {
    debug_assert_eq!(metric.kind, Kind::Counter);
    let mut encoder =
        encoder.encode_descriptor(metric.base, metric.help, None, MetricType::Counter)?;
    for (labels, value) in series {
        encoder
            .encode_family(&labels)?
            .encode_counter::<NoLabelSet, u64, u64>(&value, None)?;
    }
    Ok(())
}

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let out = &mut encoder;
        let Snapshot {
            uptime,
            engine,
            jobs,
            workers,
            stats,
            records,
            squares,
            store_waiting,
            viewers,
        } = &self.snapshot;
        let build = vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("engine", engine.clone()),
        ];
        gauges(out, &BUILD, vec![(build, 1.0)])?;
        gauges(out, &UPTIME, one(uptime.as_secs_f64()))?;
        gauges(out, &JOBS, by("state", states(jobs)))?;
        let active = || jobs.iter().filter(|job| !job.record.phase.has_ended());
        let each = |value: fn(&JobView) -> f64| {
            by(
                "job",
                active().map(|job| (job.record.id.to_string(), value(job))),
            )
        };
        gauges(out, &JOB_PROGRESS, each(|job| job.record.progress))?;
        gauges(out, &JOB_BEST, each(|job| job.best_moves.into()))?;
        gauges(out, &JOB_RATE, each(|job| job.rate))?;
        let sum = |value: fn(&JobView) -> usize| active().map(value).sum::<usize>() as f64;
        let shards = [
            ("open", sum(|job| job.open)),
            ("leased", sum(|job| job.leased)),
            ("poisoned", sum(|job| job.poisoned)),
        ];
        gauges(out, &SHARDS, by("state", shards))?;
        gauges(out, &WORKERS, by("state", worker_states(workers)))?;
        let threads = workers
            .iter()
            .filter(|worker| worker_state(worker) == "live");
        let threads: u32 = threads.map(|worker| worker.threads).sum();
        gauges(out, &THREADS, one(threads.into()))?;
        counts(out, &LEASES, one(stats.leased))?;
        counts(out, &LEASES_AGAIN, one(stats.leased_again))?;
        counts(out, &LEASES_ADOPTED, one(stats.adopted))?;
        let lost = Loss::ALL.map(|why| (why.name(), stats.lost(why)));
        counts(out, &LEASES_LOST, by("reason", lost))?;
        let results = [
            ("stored", stats.completed),
            ("failed", stats.failed),
            ("rejected", stats.rejected),
            ("stale", stats.stale),
        ];
        counts(out, &RESULTS, by("outcome", results))?;
        counts(out, &SHARDS_POISONED, one(stats.poisoned))?;
        let bounds = [("exact", records.0 as f64), ("lower", records.1 as f64)];
        gauges(out, &RECORDS, by("bound", bounds))?;
        let squares = squares
            .iter()
            .map(|(n, &moves)| (n.to_string(), moves.into()));
        gauges(out, &RECORD_MOVES, by("n", squares))?;
        gauges(out, &STORE_WAITING, one(*store_waiting as f64))?;
        let counters = &*self.counters;
        own(out, &HTTP_REQUESTS, &counters.requests)?;
        gauges(out, &VIEWERS, one(*viewers as f64))?;
        own(out, &SOLVES, &counters.solves)?;
        own(out, &SOLVE_SECONDS, &counters.solve_seconds)
    }
}

/// Metrics that count by themselves.
fn own(
    encoder: &mut DescriptorEncoder,
    metric: &Metric,
    values: &impl EncodeMetric,
) -> fmt::Result {
    let encoder =
        encoder.encode_descriptor(metric.base, metric.help, None, values.metric_type())?;
    values.encode(encoder)
}

/// Number of jobs in each state, those without jobs included.
fn states(jobs: &[JobView]) -> BTreeMap<&'static str, f64> {
    let mut counts: BTreeMap<&'static str, f64> =
        Phase::ALL.iter().map(|phase| (phase.name(), 0.0)).collect();
    counts.insert("starved", 0.0);
    for job in jobs {
        let state = if job.starved {
            "starved"
        } else {
            job.record.phase.name()
        };
        *counts.entry(state).or_default() += 1.0;
    }
    counts
}

fn worker_state(worker: &WorkerView) -> &'static str {
    if worker.lost {
        "lost"
    } else if worker.quarantined.is_empty() {
        "live"
    } else {
        "quarantined"
    }
}

fn worker_states(workers: &[WorkerView]) -> [(&'static str, f64); 3] {
    ["live", "quarantined", "lost"].map(|state| {
        let count = workers
            .iter()
            .filter(|worker| worker_state(worker) == state);
        (state, count.count() as f64)
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, time::Duration};

    use super::*;
    use crate::metrics::{ALL, Solve};

    fn text() -> String {
        let counters = Counters::new();
        counters.request("/records/{size}", 200);
        counters.request("/records/{size}", 200);
        counters.solve(Solve::Refused);
        counters.solve_time(Duration::from_millis(3));
        let snapshot = Snapshot {
            engine: "a \"quoted\"\nname \\".to_owned(),
            squares: BTreeMap::from([(5, 41), (6, 78)]),
            records: (2, 0),
            ..Snapshot::default()
        };
        exposition(snapshot, Arc::new(counters)).unwrap()
    }

    /// Exactly the metrics of the table, each once, with its labels.
    #[test]
    fn every_metric_is_written_as_the_table_says() {
        let text = text();
        let mut types = Vec::new();
        let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in text.lines() {
            if let Some(line) = line.strip_prefix("# TYPE ") {
                types.push(line.to_owned());
            } else if !line.starts_with('#') {
                let (name, rest) = line.split_at(line.find(['{', ' ']).unwrap());
                let named = rest.split('"').filter(|part| part.ends_with('='));
                let named = named.map(|part| part.trim_matches(['{', ',', '=']).to_owned());
                labels.entry(name.to_owned()).or_default().extend(named);
            }
        }
        let wanted: Vec<String> = ALL
            .iter()
            .map(|metric| {
                let kind = format!("{:?}", metric.kind).to_lowercase();
                format!("{} {kind}", metric.base)
            })
            .collect();
        assert_eq!(types, wanted);
        for metric in ALL {
            if let Some(found) = labels.get(&metric.name()) {
                let wanted = metric.labels.iter().map(|label| (*label).to_owned());
                assert_eq!(found, &wanted.collect(), "{}", metric.base);
            }
        }
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn values_are_where_they_belong() {
        let text = text();
        let has = |line: &str| assert!(text.lines().any(|it| it == line), "no {line} in\n{text}");
        has("soko_http_requests_total{route=\"/records/{size}\",status=\"200\"} 2");
        has("soko_record_moves{n=\"6\"} 78.0");
        has("soko_level_solves_total{outcome=\"refused\"} 1");
        has("soko_level_solve_seconds_count 1");
        has("soko_leases_lost_total{reason=\"silent\"} 0");
        has("soko_jobs{state=\"starved\"} 0.0");
        assert!(text.contains(r#"engine="a \"quoted\"\nname \\""#), "{text}");
    }
}
