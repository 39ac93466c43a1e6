//! `soko-coord serve`: a coordinator for workers and clients.

use std::{io::ErrorKind, net::SocketAddr, path::PathBuf, sync::Arc};

use clap::Args;
use serde::Serialize;
use soko::rpc::error_chain;
use soko_worker::{program::time, stop_on_signals};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    CliError,
    data::{self, DataArgs},
    names::NameArgs,
    output::{Output, Show},
};
use crate::{
    ServeOptions,
    access::{Limits, TlsFiles, Tokens, check_exposure},
    serve,
};

/// Start a coordinator.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Address to listen on for workers and clients; port 0 takes a free one.
    #[arg(
        long,
        env = "SOKO_LISTEN",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:50051"
    )]
    listen: String,
    /// Address of the web page and of `/metrics`; `none` does without.
    #[arg(
        long,
        env = "SOKO_HTTP",
        value_name = "HOST:PORT",
        default_value = "127.0.0.1:8080"
    )]
    http: String,
    #[command(flatten)]
    names: NameArgs,
    /// Certificate to show (PEM); connections are then encrypted.
    #[arg(long, env = "SOKO_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Key of that certificate (PEM).
    #[arg(long, env = "SOKO_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Clients must show a certificate of this authority (PEM).
    #[arg(
        long,
        env = "SOKO_TLS_CLIENT_CA",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    tls_client_ca: Option<PathBuf>,
    /// File of tokens: a role (admin, submitter, worker, reader) and a token on
    /// each line. Clients must then show one.
    #[arg(long, env = "SOKO_TOKENS", value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// Listen beyond this machine even without TLS or tokens: on a network that
    /// you trust.
    #[arg(long, env = "SOKO_INSECURE", value_parser = clap::builder::BoolishValueParser::new(),
          num_args = 0..=1, default_value_t = false, default_missing_value = "true",
          value_name = "BOOL")]
    insecure: bool,
    #[command(flatten)]
    data: DataArgs,
    /// Share of the results that a second worker computes again, 0 to 1; the
    /// first results of each worker always are.
    #[arg(long, env = "SOKO_DOUBLE_CHECK", value_name = "SHARE", default_value_t = 0.02,
          value_parser = share)]
    double_check: f64,
    /// How often to export the store into the data directory, if it has changed;
    /// 0s = only at the end.
    #[arg(long, env = "SOKO_EXPORT_EVERY", value_name = "TIME", default_value = "1h",
          value_parser = time)]
    export_every: std::time::Duration,
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let inside = (0.0..=1.0).contains(&share);
    inside
        .then_some(share)
        .ok_or_else(|| "not between 0 and 1".to_owned())
}

impl ServeArgs {
    fn tls(&self) -> Option<TlsFiles> {
        let (cert, key) = self.tls_cert.clone().zip(self.tls_key.clone())?;
        Some(TlsFiles {
            cert,
            key,
            client_ca: self.tls_client_ca.clone(),
        })
    }

    /// Refuses what strangers could use, unless it is asked for.
    fn allow(&self, address: SocketAddr, authenticated: bool) -> Result<(), CliError> {
        match check_exposure(address, self.tls_cert.is_some(), authenticated) {
            Err(exposed) if !self.insecure => Err(CliError::bad_input(
                exposed.to_string(),
                "`soko-coord tls init` makes certificates and tokens; --insecure listens all the \
                 same",
            )),
            Err(exposed) => {
                tracing::warn!("{exposed}");
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

/// Where a coordinator serves.
#[derive(Debug, Serialize)]
struct Serving {
    coordinator: String,
    /// Address of the web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<String>,
    data: String,
}

impl Show for Serving {
    fn text(&self) -> String {
        let page = self
            .http
            .as_ref()
            .map_or_else(String::new, |http| format!("\nweb page: {http}"));
        format!(
            "serving on {}{page}\ndata directory: {}",
            self.coordinator, self.data
        )
    }

    fn quiet(&self) -> String {
        self.coordinator.clone()
    }
}

pub(super) async fn run(args: ServeArgs, output: Output) -> Result<u8, CliError> {
    let dir = args.data.dir()?;
    let mut options = ServeOptions::new();
    options.limits = Limits::of_system();
    options.tls = args.tls();
    if let Some(tls) = &options.tls {
        tls.grpc()?;
    }
    let tokens = args.tokens.as_deref().map(Tokens::load).transpose()?;
    options.tokens = tokens.map(Arc::new);
    let (listener, address) = listen(&args.listen, "--listen").await?;
    let tokens = options.tokens.is_some();
    args.allow(address, tokens || args.tls_client_ca.is_some())?;
    let http = listen_http(&args.http, &args.names, &mut options).await?;
    if let Some(address) = http {
        args.allow(address, tokens)?;
    }
    let catalog = data::open(dir.clone()).await?;
    let scheme = if options.tls.is_some() {
        "https"
    } else {
        "http"
    };
    let shutdown = CancellationToken::new();
    stop_on_signals(&shutdown)
        .map_err(|error| CliError::internal(format!("cannot listen to signals: {error}")))?;
    output.show(&Serving {
        coordinator: format!("{scheme}://{address}"),
        http: http.map(|address| format!("{scheme}://{address}")),
        data: dir.display().to_string(),
    })?;
    options.hub.config.check_share = args.double_check;
    options.hub.export = Some(dir);
    options.export_every = args.export_every;
    let ended = serve(listener, catalog, options, shutdown).await;
    ended.map_err(|error| CliError::internal(error_chain(&error)))?;
    Ok(0)
}

/// Listens for browsers, unless the address is `none`.
pub(super) async fn listen_http(
    address: &str,
    names: &NameArgs,
    options: &mut ServeOptions,
) -> Result<Option<SocketAddr>, CliError> {
    if address == "none" {
        return Ok(None);
    }
    options.http_names = names.all(address);
    let (listener, address) = listen(address, "--http").await?;
    options.http = Some(listener);
    Ok(Some(address))
}

/// Listens on an address that was given with a flag.
pub(super) async fn listen(
    address: &str,
    flag: &str,
) -> Result<(TcpListener, SocketAddr), CliError> {
    let refused = |error: std::io::Error| {
        let hint = if error.kind() == ErrorKind::AddrInUse {
            format!(
                "is another soko-coord running? {flag} HOST:PORT names another address, \
                 port 0 takes a free one"
            )
        } else {
            format!("{flag} takes HOST:PORT of this machine, for example 127.0.0.1:50051")
        };
        CliError::bad_input(format!("cannot listen on {address}: {error}"), hint)
    };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}
