//! How fast a job goes, by the coordinator's own clock.

use std::{collections::VecDeque, time::Duration};

/// How long the window of the work rate is.
const WINDOW: Duration = Duration::from_secs(30);
/// Samples of the work rate are at least this far apart.
const STEP: Duration = Duration::from_secs(1);
/// Samples kept of the whole run.
const HISTORY: usize = 64;

/// How fast a job goes: work per second over the last half minute, and the
/// time left, judged by the later half of the run so far. The longer view is
/// steadier, since shards differ a hundredfold in cost.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// (time, work) of the last half minute.
    recent: VecDeque<(Duration, u64)>,
    /// (time, progress) of the whole run, thinned as it gets longer.
    history: Vec<(Duration, f64)>,
    spacing: Duration,
}

impl Meter {
    /// Takes a sample. Samples that come too soon are ignored.
    pub(super) fn sample(&mut self, now: Duration, work: u64, progress: f64) {
        if self.recent.back().is_none_or(|last| now >= last.0 + STEP) {
            self.recent.push_back((now, work));
            while self.recent.len() > 2 && self.recent[1].0 + WINDOW <= now {
                self.recent.pop_front();
            }
        }
        if self
            .history
            .last()
            .is_none_or(|last| now >= last.0 + self.spacing)
        {
            self.history.push((now, progress));
            if self.history.len() == HISTORY {
                let mut keep = false;
                self.history.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.spacing = (self.spacing * 2).max(STEP);
            }
        }
    }

    /// Starts anew, after a pause.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Units of work per second.
    pub(super) fn rate(&self, now: Duration, work: u64) -> f64 {
        let Some(&(since, before)) = self.recent.front() else {
            return 0.0;
        };
        let seconds = now.saturating_sub(since).as_secs_f64();
        if seconds <= 0.0 {
            return 0.0;
        }
        work.saturating_sub(before) as f64 / seconds
    }

    /// Time that the rest will take; `None` if that cannot be said.
    pub(super) fn eta(&self, now: Duration, progress: f64) -> Option<Duration> {
        let first = self.history.first()?;
        let middle = first.0 + now.saturating_sub(first.0) / 2;
        let at = self.history.partition_point(|sample| sample.0 <= middle);
        let &(since, before) = self.history.get(at.checked_sub(1)?)?;
        let speed = (progress - before) / now.saturating_sub(since).as_secs_f64();
        let seconds = (1.0 - progress) / speed;
        (speed > 0.0)
            .then(|| Duration::try_from_secs_f64(seconds).ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_steady_run_has_a_steady_rate_and_eta() {
        let mut meter = Meter::default();
        for t in 0..=1000 {
            meter.sample(secs(t), t * 50, t as f64 / 4000.0);
        }
        assert!((meter.rate(secs(1000), 50_000) - 50.0).abs() < 1e-9);
        let eta = meter.eta(secs(1000), 0.25).unwrap().as_secs_f64();
        assert!((eta - 3000.0).abs() < 1.0, "{eta}");
        assert!(meter.history.len() <= HISTORY && meter.recent.len() <= 32);
    }

    #[test]
    fn u4_the_eta_follows_a_change_of_speed() {
        // Four times slower after a fifth of the work.
        let mut meter = Meter::default();
        let progress = |t: f64| {
            if t < 20.0 {
                t / 100.0
            } else {
                0.2 + (t - 20.0) / 400.0
            }
        };
        for t in 0..=120 {
            meter.sample(secs(t), 0, progress(t as f64));
        }
        let eta = meter.eta(secs(120), progress(120.0)).unwrap().as_secs_f64();
        let truth = (1.0 - progress(120.0)) * 400.0;
        assert!(
            (eta - truth).abs() < 0.25 * truth,
            "{eta} instead of {truth}"
        );
    }

    #[test]
    fn nothing_is_said_without_progress() {
        let mut meter = Meter::default();
        assert_eq!(meter.eta(secs(1), 0.0), None);
        meter.sample(secs(0), 0, 0.5);
        meter.sample(secs(9), 0, 0.5);
        assert_eq!(meter.eta(secs(9), 0.5), None);
        assert!(meter.rate(secs(0), 7).abs() < f64::EPSILON);
    }
}
