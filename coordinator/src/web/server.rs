//! Routes, on a listener.

use std::{future::IntoFuture, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware,
    routing::{get, post},
    serve::Listener,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    api, door,
    feed::Feed,
    headers,
    names::{self, Names},
    pages,
    solver::{self, Solver},
};
use crate::{
    access::Tokens,
    hub::HubHandle,
    metrics::Counters,
    records::Turns,
    service::{Jobs, Records},
};

/// How long open answers get to end.
const CLOSING: Duration = Duration::from_secs(1);

/// What requests are answered from.
#[derive(Debug, Clone)]
pub(super) struct Web {
    pub(super) hub: HubHandle,
    pub(super) jobs: Jobs,
    pub(super) records: Records,
    pub(super) feed: Feed,
    pub(super) solver: Solver,
    pub(super) counters: Arc<Counters>,
}

/// The web page, before it has a listener.
#[derive(Debug)]
pub(crate) struct Site {
    hub: HubHandle,
    turns: Turns,
    tokens: Option<Arc<Tokens>>,
    names: Names,
    closing: CancellationToken,
}

impl Site {
    /// A page that solves levels in these turns, asks for one of these tokens, if
    /// there are any, and answers under these names and those that every page has.
    pub(crate) fn new(
        hub: HubHandle,
        turns: Turns,
        tokens: Option<Arc<Tokens>>,
        names: Vec<String>,
        closing: CancellationToken,
    ) -> Self {
        Self {
            hub,
            turns,
            tokens,
            names: Names::new(names),
            closing,
        }
    }

    /// Serves the page on a listener until the coordinator closes. Returns
    /// soon after, whatever browsers do.
    ///
    /// # Errors
    /// When the listener fails.
    pub(crate) async fn serve<L>(self, listener: L) -> io::Result<()>
    where
        L: Listener<Addr = SocketAddr>,
    {
        let Self {
            hub,
            turns,
            tokens,
            names,
            closing,
        } = self;
        let counters = Arc::new(Counters::new());
        let records = Records::new(hub.clone(), turns.clone());
        let web = Web {
            jobs: Jobs::new(hub.clone(), closing.clone()),
            records: records.clone(),
            feed: Feed::new(),
            solver: Solver::new(turns, Arc::clone(&counters)),
            hub: hub.clone(),
            counters,
        };
        let feed = tokio::spawn(web.feed.clone().run(hub, records, closing.clone()));
        let server = axum::serve(listener, router(web, tokens, names))
            .with_graceful_shutdown(closing.clone().cancelled_owned())
            .into_future();
        let mut server = Box::pin(server);
        let ended = tokio::select! {
            ended = &mut server => ended,
            () = closing.cancelled() => timeout(CLOSING, server).await.unwrap_or(Ok(())),
        };
        feed.abort();
        ended
    }
}

fn router(web: Web, tokens: Option<Arc<Tokens>>, names: Names) -> Router {
    let counters = Arc::clone(&web.counters);
    Router::new()
        .route("/", get(pages::overview))
        .route("/jobs/{id}", get(pages::job))
        .route("/records", get(pages::records))
        .route("/records/{size}", get(pages::record))
        .route("/editor", get(pages::editor))
        .route("/assets/{name}", get(pages::asset))
        .route("/live/overview", get(api::live_overview))
        .route("/live/records", get(api::live_records))
        .route("/live/jobs/{id}", get(api::live_job))
        .route("/api/records/{size}", get(api::record))
        .route("/api/plot.svg", get(api::plot))
        .route("/api/solve", post(api::solve))
        .route("/healthz", get(api::healthz))
        .route("/readyz", get(api::readyz))
        .route("/metrics", get(api::metrics))
        .fallback(pages::missing)
        .layer(middleware::from_fn_with_state(tokens, door::ask))
        .layer(middleware::from_fn_with_state(names, names::check))
        .layer(DefaultBodyLimit::max(solver::MAX_REQUEST))
        .layer(middleware::from_fn_with_state(counters, headers::add))
        .with_state(web)
}
