//! The arguments of the program.

use clap::{Parser, Subcommand};

use super::{
    health::HealthArgs, jobs::JobsCommand, level, output::Format, records::RecordsCommand,
    run::RunArgs, serve::ServeArgs, submit::SubmitArgs, workers::WorkersCommand,
};

/// Finds the hardest one-box Sokoban levels on a cluster of workers.
///
/// `run` does everything in one process. `serve` starts a coordinator for
/// workers on other machines (`soko-worker`); `submit`, `jobs`, `records` and
/// `workers` talk to it.
///
/// Exit codes: 0 done; 1 the answer is no; 2 usage or bad input; 3 coordinator
/// unreachable or not authorised; 4 job ended incomplete or cancelled.
#[derive(Debug, Parser)]
#[command(name = "soko-coord", version, arg_required_else_help = true)]
pub(super) struct Cli {
    /// How to print: text for people, json for programs, quiet for the one
    /// value that matters.
    #[arg(
        short,
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT"
    )]
    pub(super) output: Format,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compute a job in this process: coordinator, worker and client in one.
    ///
    /// It always computes; the result of an earlier run is shown by `jobs
    /// result` of a coordinator that serves the same data. Only an interrupted
    /// job with the same search is taken up where it was. Ctrl-C interrupts it.
    Run(RunArgs),
    /// Start a coordinator for workers and clients.
    Serve(ServeArgs),
    /// File a job with a running coordinator.
    Submit(SubmitArgs),
    /// List, follow and end jobs.
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// The best known level of each board size.
    #[command(subcommand)]
    Records(RecordsCommand),
    /// The workers of the cluster.
    #[command(subcommand)]
    Workers(WorkersCommand),
    /// Exit with 0 if the coordinator is well.
    Health(HealthArgs),
    #[command(subcommand)]
    Level(level::Command),
    /// Build the level family that proves the lower bound n^4/56 - O(n^3).
    Construct(level::construct::Args),
    /// Proven lower and upper bounds on M(n).
    Bounds(level::bounds::Args),
    /// Draw n^4/M(n) over n.
    Plot(level::plot::Args),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }
}
