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
