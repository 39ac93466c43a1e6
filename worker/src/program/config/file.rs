//! The file of settings.

use std::{
    io::ErrorKind,
    ops::Range,
    path::{Path, PathBuf},
};

use clap::ArgMatches;
use directories::ProjectDirs;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    ConfigError, SECTIONS,
    parse::CONFIG,
    setting::{Setting, nearest},
};

/// A value in the file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Section, or empty for what all commands of both programs take.
    section: String,
    key: String,
    /// As it would be written after a flag.
    pub(super) value: String,
    /// File, line and column.
    pub(super) place: String,
}

/// The settings of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct ConfigFile {
    /// Where it is or would be; a user without a home directory has none.
    pub(super) path: Option<PathBuf>,
    /// Whether there is such a file.
    pub(super) found: bool,
    entries: Vec<Entry>,
}

impl ConfigFile {
    /// The file that the arguments name, or that of the user.
    pub(super) fn of(matches: &ArgMatches, known: &[Setting]) -> Result<Self, ConfigError> {
        let named = matches.try_get_one::<PathBuf>(CONFIG).ok().flatten();
        let own =
            || ProjectDirs::from("", "", "soko").map(|it| it.config_dir().join("config.toml"));
        let Some(path) = named.cloned().or_else(own) else {
            return Ok(Self::default());
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::read(&path, &text, known),
            Err(error) if named.is_none() && error.kind() == ErrorKind::NotFound => Ok(Self {
                path: Some(path),
                ..Self::default()
            }),
            Err(error) => Err(ConfigError {
                place: path.display().to_string(),
                message: format!("cannot read the settings: {error}"),
                hint: "--config and SOKO_CONFIG name a file of settings".to_owned(),
            }),
        }
    }

    /// Reads the text of a file; every key has to be a setting.
    pub(super) fn read(path: &Path, text: &str, known: &[Setting]) -> Result<Self, ConfigError> {
        let reader = Reader { path, text, known };
        let table = DeTable::parse(text).map_err(|error| {
            let message = error.message().replace('\n', ", ");
            reader.error(error.span(), message, "it is a TOML file".to_owned())
        })?;
        Ok(Self {
            path: Some(path.to_owned()),
            found: true,
            entries: reader.sections(table.get_ref())?,
        })
    }

    /// The value for a setting. One in its section comes before one at the top.
    pub(super) fn get(&self, setting: &Setting, section: Option<&str>) -> Option<&Entry> {
        let find = |section: &str| {
            let of_setting = |it: &&Entry| it.section == section && it.key == setting.key;
            self.entries.iter().find(of_setting)
        };
        let top = || setting.global.then(|| find("")).flatten();
        section.and_then(find).or_else(top)
    }
}

/// Reads one file.
#[derive(Debug)]
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    known: &'a [Setting],
}

impl Reader<'_> {
    fn sections(&self, table: &DeTable<'_>) -> Result<Vec<Entry>, ConfigError> {
        let mut entries = Vec::new();
        for (name, value) in table {
            let Some(section) = value.get_ref().as_table() else {
                entries.push(self.entry("", name, value)?);
                continue;
            };
            let name_text = name.get_ref().as_ref();
            if !SECTIONS.contains(&name_text) {
                let message = format!("there is no section [{name_text}]");
                let names = SECTIONS.iter().copied();
                return Err(self.unknown(name.span(), message, name_text, names, "sections"));
            }
            // The sections of the other program are its own business.
            if self.known.iter().any(|it| it.section == Some(name_text)) {
                for (key, value) in section {
                    entries.push(self.entry(name_text, key, value)?);
                }
            }
        }
        Ok(entries)
    }

    fn entry(
        &self,
        section: &str,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Entry, ConfigError> {
        let name = key.get_ref().as_ref();
        let fits = |it: &&Setting| it.global || it.section == Some(section);
        if !self.known.iter().filter(fits).any(|it| it.key == name) {
            let place = if section.is_empty() {
                "outside a section".to_owned()
            } else {
                format!("in [{section}]")
            };
            let message = format!("there is no setting `{name}` {place}");
            let names = self.known.iter().filter(fits).map(|it| it.key.as_str());
            return Err(self.unknown(key.span(), message, name, names, "settings here"));
        }
        let written = &self.text[value.span()];
        let value_text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(_) => written.to_owned(),
            DeValue::Integer(_) | DeValue::Float(_) => written.replace('_', ""),
            _ => {
                return Err(self.error(
                    Some(value.span()),
                    format!("`{name}` is not a text, a number, true or false"),
                    format!("write {name} = \"…\""),
                ));
            }
        };
        Ok(Entry {
            section: section.to_owned(),
            key: name.to_owned(),
            value: value_text,
            place: self.place(Some(value.span())),
        })
    }

    fn unknown<'n>(
        &self,
        span: Range<usize>,
        message: String,
        name: &str,
        names: impl Iterator<Item = &'n str>,
        what: &str,
    ) -> ConfigError {
        let names: Vec<&str> = names.collect();
        let hint = match nearest(name, &names) {
            Some(near) => format!("is it `{near}`?"),
            None => format!("{what}: {}", names.join(", ")),
        };
        self.error(Some(span), message, hint)
    }

    fn error(&self, span: Option<Range<usize>>, message: String, hint: String) -> ConfigError {
        ConfigError {
            place: self.place(span),
            message,
            hint,
        }
    }

    /// The file with line and column, both from 1.
    fn place(&self, span: Option<Range<usize>>) -> String {
        let file = self.path.display();
        let Some(before) = span.and_then(|span| self.text.get(..span.start)) else {
            return file.to_string();
        };
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("{file}:{line}:{column}")
    }
}
