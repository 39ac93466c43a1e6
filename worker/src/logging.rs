//! The log of both programs.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Logs to stderr, from `level` up unless `SOKO_LOG` says otherwise (in the
/// syntax of `RUST_LOG`). In colour on a terminal only, and not if `NO_COLOR`
/// is set.
pub fn log_to_stderr(level: &str) {
    let filter = EnvFilter::try_from_env("SOKO_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal() && !no_color)
        .with_writer(std::io::stderr)
        .init();
}
