//! Jobs leave and come as streams of checkpoint entries.

use std::collections::BTreeSet;

use soko::{plan, rpc::v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};
use uuid::Uuid;

use super::{ServiceError, read, show};
use crate::{
    checkpoint::{BadCheckpoint, Checkpoint, Collector, DoneShard},
    hub::HubHandle,
    model::{JobId, LedgerRecord, ShardId},
    scheduler::Refusal,
};

/// The job as a checkpoint.
async fn checkpoint(hub: &HubHandle, job: JobId) -> Result<Checkpoint, ServiceError> {
    let open = hub.call(move |core, now, _| core.scheduler.export(job, now));
    let mut checkpoint = open.await??;
    // What was completed after the open shards were listed shows as open, and
    // what came of it does not show.
    let mut later: BTreeSet<ShardId> = checkpoint.open.keys().copied().collect();
    let read = hub.store().each_result(job, |id, row| {
        if later.contains(&id) {
            later.extend(row.remainder);
        } else {
            checkpoint.done.insert(id, done(row));
        }
    });
    read.await?;
    Ok(checkpoint)
}

fn done(row: LedgerRecord) -> DoneShard {
    DoneShard {
        body: row.body,
        tally: row.tally,
        remainder: row.remainder,
        worker: row.worker,
        core_ms: row.core_ms,
    }
}

/// Sends a job as a checkpoint.
pub(super) async fn export(
    hub: &HubHandle,
    job: JobId,
) -> Result<ReceiverStream<Result<v1::CheckpointEntry, Status>>, ServiceError> {
    let checkpoint = checkpoint(hub, job).await?;
    let (sender, stream) = mpsc::channel(64);
    tokio::spawn(async move {
        for entry in checkpoint.entries() {
            if sender.send(Ok(entry)).await.is_err() {
                return;
            }
        }
    });
    Ok(ReceiverStream::new(stream))
}

/// Files a job that comes as a checkpoint. Importing twice is two jobs: one
/// may be an experiment.
pub(super) async fn import(
    hub: &HubHandle,
    mut entries: Streaming<v1::CheckpointEntry>,
) -> Result<v1::Job, Status> {
    let mut collector = Collector::default();
    while let Some(entry) = entries.message().await? {
        collector.push(entry).map_err(ServiceError::from)?;
    }
    let checkpoint = collector.finish().map_err(ServiceError::from)?;
    Ok(file(hub, checkpoint).await?)
}

async fn file(hub: &HubHandle, checkpoint: Checkpoint) -> Result<v1::Job, ServiceError> {
    let verified = tokio::task::spawn_blocking(move || {
        let plan = plan::plan(&checkpoint.search)?;
        checkpoint.verify(plan::ENGINE, &plan)?;
        Ok::<_, ServiceError>(checkpoint)
    });
    let checkpoint = verified
        .await
        .map_err(|error| BadCheckpoint::Unreadable(error.to_string()))??;
    let id = read::new_job_id();
    let request = read::request_id(&Uuid::new_v4().to_string())?;
    let filed = hub.call(move |core, now, effects| {
        core.scheduler
            .import(id, request, checkpoint, now, effects)?;
        let view = core.scheduler.view(id, now);
        view.ok_or_else(|| Refusal::NoSuchJob(id.to_string()))
    });
    Ok(show::job(&filed.await??))
}
