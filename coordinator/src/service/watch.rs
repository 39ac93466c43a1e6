//! The stream of a job's states.

use std::sync::Arc;

use soko::rpc::v1;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{ServiceError, show};
use crate::{hub::HubClosed, scheduler::JobView};

/// Sends the job now and after every change, until it has ended. A slow client
/// misses states in between, never the last one.
pub(super) fn serve(
    mut views: watch::Receiver<Arc<JobView>>,
    closing: CancellationToken,
) -> ReceiverStream<Result<v1::Job, Status>> {
    let (sender, stream) = mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            let view = Arc::clone(&views.borrow_and_update());
            let ended = view.record.phase.has_ended();
            if sender.send(Ok(show::job(&view))).await.is_err() || ended {
                return;
            }
            // Whichever is noticed first when the coordinator closes: a stream
            // that did not show the job's end never ends as if it had.
            let goes_on = tokio::select! {
                changed = views.changed() => changed.is_ok(),
                () = closing.cancelled() => false,
                () = sender.closed() => return,
            };
            if !goes_on {
                let closing = ServiceError::from(HubClosed::Closing);
                let _ = sender.send(Err(closing.into())).await;
                return;
            }
        }
    });
    ReceiverStream::new(stream)
}
