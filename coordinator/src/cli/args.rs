//! The arguments of the program.

use clap::{CommandFactory, Parser, Subcommand};
use soko_worker::{
    LogArgs,
    program::{
        CompletionsArgs, ManArgs, VERSION,
        config::{ConfigArgs, Program},
        long_version, with_examples, with_negative_values,
    },
};

use super::{
    config::ConfigCommand, estimate::EstimateArgs, examples::EXAMPLES, health::HealthArgs,
    invalidate::InvalidateArgs, jobs::JobsCommand, level, output::Format, records::RecordsCommand,
    recover::RecoverArgs, run::RunArgs, serve::ServeArgs, submit::SubmitArgs, tls::TlsCommand,
    workers::WorkersCommand,
};

/// Where the program takes its settings from.
pub const PROGRAM: Program = Program { command, section };

/// The section of the file of settings that a command reads.
fn section(path: &[&str]) -> Option<&'static str> {
    match path.first()? {
        &"serve" | &"recover" => Some("serve"),
        &"run" | &"estimate" => Some("run"),
        &"completions" | &"config" | &"man" => None,
        _ => Some("client"),
    }
}

/// The program with its commands, arguments and help texts.
pub fn command() -> clap::Command {
    with_negative_values(with_examples(Cli::command(), EXAMPLES))
}

/// Finds the hardest one-box Sokoban levels on a cluster of workers.
///
/// `run` does everything in one process. `serve` starts a coordinator for
/// workers on other machines (`soko-worker`); `submit`, `jobs`, `records` and
/// `workers` talk to it.
///
/// Exit codes: 0 done; 1 the answer is no; 2 usage or bad input; 3 coordinator
/// unreachable or not authorised; 4 job ended incomplete or cancelled, or a
/// solver reached its limits without an answer.
#[derive(Debug, Parser)]
#[command(
    name = "soko-coord",
    version = VERSION,
    long_version = long_version(),
    arg_required_else_help = true
)]
pub(super) struct Cli {
    /// How to print: text for people, json for programs, quiet for the one
    /// value that matters.
    #[arg(
        short,
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Everywhere"
    )]
    pub(super) output: Format,
    #[command(flatten)]
    pub(super) log: LogArgs,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
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
    /// Estimate the cost of an exact search from a random sample, before it is
    /// started.
    Estimate(EstimateArgs),
    /// Start a coordinator for workers and clients.
    Serve(ServeArgs),
    /// File a job with a running coordinator.
    Submit(SubmitArgs),
    /// List, follow and steer jobs.
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// The best known level of each board size.
    #[command(subcommand)]
    Records(RecordsCommand),
    /// The workers of the cluster.
    #[command(subcommand)]
    Workers(WorkersCommand),
    /// Certificates and tokens for a cluster of one's own.
    #[command(subcommand)]
    Tls(TlsCommand),
    /// Take back results of an engine version or of a worker.
    Invalidate(InvalidateArgs),
    /// Rebuild a damaged data directory from an export.
    Recover(RecoverArgs),
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
    /// Tell the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a script that makes a shell complete the arguments.
    Completions(CompletionsArgs),
    /// Print the man page, or write one for each command.
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        command().debug_assert();
    }

    /// clap's own text for a negative number is that it is not expected.
    #[test]
    fn a_negative_number_is_an_error_of_the_option_before_it() {
        fn check(command: &clap::Command, path: &[&str]) {
            let whole = super::command();
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else {
                    continue;
                };
                if !argument.get_action().takes_values() {
                    continue;
                }
                let flag = format!("--{name}");
                let line = [path, &[&flag, "-1"]].concat();
                let error = whole.clone().try_get_matches_from(&line).err();
                let Some(error) = error else { continue };
                let text = error.to_string();
                assert_ne!(error.kind(), ErrorKind::UnknownArgument, "{line:?}: {text}");
                assert!(!text.contains("invalid digit"), "{line:?}: {text}");
            }
            for below in command.get_subcommands() {
                check(below, &[path, &[below.get_name()]].concat());
            }
        }
        check(&command(), &["soko-coord"]);
        for (line, said) in [
            (
                "run --n -3",
                "invalid value '-3' for '--n <N>': not a whole number from 0",
            ),
            (
                "level solve FILE --seed -1",
                "invalid value '-1' for '--seed <SEED>': not a whole number from 0",
            ),
            (
                "bounds --n -3",
                "invalid value '-3' for '--n <N>': -3 is not in 1..=1000000000",
            ),
        ] {
            let words = std::iter::once("soko-coord").chain(line.split(' '));
            let error = command().try_get_matches_from(words).unwrap_err();
            assert!(error.to_string().contains(said), "{line}: {error}");
        }
    }

    /// A global argument and one of a command with the same name: clap lets
    /// the one hide the other and ends in a panic when it is read.
    #[test]
    fn no_argument_has_the_name_of_a_global_one() {
        fn check(command: &clap::Command, globals: &[String]) {
            let mut below = globals.to_vec();
            for argument in command.get_arguments() {
                let id = argument.get_id().to_string();
                assert!(!globals.contains(&id), "{}: {id}", command.get_name());
                if argument.is_global_set() {
                    below.push(id);
                }
            }
            for command in command.get_subcommands() {
                check(command, &below);
            }
        }
        check(&command(), &[]);
    }
}
