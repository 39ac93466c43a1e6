//! Filing and following jobs.

use std::time::Duration;

use soko::rpc::v1::{self, job_service_server::JobService};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use super::{ServiceError, porting, read, show, watch};
use crate::{
    hub::HubHandle,
    model::{JobId, Phase, ShardId},
    scheduler::{Effects, JobView, Refusal, Scheduler},
};

/// The service that people and scripts speak to.
#[derive(Debug, Clone)]
pub struct Jobs {
    hub: HubHandle,
    closing: CancellationToken,
}

impl Jobs {
    /// The service; its streams end when `closing` is cancelled.
    pub const fn new(hub: HubHandle, closing: CancellationToken) -> Self {
        Self { hub, closing }
    }

    pub(crate) async fn view(&self, text: String) -> Result<JobView, ServiceError> {
        let found = self.hub.call(move |core, now, _| {
            let id = core.scheduler.find_job(&text)?;
            let view = core.scheduler.view(id, now);
            view.ok_or(Refusal::NoSuchJob(text))
        });
        Ok(found.await??)
    }

    pub(crate) async fn find(&self, text: String) -> Result<JobId, ServiceError> {
        let found = self
            .hub
            .call(move |core, _, _| core.scheduler.find_job(&text));
        Ok(found.await??)
    }

    async fn submit(&self, wire: v1::SubmitJobRequest) -> Result<v1::Job, ServiceError> {
        let submission = read::submission(wire)?;
        let filed = self.hub.call(move |core, now, effects| {
            let submitted = core.scheduler.submit(submission, now, effects)?;
            let view = core.scheduler.view(submitted.job, now);
            view.ok_or_else(|| Refusal::NoSuchJob(submitted.job.to_string()))
        });
        Ok(show::job(&filed.await??))
    }

    pub(crate) async fn result(&self, text: String) -> Result<v1::JobResult, ServiceError> {
        let view = self.view(text).await?;
        let (id, phase) = (view.record.id, view.record.phase);
        if !phase.has_ended() {
            return Err(ServiceError::NotEnded {
                job: id,
                phase: phase.name(),
            });
        }
        let stored = self.hub.store().read(move |catalog| catalog.answer(id));
        // A job that ended otherwise has no answer; what is known of it is in
        // its state.
        let answer = stored.await?.filter(|_| phase == Phase::Done);
        Ok(v1::JobResult {
            job: Some(show::job(&view)),
            ..answer.unwrap_or_default()
        })
    }

    /// Changes a job and shows what became of it.
    async fn steer(
        &self,
        text: String,
        change: impl FnOnce(&mut Scheduler, JobId, Duration, &mut Effects) -> Result<(), Refusal>
        + Send
        + 'static,
    ) -> Result<Response<v1::Job>, Status> {
        let changed = self.hub.call(move |core, now, effects| {
            let id = core.scheduler.find_job(&text)?;
            change(&mut core.scheduler, id, now, effects)?;
            let view = core.scheduler.view(id, now);
            view.ok_or_else(|| Refusal::NoSuchJob(id.to_string()))
        });
        let view = changed.await.map_err(ServiceError::from)?;
        let view = view.map_err(ServiceError::from)?;
        Ok(Response::new(show::job(&view)))
    }

    async fn delete(&self, text: String) -> Result<v1::DeleteJobReply, ServiceError> {
        let deleted = self.hub.call(move |core, _, effects| {
            let id = core.scheduler.find_job(&text)?;
            core.scheduler.delete(id, effects)?;
            Ok::<_, Refusal>(id)
        });
        let job = deleted.await??.to_string();
        Ok(v1::DeleteJobReply { job })
    }

    async fn invalidate(
        &self,
        wire: v1::InvalidateRequest,
    ) -> Result<v1::InvalidateReply, ServiceError> {
        let doubt = read::doubt(wire.what)?;
        let found = self.hub.call(move |core, now, effects| {
            let only = match wire.job.as_str() {
                "" => None,
                text => Some(core.scheduler.find_job(text)?),
            };
            let jobs = core.scheduler.invalidate(&doubt, only, now, effects);
            Ok::<_, Refusal>(jobs)
        });
        let jobs = found.await??.iter().map(ToString::to_string).collect();
        Ok(v1::InvalidateReply { jobs })
    }

    async fn explain(&self, wire: v1::ExplainJobRequest) -> Result<v1::Explanation, ServiceError> {
        let explained = self.hub.call(move |core, now, _| {
            let id = core.scheduler.find_job(&wire.job)?;
            let explanation = core.scheduler.explain(id, wire.shard.map(ShardId), now)?;
            let view = core.scheduler.view(id, now);
            let view = view.ok_or(Refusal::NoSuchJob(wire.job))?;
            Ok::<_, Refusal>((view, explanation))
        });
        let (view, explanation) = explained.await??;
        Ok(show::explanation(&view, explanation))
    }

