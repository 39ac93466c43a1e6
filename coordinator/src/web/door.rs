//! The token that a browser shows: as the password of HTTP's basic
//! authentication, with any user name, or as a bearer token.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};

use crate::access::{Role, Tokens};

/// What load balancers ask; it tells nothing.
const OPEN: [&str; 2] = ["/healthz", "/readyz"];

/// Lets a request through if no token is asked for or it shows one that may
/// read.
pub(super) async fn ask(
    State(tokens): State<Option<Arc<Tokens>>>,
    request: Request,
    next: Next,
) -> Response {
    let open = OPEN.contains(&request.uri().path());
    match tokens {
        Some(tokens) if !open && !may_read(&tokens, request.headers()) => refuse(),
        _ => next.run(request).await,
    }
}

fn may_read(tokens: &Tokens, headers: &HeaderMap) -> bool {
    token(headers)
        .and_then(|token| tokens.role(&token))
        .is_some_and(|role| role.may(Role::Reader))
}

fn token(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    if let Some(token) = value.strip_prefix("Bearer ") {
        return Some(token.trim().to_owned());
    }
    let decoded = BASE64_STANDARD.decode(value.strip_prefix("Basic ")?).ok()?;
    let pair = String::from_utf8(decoded).ok()?;
    pair.split_once(':').map(|(_, token)| token.to_owned())
}

fn refuse() -> Response {
    (
        StatusCode::UNAUTHORIZED,
        [(
            header::WWW_AUTHENTICATE,
            "Basic realm=\"soko\", charset=\"UTF-8\"",
        )],
        "this coordinator asks for a token: any user name, the token as password\n",
    )
        .into_response()
}
