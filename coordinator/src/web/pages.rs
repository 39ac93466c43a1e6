//! Which page is at which address. The pages are the same for everybody; what
//! they show comes as JSON. Addresses of things that do not exist say so.

use axum::{
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::{api::size, assets::file, error::WebError, server::Web};
use crate::service::ServiceError;

pub(super) async fn overview(headers: HeaderMap) -> Response {
    file("overview.html", &headers, StatusCode::OK)
}

pub(super) async fn records(headers: HeaderMap) -> Response {
    file("records.html", &headers, StatusCode::OK)
}

pub(super) async fn editor(headers: HeaderMap) -> Response {
    file("editor.html", &headers, StatusCode::OK)
}

pub(super) async fn missing(headers: HeaderMap) -> Response {
    file("missing.html", &headers, StatusCode::NOT_FOUND)
}

pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    file(&name, &headers, StatusCode::OK)
}

pub(super) async fn job(
    State(web): State<Web>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    match web.jobs.find(id).await {
        Ok(_) => Ok(file("job.html", &headers, StatusCode::OK)),
        Err(ServiceError::Refused(_)) => Ok(missing(headers).await),
        Err(error) => Err(error.into()),
    }
}

pub(super) async fn record(
    State(web): State<Web>,
    Path(text): Path<String>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let Some((rows, cols)) = size(&text) else {
        return Ok(missing(headers).await);
    };
    match web.records.get(rows, cols).await {
        Ok(_) => Ok(file("record.html", &headers, StatusCode::OK)),
        Err(ServiceError::NoRecord { .. }) => Ok(missing(headers).await),
        Err(error) => Err(error.into()),
    }
}
