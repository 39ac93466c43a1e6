//! What a client shows to a coordinator: a token, a certificate.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::{Certificate, Channel, ClientTlsConfig, Identity},
};

/// A connection whose calls carry the token.
pub type Link = InterceptedService<Channel, Bearer>;

/// Puts a token on every call, if there is one.
#[derive(Clone, Default)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

/// The token itself is never shown.
impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Bearer(…)"
        } else {
            "Bearer(none)"
        })
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            let metadata = request.metadata_mut();
            metadata.insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// Where a client finds its token and certificates.
#[derive(Debug, Clone, Default)]
pub struct AccessFiles {
    /// File whose first line is the token.
    pub token: Option<PathBuf>,
    /// Certificates (PEM) of the authorities that are trusted. Asks for TLS.
    pub ca: Option<PathBuf>,
    /// Certificate (PEM) that the client shows.
    pub cert: Option<PathBuf>,
    /// Its private key (PEM).
    pub key: Option<PathBuf>,
    /// Name that the coordinator's certificate must have, if it is not the
    /// host of its address.
    pub domain: Option<String>,
}

/// What a client shows to a coordinator.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The token.
    pub bearer: Bearer,
    /// How the connection is encrypted, if it is.
    pub tls: Option<ClientTlsConfig>,
}

/// Why token or certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A file cannot be read.
    #[error("{what} {} cannot be read: {error}", file.display())]
    Unreadable {
        /// What it should be.
        what: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Not a token.
    #[error("the token is not one line of visible ASCII characters")]
    BadToken,
    /// One of certificate and key is missing.
    #[error("a client certificate needs its key and the reverse: give both, with the authority")]
    HalfIdentity,
}

impl Access {
    /// Reads the files. `token` is used where no file is named.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn load(files: &AccessFiles, token: Option<&str>) -> Result<Self, AccessError> {
        let token = match &files.token {
            Some(file) => Some(read("the token file", file)?),
            None => token.map(str::to_owned),
        };
        Ok(Self {
            bearer: bearer(token.as_deref())?,
            tls: tls(files)?,
        })
    }
}

impl Access {
    /// The connection, with the token on every call.
    pub fn connection(&self, channel: Channel) -> Link {
        InterceptedService::new(channel, self.bearer.clone())
    }
}

fn bearer(token: Option<&str>) -> Result<Bearer, AccessError> {
    let Some(token) = token else {
        return Ok(Bearer(None));
    };
    let token = token.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(AccessError::BadToken);
    }
    let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
        .parse()
        .map_err(|_| AccessError::BadToken)?;
    value.set_sensitive(true);
    Ok(Bearer(Some(value)))
}

fn tls(files: &AccessFiles) -> Result<Option<ClientTlsConfig>, AccessError> {
    let Some(ca) = &files.ca else {
        if files.cert.is_some() || files.key.is_some() {
            return Err(AccessError::HalfIdentity);
        }
        return Ok(None);
    };
    let ca = Certificate::from_pem(read("the authority's certificate", ca)?);
    let mut tls = ClientTlsConfig::new().ca_certificate(ca);
    match (&files.cert, &files.key) {
        (Some(cert), Some(key)) => {
            let cert = read("the client's certificate", cert)?;
            tls = tls.identity(Identity::from_pem(cert, read("the client's key", key)?));
        }
        (None, None) => {}
        _ => return Err(AccessError::HalfIdentity),
    }
    if let Some(domain) = &files.domain {
        tls = tls.domain_name(domain);
    }
    Ok(Some(tls))
}

fn read(what: &'static str, file: &Path) -> Result<String, AccessError> {
    fs::read_to_string(file).map_err(|error| AccessError::Unreadable {
        what,
        file: file.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_sent_and_never_shown() {
        let access = Access::load(&AccessFiles::default(), Some(" secret-token\n")).unwrap();
        assert!(!format!("{access:?}").contains("secret"));
        let mut bearer = access.bearer;
        let request = bearer.call(Request::new(())).unwrap();
        let sent = request.metadata().get("authorization").unwrap();
        assert_eq!(sent, "Bearer secret-token");
        assert!(!format!("{request:?}").contains("secret"));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for token in ["", " ", "a b", "ä", "a\nb"] {
            let error = Access::load(&AccessFiles::default(), Some(token));
            assert!(matches!(error, Err(AccessError::BadToken)), "{token:?}");
        }
    }

    #[test]
    fn files_that_do_not_fit_together_are_refused() {
        let missing = AccessFiles {
            token: Some("/does/not/exist".into()),
            ..AccessFiles::default()
        };
        let error = Access::load(&missing, None).unwrap_err();
        assert!(error.to_string().contains("/does/not/exist"), "{error}");
        let half = AccessFiles {
            key: Some("key.pem".into()),
            ..AccessFiles::default()
        };
        let error = Access::load(&half, None);
        assert!(matches!(error, Err(AccessError::HalfIdentity)));
    }
}
