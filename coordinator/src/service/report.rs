//! The stream of beats and results.
//!
//! Two tasks for each stream: one reads messages and gives each its place in
//! the hub's queue, the other waits for the answers in the same order. So a
//! beat never waits behind the disk on its way in, and many results share one
//! write to the disk.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Duration,
};

use soko::{
    plan::{Outcome as Computed, Search},
    rpc::v1::{self, report_reply, report_request, shard_result},
};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};
use tracing::Instrument;

use super::{ServiceError, named, read, show};
use crate::{
    hub::{HubClosed, HubHandle},
    model::{JobId, LeaseKey, RequestId},
    scheduler::{BeatReply, Outcome, Report, Verdict},
};

/// Messages of one stream that may be on their way.
const WINDOW: usize = 256;
/// Requests that may wait for the store before results are put off.
const STORE_BACKLOG: usize = 20_000;
/// When to send a result again that was put off.
const RESULT_PAUSE: Duration = Duration::from_secs(1);
/// Searches remembered for one stream.
const SEARCHES: usize = 64;

type Answer<T> = oneshot::Receiver<Result<T, HubClosed>>;

enum Waiting {
    Beat(Answer<BeatReply>),
    Result(LeaseKey, RequestId, Answer<Verdict>),
    PutOff(RequestId),
    Failed(Status),
}

/// Serves one stream.
pub(super) fn serve(
    hub: HubHandle,
    messages: Streaming<v1::ReportRequest>,
    closing: CancellationToken,
) -> ReceiverStream<Result<v1::ReportReply, Status>> {
    let (waiting, answers) = mpsc::channel(WINDOW);
    let (replies, stream) = mpsc::channel(WINDOW);
    // The first message says whose stream it is.
    let span = tracing::info_span!("worker", worker = tracing::field::Empty);
    let reading = read_all(hub.clone(), messages, waiting, closing, span.clone());
    tokio::spawn(reading.instrument(span.clone()));
    tokio::spawn(answer_all(hub, answers, replies).instrument(span));
    ReceiverStream::new(stream)
}

async fn read_all(
    hub: HubHandle,
    mut messages: Streaming<v1::ReportRequest>,
    waiting: mpsc::Sender<Waiting>,
    closing: CancellationToken,
    span: tracing::Span,
) {
    let mut introduced = false;
    let mut searches = HashMap::new();
    loop {
        let message = tokio::select! {
            message = messages.message() => message,
            () = closing.cancelled() => {
                let closing = ServiceError::from(HubClosed::Closing);
                let _ = waiting.send(Waiting::Failed(closing.into())).await;
                return;
            }
            // Nobody reads the replies any more.
            () = waiting.closed() => return,
        };
        let message = match message {
            Ok(Some(message)) => message,
            Ok(None) => return,
            // It sent something that is no message. If it is gone, nobody hears.
            Err(status) => {
                let _ = waiting.send(Waiting::Failed(named(status))).await;
                return;
            }
        };
        if !std::mem::replace(&mut introduced, true) {
            span.record(
                "worker",
                message.worker.chars().take(100).collect::<String>(),
            );
        }
        let next = match handle(&hub, message, &mut searches).await {
            Ok(next) => next,
            Err(error) => Waiting::Failed(error.into()),
        };
        let last = matches!(next, Waiting::Failed(_));
        if waiting.send(next).await.is_err() || last {
            return;
        }
    }
}

/// Gives a message its place in the hub's queue.
async fn handle(
    hub: &HubHandle,
    message: v1::ReportRequest,
    searches: &mut HashMap<JobId, Search>,
) -> Result<Waiting, ServiceError> {
    let worker = read::worker(&message.worker)?;
    let instance = read::instance(&message.instance)?;
    match message.body {
        None => Err(ServiceError::Invalid {
            field: "body",
            why: "it is missing".to_owned(),
        }),
        Some(report_request::Body::Beat(beat)) => {
            let running = read::beat(&beat)?;
            let answer = hub.start(move |core, now, effects| {
                core.scheduler
                    .beat(&worker, &instance, &running, now, effects)
            });
            Ok(Waiting::Beat(answer.await?))
        }
        Some(report_request::Body::Result(result)) => {
            let request = read::request_id(&result.request_id)?;
            let key = read::key(result.key.as_ref())?;
            if hub.store().waiting() > STORE_BACKLOG {
                return Ok(Waiting::PutOff(request));
            }
            let search = search_of(hub, key.job, searches).await?;
            let report = Report {
                request: request.clone(),
                worker,
                instance,
                key,
                plan: result.plan.map_or(0, u128::from),
                engine: read::engine(result.engine)?,
                core_ms: result.core_ms,
                outcome: outcome(result.outcome, search),
            };
            let answer =
                hub.start(move |core, now, effects| core.scheduler.report(&report, now, effects));
            Ok(Waiting::Result(key, request, answer.await?))
        }
    }
}

