//! Arguments that say what is shown to the coordinator.

use std::path::PathBuf;

use clap::Args;
use soko::rpc::{Access, AccessError, AccessFiles};

/// Token and certificates of a client.
#[derive(Debug, Clone, Default, Args)]
#[group(skip)]
pub struct AccessArgs {
    /// File whose first line is the token to show (or `SOKO_TOKEN`).
    #[arg(long, env = "SOKO_TOKEN_FILE", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Use TLS and trust this authority (PEM).
    #[arg(long, env = "SOKO_TLS_CA", value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Certificate to show to the coordinator (PEM).
    #[arg(long, env = "SOKO_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Key of that certificate (PEM).
    #[arg(long, env = "SOKO_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Name in the coordinator's certificate, if it is not the host of its
    /// address.
    #[arg(long, env = "SOKO_TLS_DOMAIN", value_name = "NAME")]
    tls_domain: Option<String>,
}

impl AccessArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// [`AccessError`].
    pub fn load(&self) -> Result<Access, AccessError> {
        let files = AccessFiles {
            token: self.token_file.clone(),
            ca: self.tls_ca.clone(),
            cert: self.tls_cert.clone(),
            key: self.tls_key.clone(),
            domain: self.tls_domain.clone(),
        };
        // Not an argument: those can be seen by everybody on the machine.
        let token = std::env::var("SOKO_TOKEN").ok();
        Access::load(&files, token.as_deref())
    }
}
