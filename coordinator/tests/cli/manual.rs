//! Help texts, completions, man pages, version: of both programs.

use std::{collections::BTreeSet, process::Command};

use crate::program::say;

/// All commands of a program below this one and itself, as their words.
fn commands(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
    let below = command.get_subcommands().flat_map(|it| {
        let path = format!("{path} {}", it.get_name());
        commands(it, &path)
    });
    std::iter::once((path.to_owned(), command.clone()))
        .chain(below)
        .collect()
}

fn all_commands() -> Vec<(String, clap::Command)> {
    let coordinator = commands(&soko_coord::cli::command(), "soko-coord");
    let worker = commands(&soko_worker::cli::command(), "soko-worker");
    coordinator.into_iter().chain(worker).collect()
}

#[test]
fn the_version_names_the_commit_and_the_engine() {
    let short = say("-V").out;
    assert!(short.starts_with("soko-coord 0."), "{short}");
    let long = say("--version").out;
    let engine = format!("{}engine: {}\n", short, soko::plan::ENGINE);
    assert_eq!(long, engine);
    assert_eq!(
        short.trim_end(),
        format!("soko-coord {}", soko_worker::program::VERSION)
    );
}

#[test]
fn bash_completes_commands() {
    let script = say("completions bash");
    assert_eq!(script.code, Some(0), "{script:?}");
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("completions");
    std::fs::write(&file, script.out).unwrap();
    for (typed, expected) in [
        ("jobs ex", "explain export-checkpoint"),
        ("jobs export-checkpoint --coo", "--coordinator"),
    ] {
        let last = typed.split(' ').next_back().unwrap();
        let asks = format!(
            "source \"$0\"; COMP_WORDS=(soko-coord {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _soko__coord soko-coord '{last}' jobs; echo ${{COMPREPLY[@]}}"
        );
        let answer = Command::new("bash").args(["-c", &asks]).arg(&file).output();
        let answer = String::from_utf8(answer.unwrap().stdout).unwrap();
        assert_eq!(answer.trim(), expected, "{typed}");
    }
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let said = say(&format!("completions {shell}"));
        assert!(said.out.contains("soko-coord"), "{shell}: {said:?}");
    }
}

#[test]
fn there_is_a_man_page_for_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let said = say(&format!("man --dir {} -o quiet", dir.path().display()));
    assert_eq!(said.code, Some(0), "{said:?}");
    soko_worker::program::man_pages(soko_worker::cli::command(), dir.path()).unwrap();
    let files = std::fs::read_dir(dir.path()).unwrap();
    let found: BTreeSet<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected: BTreeSet<_> = all_commands()
        .iter()
        .map(|(path, _)| format!("{}.1", path.replace(' ', "-")))
        .collect();
    assert_eq!(found, expected);
    assert!(say("man").out.contains(".TH soko-coord 1"));
    say("man --dir /proc/none -o json").failed(2, "bad_input");
}
