//! Beats and results out, answers in.
//!
//! The stream carries no state: each session opens a new one and sends every
//! unconfirmed result again.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use soko::rpc::v1::{self, report_reply::Body as Reply, report_request::Body as Message};
use tokio::{
    sync::mpsc,
    time::{Instant, MissedTickBehavior, interval, sleep, sleep_until, timeout},
};
use tokio_stream::wrappers::ReceiverStream;

use crate::{
    backoff::jittered,
    core::{Client, Core, Leave},
    session::{Broken, Pace, broken},
};

/// Messages that may wait for the connection. Small, so that a beat never
/// waits behind many results.
const WAITING: usize = 4;
/// How long to wait before a result is sent again that could not be taken, if
/// the coordinator does not say.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// The longest such wait, whatever the coordinator says.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(30);
/// How long to wait for the answer to a result, on a stream that is otherwise
/// well, before it is sent again.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the stream until the session breaks.
pub(crate) async fn run(core: Arc<Core>, client: Client, pace: Pace) -> Broken {
    let (messages, outgoing) = mpsc::channel(WAITING);
    tokio::select! {
        broken = beats(&core, &messages, pace.beat) => broken,
        broken = results(&core, &messages) => broken,
        broken = replies(&core, client, outgoing, pace.patience) => broken,
    }
}

fn message(core: &Core, body: Message) -> v1::ReportRequest {
    v1::ReportRequest {
        worker: core.config.id.clone(),
        instance: core.instance.clone(),
        body: Some(body),
    }
}

fn closed() -> Broken {
    Broken::Lost("the report stream was closed".to_owned())
}

async fn beats(core: &Core, messages: &mpsc::Sender<v1::ReportRequest>, every: Duration) -> Broken {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let running = core.holdings.progress();
        let beat = message(core, Message::Beat(v1::Beat { running }));
        if messages.send(beat).await.is_err() {
            return closed();
        }
    }
}

async fn results(core: &Core, messages: &mpsc::Sender<v1::ReportRequest>) -> Broken {
    let mut next = 0;
    let mut sent: VecDeque<(Instant, String)> = VecDeque::new();
    loop {
        let oldest = sent.front().map(|it| it.0);
        let (number, result) = tokio::select! {
            found = core.outbox.next(next) => found,
            () = answer_is_late(oldest) => {
                // Moves to the end of the queue, if it is still there.
                if let Some((_, request_id)) = sent.pop_front() {
                    core.outbox.requeue(&request_id);
                }
                continue;
            }
        };
        next = number + 1;
        sent.push_back((Instant::now(), result.request_id.clone()));
        let result = message(core, Message::Result(result));
        if messages.send(result).await.is_err() {
            return closed();
        }
    }
}

/// Waits until the answer to a result that was sent at this time is late.
async fn answer_is_late(sent: Option<Instant>) {
    match sent {
        Some(sent) => sleep_until(sent + ANSWER_TIMEOUT).await,
        None => std::future::pending().await,
    }
}

async fn replies(
    core: &Arc<Core>,
    mut client: Client,
    outgoing: mpsc::Receiver<v1::ReportRequest>,
    patience: Duration,
) -> Broken {
    let silent = || Broken::Lost(format!("no sign of life for {} ms", patience.as_millis()));
    let opened = timeout(patience, client.report(ReceiverStream::new(outgoing))).await;
    let mut replies = match opened {
        Ok(Ok(replies)) => replies.into_inner(),
        Ok(Err(status)) => return broken(core, &status),
        Err(_) => return silent(),
    };
    loop {
        let reply = match timeout(patience, replies.message()).await {
            Ok(Ok(Some(reply))) => reply,
            Ok(Ok(None)) => return closed(),
            Ok(Err(status)) => return broken(core, &status),
            Err(_) => return silent(),
        };
        match reply.body {
            Some(Reply::Ack(ack)) => heard(core, &ack).await,
            Some(Reply::Beat(beat)) => {
                core.holdings.revoke(&beat.revoked);
                if beat.drain {
                    core.leave(Leave::Drained);
                }
                if beat.unknown {
                    return Broken::Unknown;
                }
            }
            None => tracing::debug!("ignored a reply of a newer version"),
        }
    }
}

/// The coordinator has said what became of a result.
async fn heard(core: &Arc<Core>, ack: &v1::Ack) {
    let v1::Ack {
        request_id, reason, ..
    } = ack;
    match ack.status() {
        v1::AckStatus::Retry | v1::AckStatus::Unspecified => {
            tracing::debug!(request_id, reason, "result not taken now");
            // Not on this stream's time: beats must go on being answered.
            let pause = match ack.retry_after_ms {
                0 => RETRY_PAUSE,
                millis => Duration::from_millis(millis.into()).min(MAX_RETRY_PAUSE),
            };
            let core = Arc::clone(core);
            let request_id = request_id.clone();
            tokio::spawn(async move {
                sleep(jittered(pause)).await;
                core.outbox.requeue(&request_id);
            });
            return;
        }
        v1::AckStatus::Stored => {}
        v1::AckStatus::Stale => tracing::info!(request_id, reason, "result came too late"),
        v1::AckStatus::Rejected => tracing::error!(request_id, reason, "result rejected"),
    }
    let known = core.outbox.forget(request_id).await;
    if let Some(result) = known
        && ack.status() == v1::AckStatus::Stored
    {
        let key = result.key.unwrap_or_default();
        tracing::debug!(
            lease = format_args!("{}/{}@{}", key.job, key.shard, key.epoch),
            request = request_id,
            "result stored"
        );
        core.count_stored();
    }
}
