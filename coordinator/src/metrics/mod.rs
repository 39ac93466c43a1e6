//! Metrics for Prometheus.
//!
//! | file | idea |
//! |---|---|
//! | `names` | every metric: its name, kind, labels and meaning, in one table |
//! | `counters` | what the HTTP side counts itself |
//! | `snapshot` | the state of scheduler, store and record table at one moment |
//! | `exposition` | both as text |
//!
//! `docs/metrics.md` is made from the table of names.

mod counters;
mod exposition;
mod names;
mod snapshot;

pub use counters::{Counters, Solve};
pub use exposition::{CONTENT_TYPE, exposition};
pub use names::{ALL, Kind, Metric, documentation};
pub use snapshot::Snapshot;
