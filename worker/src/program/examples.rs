//! Examples at the end of every help text.

use clap::Command;

/// A command, as the words after the program's name, and command lines for it.
/// What follows a `#` is for people.
pub type Example = (&'static str, &'static [&'static str]);

/// Adds the examples to the help texts of a program and its commands. Help does
/// not show the values that variables have, so that it is the same everywhere.
#[must_use]
pub fn with_examples(command: Command, examples: &[Example]) -> Command {
    add(command, "", examples)
}

fn add(mut command: Command, path: &str, examples: &[Example]) -> Command {
    command = command.mut_args(|argument| argument.hide_env_values(true));
    if let Some((_, lines)) = examples.iter().find(|(of, _)| *of == path) {
        let mut help = format!("Examples:\n  {}", lines.join("\n  "));
        if let Some(more) = command.get_after_help() {
            help = format!("{help}\n\n{more}");
        }
        command = command.after_help(help);
    }
    command.mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        add(below, path.trim_start(), examples)
    })
}
