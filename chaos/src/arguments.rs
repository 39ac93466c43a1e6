//! What can be asked for.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::rogue::RogueArgs;

/// Chaos suite of the soko cluster.
///
/// Build the programs first, with the same profile: `cargo build --workspace`.
#[derive(Debug, Parser)]
#[command(name = "soko-chaos", arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a cluster through faults and compare its answers.
    Run(RunArgs),
    /// Measure the coordinator with workers that compute nothing.
    Load(LoadArgs),
    /// A worker that does not behave; started by `run`.
    #[command(hide = true)]
    Rogue(RogueArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Seed of the dice [default: a fresh one, which is printed].
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Kills of the coordinator.
    #[arg(long, default_value_t = 8)]
    pub(crate) coordinator_kills: u32,
    /// Kills of workers.
    #[arg(long, default_value_t = 16)]
    pub(crate) worker_kills: u32,
    /// Other faults: stops, cuts, silence, delays, full disks, rogues.
    #[arg(long, default_value_t = 24)]
    pub(crate) others: u32,
    /// Honest workers.
    #[arg(long, default_value_t = 3)]
    pub(crate) workers: usize,
    /// Side of the board of the larger jobs, 4 to 6.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(4..=6))]
    pub(crate) n: u32,
    /// Keep data and logs in this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct LoadArgs {
    /// Workers, all in this process, of one thread each.
    #[arg(long, default_value_t = 100)]
    pub(crate) workers: usize,
    /// How long a shard takes.
    #[arg(long, default_value_t = 0.0)]
    pub(crate) shard_seconds: f64,
    /// Jobs of 41,000 shards each that are filed beforehand.
    #[arg(long, default_value_t = 4)]
    pub(crate) jobs: u32,
    /// How long is measured.
    #[arg(long, default_value_t = 20)]
    pub(crate) seconds: u64,
    /// Then kill the coordinator, and start it again so many seconds later;
    /// 0 = do not.
    #[arg(long, default_value_t = 0)]
    pub(crate) outage: u64,
}
