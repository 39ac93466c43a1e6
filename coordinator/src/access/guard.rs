//! The check before every call.

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tonic::{
    Status,
    body::Body,
    codegen::http::{HeaderMap, Request, Response, header::AUTHORIZATION},
};
use tower::{Layer, Service};

use super::{Role, Tokens, needed};
use crate::service::Reason;

/// Puts a [`Guard`] before a service.
#[derive(Debug, Clone)]
pub struct GuardLayer {
    tokens: Option<Arc<Tokens>>,
}

impl GuardLayer {
    /// Checks tokens, or nothing if there are none.
    pub fn new(tokens: Option<Arc<Tokens>>) -> Self {
        Self { tokens }
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard {
            inner,
            tokens: self.tokens.clone(),
        }
    }
}

/// Lets a call through if its token has the role that the method needs.
#[derive(Debug, Clone)]
pub struct Guard<S> {
    inner: S,
    tokens: Option<Arc<Tokens>>,
}

impl<S, B> Service<Request<B>> for Guard<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let verdict = match (&self.tokens, needed(request.uri().path())) {
            (Some(tokens), Some(role)) => check(tokens, request.headers(), role),
            _ => Ok(()),
        };
        match verdict {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(status) => Box::pin(async move { Ok(status.into_http()) }),
        }
    }
}

/// Whether the token in the headers has a role.
fn check(tokens: &Tokens, headers: &HeaderMap, role: Role) -> Result<(), Status> {
    let token = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    let refused = |reason: Reason, why: String| Err(reason.status(why, HashMap::new()));
    let Some(token) = token else {
        let why = "this coordinator asks for a token; name its file with --token-file";
        return refused(Reason::NoToken, why.to_owned());
    };
    match tokens.role(token.trim()) {
        None => {
            let why = "the token is not one of this coordinator's; ask its operator for another";
            refused(Reason::UnknownToken, why.to_owned())
        }
        Some(found) if !found.may(role) => {
            let (found, needed) = (found.name(), role.name());
            let why = format!("a token of role {found} may not do this; it takes role {needed}");
            refused(Reason::WrongRole, why)
        }
        Some(_) => Ok(()),
    }
}