/// The search of a job; results are read with its help.
async fn search_of<'a>(
    hub: &HubHandle,
    job: JobId,
    searches: &'a mut HashMap<JobId, Search>,
) -> Result<Option<&'a Search>, ServiceError> {
    if searches.len() >= SEARCHES {
        searches.clear();
    }
    match searches.entry(job) {
        Entry::Occupied(known) => Ok(Some(known.into_mut())),
        Entry::Vacant(unknown) => {
            let search = hub.call(move |core, _, _| core.scheduler.search(job).cloned());
            let search = search.await?;
            Ok(search.map(|search| &*unknown.insert(search)))
        }
    }
}

fn outcome(wire: Option<shard_result::Outcome>, search: Option<&Search>) -> Outcome {
    let Some(search) = search else {
        return Outcome::Invalid("there is no such job".to_owned());
    };
    match wire {
        None => Outcome::Invalid("the outcome is missing".to_owned()),
        Some(shard_result::Outcome::Failure(failure)) => {
            Outcome::Failed(read::failure_text(&failure.message))
        }
        Some(shard_result::Outcome::Completed(completed)) => {
            match Computed::from_wire(&completed, search) {
                Ok(Computed { tally, remainder }) => Outcome::Completed { tally, remainder },
                Err(error) => Outcome::Invalid(error.to_string()),
            }
        }
    }
}

async fn answer_all(
    hub: HubHandle,
    mut answers: mpsc::Receiver<Waiting>,
    replies: mpsc::Sender<Result<v1::ReportReply, Status>>,
) {
    while let Some(waiting) = answers.recv().await {
        let reply = answer(&hub, waiting).await;
        let last = reply.is_err();
        let reply = reply.map(|body| v1::ReportReply { body: Some(body) });
        if replies.send(reply).await.is_err() || last {
            return;
        }
    }
}

async fn answer(hub: &HubHandle, waiting: Waiting) -> Result<report_reply::Body, Status> {
    match waiting {
        Waiting::Failed(status) => Err(status),
        Waiting::PutOff(request) => {
            let why = "the coordinator is busy".to_owned();
            Ok(ack(&request, v1::AckStatus::Retry, why))
        }
        Waiting::Beat(answer) => {
            let reply = answered(answer).await?;
            Ok(report_reply::Body::Beat(show::beat_reply(reply)))
        }
        Waiting::Result(key, request, answer) => {
            let verdict = answered(answer).await?;
            let (status, reason) = match verdict {
                Verdict::Stored => (v1::AckStatus::Stored, String::new()),
                Verdict::Rejected(why) => (v1::AckStatus::Rejected, why),
                Verdict::Retry(why) => (v1::AckStatus::Retry, why),
                Verdict::Ledger(why) => {
                    let asked = request.clone();
                    let stored = hub
                        .store()
                        .read(move |catalog| catalog.has_result(key, &asked))
                        .await
                        .map_err(ServiceError::from)?;
                    if stored {
                        (v1::AckStatus::Stored, String::new())
                    } else {
                        (v1::AckStatus::Stale, why)
                    }
                }
            };
            Ok(ack(&request, status, reason))
        }
    }
}

async fn answered<T>(answer: Answer<T>) -> Result<T, ServiceError> {
    Ok(answer.await.map_err(|_| HubClosed::Closing)??)
}

fn ack(request: &RequestId, status: v1::AckStatus, reason: String) -> report_reply::Body {
    report_reply::Body::Ack(v1::Ack {
        request_id: request.to_string(),
        status: status.into(),
        reason,
        retry_after_ms: if status == v1::AckStatus::Retry {
            show::millis_u32(RESULT_PAUSE)
        } else {
            0
        },
    })
}
