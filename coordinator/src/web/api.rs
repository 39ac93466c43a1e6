//! JSON that is asked for once, streams of live updates, and what machines ask.

use std::time::Duration;

use axum::{
    Json,
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use soko::bounds::{RecordPoint, density_plot};
use tokio::time::timeout;

use super::{error::WebError, server::Web, solver::Solved};
use crate::{
    cli::RecordDocument,
    metrics::{CONTENT_TYPE, Snapshot, exposition},
};

/// How long the hub may take before the coordinator counts as not ready.
const PATIENCE: Duration = Duration::from_secs(2);

/// Reads `6x8`.
pub(super) fn size(text: &str) -> Option<(u32, u32)> {
    let (rows, cols) = text.split_once('x')?;
    Some((rows.parse().ok()?, cols.parse().ok()?))
}

/// The process lives. Says so without asking anybody.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// The coordinator can do its work.
pub(super) async fn readyz(State(web): State<Web>) -> Response {
    let asked = web.hub.call(|core, _, _| core.records.revision());
    let (status, text) = match timeout(PATIENCE, asked).await {
        Ok(Ok(_)) => (StatusCode::OK, "ready\n".to_owned()),
        Ok(Err(error)) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the coordinator does not answer in time\n".to_owned(),
        ),
    };
    (status, text).into_response()
}

pub(super) async fn metrics(State(web): State<Web>) -> Result<Response, WebError> {
    let snapshot = timeout(PATIENCE, Snapshot::take(&web.hub, web.feed.viewers())).await;
    let snapshot = snapshot.map_err(|_| WebError::busy("the coordinator is busy"))?;
    let snapshot = snapshot.map_err(crate::service::ServiceError::from)?;
    let text = exposition(snapshot, web.counters)
        .map_err(|error| WebError::internal(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response())
}

/// A record with its level and solution.
pub(super) async fn record(
    State(web): State<Web>,
    Path(text): Path<String>,
) -> Result<Json<RecordDocument>, WebError> {
    let Some((rows, cols)) = size(&text) else {
        return Err(WebError::new(
            StatusCode::BAD_REQUEST,
            "invalid_argument",
            "a board size is rows x columns",
            "try /api/records/6x6",
        ));
    };
    Ok(Json(web.records.get(rows, cols).await?.into()))
}

/// The density plot of the record table.
pub(super) async fn plot(State(web): State<Web>) -> Result<Response, WebError> {
    let records = web.records.list(true).await?;
    let points = records.iter().map(|record| RecordPoint {
        n: record.rows.into(),
        moves: record.max_moves.into(),
        exact: record.exact,
    });
    let scene = density_plot(&points.collect::<Vec<_>>());
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], scene.to_svg()).into_response())
}

/// A level of the editor.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drawn {
    level: String,
}

/// Solves a level. It is asked for with POST because of its size; it changes
/// nothing.
pub(super) async fn solve(
    State(web): State<Web>,
    Json(drawn): Json<Drawn>,
) -> Result<Json<Solved>, WebError> {
    Ok(Json(web.solver.solve(drawn.level).await?))
}

pub(super) async fn live_overview(State(web): State<Web>) -> Result<Response, WebError> {
    let place = web.feed.place()?;
    let (active, others) = web.feed.overview();
    Ok(stream(Body::from_stream(active.body_with(others, place))))
}

pub(super) async fn live_records(State(web): State<Web>) -> Result<Response, WebError> {
    let place = web.feed.place()?;
    Ok(stream(Body::from_stream(web.feed.records().body(place))))
}

pub(super) async fn live_job(
    State(web): State<Web>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let place = web.feed.place()?;
    let id = web.jobs.find(id).await?;
    Ok(stream(Body::from_stream(web.feed.job(id).body(place))))
}

fn stream(body: Body) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies that collect answers before they pass them on.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("6x12"), Some((6, 12)));
        for text in ["", "6", "x", "6x", "6x-1", "axb", "6x6x6"] {
            assert_eq!(size(text), None, "{text}");
        }
    }
}
