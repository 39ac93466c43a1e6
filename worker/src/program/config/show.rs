//! All values and where they come from.

use std::ffi::{OsStr, OsString};

use clap::{ArgMatches, Args};

use super::{
    ParseError, Program,
    file::ConfigFile,
    parse::{ConfigArgs, Draft, parse},
    setting::{Origin, Setting, section, settings},
};
use crate::program::table;

/// What to show.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A command with its arguments: shows the values that it would use. Without
    /// one, those of all commands without any flags. What follows the name of
    /// the command belongs to it.
    #[arg(
        value_name = "COMMAND",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub command: Vec<OsString>,
}

/// All values and where they come from.
#[derive(Debug)]
pub struct Shown {
    /// The file of settings, if the user has a place for one.
    pub file: Option<String>,
    /// Whether it exists.
    pub found: bool,
    /// The settings.
    pub settings: Vec<ShownSetting>,
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownSetting {
    /// Section of the file; empty for what all commands take.
    pub section: &'static str,
    /// Name in the file.
    pub key: String,
    /// The value; none if it is not set and the program decides.
    pub value: Option<String>,
    /// `flag`, `environment`, `file` or `default`.
    pub from: &'static str,
    /// The flag, variable, or place in the file.
    pub place: Option<String>,
}

/// The settings of a program, or of one of its commands.
///
/// # Errors
/// [`ParseError`] if that command could not be run.
pub fn shown(program: &Program, args: &ShowArgs, config: &ConfigArgs) -> Result<Shown, ParseError> {
    let mut line = vec![OsString::from((program.command)().get_name())];
    if let Some(file) = &config.file {
        line.push("--config".into());
        line.push(file.into());
    }
    line.extend(args.command.iter().cloned());
    let all = settings(program);
    if args.command.is_empty() {
        let draft = Draft::new(program, &line);
        let file = match &draft {
            Some(draft) => ConfigFile::of(&draft.matches, &all)?,
            None => ConfigFile::default(),
        };
        let rows = all.iter().map(|it| row(it, it.section, None, &file));
        return Ok(answer(&file, rows.collect()));
    }
    parse(program, &line)?;
    let Some(draft) = Draft::new(program, &line) else {
        return Ok(answer(&ConfigFile::default(), Vec::new()));
    };
    let file = ConfigFile::of(&draft.matches, &all)?;
    let section = section(program, &draft.path);
    let rows = draft.settings.iter();
    let rows = rows.map(|it| row(it, section, Some(&draft.matches), &file));
    Ok(answer(&file, rows.collect()))
}

fn answer(file: &ConfigFile, settings: Vec<ShownSetting>) -> Shown {
    Shown {
        file: file.path.as_ref().map(|path| path.display().to_string()),
        found: file.found,
        settings,
    }
}

fn row(
    setting: &Setting,
    section: Option<&str>,
    flags: Option<&ArgMatches>,
    file: &ConfigFile,
) -> ShownSetting {
    let text = |value: &OsStr| value.to_string_lossy().into_owned();
    let texts = |values: &[OsString]| {
        let values: Vec<String> = values.iter().map(|it| text(it)).collect();
        values.join(" ")
    };
    let (value, from, place) = match setting.origin(flags, file, section) {
        Origin::Flag(values) => (
            Some(texts(&values)),
            "flag",
            Some(format!("--{}", setting.key)),
        ),
        Origin::Environment(value) => (
            Some(text(&value)),
            "environment",
            Some(setting.variable.clone()),
        ),
        Origin::File(entry) => (Some(entry.value.clone()), "file", Some(entry.place.clone())),
        Origin::Default => {
            let default = setting.argument.get_default_values().first();
            (default.map(|it| text(it)), "default", None)
        }
    };
    ShownSetting {
        section: setting.section.unwrap_or_default(),
        key: setting.key.clone(),
        value,
        from,
        place,
    }
}

impl Shown {
    /// For people.
    pub fn text(&self) -> String {
        let file = match (&self.file, self.found) {
            (Some(file), true) => format!("settings are read from {file}"),
            (Some(file), false) => {
                format!("settings would be read from {file}; there is no such file")
            }
            (None, _) => "this user has no file of settings".to_owned(),
        };
        let rows = self.settings.iter().map(|it| {
            let place = it
                .place
                .as_ref()
                .map_or_else(String::new, |it| format!(" {it}"));
            vec![
                it.section.to_owned(),
                it.key.clone(),
                it.value.clone().unwrap_or_else(|| "-".to_owned()),
                format!("{}{place}", it.from),
            ]
        });
        let table = table(&["section", "setting", "value", "from"], rows);
        format!("{file}\n\n{table}")
    }
}
