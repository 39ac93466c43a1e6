//! The program `soko-worker`.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::{Args, Parser, Subcommand};
use soko::rpc::error_chain;
use soko_worker::{
    Config, WorkerError, check_health, default_health_file, default_id, log_to_stderr, run,
    stop_on_signals,
};
use tokio_util::sync::CancellationToken;

/// Computes shards of Sokoban searches for a coordinator.
///
/// Leases shards, computes them on all cores and reports what it found. It
/// keeps its results until the coordinator has stored them and waits for a
/// coordinator that is away. Ctrl-C or SIGTERM hands everything back and ends
/// it; a second Ctrl-C ends it at once.
#[derive(Debug, Parser)]
#[command(name = "soko-worker", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    worker: WorkerArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Exit with 0 if the worker of this machine or container is well.
    Health(HealthArgs),
}

#[derive(Debug, Args)]
struct HealthArgs {
    /// File that the worker writes.
    #[arg(long, env = "SOKO_HEALTH_FILE", value_name = "FILE")]
    health_file: Option<PathBuf>,
    /// Only ask whether it lives, not whether it is connected.
    #[arg(long)]
    live: bool,
}

#[derive(Debug, Args)]
struct WorkerArgs {
    /// Address of the coordinator.
    #[arg(
        long,
        env = "SOKO_COORDINATOR",
        value_name = "URL",
        default_value = "http://127.0.0.1:50051"
    )]
    coordinator: String,
    /// Shards computed at the same time [default: the CPUs that the process may
    /// use].
    #[arg(long, env = "SOKO_THREADS", value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Stable name of this worker [default: host name and random digits].
    #[arg(long, env = "SOKO_WORKER_ID", value_name = "NAME")]
    id: Option<String>,
    /// Keep unconfirmed results in this directory, so that they survive the
    /// worker.
    #[arg(long, env = "SOKO_OUTBOX", value_name = "DIR")]
    outbox: Option<PathBuf>,
    /// Leave when there is nothing to do.
    #[arg(long)]
    exit_when_idle: bool,
    /// Longest pause between two attempts to reach the coordinator.
    #[arg(long, value_name = "TIME", default_value = "30s",
          value_parser = humantime::parse_duration)]
    max_backoff: Duration,
    /// File for `soko-worker health`.
    #[arg(long, env = "SOKO_HEALTH_FILE", value_name = "FILE")]
    health_file: Option<PathBuf>,
}

impl WorkerArgs {
    fn resolve(self) -> Config {
        let defaults = Config::new(self.coordinator);
        Config {
            id: self.id.unwrap_or_else(default_id),
            threads: self.threads.map_or(defaults.threads, usize::from),
            outbox: self.outbox,
            exit_when_idle: self.exit_when_idle,
            max_backoff: self.max_backoff,
            health_file: Some(self.health_file.unwrap_or_else(default_health_file)),
            ..defaults
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Some(Command::Health(args)) => health(&args),
        None => work(cli.worker.resolve()),
    }
}

fn health(args: &HealthArgs) -> ExitCode {
    let file = args.health_file.clone().unwrap_or_else(default_health_file);
    match check_health(&file, args.live) {
        Ok(()) => {
            println!("ok");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("soko-worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(config: Config) -> ExitCode {
    log_to_stderr("info");
    match start(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soko-worker: {}", error_chain(&error));
            ExitCode::from(error.exit_code())
        }
    }
}

#[tokio::main]
async fn start(config: Config) -> Result<(), WorkerError> {
    let shutdown = CancellationToken::new();
    stop_on_signals(&shutdown)
        .map_err(|error| WorkerError::Internal(format!("cannot listen to signals: {error}")))?;
    let summary = run(config, shutdown).await?;
    tracing::info!(stored = summary.stored, left = summary.left, "worker ended");
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_become_settings() {
        let line =
            "soko-worker --coordinator h:1 --threads 3 --id w --max-backoff 2s --exit-when-idle";
        let config = Cli::parse_from(line.split(' ')).worker.resolve();
        assert_eq!((config.coordinator.as_str(), config.threads), ("h:1", 3));
        assert_eq!((config.id.as_str(), config.exit_when_idle), ("w", true));
        assert_eq!(config.max_backoff, Duration::from_secs(2));
        assert!(Cli::try_parse_from(["soko-worker", "--threads", "0"]).is_err());
    }
}
