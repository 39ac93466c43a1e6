//! The log of both programs.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

/// How to log.
#[derive(Debug, Clone, Default, Args)]
pub struct LogArgs {
    /// What to log: a level (error, warn, info, debug, trace), or parts of the
    /// program with levels, in the syntax of `RUST_LOG`, which is read if this
    /// is not given.
    #[arg(id = "log_filter", long = "log", env = "SOKO_LOG", value_name = "LEVEL", global = true,
          value_parser = filter_text, help_heading = "Everywhere")]
    filter: Option<String>,
    /// How to write it: text for people, json (an object a line) for programs.
    #[arg(
        id = "log_format",
        long = "log-format",
        env = "SOKO_LOG_FORMAT",
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        global = true,
        help_heading = "Everywhere"
    )]
    format: LogFormat,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// An object a line, for programs.
    Json,
}

fn filter_text(text: &str) -> Result<String, String> {
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("{error}; try `info` or `soko_coord=debug`")),
    }
}

/// Logs to stderr, from `level` up unless the arguments or `RUST_LOG` say
/// otherwise. In colour on a terminal only, and not if `NO_COLOR` is set.
pub fn log_to_stderr(level: &str, args: &LogArgs) {
    let filter = match &args.filter {
        Some(filter) => EnvFilter::new(filter),
        None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level)),
    };
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal() && !no_color)
        .with_writer(std::io::stderr)
        // A log that cannot be written, on a full disk for instance, is no reason
        // to panic.
        .log_internal_errors(false);
    match args.format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
