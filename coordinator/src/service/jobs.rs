//! Filing and following jobs.

use soko::rpc::v1::{self, job_service_server::JobService};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use super::{ServiceError, read, show, watch};
use crate::{
    hub::HubHandle,
    model::{JobId, Phase},
    scheduler::{JobView, Refusal},
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

    async fn view(&self, text: String) -> Result<JobView, ServiceError> {
        let found = self.hub.call(move |core, now, _| {
            let id = core.scheduler.find_job(&text)?;
            let view = core.scheduler.view(id, now);
            view.ok_or(Refusal::NoSuchJob(text))
        });
        Ok(found.await??)
    }

    async fn find(&self, text: String) -> Result<JobId, ServiceError> {
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

    async fn result(&self, text: String) -> Result<v1::JobResult, ServiceError> {
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

    async fn cancel(&self, text: String) -> Result<v1::Job, ServiceError> {
        let id = self.find(text).await?;
        let cancelled = self.hub.call(move |core, now, effects| {
            core.scheduler.cancel(id, now, effects)?;
            let view = core.scheduler.view(id, now);
            view.ok_or_else(|| Refusal::NoSuchJob(id.to_string()))
        });
        Ok(show::job(&cancelled.await??))
    }

    async fn list(&self, limit: u32) -> Result<v1::ListJobsReply, ServiceError> {
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

    async fn workers(&self) -> Result<v1::ListWorkersReply, ServiceError> {
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
        Ok(Response::new(self.cancel(request.into_inner().job).await?))
    }

    async fn list_workers(
        &self,
        _: Request<v1::ListWorkersRequest>,
    ) -> Result<Response<v1::ListWorkersReply>, Status> {
        Ok(Response::new(self.workers().await?))
    }
}
