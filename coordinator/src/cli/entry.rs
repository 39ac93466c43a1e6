//! From the arguments to the exit code.

use std::{ffi::OsString, process::ExitCode};

use clap::{Parser, error::ErrorKind};
use soko::records::best_squares;
use soko_worker::log_to_stderr;

use super::{
    CliError,
    args::{Cli, Command},
    health, jobs, level,
    output::{Format, Output},
    records, run, serve, submit, workers,
};

/// Runs the program with the arguments of the process.
pub fn start() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    match Cli::try_parse_from(&args) {
        Ok(cli) => {
            let output = Output::new(cli.output);
            log_to_stderr(log_level(&cli.command));
            match dispatch(cli.command, output) {
                Ok(code) => ExitCode::from(code),
                Err(error) => fail(&error, output),
            }
        }
        Err(error) => usage(&error, &args),
    }
}

fn dispatch(command: Command, output: Output) -> Result<u8, CliError> {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| CliError::internal(format!("cannot start the runtime: {error}")))?;
    runtime.block_on(async {
        match command {
            Command::Run(args) => run::run(args, output).await,
            Command::Serve(args) => serve::run(args, output).await,
            Command::Submit(args) => submit::run(args, output).await,
            Command::Jobs(command) => jobs::run(command, output).await,
            Command::Records(command) => records::run(command, output).await,
            Command::Workers(command) => workers::run(command, output).await,
            Command::Health(args) => health::run(args, output).await,
            Command::Level(command) => print(&level::run(&command)?, output),
            Command::Construct(args) => print(&level::construct::run(&args)?, output),
            Command::Bounds(args) => print(&level::bounds::run(&args, &best_squares()), output),
            Command::Plot(args) => print(&level::plot::run(&args, &best_squares())?, output),
        }
    })
}

fn print(report: &level::Report, output: Output) -> Result<u8, CliError> {
    output.show(report)?;
    Ok(report.exit_code)
}

/// A coordinator tells what it does; the other commands only what goes wrong.
const fn log_level(command: &Command) -> &'static str {
    match command {
        Command::Serve(_) => "info",
        _ => "warn",
    }
}

fn fail(error: &CliError, output: Output) -> ExitCode {
    output.error(error);
    ExitCode::from(error.exit)
}

/// Help and version, and arguments that make no sense.
fn usage(error: &clap::Error, args: &[OsString]) -> ExitCode {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    if asked || !wants_json(args) {
        // clap prints help to stdout and errors to stderr, in colour where
        // there is a terminal. Nobody is left to tell if that fails.
        let _ = error.print();
        return ExitCode::from(if asked { 0 } else { 2 });
    }
    let text = error.render().to_string();
    let message = text.lines().take_while(|line| !line.is_empty());
    let message = message.collect::<Vec<_>>().join("\n");
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let error = CliError::usage(
        message,
        "`soko-coord --help` and `soko-coord COMMAND --help`",
    );
    fail(&error, Output::new(Format::Json))
}

/// Whether json was asked for, in arguments that could not be parsed.
fn wants_json(args: &[OsString]) -> bool {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let joined = |arg: &str| matches!(arg, "-ojson" | "-o=json" | "--output=json");
    let split =
        |pair: &[_]| matches!(pair, [a, b] if (a == "-o" || a == "--output") && b == "json");
    args.iter().any(|arg| joined(arg)) || args.windows(2).any(split)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_recognised_in_broken_arguments() {
        let args = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert!(wants_json(&args("soko-coord run --n x -o json")));
        assert!(wants_json(&args("soko-coord --output=json")));
        assert!(!wants_json(&args("soko-coord run -o text --name json")));
    }
}
