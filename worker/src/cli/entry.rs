//! From the arguments to the exit code.

use std::{
    ffi::OsString,
    io::{ErrorKind, Write},
    process::ExitCode,
};

use clap::FromArgMatches;
use soko::rpc::error_chain;
use tokio_util::sync::CancellationToken;

use super::args::{Cli, Command, ConfigCommand, HealthArgs, PROGRAM, command};
use crate::{
    Config, LogArgs, WorkerError, check_health, default_health_file, log_to_stderr,
    program::{
        ManArgs, completions,
        config::{ConfigArgs, ParseError, ShowArgs, parse, shown},
        man_page, man_pages,
    },
    run, stop_on_signals,
};

/// Runs the program with the arguments of the process.
pub fn start() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let parsed = parse(&PROGRAM, &args).and_then(|it| Ok(Cli::from_arg_matches(&it)?));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(ParseError::Arguments(error)) => error.exit(),
        Err(ParseError::File(error)) => return fail(&error.into()),
    };
    let end = match cli.command {
        Some(Command::Health(args)) => return health(&args),
        Some(Command::Config(ConfigCommand::Show(args))) => config(&args, &cli.config),
        Some(Command::Completions(args)) => print(&completions(command(), args.shell)),
        Some(Command::Man(args)) => man(&args),
        None => cli
            .worker
            .resolve()
            .and_then(|config| work(config, &cli.log)),
    };
    match end {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Prints to stdout. A reader that has seen enough is no error.
fn print(text: &str) -> Result<(), WorkerError> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(WorkerError::Internal(format!(
            "cannot write to stdout: {error}"
        ))),
        _ => Ok(()),
    }
}

fn health(args: &HealthArgs) -> ExitCode {
    let file = args.health_file.clone().unwrap_or_else(default_health_file);
    match check_health(&file, args.live) {
        // Nobody is told more if stdout is closed.
        Ok(()) => print("ok").map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        Err(error) => {
            to_stderr(&format!(
                "{error}\nhint: --health-file names the file of another worker"
            ));
            ExitCode::FAILURE
        }
    }
}

fn config(args: &ShowArgs, config: &ConfigArgs) -> Result<(), WorkerError> {
    match shown(&PROGRAM, args, config) {
        Ok(shown) => print(&shown.text()),
        Err(ParseError::File(error)) => Err(error.into()),
        Err(ParseError::Arguments(error)) => error.exit(),
    }
}

fn man(args: &ManArgs) -> Result<(), WorkerError> {
    let unwritten = |source| WorkerError::Manual {
        dir: args.dir.clone(),
        source,
    };
    match &args.dir {
        Some(dir) => man_pages(command(), dir).map_err(unwritten),
        None => print(&man_page(command()).map_err(unwritten)?),
    }
}

fn work(config: Config, log: &LogArgs) -> Result<(), WorkerError> {
    log_to_stderr("info", log);
    serve(config)
}

#[tokio::main]
async fn serve(config: Config) -> Result<(), WorkerError> {
    let shutdown = CancellationToken::new();
    stop_on_signals(&shutdown)
        .map_err(|error| WorkerError::Internal(format!("cannot listen to signals: {error}")))?;
    let summary = run(config, shutdown).await?;
    tracing::info!(stored = summary.stored, left = summary.left, "worker ended");
    Ok(())
}

fn fail(error: &WorkerError) -> ExitCode {
    to_stderr(&format!("{}\nhint: {}", error_chain(error), error.hint()));
    ExitCode::from(error.exit_code())
}

fn to_stderr(text: &str) {
    // If stderr is gone there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "error: {text}");
}
