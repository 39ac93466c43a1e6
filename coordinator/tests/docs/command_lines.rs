//! Command lines in help texts and documents can be typed.

use std::fs;

use clap::error::ErrorKind;

use crate::{
    links::documents,
    tree::{all_commands, programs},
};

/// The words of a line, for a shell that knows quotes and nothing else.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The command lines of the two programs in a text: no comments, redirections
/// or pipes.
fn command_lines(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ").replace(" 2>", " >");
    let lines = text.lines().map(|line| {
        let line = line.trim().trim_start_matches("$ ");
        line.split(" #").next().unwrap_or_default()
    });
    lines
        .flat_map(|line| line.split("&&"))
        .filter_map(|line| line.split(['|', '<', '>', '&', ';']).next())
        .map(str::trim)
        .filter(|line| line.starts_with("soko-coord ") || line.starts_with("soko-worker "))
        .map(str::to_owned)
        .collect()
}

/// The code in a document that is for a shell.
fn shell_code(document: &str) -> String {
    let mut inside = false;
    let lines = document.lines().filter(|line| {
        if line.trim_start().starts_with("```") {
            inside = line.contains("```sh") || line.contains("```console");
        }
        inside
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Why a line cannot be typed.
fn refused(line: &str) -> Option<String> {
    let [coordinator, worker] = programs();
    let program = if line.starts_with("soko-worker") {
        worker
    } else {
        coordinator
    };
    match program.try_get_matches_from(words(line)) {
        Err(error) if error.kind() != ErrorKind::DisplayVersion => Some(error.to_string()),
        _ => None,
    }
}

#[test]
fn every_command_has_examples_that_can_be_typed() {
    for (path, command) in all_commands() {
        let help = command.get_after_help().map(ToString::to_string);
        let lines = command_lines(&help.unwrap_or_default());
        assert!(
            !lines.is_empty(),
            "no example of {path}; they are in examples.rs"
        );
        for line in lines {
            assert_eq!(refused(&line), None, "{path}: {line}");
        }
    }
}

#[test]
fn command_lines_in_documents_can_be_typed() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for line in command_lines(&shell_code(&text)) {
            seen += 1;
            if let Some(why) = refused(&line) {
                wrong.push(format!("{}: {line}\n{why}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 60, "only {seen} lines are seen");
}
