//! How long a thread computes: what else runs on the machine does not count.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A stopwatch that runs while its thread computes. Read it on the thread that
/// started it.
#[derive(Debug, Clone, Copy)]
pub struct CpuTimer(Duration);

impl CpuTimer {
    /// A stopwatch that starts now.
    pub fn start() -> Self {
        Self(thread_time())
    }

    /// About what a measurement of nothing comes to; to be taken from those of
    /// microseconds.
    pub fn overhead() -> Duration {
        let mut times: Vec<Duration> = (0..101).map(|_| Self::start().elapsed()).collect();
        times.sort_unstable();
        times[times.len() / 2]
    }

    /// Time that the thread has computed since the start.
    pub fn elapsed(&self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
}

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_the_thread_computes_and_not_while_it_sleeps() {
        let timer = CpuTimer::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(timer.elapsed() < Duration::from_millis(40));
        let mut sum = 0_u64;
        while timer.elapsed() < Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(sum > 0);
    }
}
