//! The progress bar, on a terminal's stderr.

use indicatif::{ProgressBar, ProgressStyle};
use soko::rpc::v1;

use super::{
    output::Output,
    text::{count, seconds, state_name},
};

/// Steps of the bar.
const STEPS: u64 = 1000;

/// Shows how far a job is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar, or nothing where a bar has no place.
    pub(super) fn new(output: Output) -> Self {
        let bar = if output.has_progress_bar() {
            ProgressBar::new(STEPS)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3} % {msg}");
        Self {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
        }
    }

    /// Shows this state of the job.
    pub(super) fn update(&self, job: &v1::Job) {
        self.bar.set_position((job.progress * STEPS as f64) as u64);
        self.bar.set_message(line(job));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// State, best, rate and time left, as far as they are known.
pub(super) fn line(job: &v1::Job) -> String {
    let mut parts = Vec::new();
    if job.state() != v1::JobState::Running {
        parts.push(state_name(job.state()).to_owned());
    }
    if job.best_moves > 0 {
        parts.push(format!("best {}", job.best_moves));
    }
    if job.work_rate > 0.0 {
        parts.push(format!("{}/s", count(job.work_rate)));
    }
    if job.eta_ms > 0 {
        parts.push(format!("ETA {}", seconds(job.eta_ms)));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_what_is_known() {
        let mut job = v1::Job {
            state: v1::JobState::Planning.into(),
            ..v1::Job::default()
        };
        assert_eq!(line(&job), "planning");
        job.set_state(v1::JobState::Running);
        job.best_moves = 78;
        job.work_rate = 123_456.0;
        job.eta_ms = 65_000;
        assert_eq!(line(&job), "best 78 · 123 k/s · ETA 1m 5s");
    }
}
