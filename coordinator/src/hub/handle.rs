//! How events get to the hub and answers come back.

use std::{sync::Arc, time::Duration};

use tokio::sync::{mpsc, oneshot, watch};

use super::{actor::Core, parked};
use crate::{
    model::JobId,
    scheduler::{Ask, Effects, Grant, JobView, Refusal},
    store::{StoreError, StoreHandle},
};

/// The hub has ended, or is ending.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HubClosed {
    /// The coordinator shuts down.
    #[error("the coordinator is shutting down")]
    Closing,
    /// The store failed; the coordinator has to be started again.
    #[error("the coordinator cannot store anything: {0}")]
    Store(#[from] StoreError),
}

/// Gives an answer once it is known whether its changes are durable.
pub(super) type Release = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
type Call = Box<dyn FnOnce(&mut Core, Duration, &mut Effects) -> Release + Send>;

/// What is sent to the hub.
pub(super) enum Message {
    /// An event of the scheduler or the record table.
    Call(Call),
    /// A worker asks for shards.
    Ask(Ask, parked::Reply),
    /// Somebody wants to follow a job.
    Follow(
        JobId,
        oneshot::Sender<Result<watch::Receiver<Arc<JobView>>, Refusal>>,
    ),
}

/// A way to the hub. Clones lead to the same one.
#[derive(Debug, Clone)]
pub struct HubHandle {
    pub(super) queue: mpsc::Sender<Message>,
    pub(super) store: StoreHandle,
}

impl HubHandle {
    /// Lets an event happen; its answer comes when its changes are durable.
    /// The event happens even if nobody waits for the answer any more.
    ///
    /// # Errors
    /// [`HubClosed`].
    pub async fn call<T: Send + 'static>(
        &self,
        event: impl FnOnce(&mut Core, Duration, &mut Effects) -> T + Send + 'static,
    ) -> Result<T, HubClosed> {
        let answered = self.start(event).await?;
        answered.await.map_err(|_| HubClosed::Closing)?
    }

    /// Like [`call`](Self::call), but returns as soon as the event has its
    /// place in the queue. Events of one caller happen in the order in which
    /// they were started.
    ///
    /// # Errors
    /// [`HubClosed`].
    pub async fn start<T: Send + 'static>(
        &self,
        event: impl FnOnce(&mut Core, Duration, &mut Effects) -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, HubClosed>>, HubClosed> {
        let (reply, answered) = oneshot::channel();
        let call: Call = Box::new(move |core, now, effects| {
            let answer = event(core, now, effects);
            Box::new(move |stored| {
                // Nobody waits any more when the send fails.
                let _ = reply.send(stored.map(|()| answer).map_err(HubClosed::from));
            })
        });
        self.send(Message::Call(call)).await?;
        Ok(answered)
    }

    /// Asks for shards; waits a while if there are none.
    ///
    /// # Errors
    /// [`HubClosed`]; [`Refusal`] inside.
    pub async fn ask(&self, ask: Ask) -> Result<Result<Grant, Refusal>, HubClosed> {
        let (reply, answered) = oneshot::channel();
        self.send(Message::Ask(ask, reply)).await?;
        answered.await.map_err(|_| HubClosed::Closing)
    }

    /// Follows a job: the state now, and always the newest from then on. The
    /// channel closes when the job is deleted or the coordinator ends.
    ///
    /// # Errors
    /// [`HubClosed`]; [`Refusal`] inside.
    pub async fn follow(
        &self,
        job: JobId,
    ) -> Result<Result<watch::Receiver<Arc<JobView>>, Refusal>, HubClosed> {
        let (reply, answered) = oneshot::channel();
        self.send(Message::Follow(job, reply)).await?;
        answered.await.map_err(|_| HubClosed::Closing)
    }

    /// The way to the store.
    pub const fn store(&self) -> &StoreHandle {
        &self.store
    }

    async fn send(&self, message: Message) -> Result<(), HubClosed> {
        let sent = self.queue.send(message).await;
        sent.map_err(|_| HubClosed::Closing)
    }
}
