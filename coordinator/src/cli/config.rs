//! `soko-coord config`: the settings, and where they come from.

use clap::Subcommand;
use serde_json::json;
use soko_worker::program::config::{ConfigArgs, ConfigError, ShowArgs, shown};

use super::{CliError, PROGRAM, entry::explained, level::Report, output::Output};

/// What to do with settings.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print every setting with its value and where it comes from: flag,
    /// environment, file or default.
    Show(ShowArgs),
}

pub(super) fn run(
    command: &ConfigCommand,
    config: &ConfigArgs,
    output: Output,
) -> Result<u8, CliError> {
    let ConfigCommand::Show(args) = command;
    let shown = shown(&PROGRAM, args, config).map_err(|error| explained(&error))?;
    let settings = shown.settings.iter().map(|it| {
        json!({"section": it.section, "setting": it.key, "value": it.value,
               "from": it.from, "place": it.place})
    });
    let report = Report {
        json: json!({"file": shown.file, "found": shown.found,
                     "settings": settings.collect::<Vec<_>>()}),
        text: shown.text(),
        quiet: shown.file.clone().unwrap_or_default(),
        exit_code: 0,
    };
    output.show(&report)?;
    Ok(0)
}

impl From<&ConfigError> for CliError {
    fn from(error: &ConfigError) -> Self {
        Self::bad_input(error.to_string(), error.hint.clone())
    }
}
