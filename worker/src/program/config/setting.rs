//! Which settings there are.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, parser::ValueSource};

use super::{
    file::{ConfigFile, Entry},
    parse::CONFIG,
};

/// The sections of the file: those of `soko-coord` and that of `soko-worker`.
pub const SECTIONS: [&str; 4] = ["serve", "run", "client", "worker"];

/// How alike two names have to be for one to be taken for the other.
const ALIKE: f64 = 0.7;

/// A program that takes settings.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its commands and arguments.
    pub command: fn() -> Command,
    /// The section that a command reads, if it has settings of its own; the
    /// command is given as the words after the program's name.
    pub section: fn(&[&str]) -> Option<&'static str>,
}

/// A setting of a program.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Its section, unless all commands take it.
    pub section: Option<&'static str>,
    /// Whether all commands take it: it then stands at the top of the file or in
    /// a section.
    pub global: bool,
    /// Name in the file, and of the flag.
    pub key: String,
    /// Name of the variable.
    pub variable: String,
    /// The argument of the command line.
    pub argument: Arg,
}

impl Setting {
    fn new(argument: &Arg, section: Option<&'static str>) -> Option<Self> {
        let (key, variable) = (argument.get_long()?, argument.get_env()?);
        let global = argument.is_global_set();
        (argument.get_id() != CONFIG).then(|| Self {
            section: section.filter(|_| !global),
            global,
            key: key.to_owned(),
            variable: variable.to_string_lossy().into_owned(),
            argument: argument.clone(),
        })
    }

    /// The first place that has a value for it: flag, environment, file,
    /// default. `section` is that of the command.
    pub(super) fn origin<'a>(
        &self,
        flags: Option<&ArgMatches>,
        file: &'a ConfigFile,
        section: Option<&str>,
    ) -> Origin<'a> {
        let id = self.argument.get_id().as_str();
        let given = flags.filter(|it| it.value_source(id) == Some(ValueSource::CommandLine));
        if let Some(flags) = given {
            let values = flags.get_raw(id).into_iter().flatten();
            return Origin::Flag(values.map(OsString::from).collect());
        }
        if let Some(value) = std::env::var_os(&self.variable) {
            return Origin::Environment(value);
        }
        match file.get(self, section) {
            Some(entry) => Origin::File(entry),
            None => Origin::Default,
        }
    }
}

/// Where a value comes from, and the value.
#[derive(Debug)]
pub(super) enum Origin<'a> {
    Flag(Vec<OsString>),
    Environment(OsString),
    File(&'a Entry),
    Default,
}

/// All settings of a program, each once.
pub fn settings(program: &Program) -> Vec<Setting> {
    let mut command = (program.command)();
    command.build();
    let mut found = Vec::new();
    collect(program, &command, &mut Vec::new(), &mut found);
    found
}

fn collect(program: &Program, command: &Command, path: &mut Vec<String>, found: &mut Vec<Setting>) {
    for setting in of_command(program, command, path) {
        let same = |it: &Setting| it.key == setting.key && it.section == setting.section;
        if !found.iter().any(same) {
            found.push(setting);
        }
    }
    for below in command.get_subcommands() {
        path.push(below.get_name().to_owned());
        collect(program, below, path, found);
        path.pop();
    }
}

/// The settings of one command.
pub(super) fn of_command(program: &Program, command: &Command, path: &[String]) -> Vec<Setting> {
    let section = section(program, path);
    let arguments = command.get_arguments();
    arguments
        .filter_map(|argument| Setting::new(argument, section))
        .collect()
}

/// The section that a command reads.
pub(super) fn section(program: &Program, path: &[String]) -> Option<&'static str> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    (program.section)(&words)
}

/// The name that a wrong one may stand for.
pub(super) fn nearest<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let alike = names.iter().map(|it| (strsim::jaro(name, it), *it));
    let best = alike.max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(alike, _)| *alike > ALIKE).map(|(_, it)| it)
}
