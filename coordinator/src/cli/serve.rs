//! `soko-coord serve`: a coordinator for workers and clients.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;
use soko::rpc::error_chain;
use soko_worker::stop_on_signals;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    CliError,
    data::{self, DataArgs},
    output::{Output, Show},
};
use crate::{ServeOptions, serve};

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
    #[command(flatten)]
    data: DataArgs,
}

/// Where a coordinator serves.
#[derive(Debug, Serialize)]
struct Serving {
    coordinator: String,
    data: String,
}

impl Show for Serving {
    fn text(&self) -> String {
        format!(
            "serving on {}\ndata directory: {}",
            self.coordinator, self.data
        )
    }

    fn quiet(&self) -> String {
        self.coordinator.clone()
    }
}

pub(super) async fn run(args: ServeArgs, output: Output) -> Result<u8, CliError> {
    let dir = args.data.dir()?;
    let catalog = data::open(dir.clone()).await?;
    let (listener, address) = listen(&args.listen).await?;
    let shutdown = CancellationToken::new();
    stop_on_signals(&shutdown)
        .map_err(|error| CliError::internal(format!("cannot listen to signals: {error}")))?;
    output.show(&Serving {
        coordinator: format!("http://{address}"),
        data: dir.display().to_string(),
    })?;
    let ended = serve(listener, catalog, ServeOptions::new(), shutdown).await;
    ended.map_err(|error| CliError::internal(error_chain(&error)))?;
    Ok(0)
}

/// Listens on an address.
pub(super) async fn listen(address: &str) -> Result<(TcpListener, SocketAddr), CliError> {
    let refused = |error: std::io::Error| {
        CliError::bad_input(
            format!("cannot listen on {address}: {error}"),
            "is another soko-coord running? --listen HOST:PORT names another address",
        )
    };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}
