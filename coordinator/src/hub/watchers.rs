//! Who follows which job.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use tokio::sync::watch;

use crate::{
    model::JobId,
    scheduler::{JobView, Refusal, Scheduler},
};

/// Who follows which job. A watcher that is slow misses states in between and
/// never holds anybody up; it always gets to see the last one.
#[derive(Debug, Default)]
pub(super) struct Watchers(HashMap<JobId, watch::Sender<Arc<JobView>>>);

impl Watchers {
    /// Follows a job from now on.
    pub(super) fn follow(
        &mut self,
        scheduler: &mut Scheduler,
        id: JobId,
        now: Duration,
    ) -> Result<watch::Receiver<Arc<JobView>>, Refusal> {
        let view = scheduler
            .view(id, now)
            .ok_or_else(|| Refusal::NoSuchJob(id.to_string()))?;
        let sender = self
            .0
            .entry(id)
            .or_insert_with(|| watch::Sender::new(Arc::new(view)));
        let receiver = sender.subscribe();
        self.publish_one(scheduler, id, now);
        Ok(receiver)
    }

    /// These jobs have changed.
    pub(super) fn publish(
        &mut self,
        scheduler: &mut Scheduler,
        jobs: &BTreeSet<JobId>,
        now: Duration,
    ) {
        for &id in jobs {
            self.publish_one(scheduler, id, now);
        }
    }

    /// Time has passed: progress, rate and time left have changed.
    pub(super) fn publish_all(&mut self, scheduler: &mut Scheduler, now: Duration) {
        self.0.retain(|_, sender| sender.receiver_count() > 0);
        let jobs: Vec<JobId> = self.0.keys().copied().collect();
        for id in jobs {
            self.publish_one(scheduler, id, now);
        }
    }

    fn publish_one(&mut self, scheduler: &mut Scheduler, id: JobId, now: Duration) {
        let Some(sender) = self.0.get(&id) else {
            return;
        };
        match scheduler.view(id, now) {
            None => {
                // Dropping the sender ends the streams.
                self.0.remove(&id);
            }
            Some(view) => {
                let ended = view.record.phase.has_ended();
                sender.send_if_modified(|shown| {
                    let changed = **shown != view;
                    if changed {
                        *shown = Arc::new(view);
                    }
                    changed
                });
                if ended && sender.receiver_count() == 0 {
                    self.0.remove(&id);
                }
            }
        }
    }
}
