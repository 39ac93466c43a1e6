//! The arguments of `soko-worker`.

use std::{path::PathBuf, time::Duration};

use bytesize::ByteSize;
use clap::{Args, CommandFactory, Parser, Subcommand, builder::BoolishValueParser};

use super::examples::EXAMPLES;
use crate::{
    AccessArgs, Config, LogArgs, WorkerError, default_health_file, default_id,
    program::{
        CompletionsArgs, ManArgs, VERSION,
        config::{ConfigArgs, Program, ShowArgs},
        long_version, size, time, with_examples, with_negative_values,
    },
};

/// Where the program takes its settings from: all are in one section.
pub const PROGRAM: Program = Program {
    command,
    section: |_| Some("worker"),
};

/// The program with its commands, arguments and help texts.
pub fn command() -> clap::Command {
    with_negative_values(with_examples(Cli::command(), EXAMPLES))
}

/// Computes shards of Sokoban searches for a coordinator.
///
/// Leases shards, computes them on all cores and reports what it found. It
/// keeps its results until the coordinator has stored them and waits for a
/// coordinator that is away. Ctrl-C or SIGTERM hands everything back and ends
/// it; a second Ctrl-C ends it at once.
#[derive(Debug, Parser)]
#[command(
    name = "soko-worker",
    version = VERSION,
    long_version = long_version(),
    args_conflicts_with_subcommands = true
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) worker: WorkerArgs,
    #[command(flatten)]
    pub(super) log: LogArgs,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Exit with 0 if the worker of this machine or container is well.
    Health(HealthArgs),
    /// Tell the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a script that makes a shell complete the arguments.
    Completions(CompletionsArgs),
    /// Print the man page, or write one for each command.
    Man(ManArgs),
}

/// What to do with settings.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print every setting with its value and where it comes from: flag,
    /// environment, file or default.
    Show(ShowArgs),
}

#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// File that the worker writes.
    #[arg(long, env = "SOKO_HEALTH_FILE", value_name = "FILE")]
    pub(super) health_file: Option<PathBuf>,
    /// Only ask whether it lives, not whether it is connected.
    #[arg(long)]
    pub(super) live: bool,
}

#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// Address of the coordinator.
    #[arg(
        long,
        env = "SOKO_COORDINATOR",
        value_name = "URL",
        default_value = "http://127.0.0.1:50051"
    )]
    coordinator: String,
    #[command(flatten)]
    access: AccessArgs,
    /// Shards computed at the same time [default: the CPUs that the process may
    /// use].
    #[arg(long, env = "SOKO_THREADS", value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// The most memory to use, for example 2G [default: the container's limit,
    /// or 2 GiB, or what the threads need].
    #[arg(long, env = "SOKO_MEMORY", value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
    /// Stable name of this worker [default: host name and random digits].
    #[arg(long, env = "SOKO_WORKER_ID", value_name = "NAME")]
    id: Option<String>,
    /// Keep unconfirmed results in this directory, so that they survive the
    /// worker.
    #[arg(long, env = "SOKO_OUTBOX", value_name = "DIR")]
    outbox: Option<PathBuf>,
    /// Leave when there is nothing to do.
    #[arg(long, env = "SOKO_EXIT_WHEN_IDLE", value_parser = BoolishValueParser::new(),
          num_args = 0..=1, default_value_t = false, default_missing_value = "true",
          value_name = "BOOL")]
    exit_when_idle: bool,
    /// Longest pause between two attempts to reach the coordinator.
    #[arg(long, env = "SOKO_MAX_BACKOFF", value_name = "TIME", default_value = "30s",
          value_parser = time)]
    max_backoff: Duration,
    /// File for `soko-worker health`.
    #[arg(long, env = "SOKO_HEALTH_FILE", value_name = "FILE")]
    health_file: Option<PathBuf>,
}

impl WorkerArgs {
    /// The settings, with the files read.
    pub(super) fn resolve(self) -> Result<Config, WorkerError> {
        let defaults = Config::new(self.coordinator);
        Ok(Config {
            access: self.access.load()?,
            id: self.id.unwrap_or_else(default_id),
            threads: self.threads.map_or(defaults.threads, usize::from),
            memory: self.memory.map(|size| size.as_u64()),
            outbox: self.outbox,
            exit_when_idle: self.exit_when_idle,
            max_backoff: self.max_backoff,
            health_file: Some(self.health_file.unwrap_or_else(default_health_file)),
            ..defaults
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn arguments_become_settings() {
        let line =
            "soko-worker --coordinator h:1 --threads 3 --id w --max-backoff 2s --exit-when-idle";
        let config = Cli::parse_from(line.split(' ')).worker.resolve().unwrap();
        assert_eq!((config.coordinator.as_str(), config.threads), ("h:1", 3));
        assert_eq!((config.id.as_str(), config.exit_when_idle), ("w", true));
        assert_eq!(config.max_backoff, Duration::from_secs(2));
        assert!(Cli::try_parse_from(["soko-worker", "--threads", "0"]).is_err());
    }
}
