//! Arguments, completed from the file.

use std::{ffi::OsString, path::PathBuf};

use clap::{
    ArgMatches, Args, Command,
    error::{ContextKind, ContextValue},
};

use super::{
    ConfigError, ParseError, Program,
    file::{ConfigFile, Entry},
    setting::{Origin, Setting, of_command, section, settings},
};

/// Id of the argument that names the file.
pub(super) const CONFIG: &str = "config_file";

/// Where settings are read from.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigArgs {
    /// File of settings, TOML; `config show` tells which is read. What a flag or
    /// a variable sets is not taken from it [default: config.toml in the user's
    /// directory of settings, if there is one].
    #[arg(
        id = CONFIG,
        long = "config",
        env = "SOKO_CONFIG",
        value_name = "FILE",
        global = true,
        help_heading = "Everywhere"
    )]
    pub file: Option<PathBuf>,
}

/// A command line as far as it can be read without the file.
#[derive(Debug)]
pub(super) struct Draft {
    /// The command, as the words after the program's name.
    pub(super) path: Vec<String>,
    pub(super) matches: ArgMatches,
    pub(super) settings: Vec<Setting>,
    /// Whether all that follows the command is not for this program to read.
    closed: bool,
}

impl Draft {
    /// Reads what can be read; none if help is asked for.
    pub(super) fn new(program: &Program, args: &[OsString]) -> Option<Self> {
        let mut command = (program.command)().ignore_errors(true);
        let mut matches = command.try_get_matches_from_mut(args).ok()?;
        command.build();
        let mut leaf: &Command = &command;
        let mut path = Vec::new();
        while let Some((name, below)) = matches.remove_subcommand() {
            leaf = leaf.find_subcommand(&name)?;
            path.push(name);
            matches = below;
        }
        Some(Self {
            settings: of_command(program, leaf, &path),
            closed: leaf.get_arguments().any(clap::Arg::is_trailing_var_arg_set),
            path,
            matches,
        })
    }
}

/// Reads the arguments of a program, and what they do not say from the
/// environment and from the file of settings.
///
/// # Errors
/// [`ParseError`]; asking for help is one.
pub fn parse(program: &Program, args: &[OsString]) -> Result<ArgMatches, ParseError> {
    let Some(draft) = Draft::new(program, args) else {
        return Ok((program.command)().try_get_matches_from(args)?);
    };
    let file = ConfigFile::of(&draft.matches, &settings(program))?;
    let section = section(program, &draft.path);
    let mut taken = Vec::new();
    for setting in draft.settings.iter().filter(|_| !draft.closed) {
        if let Origin::File(entry) = setting.origin(Some(&draft.matches), &file, section) {
            taken.push((setting, entry));
        }
    }
    let args = with_flags(args, &taken);
    let parsed = (program.command)().try_get_matches_from(args);
    parsed.map_err(|error| blame(error, &taken))
}

/// The arguments, with the values of the file as flags.
fn with_flags(args: &[OsString], taken: &[(&Setting, &Entry)]) -> Vec<OsString> {
    let end = args.iter().position(|it| it == "--").unwrap_or(args.len());
    let (before, after) = args.split_at(end);
    let flags = taken
        .iter()
        .map(|(setting, entry)| OsString::from(format!("--{}={}", setting.key, entry.value)));
    before
        .iter()
        .cloned()
        .chain(flags)
        .chain(after.iter().cloned())
        .collect()
}

/// Names the place in the file if the error is about a value from there.
fn blame(error: clap::Error, taken: &[(&Setting, &Entry)]) -> ParseError {
    let Some(ContextValue::String(about)) = error.get(ContextKind::InvalidArg) else {
        return error.into();
    };
    let of_file = taken
        .iter()
        .find(|(it, _)| it.argument.to_string() == *about);
    let Some((setting, entry)) = of_file else {
        return error.into();
    };
    let text = error.render().to_string();
    let lines = text.lines().take_while(|line| !line.is_empty());
    let message = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    ParseError::File(ConfigError {
        place: entry.place.clone(),
        message: message.trim_start_matches("error: ").to_owned(),
        hint: format!(
            "change it there, or set --{} or {}",
            setting.key, setting.variable
        ),
    })
}
