//! Terminals, pipes and readers that have seen enough.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::program::program;

/// Runs it with an output that nobody reads.
fn to_closed_pipe(mut command: Command) -> (Option<i32>, String) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut errors = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), errors)
}

#[test]
fn a_closed_pipe_is_no_error() {
    for line in [
        "--help",
        "run --help",
        "--version",
        "bounds --n 50",
        "plot",
        "completions zsh",
        "man",
        "config show",
        "construct --m 4 --no-solve",
        "construct --m 4 --no-solve -o json",
    ] {
        let (code, errors) = to_closed_pipe(program(line));
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{line}");
    }
    let dir = tempfile::tempdir().unwrap();
    let data = crate::program::data(dir.path());
    let (code, errors) = to_closed_pipe(program(&format!("run --n 4 {data} -o quiet")));
    assert_eq!((code, errors.as_str()), (Some(0), ""), "run");
}

/// What it prints to a terminal.
fn on_terminal(line: &str, variable: Option<(&str, &str)>) -> String {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin!("soko-coord"));
    command.args(line.split(' '));
    command.env("TERM", "xterm-256color");
    command.env("SOKO_CONFIG", "/dev/null");
    command.env_remove("NO_COLOR");
    if let Some((name, value)) = variable {
        command.env(name, value);
    }
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut output = Vec::new();
    // A terminal that is gone ends in an error on Linux.
    let _ = reader.read_to_end(&mut output);
    child.wait().unwrap();
    String::from_utf8_lossy(&output).into_owned()
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    for line in ["--help", "jobs lits"] {
        let colourful = on_terminal(line, None);
        assert!(colourful.contains("\x1b["), "{line}: {colourful:?}");
        let plain = on_terminal(line, Some(("NO_COLOR", "1")));
        assert!(
            !plain.is_empty() && !plain.contains("\x1b["),
            "{line}: {plain:?}"
        );
    }
}
