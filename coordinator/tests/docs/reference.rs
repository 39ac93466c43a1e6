//! `docs/reference/cli.md`.

use std::fmt::Write;

use clap::{Arg, ArgAction, Command};

use crate::{
    page::{check, notice},
    tree::{all_commands, programs},
};

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn values(argument: &Arg) -> String {
    let values = argument.get_possible_values();
    let shown = values.iter().filter(|it| !it.is_hide_set()).map(|value| {
        let help = value.get_help().map(|it| format!(": {it}"));
        format!("`{}`{}", value.get_name(), help.unwrap_or_default())
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// A row of the table of arguments.
fn row(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut about = help.map(ToString::to_string).unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let values = if takes {
        values(argument)
    } else {
        String::new()
    };
    if !values.is_empty() {
        let _ = write!(about, " ({values})");
    }
    let default = argument.get_default_values().first();
    if let Some(default) = default.filter(|_| takes && !argument.is_hide_default_value_set()) {
        let _ = write!(about, " [default: `{}`]", default.to_string_lossy());
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(about, " [`{}`]", variable.to_string_lossy());
    }
    let name = argument
        .get_short()
        .map_or_else(String::new, |short| format!("-{short}, "));
    format!(
        "| `{}` | {} |\n",
        cell(&format!("{name}{argument}")),
        cell(&about)
    )
}

fn table(arguments: &[&Arg]) -> String {
    let rows: String = arguments.iter().map(|argument| row(argument)).collect();
    format!("| argument | meaning |\n|---|---|\n{rows}\n")
}

/// What a command takes besides what all take.
fn own_arguments(command: &Command) -> Vec<&Arg> {
    let own = command.get_arguments().filter(|argument| {
        let standard = matches!(
            argument.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        );
        !argument.is_global_set() && !argument.is_hide_set() && !standard
    });
    own.collect()
}

fn section(path: &str, command: &Command) -> String {
    let depth = path.split(' ').count() + 1;
    let mut text = format!("{} {path}\n\n", "#".repeat(depth));
    let about = command.get_long_about().or_else(|| command.get_about());
    if let Some(about) = about {
        let _ = writeln!(text, "{about}\n");
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage
        .trim_start_matches("Usage: ")
        .replace("\n       ", "\n");
    let _ = writeln!(text, "```text\n{usage}\n```\n");
    let arguments = own_arguments(command);
    if !arguments.is_empty() {
        text += &table(&arguments);
    }
    if let Some(after) = command.get_after_help().map(ToString::to_string) {
        let (examples, more) = after.split_once("\n\n").unwrap_or((&after, ""));
        let lines = examples
            .lines()
            .skip(1)
            .map(|line| line.get(2..).unwrap_or_default());
        let _ = writeln!(
            text,
            "```sh\n{}\n```\n",
            lines.collect::<Vec<_>>().join("\n")
        );
        if !more.is_empty() {
            let _ = writeln!(text, "{more}\n");
        }
    }
    text
}

fn page() -> String {
    let mut text = format!(
        "# The command line\n\n{}\n\nSettings may also come from variables (the names in \
         capitals) and from a file: [settings.md](settings.md).\n\n## All commands\n\n\
         Every command of a program takes these:\n\n",
        notice()
    );
    for mut program in programs() {
        program.build();
        let global: Vec<&Arg> = program
            .get_arguments()
            .filter(|it| it.is_global_set())
            .collect();
        let _ = writeln!(
            text,
            "`{}`:\n\n{}",
            program.get_name(),
            table(&global).trim_end()
        );
        text.push('\n');
    }
    for (path, command) in all_commands() {
        text += &section(&path, &command);
    }
    format!("{}\n", text.trim_end())
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    check("cli.md", &page());
}
