//! How the best of a job rose.

use serde::Serialize;

/// Most steps kept; a search in large boards takes thousands.
const MAX_STEPS: usize = 600;

/// How the best of a job rose, since the coordinator started.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Trail {
    /// Seconds since the job was filed, and the moves found by then.
    steps: Vec<(f64, u32)>,
}

impl Trail {
    /// What is best now. Times must not go back.
    pub(super) fn note(&mut self, seconds: f64, moves: u32) {
        let best = self.steps.last().map_or(0, |step| step.1);
        if moves <= best {
            return;
        }
        if self.steps.len() == MAX_STEPS {
            // Early steps are the small ones; every second of them will do.
            let mut index = 0;
            self.steps.retain(|_| {
                index += 1;
                index > MAX_STEPS / 2 || index % 2 == 1
            });
        }
        self.steps.push((seconds, moves));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rises_are_kept() {
        let mut trail = Trail::default();
        for (seconds, moves) in [(0.0, 0), (1.0, 5), (2.0, 5), (3.0, 4), (4.0, 9)] {
            trail.note(seconds, moves);
        }
        assert_eq!(trail.steps, [(1.0, 5), (4.0, 9)]);
    }

    #[test]
    fn it_never_grows_beyond_its_limit_and_keeps_both_ends() {
        let mut trail = Trail::default();
        for step in 1..=5000 {
            trail.note(f64::from(step), step);
            assert!(trail.steps.len() <= MAX_STEPS);
        }
        assert_eq!(trail.steps[0].1, 1);
        let end: Vec<u32> = trail.steps.iter().rev().take(100).map(|it| it.1).collect();
        assert_eq!(end, (4901..=5000).rev().collect::<Vec<_>>());
        assert!(trail.steps.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
    }
}
