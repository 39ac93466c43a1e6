//! What is refused before anything starts.

use crate::program::{data, say};

#[test]
fn help_and_version_are_no_errors() {
    for line in ["--help", "run --help", "jobs list --help", "--version"] {
        let said = say(line);
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        assert!(said.out.contains("soko-coord"), "{line}: {said:?}");
    }
}

#[test]
fn arguments_that_make_no_sense_are_usage_errors() {
    for line in [
        "frobnicate",
        "run",
        "run --mode exhaustive",
        "run --n 3 --mode nonsense",
        "run --n x",
        "run --n 3 --rows 3",
        "run --n 3 --threads 0",
        "jobs show",
    ] {
        let said = say(line);
        assert_eq!(said.code, Some(2), "{line}: {said:?}");
        assert!(said.err.starts_with("error: "), "{line}: {said:?}");
        say(&format!("{line} -o json")).failed(2, "usage");
    }
}

/// Arguments of the whole program and of a command may have the same name by
/// mistake; only the whole program shows it.
#[test]
fn tools_for_levels_run_in_the_whole_program() {
    let dir = tempfile::tempdir().unwrap();
    let level = dir.path().join("level.xsb");
    std::fs::write(&level, "@$-.\n-$-.\n").unwrap();
    let level = level.display();
    for (line, quiet) in [
        (format!("level solve {level} --timeout 30s --seed 2"), "7"),
        (format!("level verify {level} --lurd RRlldRR"), "valid"),
        (format!("level convert {level}"), "@$-."),
        (format!("level normalize {level}"), ""),
        (format!("level render {level} --format svg"), "<svg"),
        ("plot --format svg".to_owned(), "<svg"),
        ("bounds --n 6".to_owned(), "78 78"),
        ("construct --m 2 --no-solve".to_owned(), ""),
    ] {
        let said = say(&format!("{line} -o quiet"));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
        assert!(said.out.starts_with(quiet), "{line}: {said:?}");
    }
    say("plot --data /nonexistent -o json").failed(2, "bad_input");
    say("bounds --n 6 --coordinator 127.0.0.1:9 -o json").failed(3, "unreachable");
}

#[test]
fn boards_that_do_not_exist_are_refused_before_anything_is_created() {
    let dir = tempfile::tempdir().unwrap();
    let untouched = dir.path().join("data");
    for board in [
        "--n 0",
        "--n 99999999999",
        "--rows 0 --cols 3",
        "--n 12",
        "--n 7 --mode census",
    ] {
        let data = data(&untouched);
        say(&format!("run {board} {data} -o json")).failed(2, "bad_input");
        say(&format!("submit {board} -o json")).failed(2, "bad_input");
    }
    assert!(!untouched.exists());
    let said = say("submit --n 0");
    assert!(
        said.err.contains("error: ") && said.err.contains("hint: "),
        "{said:?}"
    );
}

#[test]
fn an_unreachable_coordinator_is_exit_code_3() {
    // Nobody listens on port 9.
    let at = "--coordinator 127.0.0.1:9 -o json";
    for command in [
        "submit --n 3",
        "jobs list",
        "jobs show x",
        "records list",
        "workers list",
        "health",
    ] {
        let said = say(&format!("{command} {at}"));
        said.failed(3, "unreachable");
        assert!(said.err.contains("refused"), "the cause is named: {said:?}");
    }
    say("health --coordinator https://127.0.0.1:9 -o json").failed(2, "usage");
    say("health --coordinator ftp://x -o json").failed(2, "usage");
}

#[test]
fn the_log_is_json_when_asked_for_and_its_level_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    let data = data(dir.path());
    let said = say(&format!(
        "run --n 3 {data} --log info --log-format json -o quiet"
    ));
    assert_eq!(said.code, Some(0), "{said:?}");
    let lines: Vec<serde_json::Value> = said
        .err
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let planned = lines.iter().find(|it| it["message"] == "job planned");
    let planned = planned.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(planned["span"]["name"], "job");
    assert_eq!(planned["job"], planned["span"]["job"]);
    let said = say(&format!("run --n 3 {data} --log soko_coord=loud -o json"));
    said.failed(2, "usage");
}

/// The commands on levels run in the tests of the library; here the program
/// itself reads their arguments.
#[test]
fn every_command_on_levels_runs() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (level, picture) = (path("level.xsb"), path("level.svg"));
    std::fs::write(&level, "#######\n#@ $ .#\n#     #\n#######\n").unwrap();
    for line in [
        format!("level solve {level}"),
        format!("level verify {level} --lurd rRR"),
        format!("level certify {level} --to {}", path("proof.json")),
        format!("level analyze {level}"),
        format!("level render {level} --out {picture}"),
        format!("level convert {level} --to sok"),
        format!("level normalize {level}"),
        "construct --m 2".to_owned(),
        "bounds --n 7".to_owned(),
        "plot".to_owned(),
    ] {
        let said = say(&format!("{line} -o json"));
        assert_eq!(said.code, Some(0), "{line}: {said:?}");
    }
    assert!(std::fs::read_to_string(picture).unwrap().contains("<svg"));
}
