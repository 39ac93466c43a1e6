//! What the HTTP side counts itself.

use std::time::Duration;

use prometheus_client::metrics::{
    counter::Counter,
    family::Family,
    histogram::{Histogram, exponential_buckets},
};

/// Labels with their values.
pub(super) type Labels = Vec<(&'static str, String)>;

/// What came of a level that was given to the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solve {
    /// It has a solution.
    Solved,
    /// It has none.
    Unsolvable,
    /// It is no level, or too large.
    Refused,
    /// The solver had no time for it.
    Busy,
}

impl Solve {
    const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Refused => "refused",
            Self::Busy => "busy",
        }
    }
}

/// What the HTTP side counts itself.
#[derive(Debug)]
pub struct Counters {
    pub(super) requests: Family<Labels, Counter>,
    pub(super) solves: Family<Labels, Counter>,
    pub(super) solve_seconds: Histogram,
}

impl Counters {
    /// All at 0.
    pub fn new() -> Self {
        Self {
            requests: Family::default(),
            solves: Family::default(),
            // From a millisecond to half a minute.
            solve_seconds: Histogram::new(exponential_buckets(0.001, 4.0, 8)),
        }
    }

    /// A request was answered.
    pub fn request(&self, route: &str, status: u16) {
        let labels = vec![("route", route.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
    }

    /// A level was dealt with.
    pub fn solve(&self, outcome: Solve) {
        let labels = vec![("outcome", outcome.name().to_owned())];
        self.solves.get_or_create(&labels).inc();
    }

    /// The solver took so long for a level.
    pub fn solve_time(&self, time: Duration) {
        self.solve_seconds.observe(time.as_secs_f64());
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self::new()
    }
}
