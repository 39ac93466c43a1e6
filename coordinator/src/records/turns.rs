//! Levels from outside are solved a few at a time, so that neither the search
//! nor the hub has to wait for them.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::Semaphore,
    time::{Instant, timeout_at},
};

/// Levels solved at the same time: one core of a machine that searches on all.
const SOLVERS: usize = 1;
/// Levels that may wait or be solved.
const WAITING: usize = 32;
/// How long an answer may take, waiting included.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a level was not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoTurn {
    /// Too many are waiting, or none had its turn in time.
    #[error("many levels are being solved at the moment; try again a little later")]
    Busy,
    /// It had its turn, and was not solved in time.
    #[error("the level was not solved in time; `soko-coord level solve` has no such limit")]
    TooSlow,
    /// A bug.
    #[error("the solver panicked; this is a bug")]
    Panicked,
}

/// Who may solve. Clones share their turns.
#[derive(Debug, Clone)]
pub struct Turns {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    patience: Duration,
}

impl Default for Turns {
    fn default() -> Self {
        Self::new(SOLVERS, WAITING, PATIENCE)
    }
}

impl Turns {
    /// So many at a time, of so many that wait or run, each for so long at
    /// most, waiting included.
    pub fn new(running: usize, waiting: usize, patience: Duration) -> Self {
        Self {
            running: Arc::new(Semaphore::new(running)),
            waiting: Arc::new(Semaphore::new(waiting)),
            patience,
        }
    }

    /// Waits for a turn and computes, on a thread that may block.
    ///
    /// # Errors
    /// [`NoTurn`].
    pub async fn take<T: Send + 'static>(
        &self,
        computation: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoTurn> {
        let deadline = Instant::now() + self.patience;
        let waiting = self.waiting.try_acquire().map_err(|_| NoTurn::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned();
        let running = timeout_at(deadline, running).await;
        // Nobody closes the semaphore.
        let Ok(Ok(running)) = running else {
            return Err(NoTurn::Busy);
        };
        let computed = tokio::task::spawn_blocking(move || {
            // Given back when the computation ends, not when nobody waits.
            let _running = running;
            computation()
        });
        let computed = timeout_at(deadline, computed).await;
        drop(waiting);
        // What was there at the first look is late as well if its time was over.
        if Instant::now() >= deadline {
            return Err(NoTurn::TooSlow);
        }
        computed
            .map_err(|_| NoTurn::TooSlow)?
            .map_err(|_| NoTurn::Panicked)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::time::sleep;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn one_runs_few_wait_and_the_rest_is_told_so() {
        let turns = Turns::new(1, 2, Duration::from_millis(20));
        let (go_on, held) = mpsc::channel::<()>();
        let (started, running) = tokio::sync::oneshot::channel();
        let first = turns.clone();
        let first = tokio::spawn(async move {
            let computation = move || {
                let _ = started.send(());
                let _ = held.recv();
            };
            first.take(computation).await
        });
        running.await.unwrap();
        assert_eq!(
            turns.take(|| 1).await,
            Err(NoTurn::Busy),
            "it waits in vain"
        );
        // The first gave up as well, but what it started still runs.
        assert_eq!(first.await.unwrap(), Err(NoTurn::TooSlow));
        assert_eq!(turns.take(|| 1).await, Err(NoTurn::Busy));
        drop(go_on);
        while turns.running.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        let patient = Turns {
            patience: Duration::from_mins(1),
            ..turns.clone()
        };
        assert_eq!(patient.take(|| 1).await, Ok(1));
        let _full = turns.waiting.acquire_many(2).await.unwrap();
        assert_eq!(
            turns.take(|| 1).await,
            Err(NoTurn::Busy),
            "no place to wait"
        );
    }

    #[tokio::test]
    async fn waiting_and_solving_share_their_time() {
        let patience = Duration::from_millis(200);
        let turns = Turns::new(1, 2, patience);
        let held = Arc::clone(&turns.running).acquire_owned().await.unwrap();
        tokio::spawn(async move {
            sleep(patience / 2).await;
            drop(held);
        });
        let (_go_on, never) = mpsc::channel::<()>();
        let solving = turns.take(move || never.recv());
        tokio::select! {
            biased;
            solved = solving => assert!(matches!(solved, Err(NoTurn::TooSlow | NoTurn::Busy))),
            () = sleep(patience + patience / 4) => panic!("it goes on after its time"),
        }
    }

    #[tokio::test]
    async fn an_answer_after_its_time_is_late_however_fast_it_came() {
        let turns = Turns::new(1, 1, Duration::ZERO);
        for _ in 0..1000 {
            assert_eq!(turns.take(|| 1).await, Err(NoTurn::TooSlow));
            while turns.running.available_permits() == 0 {
                tokio::task::yield_now().await;
            }
        }
    }

    #[tokio::test]
    async fn a_panic_gives_the_turn_back() {
        let turns = Turns::default();
        let panicked = turns.take(|| panic!("on purpose")).await;
        assert_eq!(panicked, Err::<(), _>(NoTurn::Panicked));
        assert_eq!(turns.take(|| 1).await, Ok(1));
    }
}
