//! `soko-coord run`: a whole cluster in one process, for one job.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::Args;
use soko::{
    plan::Search,
    rpc::{Access, error_chain},
};
use soko_worker::{WorkerError, check_memory, program::size, stop_on_signals};
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    CliError,
    board::JobArgs,
    client::Client,
    data::{self, DataArgs},
    names::NameArgs,
    output::Output,
    serve::{listen, listen_http},
    submit::{submit, wait_for_result},
};
use crate::{ServeError, ServeOptions, access::Limits, serve};

/// Compute a job in this process: coordinator, worker and client in one.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    job: JobArgs,
    /// Threads that compute [default: the CPUs that the process may use].
    #[arg(long, env = "SOKO_THREADS", value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// The most memory for computing, for example 2G [default: the container's
    /// limit, or 2 GiB, or what the threads need].
    #[arg(long, env = "SOKO_MEMORY", value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
    /// Show the search on a web page at this address.
    #[arg(long, value_name = "HOST:PORT", default_value = "none")]
    http: String,
    #[command(flatten)]
    names: NameArgs,
    #[command(flatten)]
    data: DataArgs,
}

pub(super) async fn run(args: RunArgs, output: Output) -> Result<u8, CliError> {
    let search = args.job.search()?;
    let threads = args.threads.map(usize::from);
    let memory = args.memory.map(|size| size.as_u64());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    check_memory(threads.unwrap_or(cores), memory)
        .map_err(|error| CliError::bad_input(error.to_string(), error.hint()))?;
    let dir = args.data.dir()?;
    output.note(&format!("data directory: {}", dir.display()));
    let stop = CancellationToken::new();
    stop_on_signals(&stop)
        .map_err(|error| CliError::internal(format!("cannot listen to signals: {error}")))?;
    let mut options = ServeOptions::new();
    options.limits = Limits::of_system();
    if let Some(address) = listen_http(&args.http, &args.names, &mut options).await? {
        output.note(&format!("web page: http://{address}"));
    }
    let mut cluster = Cluster::start(dir, threads, options).await?;
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
    let client = Client::connect(url, Access::default()).await?;
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
    async fn start(
        data: PathBuf,
        threads: Option<usize>,
        mut options: ServeOptions,
    ) -> Result<Self, CliError> {
        let catalog = data::open(data.clone()).await?;
        let (listener, address) = listen("127.0.0.1:0", "--listen").await?;
        let url = format!("http://{address}");
        // Other jobs found in the directory wait for their own command, and
        // the known levels for a coordinator that shows them.
        options.hub.config.hold_interrupted = true;
        // There is only one worker here.
        options.hub.config.check_share = 0.0;
        options.hub.config.check_first = 0;
        options.hub.threads = threads.unwrap_or(0);
        options.import = false;
        options.hub.export = Some(data);
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
