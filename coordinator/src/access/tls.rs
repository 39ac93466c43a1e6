//! Certificates of the server, for gRPC and for the web page.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        self, RootCertStore, ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
        server::WebPkiClientVerifier,
    },
    server::TlsStream,
};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

use super::{Connection, Gate};

/// How long a client may take to agree on encryption.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Handshakes that may be under way.
const HANDSHAKES: usize = 256;

/// Where the server finds its certificates, all PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// Its certificate, with those between it and the authority.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// If given, clients must show a certificate of one of these authorities.
    pub client_ca: Option<PathBuf>,
}

/// Why certificates cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{} cannot be read: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} holds no {what} in PEM form", file.display())]
    NotPem {
        /// The file.
        file: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// Certificate, key and authority do not fit together.
    #[error("the certificates cannot be used: {0}")]
    Rejected(String),
}

impl TlsFiles {
    /// The settings of the gRPC server; certificate and key are checked.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn grpc(&self) -> Result<ServerTlsConfig, TlsError> {
        self.rustls()?;
        let identity = Identity::from_pem(read(&self.cert)?, read(&self.key)?);
        let tls = ServerTlsConfig::new().identity(identity);
        Ok(match &self.client_ca {
            Some(ca) => tls.client_ca_root(Certificate::from_pem(read(ca)?)),
            None => tls,
        })
    }

    /// A listener for browsers. They show tokens, not certificates.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn listener(&self, listener: Gate) -> Result<TlsListener, TlsError> {
        let mut config = Self {
            client_ca: None,
            ..self.clone()
        }
        .rustls()?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        TlsListener::new(listener, config).map_err(|error| TlsError::Rejected(error.to_string()))
    }

    fn rustls(&self) -> Result<ServerConfig, TlsError> {
        let rejected = |error: &dyn std::error::Error| TlsError::Rejected(error.to_string());
        let certs = certificates(&self.cert)?;
        let key =
            PrivateKeyDer::from_pem_slice(&read(&self.key)?).map_err(|_| TlsError::NotPem {
                file: self.key.clone(),
                what: "private key",
            })?;
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| rejected(&error))?;
        let builder = match &self.client_ca {
            None => builder.with_no_client_auth(),
            Some(file) => {
                let mut roots = RootCertStore::empty();
                for cert in certificates(file)? {
                    roots.add(cert).map_err(|error| rejected(&error))?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                builder
                    .with_client_cert_verifier(verifier.build().map_err(|error| rejected(&error))?)
            }
        };
        builder
            .with_single_cert(certs, key)
            .map_err(|error: rustls::Error| rejected(&error))
    }
}

fn read(file: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(file).map_err(|error| TlsError::Unreadable {
        file: file.to_owned(),
        error,
    })
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = read(file)?;
    let certs: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match certs {
        Ok(certs) if !certs.is_empty() => Ok(certs),
        _ => Err(TlsError::NotPem {
            file: file.to_owned(),
            what: "certificate",
        }),
    }
}

/// Accepts encrypted connections. Handshakes run beside each other, so that a
/// slow client holds nobody up.
#[derive(Debug)]
pub struct TlsListener {
    ready: mpsc::Receiver<(TlsStream<Connection>, SocketAddr)>,
    address: SocketAddr,
}

impl TlsListener {
    fn new(listener: Gate, config: ServerConfig) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(16);
        tokio::spawn(accept(
            listener,
            TlsAcceptor::from(Arc::new(config)),
            sender,
        ));
        Ok(Self { ready, address })
    }
}

async fn accept(
    mut listener: Gate,
    acceptor: TlsAcceptor,
    ready: mpsc::Sender<(TlsStream<Connection>, SocketAddr)>,
) {
    let places = Arc::new(Semaphore::new(HANDSHAKES));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ready.closed() => return,
        };
        let (acceptor, ready) = (acceptor.clone(), ready.clone());
        tokio::spawn(async move {
            if let Ok(Ok(stream)) = timeout(HANDSHAKE, acceptor.accept(stream)).await {
                // Nobody listens any more when the send fails.
                let _ = ready.send((stream, address)).await;
            }
            drop(place);
        });
    }
}

impl axum::serve::Listener for TlsListener {
    type Io = TlsStream<Connection>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(accepted) => accepted,
            // The accepting task ends only with this listener.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}
