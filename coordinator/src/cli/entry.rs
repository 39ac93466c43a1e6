//! From the arguments to the exit code.

use std::{ffi::OsString, process::ExitCode};

use clap::{FromArgMatches, error::ErrorKind};
use soko_worker::{
    log_to_stderr,
    program::config::{ConfigArgs, ParseError, parse},
};

use super::{
    CliError,
    args::{Cli, Command, PROGRAM},
    config, estimate, health, invalidate, jobs, level, manual,
    output::{Format, Output},
    records, recover, run, serve, submit, tls, workers,
};

/// Runs the program with the arguments of the process.
pub fn start() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    match read(&args) {
        Ok(cli) => {
            let output = Output::new(cli.output);
            log_to_stderr(log_level(&cli.command), &cli.log);
            match dispatch(cli.command, &cli.config, output) {
                Ok(code) => ExitCode::from(code),
                Err(error) => fail(&error, output),
            }
        }
        Err(ParseError::Arguments(error)) if !wants_json(&args) || is_asked_for(&error) => {
            // clap prints help to stdout and errors to stderr, in colour where
            // there is a terminal. Nobody is left to tell if that fails.
            let _ = error.print();
            ExitCode::from(if is_asked_for(&error) { 0 } else { 2 })
        }
        Err(error) => {
            let json = wants_json(&args);
            let format = if json { Format::Json } else { Format::Text };
            fail(&explained(&error), Output::new(format))
        }
    }
}

fn read(args: &[OsString]) -> Result<Cli, ParseError> {
    let matches = parse(&PROGRAM, args)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

fn dispatch(command: Command, config_args: &ConfigArgs, output: Output) -> Result<u8, CliError> {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| CliError::internal(format!("cannot start the runtime: {error}")))?;
    runtime.block_on(async {
        match command {
            Command::Run(args) => run::run(args, output).await,
            Command::Estimate(args) => estimate::run(args, output).await,
            Command::Serve(args) => serve::run(args, output).await,
            Command::Submit(args) => submit::run(args, output).await,
            Command::Jobs(command) => jobs::run(command, output).await,
            Command::Records(command) => records::run(command, output).await,
            Command::Workers(command) => workers::run(command, output).await,
            Command::Tls(command) => tls::run(command, output),
            Command::Invalidate(args) => invalidate::run(args, output).await,
            Command::Recover(args) => recover::run(&args, output),
            Command::Health(args) => health::run(args, output).await,
            Command::Level(command) => print(&level::run(&command)?, output),
            Command::Construct(args) => print(&level::construct::run(&args)?, output),
            Command::Bounds(args) => {
                let points = args.records.points().await?;
                print(&level::bounds::run(&args, &points), output)
            }
            Command::Config(command) => config::run(&command, config_args, output),
            Command::Completions(args) => manual::completions(&args, output),
            Command::Man(args) => manual::man(&args, output),
            Command::Plot(args) => {
                let points = args.records.points().await?;
                print(&level::plot::run(&args, &points)?, output)
            }
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

/// Whether this is help or version and no error.
fn is_asked_for(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    )
}

/// Arguments or settings that make no sense, as an error like others.
pub(super) fn explained(error: &ParseError) -> CliError {
    match error {
        ParseError::File(error) => error.into(),
        ParseError::Arguments(error) => {
            let text = error.render().to_string();
            let message = text.lines().take_while(|line| !line.is_empty());
            let message = message.collect::<Vec<_>>().join("\n");
            CliError::usage(
                message.strip_prefix("error: ").unwrap_or(&message),
                "`soko-coord --help` and `soko-coord COMMAND --help`",
            )
        }
    }
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
