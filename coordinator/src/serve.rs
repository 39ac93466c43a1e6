//! The coordinator as a whole, on a listener.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use soko::rpc::{
    DESCRIPTORS,
    v1::{
        job_service_server::JobServiceServer, record_service_server::RecordServiceServer,
        work_service_server::WorkServiceServer,
    },
};
use tokio::{
    net::TcpListener,
    task::{JoinError, JoinHandle},
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Server, ServerTlsConfig};
use tower::util::MapResponseLayer;

use crate::{
    access::{Gate, GuardLayer, Limits, NoPlace, TlsError, TlsFiles, Tokens},
    hub::{Engine, Hub, HubClosed, HubHandle, HubOptions, SokoEngine},
    records::{Turns, import_seeds},
    scheduler::Config,
    service::{Jobs, MESSAGE_LIMIT, Records, Work, named_answer},
    store::{Catalog, StoreError, export},
    web::Site,
};

/// How long open calls get to end. A connection whose other side is silent
/// would hold tonic up for ever (hyper#4170), so this is a hard limit.
const CLOSING: Duration = Duration::from_secs(2);
/// How often to ask whether a silent client is still there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// How long it gets to answer.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// How the coordinator is to work.
#[derive(Debug)]
pub struct ServeOptions {
    /// The hub's options.
    pub hub: HubOptions,
    /// How often the store is exported into the hub's directory for exports, if
    /// it has changed; zero = only at the end.
    pub export_every: Duration,
    /// Whether to import the levels known from the start.
    pub import: bool,
    /// Where to serve the web page and the metrics, if anywhere.
    pub http: Option<TcpListener>,
    /// Names under which the web page answers besides addresses and `localhost`.
    pub http_names: Vec<String>,
    /// Tokens that are asked for, if any.
    pub tokens: Option<Arc<Tokens>>,
    /// Certificates, if connections are to be encrypted.
    pub tls: Option<TlsFiles>,
    /// How many levels from outside are solved at a time.
    pub turns: Turns,
    /// What connections may take up.
    pub limits: Limits,
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
                config: Config {
                    check_seed: uuid::Uuid::new_v4().as_u64_pair().1,
                    ..Config::new(engine.name())
                },
                engine,
                threads: 0,
                patience: Duration::from_secs(2),
                export: None,
            },
            export_every: Duration::from_hours(1),
            import: true,
            http: None,
            http_names: Vec::new(),
            tokens: None,
            tls: None,
            turns: Turns::default(),
            limits: Limits::default(),
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
    /// A listener failed.
    #[error("a listener cannot be used: {0}")]
    Listener(#[from] io::Error),
    /// The certificates cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
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
    let guard = GuardLayer::new(options.tokens.clone());
    let tls = options.tls.as_ref().map(TlsFiles::grpc).transpose()?;
    let import = options.import;
    let exports = options.hub.export.clone();
    let every = options.export_every;
    let hub = tokio::task::spawn_blocking(move || Hub::new(catalog, options.hub));
    let hub = hub
        .await
        .map_err(|error| ServeError::Internal(error.to_string()))??;
    let handle = hub.handle();
    // Cancelled by request, or when one of the parts ends.
    let closing = shutdown.child_token();
    let hub = tokio::spawn(hub.run(closing.clone()));
    let limits = options.limits;
    let no_place = tls.is_none().then_some(NoPlace::Grpc);
    let server = tokio::spawn(listen(
        Gate::new(listener, limits.grpc, limits.idle, no_place),
        limits.calls,
        handle.clone(),
        options.turns.clone(),
        guard,
        tls,
        closing.clone(),
    ));
    let web = match options.http {
        None => None,
        Some(http) => {
            let site = Site::new(
                handle.clone(),
                options.turns,
                options.tokens,
                options.http_names,
                closing.clone(),
            );
            let gate = |no_place| Gate::new(http, limits.web, limits.idle, no_place);
            Some(match &options.tls {
                None => tokio::spawn(site.serve(gate(Some(NoPlace::Http)))),
                Some(tls) => tokio::spawn(site.serve(tls.listener(gate(None))?)),
            })
        }
    };
    if let Some(data) = exports.filter(|_| !every.is_zero()) {
        tokio::spawn(export_on_timer(
            handle.clone(),
            data,
            every,
            closing.clone(),
        ));
    }
    if import {
        tokio::spawn(import_seeds(handle, closing.clone()));
    }
    tracing::info!(%address, "coordinator serves");
    let ended = run_until_closed(hub, server, web, &closing).await;
    tracing::info!(%address, "coordinator ended");
    ended
}

