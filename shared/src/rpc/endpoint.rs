//! How worker and command line connect to a coordinator.

use std::time::Duration;

use tonic::transport::{ClientTlsConfig, Endpoint};

use super::error_chain;

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How often to ask an idle connection whether it is still there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// How long the answer to that may take.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why an address is not one to connect to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is not an address.
    #[error("`{url}` is not an address like http://host:50051: {why}")]
    NotAnAddress {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// `https` needs to know whom to trust.
    #[error("`{0}` asks for TLS, but no TLS settings were given; use http:// or configure TLS")]
    TlsNotConfigured(String),
    /// TLS settings for an unencrypted connection.
    #[error("TLS settings were given, but `{0}` is not encrypted; use https://")]
    TlsNotUsed(String),
}

/// The way to a coordinator. `url` may lack its scheme, which is then the one
/// that fits `tls`.
///
/// The connection is made later, so an unreachable coordinator is no error
/// here. No deadline is set for calls: streams live long, and each call knows
/// best what it can wait for.
///
/// # Errors
/// [`EndpointError`] if `url` is not an address or contradicts `tls`.
pub fn endpoint(url: &str, tls: Option<ClientTlsConfig>) -> Result<Endpoint, EndpointError> {
    let not_an_address = |why: String| EndpointError::NotAnAddress {
        url: url.to_owned(),
        why,
    };
    let scheme = match url.trim().split_once("://") {
        Some((scheme, _)) => scheme.to_ascii_lowercase(),
        None if tls.is_some() => "https".to_owned(),
        None => "http".to_owned(),
    };
    let rest = url.trim().split_once("://").map_or(url.trim(), |it| it.1);
    if rest.is_empty() || rest.starts_with(['/', ':']) {
        return Err(not_an_address("the host is missing".to_owned()));
    }
    match (scheme.as_str(), &tls) {
        ("http", None) | ("https", Some(_)) => {}
        ("http", Some(_)) => return Err(EndpointError::TlsNotUsed(url.to_owned())),
        ("https", None) => return Err(EndpointError::TlsNotConfigured(url.to_owned())),
        _ => return Err(not_an_address(format!("unknown scheme `{scheme}`"))),
    }
    let endpoint = Endpoint::from_shared(format!("{scheme}://{rest}"))
        .map_err(|error| not_an_address(error_chain(&error)))?;
    // The parser takes `host:99999` and then connects to port 80.
    let port_lost = endpoint
        .uri()
        .authority()
        .is_some_and(|it| it.port_u16().is_none() && it.as_str() != it.host());
    if port_lost {
        return Err(not_an_address("a port is a number up to 65535".to_owned()));
    }
    let endpoint = endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true);
    match tls {
        Some(tls) => endpoint
            .tls_config(tls)
            .map_err(|error| not_an_address(error_chain(&error))),
        None => Ok(endpoint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(url: &str) -> Result<String, EndpointError> {
        endpoint(url, None).map(|endpoint| endpoint.uri().to_string())
    }

    #[test]
    fn a_missing_scheme_is_added() {
        assert_eq!(uri("host:50051"), Ok("http://host:50051/".into()));
        assert_eq!(uri(" 127.0.0.1:1 "), Ok("http://127.0.0.1:1/".into()));
        assert_eq!(uri("HTTP://host:1"), Ok("http://host:1/".into()));
        assert_eq!(uri("[::1]:50051"), Ok("http://[::1]:50051/".into()));
    }

    #[test]
    fn what_is_not_an_address_is_refused() {
        for url in [
            "",
            "http://",
            "ftp://host",
            ":50051",
            "a b",
            "http://:1",
            "h:99999",
        ] {
            assert!(
                matches!(uri(url), Err(EndpointError::NotAnAddress { .. })),
                "{url:?} gave {:?}",
                uri(url)
            );
        }
    }

    #[test]
    fn scheme_and_tls_settings_agree() {
        assert_eq!(
            uri("https://host:1"),
            Err(EndpointError::TlsNotConfigured("https://host:1".into()))
        );
        let with_tls = |url| endpoint(url, Some(ClientTlsConfig::new()));
        assert_eq!(
            with_tls("http://host:1").unwrap_err(),
            EndpointError::TlsNotUsed("http://host:1".into())
        );
        assert_eq!(
            with_tls("host:1").unwrap().uri().to_string(),
            "https://host:1/"
        );
    }
}
