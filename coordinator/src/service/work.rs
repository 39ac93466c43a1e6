//! How workers get shards.

use soko::rpc::v1::{self, work_service_server::WorkService};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use super::{ServiceError, read, report, show};
use crate::hub::HubHandle;

/// The service that workers speak to.
#[derive(Debug, Clone)]
pub struct Work {
    hub: HubHandle,
    closing: CancellationToken,
}

impl Work {
    /// The service; its streams end when `closing` is cancelled.
    pub const fn new(hub: HubHandle, closing: CancellationToken) -> Self {
        Self { hub, closing }
    }
}

#[tonic::async_trait]
impl WorkService for Work {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterReply>, Status> {
        let registration = read::registration(request.into_inner())?;
        let event = |core: &mut crate::hub::Core, now, effects: &mut _| {
            let (beat, lease) = {
                let config = core.scheduler.config();
                (config.beat, config.lease)
            };
            tracing::info!(
                worker = %registration.worker,
                threads = registration.threads,
                held = registration.held.len(),
                "worker registers"
            );
            let registered = core.scheduler.register(registration, now, effects)?;
            Ok::<_, crate::scheduler::Refusal>(v1::RegisterReply {
                beat_ms: show::millis_u32(beat),
                lease_ms: show::millis_u32(lease),
                revoked: registered.revoked.into_iter().map(show::key).collect(),
            })
        };
        let reply = self.hub.call(event).await.map_err(ServiceError::from)?;
        Ok(Response::new(reply.map_err(ServiceError::from)?))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseReply>, Status> {
        let ask = read::ask(request.get_ref())?;
        let grant = self.hub.ask(ask).await.map_err(ServiceError::from)?;
        let grant = grant.map_err(ServiceError::from)?;
        Ok(Response::new(show::grant(grant)))
    }

    type ReportStream = ReceiverStream<Result<v1::ReportReply, Status>>;

    async fn report(
        &self,
        request: Request<Streaming<v1::ReportRequest>>,
    ) -> Result<Response<Self::ReportStream>, Status> {
        let messages = request.into_inner();
        let replies = report::serve(self.hub.clone(), messages, self.closing.clone());
        Ok(Response::new(replies))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseReply>, Status> {
        let wire = request.into_inner();
        read::request_id(&wire.request_id)?;
        let worker = read::worker(&wire.worker)?;
        let instance = read::instance(&wire.instance)?;
        let keys = read::keys(&wire.keys)?;
        let released = self.hub.call(move |core, now, effects| {
            core.scheduler
                .release(&worker, &instance, &keys, wire.leaving, now, effects);
        });
        released.await.map_err(ServiceError::from)?;
        Ok(Response::new(v1::ReleaseReply {}))
    }
}
