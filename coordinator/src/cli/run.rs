//! `soko-coord run`: a whole cluster in one process, for one job.

use std::path::PathBuf;

use clap::Args;
use soko::{plan::Search, rpc::error_chain};
use soko_worker::{WorkerError, stop_on_signals};
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    CliError,
    board::JobArgs,
    client::Client,
    data::{self, DataArgs},
    output::Output,
    serve::listen,
    submit::{submit, wait_for_result},
};
use crate::{ServeError, ServeOptions, serve};

/// Compute a job in this process: coordinator, worker and client in one.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    job: JobArgs,
    /// Threads that compute [default: the CPUs that the process may use].
    #[arg(long, env = "SOKO_THREADS", value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    #[command(flatten)]
    data: DataArgs,
}

pub(super) async fn run(args: RunArgs, output: Output) -> Result<u8, CliError> {
    let search = args.job.search()?;
    let dir = args.data.dir()?;
    output.note(&format!("data directory: {}", dir.display()));
    let stop = CancellationToken::new();
    stop_on_signals(&stop)
        .map_err(|error| CliError::internal(format!("cannot listen to signals: {error}")))?;
    let mut cluster = Cluster::start(dir, args.threads.map(usize::from)).await?;
    let url = cluster.url.clone();
    let end = tokio::select! {
        end = compute(&url, &args.job, &search, output) => end,
        () = stop.cancelled() => Err(interrupted()),
        failure = cluster.failed() => Err(failure),
    };
    let stopped = cluster.stop().await;
    let code = end?;
    stopped?;
    Ok(code)
}

async fn compute(
    url: &str,
    args: &JobArgs,
    search: &Search,
    output: Output,
) -> Result<u8, CliError> {
    let client = Client::connect(url).await?;
    let job = submit(&client, args, search, true).await?;
    if job.resumed {
        let done = (job.progress * 100.0).floor();
        output.note(&format!(
            "going on with the interrupted job {}, {done:.0} % done",
            job.job
        ));
    }
    wait_for_result(&client, &job.job, output).await
}

fn interrupted() -> CliError {
    CliError::not_done(
        "interrupted",
        "interrupted; what was computed is kept",
        "run the same command again to go on from here",
    )
}

/// A coordinator and a worker in this process.
#[derive(Debug)]
struct Cluster {
    url: String,
    coordinator: JoinHandle<Result<(), ServeError>>,
    stop_coordinator: CancellationToken,
    worker: JoinHandle<Result<soko_worker::Summary, WorkerError>>,
    stop_worker: CancellationToken,
}

impl Cluster {
    async fn start(data: PathBuf, threads: Option<usize>) -> Result<Self, CliError> {
        let catalog = data::open(data).await?;
        let (listener, address) = listen("127.0.0.1:0").await?;
        let url = format!("http://{address}");
        let mut options = ServeOptions::new();
        // Other jobs found in the directory wait for their own command, and
        // the known levels for a coordinator that shows them.
        options.hub.config.hold_interrupted = true;
        options.hub.threads = threads.unwrap_or(0);
        options.import = false;
        let stop_coordinator = CancellationToken::new();
        let coordinator = serve(listener, catalog, options, stop_coordinator.clone());
        let mut config = soko_worker::Config::new(&url);
        "local".clone_into(&mut config.id);
        config.threads = threads.unwrap_or(config.threads);
        let stop_worker = CancellationToken::new();
        let worker = soko_worker::run(config, stop_worker.clone());
        Ok(Self {
            url,
            coordinator: tokio::spawn(coordinator),
            stop_coordinator,
            worker: tokio::spawn(worker),
            stop_worker,
        })
    }

    /// Waits until a part of it ends that should not.
    async fn failed(&mut self) -> CliError {
        tokio::select! {
            end = &mut self.coordinator => failure("the coordinator", end),
            end = &mut self.worker => failure("the worker", end),
        }
    }

    /// Stops the worker, which hands in what it has, and then the coordinator.
    async fn stop(self) -> Result<(), CliError> {
        self.stop_worker.cancel();
        if !self.worker.is_finished() {
            let end = self.worker.await;
            end.map_err(|error| ended("the worker", &error))?
                .map_err(|error| ended("the worker", &error))?;
        }
        self.stop_coordinator.cancel();
        if !self.coordinator.is_finished() {
            let end = self.coordinator.await;
            end.map_err(|error| ended("the coordinator", &error))?
                .map_err(|error| ended("the coordinator", &error))?;
        }
        Ok(())
    }
}

fn failure<T, E: std::error::Error>(part: &str, end: Result<Result<T, E>, JoinError>) -> CliError {
    match end {
        Ok(Ok(_)) => CliError::internal(format!("{part} ended too early")),
        Ok(Err(error)) => ended(part, &error),
        Err(error) => ended(part, &error),
    }
}

fn ended(part: &str, error: &dyn std::error::Error) -> CliError {
    CliError::internal(format!("{part} failed: {}", error_chain(error)))
}
