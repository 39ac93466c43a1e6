//! `soko-coord estimate`: what a job will cost, before it is started.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use soko::plan::{self, Control, Sampled};

use super::{
    CliError,
    board::JobArgs,
    output::{Output, Show},
    text::{count, seconds},
};

/// Estimate the cost of an exact search from a random sample.
#[derive(Debug, Args)]
pub(super) struct EstimateArgs {
    #[command(flatten)]
    job: JobArgs,
    /// Size of the sample: sets of each goal and layer, or layouts of a census.
    #[arg(long, value_name = "K", default_value_t = 4000,
          value_parser = clap::value_parser!(u32).range(16..=10_000_000))]
    samples: u32,
    /// Price of an hour of one core, in any currency.
    #[arg(
        long,
        env = "SOKO_PRICE",
        value_name = "PRICE",
        default_value_t = 0.04,
        allow_negative_numbers = true,
        value_parser = price
    )]
    price: f64,
    /// Threads that compute [default: the CPUs that the process may use].
    #[arg(long, env = "SOKO_THREADS", value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

fn price(text: &str) -> Result<f64, String> {
    let price: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let possible = price.is_finite() && price >= 0.0;
    possible
        .then_some(price)
        .ok_or_else(|| "a price is at least 0".to_owned())
}

pub(super) async fn run(args: EstimateArgs, output: Output) -> Result<u8, CliError> {
    let search = args.job.search()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| CliError::internal(format!("cannot start threads: {error}")))?;
    let samples = args.samples as usize;
    let sampled = {
        let search = search.clone();
        tokio::task::spawn_blocking(move || {
            pool.install(|| plan::estimate(&search, samples, &Control::new()))
        })
    };
    let estimate = sampled
        .await
        .map_err(|error| CliError::internal(format!("the estimate ended badly: {error}")))??
        .unwrap_or_default();
    let is_census = search.mode == plan::Mode::Census;
    output.show(&EstimateDocument {
        mode: search.mode.name(),
        rows: search.size.rows(),
        cols: search.size.cols(),
        floor_limit: search.floor_limit(),
        samples: args.samples,
        core_hours: scaled(estimate.core_seconds, 1.0 / 3600.0),
        core_seconds: estimate.core_seconds.into(),
        price_per_core_hour: args.price,
        cost: scaled(estimate.core_seconds, args.price / 3600.0),
        floor_sets: (!is_census).then(|| estimate.floor_sets.into()),
        visited: estimate.visited.into(),
    })?;
    Ok(0)
}

/// A number with the distance within which the truth is in 19 cases of 20.
#[derive(Debug, Clone, Copy, Serialize)]
struct Band {
    value: f64,
    error: f64,
}

impl From<Sampled> for Band {
    fn from(sampled: Sampled) -> Self {
        scaled(sampled, 1.0)
    }
}

fn scaled(sampled: Sampled, by: f64) -> Band {
    Band {
        value: sampled.value * by,
        error: sampled.error * by,
    }
}

impl Band {
    fn text(self, number: impl Fn(f64) -> String) -> String {
        let share = 100.0 * self.error / self.value.max(f64::MIN_POSITIVE);
        format!("{} ± {share:.1} %", number(self.value))
    }
}

/// What a job will cost on cores like those of this machine.
#[derive(Debug, Serialize)]
struct EstimateDocument {
    mode: &'static str,
    rows: u16,
    cols: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_limit: Option<u16>,
    samples: u32,
    core_seconds: Band,
    core_hours: Band,
    price_per_core_hour: f64,
    cost: Band,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_sets: Option<Band>,
    /// Sets visited, or layouts.
    visited: Band,
}

impl Show for EstimateDocument {
    fn text(&self) -> String {
        let what = match self.floor_limit {
            Some(limit) => format!("at most {limit} floor cells"),
            None => format!("{}x{} {}", self.rows, self.cols, self.mode),
        };
        let time = self.core_seconds.text(|it| seconds((it * 1e3) as u64));
        let mut text = format!("{what}: {time} of one core like this machine's");
        // Writing to a string cannot fail.
        let hours = self.core_hours.text(|it| format!("{it:.3}"));
        let _ = write!(text, "\n  core-hours {hours}");
        let (cost, price) = (
            self.cost.text(|it| format!("{it:.2}")),
            self.price_per_core_hour,
        );
        let _ = write!(text, "\n  cost       {cost} at {price} per core-hour");
        if let Some(sets) = self.floor_sets {
            let _ = write!(text, "\n  floor sets {}", sets.text(count));
        }
        let _ = write!(text, "\n  visited    {}", self.visited.text(count));
        text.push_str("\n± is twice the standard error over independent samples");
        text
    }

    fn quiet(&self) -> String {
        format!("{:.3}", self.core_hours.value)
    }
}
