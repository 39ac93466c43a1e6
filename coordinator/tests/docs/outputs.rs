//! What commands print, as it was seen: with and without a coordinator.

use std::fs;

use crate::{
    program::{Running, Said, data, program},
    said::{seen, transcript},
};

#[test]
fn tools_for_levels_print_what_was_seen() {
    let dir = tempfile::tempdir().unwrap();
    let two = "Title: one\n#####\n#@$.#\n#####\n\n; two\n######\n#@ $.#\n######\n";
    fs::write(dir.path().join("level.xsb"), "@$-.\n-$-.\n").unwrap();
    fs::write(
        dir.path().join("five.xsb"),
        "##--@\n-$-#-\n-#-#-\n-----\n.####\n",
    )
    .unwrap();
    fs::write(dir.path().join("two.xsb"), two).unwrap();
    fs::write(dir.path().join("walled.xsb"), "######\n#@$#.#\n######\n").unwrap();
    let lines = [
        "level solve five.xsb",
        "level solve five.xsb -o json",
        "level solve five.xsb -o quiet",
        "level solve two.xsb",
        "level solve walled.xsb",
        "level solve walled.xsb -o json",
        "level verify two.xsb --level 2 --lurd rR",
        "level verify two.xsb --level 2 --lurd rl -o quiet",
        "level analyze five.xsb",
        "level normalize two.xsb",
        "level convert two.xsb --to sok",
        "level certify five.xsb --to proof.json",
        "level certify proof.json --check",
        "level render five.xsb --out five.svg",
        "level render five.xsb --out five.png -o json",
        "construct --m 2 --no-solve -o quiet",
        "bounds --n 6",
        "bounds --n 50 --floor 400",
        "plot --out plot.svg",
        "tls init --host coordinator.example",
    ];
    seen("levels", &transcript(dir.path(), &lines), &[]);
}

#[test]
fn a_coordinator_without_workers_says_what_was_seen() {
    let dir = tempfile::tempdir().unwrap();
    let data = data(&dir.path().join("data"));
    let mut serving = Running::start(&format!("serve --listen 127.0.0.1:0 --http none {data}"));
    let line = serving.first_line();
    let url = line.trim().rsplit(' ').next().unwrap().to_owned();
    let at = format!("--coordinator {url}");
    let filed = program(&format!("submit --n 3 --name mine -o quiet {at}")).output();
    let job = Said::from(filed.unwrap()).out.trim().to_owned();
    let say = |line: &str| {
        let line = line.replace("JOB", &job);
        transcript(dir.path(), &[format!("{line} {at}")])
    };
    // Without a worker it is starved after a while, and stays so.
    let starved = format!("job {job}: starved");
    while !say("jobs show JOB").contains(&starved) {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let mut text = String::new();
    for line in [
        "health",
        "health -o json",
        "workers list",
        "workers list -o json",
        "workers show nobody",
        "workers drain nobody",
        "jobs list",
        "jobs list -o quiet",
        "jobs show ffffffffffffffff",
        "jobs result JOB",
        "jobs pause JOB",
        "jobs resume JOB",
        "jobs cancel JOB",
        "jobs cancel JOB",
        "jobs pause JOB",
        "jobs result JOB",
        "jobs wait JOB",
        "jobs watch JOB -o quiet",
        "jobs delete JOB",
        "jobs delete JOB",
        "jobs list",
        "records show --n 100",
        "invalidate --worker nobody",
        "submit --n 5 --priority 101",
    ] {
        text += &say(line);
    }
    let differs = [
        (r"\b[0-9a-f]{16}\b", "[job]"),
        (r"127\.0\.0\.1:\d+", "[address]"),
        (r"\b\d+m?s\b", "[time]"),
    ];
    seen("coordinator", &text, &differs);
}

/// `config show` of a machine without settings.
#[test]
fn settings_are_shown_as_was_seen() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("soko.toml"),
        "log = \"warn\"\n[serve]\nhttp = \"none\"\n",
    )
    .unwrap();
    let lines = [
        "config show --config soko.toml",
        "config show --config soko.toml serve --double-check 0.5",
    ];
    seen("settings", &transcript(dir.path(), &lines), &[]);
}
