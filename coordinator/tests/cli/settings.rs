//! Settings of the real program: flag, environment, file, default.

use serde_json::Value;
use soko_worker::program::config::{Program, SECTIONS, settings};

use crate::program::{Said, program, say};

/// What `config show` says about a setting, with this file and environment.
fn shown(file: &str, variable: Option<&str>, line: &str, key: &str) -> (Value, Value) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    std::fs::write(&path, file).unwrap();
    let mut command = program(&format!("config show -o json {line}"));
    command.env("SOKO_CONFIG", &path).env_remove("SOKO_HTTP");
    if let Some(value) = variable {
        command.env("SOKO_HTTP", value);
    }
    let said = Said::from(command.output().unwrap());
    let document = said.document();
    let settings = document["settings"].as_array().unwrap();
    let setting = settings.iter().find(|it| it["setting"] == key).unwrap();
    (setting["value"].clone(), setting["from"].clone())
}

#[test]
fn each_level_goes_before_the_next() {
    let file = "[serve]\nhttp = \"none\"\n";
    let (flag, line) = ("127.0.0.1:7", "serve --http 127.0.0.1:7");
    for (file, variable, line, value, from) in [
        (file, Some("127.0.0.1:6"), line, flag, "flag"),
        (
            file,
            Some("127.0.0.1:6"),
            "serve",
            "127.0.0.1:6",
            "environment",
        ),
        (file, Some("127.0.0.1:6"), "", "127.0.0.1:6", "environment"),
        (file, None, "serve", "none", "file"),
        (file, None, "", "none", "file"),
        ("", None, "serve", "127.0.0.1:8080", "default"),
        ("", None, "", "127.0.0.1:8080", "default"),
    ] {
        let found = shown(file, variable, line, "http");
        assert_eq!(
            found,
            (value.into(), from.into()),
            "{file} {variable:?} {line}"
        );
    }
}

/// What is shown is what counts: the file's address is the one that is tried.
#[test]
fn commands_use_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    std::fs::write(&path, "[client]\ncoordinator = \"127.0.0.1:9\"\n").unwrap();
    let run = |line: &str, variable: Option<&str>| {
        let mut command = program(&format!("{line} -o json --config {}", path.display()));
        if let Some(url) = variable {
            command.env("SOKO_COORDINATOR", url);
        }
        Said::from(command.output().unwrap())
    };
    let said = run("jobs list", None);
    said.failed(3, "unreachable");
    assert!(said.err.contains("at 127.0.0.1:9 "), "{said:?}");
    let said = run("jobs list", Some("127.0.0.1:10"));
    assert!(said.err.contains("at 127.0.0.1:10 "), "{said:?}");
    let said = run("jobs list --coordinator 127.0.0.1:11", Some("127.0.0.1:10"));
    assert!(said.err.contains("at 127.0.0.1:11 "), "{said:?}");
    std::fs::write(&path, "[client]\ncoordinater = \"127.0.0.1:9\"\n").unwrap();
    let said = run("jobs list", None);
    said.failed(2, "bad_input");
    assert!(said.err.contains("config.toml:2:1"), "{said:?}");
    assert!(said.err.contains("is it `coordinator`?"), "{said:?}");
    assert_eq!(run("jobs list --help", None).code, Some(0));
}

#[test]
fn a_token_is_not_shown() {
    let mut command = program("config show");
    let said = command.env("SOKO_TOKEN", "not-for-your-eyes").output();
    let said = Said::from(said.unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("token-file"), "{said:?}");
    assert!(!said.out.contains("eyes"), "{said:?}");
    say("config show -o json nonsense").failed(2, "usage");
}

/// A setting without a section could not be written into the file.
#[test]
fn every_setting_has_a_place_in_the_file() {
    let of = |program: &Program| {
        for setting in settings(program) {
            let section = setting.section;
            let fits = section.map_or(setting.global, |it| SECTIONS.contains(&it));
            assert!(fits, "{}", setting.key);
            assert!(
                setting.variable.starts_with("SOKO_"),
                "{}",
                setting.variable
            );
        }
    };
    of(&soko_coord::cli::PROGRAM);
    of(&soko_worker::cli::PROGRAM);
}