    /// Shows a worker, after asking it to leave if so wanted.
    async fn worker(&self, name: &str, drain: bool) -> Result<v1::Worker, ServiceError> {
        let name = read::worker(name)?;
        let view = self.hub.call(move |core, now, _| {
            if drain {
                core.scheduler.drain(&name)?;
            }
            let view = core.scheduler.worker_view(&name, now);
            view.ok_or(Refusal::NoSuchWorker(name))
        });
        Ok(show::worker(view.await??))
    }

    pub(crate) async fn list(&self, limit: u32) -> Result<v1::ListJobsReply, ServiceError> {
        let limit = read::list_limit(limit)?;
        let views = self.hub.call(move |core, now, _| {
            let newest = core.scheduler.newest_jobs(limit);
            let views = newest.into_iter();
            let views = views.filter_map(|id| core.scheduler.view(id, now));
            views.collect::<Vec<_>>()
        });
        let jobs = views.await?.iter().map(show::job).collect();
        Ok(v1::ListJobsReply { jobs })
    }

    pub(crate) async fn workers(&self) -> Result<v1::ListWorkersReply, ServiceError> {
        let views = self
            .hub
            .call(|core, now, _| core.scheduler.worker_views(now));
        let workers = views.await?.into_iter().map(show::worker).collect();
        Ok(v1::ListWorkersReply { workers })
    }
}

#[tonic::async_trait]
impl JobService for Jobs {
    async fn submit_job(
        &self,
        request: Request<v1::SubmitJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        Ok(Response::new(self.submit(request.into_inner()).await?))
    }

    async fn get_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        let view = self.view(request.into_inner().job).await?;
        Ok(Response::new(show::job(&view)))
    }

    async fn list_jobs(
        &self,
        request: Request<v1::ListJobsRequest>,
    ) -> Result<Response<v1::ListJobsReply>, Status> {
        Ok(Response::new(self.list(request.into_inner().limit).await?))
    }

    type WatchJobStream = ReceiverStream<Result<v1::Job, Status>>;

    async fn watch_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<Self::WatchJobStream>, Status> {
        let id = self.find(request.into_inner().job).await?;
        let views = self.hub.follow(id).await.map_err(ServiceError::from)?;
        let views = views.map_err(ServiceError::from)?;
        Ok(Response::new(watch::serve(views, self.closing.clone())))
    }

    async fn get_job_result(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::JobResult>, Status> {
        Ok(Response::new(self.result(request.into_inner().job).await?))
    }

    async fn cancel_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        self.steer(request.into_inner().job, Scheduler::cancel)
            .await
    }

    async fn pause_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        self.steer(request.into_inner().job, Scheduler::pause).await
    }

    async fn resume_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        self.steer(request.into_inner().job, Scheduler::resume)
            .await
    }

    async fn retry_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::Job>, Status> {
        let retry = |scheduler: &mut Scheduler, id, now, effects: &mut Effects| {
            scheduler.retry(id, now, effects).map(|_| ())
        };
        self.steer(request.into_inner().job, retry).await
    }

    async fn delete_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<v1::DeleteJobReply>, Status> {
        Ok(Response::new(self.delete(request.into_inner().job).await?))
    }

    async fn invalidate(
        &self,
        request: Request<v1::InvalidateRequest>,
    ) -> Result<Response<v1::InvalidateReply>, Status> {
        let reply = Jobs::invalidate(self, request.into_inner()).await?;
        Ok(Response::new(reply))
    }

    async fn explain_job(
        &self,
        request: Request<v1::ExplainJobRequest>,
    ) -> Result<Response<v1::Explanation>, Status> {
        Ok(Response::new(self.explain(request.into_inner()).await?))
    }

    type ExportJobStream = ReceiverStream<Result<v1::CheckpointEntry, Status>>;

    async fn export_job(
        &self,
        request: Request<v1::GetJobRequest>,
    ) -> Result<Response<Self::ExportJobStream>, Status> {
        let id = self.find(request.into_inner().job).await?;
        Ok(Response::new(porting::export(&self.hub, id).await?))
    }

    async fn import_job(
        &self,
        request: Request<Streaming<v1::CheckpointEntry>>,
    ) -> Result<Response<v1::Job>, Status> {
        let job = porting::import(&self.hub, request.into_inner()).await?;
        Ok(Response::new(job))
    }

    async fn list_workers(
        &self,
        _: Request<v1::ListWorkersRequest>,
    ) -> Result<Response<v1::ListWorkersReply>, Status> {
        Ok(Response::new(self.workers().await?))
    }

    async fn get_worker(
        &self,
        request: Request<v1::GetWorkerRequest>,
    ) -> Result<Response<v1::Worker>, Status> {
        let worker = self.worker(&request.into_inner().worker, false).await?;
        Ok(Response::new(worker))
    }

    async fn drain_worker(
        &self,
        request: Request<v1::GetWorkerRequest>,
    ) -> Result<Response<v1::Worker>, Status> {
        let worker = self.worker(&request.into_inner().worker, true).await?;
        Ok(Response::new(worker))
    }
}
