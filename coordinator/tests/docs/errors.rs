//! What every command says to bad input, as it was seen.

use std::{fs, path::Path};

use crate::{
    said::{seen, transcript, worker_transcript},
    tree::all_commands,
};

/// Nobody listens there.
const AWAY: &str = "--coordinator http://127.0.0.1:9";

/// Command lines that are refused, at least one of each command.
fn lines() -> Vec<String> {
    let level = |command: &str| {
        [
            format!("level {command} missing.xsb"),
            format!("level {command} empty.xsb"),
        ]
    };
    let fixed = [
        "run",
        "run --n 12",
        "run --n 5 --rows 5",
        "run --n 5 --mode annealing",
        "run --n 5 --budget 1m",
        "run --n 8 --mode anneal --budget 5",
        "run --n 8 --mode anneal --param heat=1",
        "run --n 8 --mode anneal --start missing.xsb",
        "run --n 8 --mode anneal --start empty.xsb",
        "run --n 8 --mode neighborhood",
        "run --n 4 --data /proc/none",
        "run --n 5 --memory 1K --threads 2",
        "estimate --n 8 --mode anneal",
        "estimate --n 8 --price -1",
        "serve --listen nonsense",
        "serve --listen 0.0.0.0:0 --http none",
        "serve --tls-cert cert.pem",
        "serve --tls-cert missing.pem --tls-key missing.key",
        "serve --tokens missing.txt",
        "serve --double-check 2",
        "serve --listen 127.0.0.1:0 --http none --data /proc/none",
        "submit",
        "records show",
        "records history --n 0",
        "records submit missing.xsb",
        "records submit level.xsb --n 257",
        "records verify --data missing",
        "jobs",
        "jobs lits",
        "jobs list --limit 0",
        "jobs show",
        "jobs explain 3f2a --shard x",
        "jobs ledger --checkpoint missing.checkpoint",
        "jobs audit --checkpoint empty.xsb",
        "tls init --dir /proc/none",
        "tls init --host= --dir tls",
        "invalidate",
        "recover --data missing",
        "recover --data .",
        "records verify --data .",
        "bounds --n 7 --data .",
        "health --coordinator ftp://example",
        "level fit level.xsb --n 2",
        "level certify level.xsb",
        "level certify level.xsb --check",
        "level solve level.xsb --level 9",
        "level verify level.xsb",
        "level verify level.xsb --lurd xyz",
        "level verify level.xsb --lurd l",
        "level render level.xsb --out /proc/none.svg",
        "level render level.xsb --out level.bmp",
        "level render level.xsb --format png",
        "level convert level.xsb --to text",
        "construct",
        "construct --m 1",
        "construct --n 10",
        "bounds --n 2",
        "plot --out plot.bmp",
        "config show serve --http",
        "config shown",
        "completions tcsh",
        "man --dir /proc/none",
        "jobs list --config missing.toml",
        "jobs list --config wrong.toml",
    ];
    let away = [
        "submit --n 5",
        "records list",
        "records submit level.xsb",
        "records verify",
        "workers list",
        "workers show w",
        "workers drain w",
        "jobs list",
        "jobs show 3f2a",
        "jobs watch 3f2a",
        "jobs wait 3f2a",
        "jobs result 3f2a",
        "jobs cancel 3f2a",
        "jobs pause 3f2a",
        "jobs resume 3f2a",
        "jobs retry 3f2a",
        "jobs explain 3f2a",
        "jobs delete 3f2a",
        "jobs ledger 3f2a",
        "jobs audit 3f2a",
        "jobs export-checkpoint 3f2a out",
        "jobs import-checkpoint missing.checkpoint",
        "invalidate --worker w",
        "health",
    ];
    let levels = [
        "solve",
        "verify",
        "analyze",
        "render",
        "replay",
        "convert",
        "normalize",
    ];
    fixed
        .iter()
        .map(|line| (*line).to_owned())
        .chain(levels.iter().flat_map(|command| level(command)))
        .chain(away.iter().map(|line| format!("{line} {AWAY}")))
        .collect()
}

/// Command lines that the worker refuses.
const WORKER_LINES: &[&str] = &[
    "extra",
    "--coordinator ftp://example",
    "--threads 0",
    "--threads two",
    "--memory 1K --threads 2",
    "--token-file missing.txt",
    "--token-file empty.xsb",
    "--tls-ca missing.pem",
    "--tls-cert cert.pem",
    "--id=",
    "--id a/b",
    "--outbox /proc/none",
    "--exit-when-idle=never",
    "--max-backoff 5",
    "--log-format xml",
    "--config missing.toml",
    "--config wrong.toml",
    "config show --threads",
    "config shown",
    "health --health-file missing",
    "completions tcsh",
    "man --dir /proc/none",
];

fn prepare(dir: &Path) {
    fs::write(dir.join("level.xsb"), "#####\n#@$.#\n#####\n").unwrap();
    fs::write(dir.join("empty.xsb"), "no level\n").unwrap();
    fs::write(
        dir.join("wrong.toml"),
        "[client]\ncoordinater = \"x\"\n[worker]\nthraeds = 1\n",
    )
    .unwrap();
}

#[test]
fn errors_are_as_they_were_seen() {
    let dir = tempfile::tempdir().unwrap();
    prepare(dir.path());
    let text = transcript(dir.path(), &lines());
    assert!(!text.contains("panicked"), "{text}");
    // It takes a free port.
    seen("errors", &text, &[(r"0\.0\.0\.0:\d+", "[address]")]);
}

#[test]
fn errors_of_the_worker_are_as_they_were_seen() {
    let dir = tempfile::tempdir().unwrap();
    prepare(dir.path());
    let text = worker_transcript(dir.path(), WORKER_LINES);
    assert!(!text.contains("panicked"), "{text}");
    seen("worker-errors", &text, &[]);
}

#[test]
fn the_errors_of_every_command_are_seen() {
    let worker = WORKER_LINES
        .iter()
        .map(|line| format!("soko-worker {line}"));
    let lines: Vec<String> = lines()
        .iter()
        .map(|line| format!("soko-coord {line}"))
        .chain(worker)
        .collect();
    for (path, command) in all_commands() {
        let here = lines.iter().any(|line| line.starts_with(&path));
        assert!(
            here || command.has_subcommands(),
            "no error of {path} in errors.rs"
        );
    }
}