/// Exports the store again and again, if it has changed.
async fn export_on_timer(
    hub: HubHandle,
    data: PathBuf,
    every: Duration,
    closing: CancellationToken,
) {
    let mut exported = 0;
    loop {
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = closing.cancelled() => return,
        }
        let commits = hub.store().commits();
        if commits == exported {
            continue;
        }
        let (store, data) = (hub.store().clone(), data.clone());
        let written = tokio::task::spawn_blocking(move || export(&store, &data, None)).await;
        match written {
            Ok(Ok(_)) => exported = commits,
            Ok(Err(error)) => tracing::error!(%error, "the store was not exported"),
            Err(error) => tracing::error!(%error, "the export panicked; this is a bug"),
        }
    }
}

async fn run_until_closed(
    mut hub: JoinHandle<Result<(), HubClosed>>,
    mut server: JoinHandle<Result<(), tonic::transport::Error>>,
    mut web: Option<JoinHandle<io::Result<()>>>,
    closing: &CancellationToken,
) -> Result<(), ServeError> {
    let mut hub_ended = None;
    let mut server_ended = None;
    let mut web_ended = None;
    tokio::select! {
        ended = &mut hub => hub_ended = Some(ended),
        ended = &mut server => server_ended = Some(ended),
        ended = ended(&mut web) => web_ended = Some(ended),
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
    // It has a limit of its own.
    let web_ended = match (web_ended, web) {
        (Some(ended), _) => ended,
        (None, Some(web)) => web.await,
        (None, None) => Ok(Ok(())),
    };
    match hub_ended {
        Ok(Ok(()) | Err(HubClosed::Closing)) => {}
        Ok(Err(HubClosed::Store(error))) => return Err(error.into()),
        Err(error) => return Err(ServeError::Internal(error.to_string())),
    }
    match (server_ended, web_ended) {
        (Ok(server), Ok(web)) => {
            server?;
            Ok(web?)
        }
        (Err(error), _) | (_, Err(error)) => Err(ServeError::Internal(error.to_string())),
    }
}

/// Waits for a task; for ever if there is none.
async fn ended<T>(task: &mut Option<JoinHandle<T>>) -> Result<T, JoinError> {
    match task {
        Some(task) => task.await,
        None => std::future::pending().await,
    }
}

async fn listen(
    gate: Gate,
    calls: u32,
    hub: HubHandle,
    turns: Turns,
    guard: GuardLayer,
    tls: Option<ServerTlsConfig>,
    closing: CancellationToken,
) -> Result<(), tonic::transport::Error> {
    let work = WorkServiceServer::new(Work::new(hub.clone(), closing.clone()))
        .max_decoding_message_size(MESSAGE_LIMIT);
    let jobs = JobServiceServer::new(Jobs::new(hub.clone(), closing.clone()))
        .max_decoding_message_size(MESSAGE_LIMIT);
    let records =
        RecordServiceServer::new(Records::new(hub, turns)).max_decoding_message_size(MESSAGE_LIMIT);
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter.set_serving::<WorkServiceServer<Work>>().await;
    reporter.set_serving::<JobServiceServer<Jobs>>().await;
    reporter.set_serving::<RecordServiceServer<Records>>().await;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let mut server = Server::builder();
    if let Some(tls) = tls {
        server = server.tls_config(tls)?;
    }
    let mut router = server
        .layer(MapResponseLayer::new(named_answer))
        .layer(guard)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(calls)
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
    let stop = async move {
        closing.cancelled().await;
        reporter
            .set_service_status("", tonic_health::ServingStatus::NotServing)
            .await;
    };
    let incoming = gate.into_stream();
    router.serve_with_incoming_shutdown(incoming, stop).await
}
