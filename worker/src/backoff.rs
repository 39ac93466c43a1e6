//! Pauses between attempts.

use std::time::Duration;

use rand::Rng;

/// The first upper limit of a pause.
const FIRST: Duration = Duration::from_millis(100);

/// Exponential backoff with full jitter: each pause is uniform between zero
/// and a limit that doubles up to a maximum, so that a thousand workers that
/// lost the same coordinator do not come back at the same moment.
#[derive(Debug)]
pub(crate) struct Backoff {
    limit: Duration,
    max: Duration,
}

impl Backoff {
    pub(crate) fn new(max: Duration) -> Self {
        Self {
            limit: FIRST.min(max),
            max,
        }
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        let limit = self.limit;
        self.limit = (limit * 2).min(self.max);
        limit.mul_f64(rand::rng().random_range(0.0..=1.0))
    }

    /// Things went well: the next pause is a short one.
    pub(crate) fn reset(&mut self) {
        self.limit = FIRST.min(self.max);
    }
}

/// A pause of about this length, so that workers do not march in step.
pub(crate) fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::rng().random_range(0.75..=1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_doubles_up_to_the_maximum_and_resets() {
        let max = Duration::from_millis(700);
        let mut backoff = Backoff::new(max);
        for expected in [100, 200, 400, 700, 700] {
            assert_eq!(backoff.limit, Duration::from_millis(expected));
            assert!(backoff.pause() <= Duration::from_millis(expected));
        }
        backoff.reset();
        assert_eq!(backoff.limit, FIRST);
    }

    #[test]
    fn pauses_differ() {
        let mut backoff = Backoff::new(Duration::from_secs(30));
        let pauses: Vec<_> = (0..12).map(|_| backoff.pause()).collect();
        // Without jitter the last ones would be equal.
        assert!(pauses[10] != pauses[11]);
        assert!(pauses.iter().all(|it| *it <= Duration::from_secs(30)));
    }
}
