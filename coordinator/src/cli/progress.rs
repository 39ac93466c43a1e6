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
    let hunt = job.search.as_ref().and_then(|search| search.hunt.as_ref());
    if let Some(hunt) = hunt {
        parts.extend(hunt_parts(job, hunt));
    }
    if job.work_rate > 0.0 {
        parts.push(format!("{}/s", count(job.work_rate)));
    }
    if job.eta_ms > 0 {
        parts.push(format!("ETA {}", seconds(job.eta_ms)));
    }
    parts.join(" · ")
}

/// What is told of a heuristic search.
fn hunt_parts(job: &v1::Job, hunt: &v1::Hunt) -> Vec<String> {
    let mut parts = Vec::new();
    if job.since_improvement_ms > 0 && job.best_moves > 0 {
        parts.push(format!("for {}", seconds(job.since_improvement_ms)));
    }
    if hunt.rounds > 1 {
        parts.push(format!("round {}", job.round + 1));
    }
    if !job.running_best.is_empty() {
        let best = job.running_best.iter().take(8).map(u32::to_string);
        parts.push(format!("running {}", best.collect::<Vec<_>>().join(" ")));
    }
    if job.accepted > 0 && job.work_done > 0 {
        let share = job.accepted as f64 * 100.0 / job.work_done as f64;
        parts.push(format!("{share:.0} % accepted"));
    }
    parts
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
        job.search = Some(v1::Search {
            hunt: Some(v1::Hunt {
                rounds: 4,
                ..v1::Hunt::default()
            }),
            ..v1::Search::default()
        });
        (job.round, job.since_improvement_ms, job.running_best) = (1, 9000, vec![77, 70]);
        (job.accepted, job.work_done) = (10, 100);
        assert_eq!(
            line(&job),
            "best 78 · for 9s · round 2 · running 77 70 · 10 % accepted · 123 k/s · ETA 1m 5s"
        );
    }
}
