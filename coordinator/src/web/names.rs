//! The names under which the page answers.
//!
//! A page from elsewhere can have its own name lead to the address of this
//! coordinator once it is open ("DNS rebinding"); for its browser both are then
//! one site, and it may read the answers. What it cannot change is the name that
//! the browser sends along.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// What programs ask under names that others give: load balancers, and
/// Prometheus.
const OPEN: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The names besides `localhost` and all addresses: those cannot be made to lead
/// elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Names(Arc<[String]>);

impl Names {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self(names.into())
    }

    /// Whether this is one of the names, with or without a port.
    fn have(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host().trim_matches(['[', ']']);
        // A dot at the end only says that the name is complete.
        let name = name.strip_suffix('.').unwrap_or(name);
        name.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.0.iter().any(|it| it.eq_ignore_ascii_case(name))
    }

    /// The first name of a request that is none of these. Clients so old that
    /// they send none are no browsers.
    fn stranger(&self, request: &Request) -> Option<String> {
        let target = request.uri().authority().map(|it| it.as_str().to_owned());
        let headers = request.headers().get_all(header::HOST).iter();
        let hosts = headers.map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
        target.into_iter().chain(hosts).find(|it| !self.have(it))
    }
}

/// Lets a request through if it is for one of the names.
pub(super) async fn check(State(names): State<Names>, request: Request, next: Next) -> Response {
    let open = OPEN.contains(&request.uri().path());
    match names.stranger(&request) {
        Some(host) if !open => refuse(&host),
        _ => next.run(request).await,
    }
}

fn refuse(host: &str) -> Response {
    let text = format!(
        "this coordinator does not answer under the name {host:?}: a page from elsewhere could \
         have given it that name\n\
         if the name is its own, start it with --http-host NAME (SOKO_HTTP_HOST)\n"
    );
    (StatusCode::MISDIRECTED_REQUEST, text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_localhost_and_given_names_are_taken() {
        let names = Names::new(vec!["Soko.example".to_owned()]);
        for host in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "10.0.0.7:1",
            "[::1]",
            "[::1]:8080",
            "localhost",
            "LOCALHOST.:8080",
            "soko.example:8080",
            "SOKO.EXAMPLE",
        ] {
            assert!(names.have(host), "{host}");
        }
        for host in [
            "",
            ":8080",
            "evil.example",
            "soko.example.evil.example",
            "evil-soko.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:8080",
            "soko",
            "127.1",
            "a b",
            "soko.example/",
        ] {
            assert!(!names.have(host), "{host}");
        }
    }
}
