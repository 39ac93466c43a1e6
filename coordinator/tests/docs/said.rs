//! Command lines and what they print.

use std::{fmt::Write, path::Path, process::Command};

use crate::program::{Said, program, worker};

/// Runs these command lines in a directory, one after the other.
pub(crate) fn transcript(dir: &Path, lines: &[impl AsRef<str>]) -> String {
    transcript_of("soko-coord", program, dir, lines)
}

/// The same of the worker.
pub(crate) fn worker_transcript(dir: &Path, lines: &[impl AsRef<str>]) -> String {
    transcript_of("soko-worker", worker, dir, lines)
}

fn transcript_of(
    name: &str,
    program: fn(&str) -> Command,
    dir: &Path,
    lines: &[impl AsRef<str>],
) -> String {
    let mut text = String::new();
    for line in lines.iter().map(AsRef::as_ref) {
        let mut command = program(line);
        command.current_dir(dir).env_remove("SOKO_HTTP");
        let said = Said::from(command.output().unwrap());
        assert!(
            !said.out.contains('\x1b') && !said.err.contains('\x1b'),
            "{line}: {said:?}"
        );
        let code = said.code.unwrap_or(-1);
        let _ = writeln!(text, "$ {name} {line}\n{}{}[{code}]\n", said.out, said.err);
    }
    text
}

/// Checks that a text is as it was seen, but for what differs from run to run:
/// patterns and what stands for them.
pub(crate) fn seen(name: &str, text: &str, differs: &[(&str, &'static str)]) {
    insta::with_settings!({
        snapshot_path => "seen",
        prepend_module_to_snapshot => false,
        omit_expression => true,
        filters => differs.to_vec(),
    }, { insta::assert_snapshot!(name, text) });
}
