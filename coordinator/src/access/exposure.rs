//! What may listen where.

use std::net::SocketAddr;

/// A listener that strangers could reach and use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{address} can be reached from other machines, {what}")]
pub struct Exposed {
    address: SocketAddr,
    what: &'static str,
}

/// Refuses to listen beyond this machine without encryption or without
/// tokens or client certificates.
///
/// # Errors
/// [`Exposed`] says what is missing.
pub fn check_exposure(address: SocketAddr, tls: bool, authenticated: bool) -> Result<(), Exposed> {
    if address.ip().is_loopback() {
        return Ok(());
    }
    let what = match (tls, authenticated) {
        (true, true) => return Ok(()),
        (false, false) => {
            "without TLS and without tokens: anybody could read and change everything"
        }
        (false, true) => "without TLS: anybody on the way could read the tokens",
        (true, false) => "without tokens or client certificates: anybody could change everything",
    };
    Err(Exposed { address, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_protected_listens_beyond_this_machine() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        for inside in ["127.0.0.1:1", "[::1]:1", "127.9.9.9:1"] {
            assert_eq!(check_exposure(at(inside), false, false), Ok(()));
        }
        for outside in ["0.0.0.0:1", "[::]:1", "192.168.0.1:1"] {
            assert_eq!(check_exposure(at(outside), true, true), Ok(()));
            for (tls, authenticated) in [(false, false), (false, true), (true, false)] {
                let error = check_exposure(at(outside), tls, authenticated).unwrap_err();
                assert!(error.to_string().contains("without"), "{error}");
            }
        }
    }
}
