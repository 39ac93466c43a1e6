//! Printing: three forms of every document.

use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use serde::Serialize;

use super::CliError;
use crate::records::is_shown;

/// How to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// One stable document for programs.
    Json,
    /// The one value that matters.
    Quiet,
}

/// A document that can be printed. Its json form is its serialisation.
pub(super) trait Show: Serialize {
    /// For people; several lines, without the last line feed.
    fn text(&self) -> String;
    /// The one value that matters.
    fn quiet(&self) -> String;
}

/// Where a command prints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    format: Format,
}

impl Output {
    pub(super) const fn new(format: Format) -> Self {
        Self { format }
    }

    /// Prints a document to stdout.
    pub(super) fn show(self, document: &impl Show) -> Result<(), CliError> {
        let text = match self.format {
            Format::Text => harmless(&document.text()),
            Format::Quiet => harmless(&document.quiet()),
            Format::Json => serde_json::to_string(document)
                .map_err(|error| CliError::internal(format!("cannot write json: {error}")))?,
        };
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            // The reader has seen enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(CliError {
                code: "io",
                message: format!("cannot write to stdout: {error}"),
                hint: "see where the output goes".to_owned(),
                exit: 2,
            }),
            Ok(()) => Ok(()),
        }
    }

    /// Prints a line for people to stderr.
    pub(super) fn note(self, line: &str) {
        if self.format == Format::Text {
            Self::to_stderr(line);
        }
    }

    /// Prints an error to stderr.
    pub(super) fn error(self, error: &CliError) {
        if self.format == Format::Json {
            let object = serde_json::json!({ "error": {
                "code": error.code, "message": error.message, "hint": error.hint,
            }});
            Self::to_stderr(&object.to_string());
        } else {
            let text = format!("error: {}\nhint: {}", error.message, error.hint);
            Self::to_stderr(&harmless(&text));
        }
    }

    /// Whether a progress bar has a place.
    pub(super) fn has_progress_bar(self) -> bool {
        self.format != Format::Quiet && std::io::stderr().is_terminal()
    }

    fn to_stderr(text: &str) {
        // If stderr is gone there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

/// The text without what a terminal takes for commands: titles, names and
/// notes may come from anybody.
fn harmless(text: &str) -> String {
    let show = |letter| match letter {
        '\n' | '\t' => letter,
        letter if is_shown(letter) => letter,
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_outside_do_nothing_to_a_terminal() {
        let text = "a\tb\nc\x1b[2J\u{9b}31m\u{202e}d é 🧱";
        assert_eq!(
            harmless(text),
            "a\tb\nc\u{fffd}[2J\u{fffd}31m\u{fffd}d é 🧱"
        );
    }
}
