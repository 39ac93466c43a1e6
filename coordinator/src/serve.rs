//! The coordinator as a whole, on a listener.

use std::{io, sync::Arc, time::Duration};

use soko::rpc::{
    DESCRIPTORS,
    v1::{
        job_service_server::JobServiceServer, record_service_server::RecordServiceServer,
        work_service_server::WorkServiceServer,
    },
};
use tokio::{net::TcpListener, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Server, server::TcpIncoming};

use crate::{
    hub::{Engine, Hub, HubClosed, HubHandle, HubOptions, SokoEngine},
    records::import_seeds,
    scheduler::Config,
    service::{Jobs, MESSAGE_LIMIT, Records, Work},
    store::{Catalog, StoreError},
};

/// How long open calls get to end. A connection whose other side is silent
/// would hold tonic up for ever (hyper#4170), so this is a hard limit.
const CLOSING: Duration = Duration::from_secs(2);
/// How often to ask whether a silent client is still there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// How long it gets to answer.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Most streams on one connection.
const MAX_STREAMS: u32 = 1024;

/// How the coordinator is to work.
#[derive(Debug)]
pub struct ServeOptions {
    /// The hub's options.
    pub hub: HubOptions,
    /// Whether to import the levels known from the start.
    pub import: bool,
}

impl ServeOptions {
    /// The product's options.
    pub fn new() -> Self {
        Self::with_engine(Arc::new(SokoEngine))
    }

    /// The product's options with another engine.
    pub fn with_engine(engine: Arc<dyn Engine>) -> Self {
        Self {
            hub: HubOptions {
                config: Config::new(engine.name()),
                engine,
                threads: 0,
                patience: Duration::from_secs(2),
            },
            import: true,
        }
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Why the coordinator ended other than by request.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store failed. What was acknowledged is on disk; a new start goes on
    /// from there.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network failed.
    #[error("the server ended: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The listener failed.
    #[error("the listener cannot be used: {0}")]
    Listener(#[from] io::Error),
    /// A part of the coordinator ended that should not; a bug.
    #[error("internal error: {0}")]
    Internal(String),
}

/// Runs the coordinator on a listener until `shutdown` is cancelled, then ends
/// streams, closes the store and returns. Returns within a few seconds of the
/// request even if clients stay silent.
///
/// # Errors
/// [`ServeError`]. Nothing that was acknowledged is lost.
pub async fn serve(
    listener: TcpListener,
    catalog: Catalog,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let address = listener.local_addr()?;
    let import = options.import;
    let hub = tokio::task::spawn_blocking(move || Hub::new(catalog, options.hub));
    let hub = hub
        .await
        .map_err(|error| ServeError::Internal(error.to_string()))??;
    let handle = hub.handle();
    // Cancelled by request, or when one of the parts ends.
    let closing = shutdown.child_token();
    let hub = tokio::spawn(hub.run(closing.clone()));
    let server = tokio::spawn(listen(listener, handle.clone(), closing.clone()));
    if import {
        tokio::spawn(import_seeds(handle, closing.clone()));
    }
    tracing::info!(%address, "coordinator serves");
    let ended = run_until_closed(hub, server, &closing).await;
    tracing::info!(%address, "coordinator ended");
    ended
}

async fn run_until_closed(
    mut hub: JoinHandle<Result<(), HubClosed>>,
    mut server: JoinHandle<Result<(), tonic::transport::Error>>,
    closing: &CancellationToken,
) -> Result<(), ServeError> {
    let mut hub_ended = None;
    let mut server_ended = None;
    tokio::select! {
        ended = &mut hub => hub_ended = Some(ended),
        ended = &mut server => server_ended = Some(ended),
        () = closing.cancelled() => {}
    }
    closing.cancel();
    let hub_ended = match hub_ended {
        Some(ended) => ended,
        None => hub.await,
    };
    let server_ended = match server_ended {
        Some(ended) => ended,
        None => {
            if let Ok(ended) = timeout(CLOSING, &mut server).await {
                ended
            } else {
                tracing::info!("connections did not end in time; leaving them");
                server.abort();
                Ok(Ok(()))
            }
        }
    };
    match hub_ended {
        Ok(Ok(()) | Err(HubClosed::Closing)) => {}
        Ok(Err(HubClosed::Store(error))) => return Err(error.into()),
        Err(error) => return Err(ServeError::Internal(error.to_string())),
    }
    match server_ended {
        Ok(ended) => Ok(ended?),
        Err(error) => Err(ServeError::Internal(error.to_string())),
    }
}

async fn listen(
    listener: TcpListener,
    hub: HubHandle,
    closing: CancellationToken,
) -> Result<(), tonic::transport::Error> {
    let work = WorkServiceServer::new(Work::new(hub.clone(), closing.clone()))
        .max_decoding_message_size(MESSAGE_LIMIT);
    let jobs = JobServiceServer::new(Jobs::new(hub.clone(), closing.clone()))
        .max_decoding_message_size(MESSAGE_LIMIT);
    let records =
        RecordServiceServer::new(Records::new(hub)).max_decoding_message_size(MESSAGE_LIMIT);
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter.set_serving::<WorkServiceServer<Work>>().await;
    reporter.set_serving::<JobServiceServer<Jobs>>().await;
    reporter.set_serving::<RecordServiceServer<Records>>().await;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let mut router = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_STREAMS)
        .add_service(work)
        .add_service(jobs)
        .add_service(records)
        .add_service(health);
    match (reflection().build_v1(), reflection().build_v1alpha()) {
        (Ok(v1), Ok(v1alpha)) => router = router.add_service(v1).add_service(v1alpha),
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "no reflection: the carried descriptors cannot be read");
        }
    }
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let stop = async move {
        closing.cancelled().await;
        reporter
            .set_service_status("", tonic_health::ServingStatus::NotServing)
            .await;
    };
    router.serve_with_incoming_shutdown(incoming, stop).await
}
