//! Failures as JSON.

use std::borrow::Cow;

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::service::ServiceError;

/// A failure in the form that the command line prints.
#[derive(Debug)]
pub(super) struct WebError {
    pub(super) status: StatusCode,
    pub(super) code: Cow<'static, str>,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

impl WebError {
    pub(super) fn new(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
        hint: &'static str,
    ) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
            hint,
        }
    }

    /// Too much is asked for at the moment.
    pub(super) fn busy(message: &str) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            message,
            "try again in a few seconds",
        )
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            message,
            "the coordinator's log may tell more",
        )
    }
}

impl From<ServiceError> for WebError {
    fn from(error: ServiceError) -> Self {
        let status = match error {
            ServiceError::NoRecord { .. } | ServiceError::Refused(_) => StatusCode::NOT_FOUND,
            ServiceError::Closed(_) | ServiceError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let hint = "the overview and the record table show what there is";
        let code = error.reason().name().to_ascii_lowercase();
        Self::new(status, code, error.to_string(), hint)
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let Self {
            status,
            code,
            message,
            hint,
        } = self;
        let body = json!({ "error": { "code": code, "message": message, "hint": hint } });
        let mut response = (status, Json(body)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            let headers = response.headers_mut();
            headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
