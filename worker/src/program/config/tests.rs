use std::{ffi::OsString, path::Path};

use clap::{Arg, ArgAction, Command};

use super::{file::ConfigFile, *};

/// Variables that no machine has set.
fn command() -> Command {
    let serve = Command::new("serve")
        .arg(
            Arg::new("listen")
                .long("listen")
                .env("SOKO_TEST_LISTEN")
                .default_value("here"),
        )
        .arg(
            Arg::new("share")
                .long("share")
                .env("SOKO_TEST_SHARE")
                .value_parser(clap::value_parser!(u8)),
        )
        .arg(
            Arg::new("cert")
                .long("cert")
                .env("SOKO_TEST_CERT")
                .requires("key"),
        )
        .arg(Arg::new("key").long("key").env("SOKO_TEST_KEY"))
        .arg(Arg::new("now").long("now").action(ArgAction::SetTrue))
        .arg(Arg::new("rest").num_args(0..));
    let list = Command::new("list").arg(Arg::new("url").long("url").env("SOKO_TEST_URL"));
    let path = Arg::new("path").long("test-path").env("PATH");
    let log = Arg::new("log")
        .long("log")
        .env("SOKO_TEST_LOG")
        .global(true);
    let config = Arg::new("config_file")
        .long("config")
        .value_parser(clap::value_parser!(std::path::PathBuf))
        .global(true);
    Command::new("test")
        .arg(config)
        .arg(log)
        .subcommand(serve)
        .subcommand(Command::new("jobs").subcommand(list.arg(path)))
}

fn section(path: &[&str]) -> Option<&'static str> {
    match path {
        ["serve"] => Some("serve"),
        ["jobs", ..] => Some("client"),
        _ => None,
    }
}

const TEST: Program = Program { command, section };

/// The value of an argument of `serve` with this file and these arguments.
fn value(text: &str, line: &str, id: &str) -> Result<Option<String>, ParseError> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let line = format!("test --config {} {line}", file.display());
    let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
    let mut matches = parse(&TEST, &args)?;
    while let Some((_, below)) = matches.remove_subcommand() {
        matches = below;
    }
    let raw = matches.get_raw(id).and_then(|mut values| values.next());
    Ok(raw.map(|value| value.to_string_lossy().into_owned()))
}

#[test]
fn flag_then_environment_then_file_then_default() {
    let file = "[serve]\nlisten = \"file\"\n[client]\ntest-path = \"file\"\n";
    let get = |file: &str, line: &str, id: &str| value(file, line, id).unwrap();
    assert_eq!(get("", "serve", "listen").unwrap(), "here");
    assert_eq!(get(file, "serve", "listen").unwrap(), "file");
    assert_eq!(get(file, "serve --listen flag", "listen").unwrap(), "flag");
    // The one variable that every machine has.
    let path = std::env::var("PATH").unwrap();
    assert_eq!(get(file, "jobs list", "path").unwrap(), path);
    assert_eq!(
        get(file, "jobs list --test-path flag", "path").unwrap(),
        "flag"
    );
}

#[test]
fn a_section_goes_before_the_top_and_others_do_not_count() {
    let file = "log = \"top\"\n[serve]\nlog = \"serve\"\n";
    let log = |line: &str| value(file, line, "log").unwrap().unwrap();
    assert_eq!(log("serve"), "serve");
    assert_eq!(log("jobs list"), "top");
    assert_eq!(log("--log flag serve"), "flag");
    assert_eq!(log("serve --log flag"), "flag");
}

#[test]
fn arguments_after_two_dashes_stay_what_they_are() {
    let file = "[serve]\nlisten = \"file\"\n";
    let rest = value(file, "serve -- --listen=x", "rest").unwrap();
    assert_eq!(rest.as_deref(), Some("--listen=x"));
    let listen = value(file, "serve -- --listen=x", "listen").unwrap();
    assert_eq!(listen.as_deref(), Some("file"));
}

#[test]
fn flags_and_file_may_need_each_other() {
    let key = "[serve]\nkey = \"file\"\n";
    assert_eq!(
        value(key, "serve --cert x", "key").unwrap().unwrap(),
        "file"
    );
    assert!(matches!(
        value("", "serve --cert x", "key"),
        Err(ParseError::Arguments(_))
    ));
}

/// The error for this file.
fn refused(text: &str) -> ConfigError {
    match value(text, "serve", "listen") {
        Err(ParseError::File(error)) => error,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn errors_name_line_and_column_and_the_next_step() {
    for (text, place, message, hint) in [
        (
            "\n[serve]\nlisen = \"x\"\n",
            "3:1",
            "no setting `lisen` in [serve]",
            "is it `listen`?",
        ),
        ("  [sreve]\n", "1:4", "no section [sreve]", "is it `serve`?"),
        (
            "[zz]\n",
            "1:2",
            "no section [zz]",
            "serve, run, client, worker",
        ),
        (
            "listen = 1\n",
            "1:1",
            "no setting `listen` outside a section",
            "log",
        ),
        (
            "[client]\nlisten = 1\n",
            "2:1",
            "no setting `listen` in [client]",
            "",
        ),
        (
            "[serve]\nlisten = [1]\n",
            "2:10",
            "not a text, a number",
            "listen = ",
        ),
        (
            "[serve]\nshare = 3_00\n",
            "2:9",
            "invalid value '300' for '--share",
            "SOKO_TEST_SHARE",
        ),
        (
            "[serve]\nshare = \"x\"\n",
            "2:9",
            "invalid value 'x'",
            "--share",
        ),
        ("[serve\n", "1:7", "", "TOML"),
        (
            "[serve]\nlisten = \"a\"\nlisten = \"b\"\n",
            "3:1",
            "duplicate",
            "TOML",
        ),
    ] {
        let error = refused(text);
        assert!(
            error.place.ends_with(&format!("config.toml:{place}")),
            "{text}: {error:?}"
        );
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert!(error.hint.contains(hint), "{text}: {error:?}");
    }
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let args = ["test", "--config", "/nonexistent", "serve"].map(OsString::from);
    let Err(ParseError::File(error)) = parse(&TEST, &args) else {
        panic!("a file that does not exist");
    };
    assert_eq!(error.place, "/nonexistent");
    let args = ["test", "--config", "/nonexistent", "serve", "--help"].map(OsString::from);
    assert!(
        matches!(parse(&TEST, &args), Err(ParseError::Arguments(_))),
        "help all the same"
    );
}

#[test]
fn the_section_of_the_other_program_is_not_read() {
    let known = settings(&TEST);
    let read = |text: &str| ConfigFile::read(Path::new("f"), text, &known);
    assert!(read("[worker]\nanything = 1\n").is_ok());
    assert!(read("[client]\nanything = 1\n").is_err());
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    std::fs::write(&file, "[serve]\nshare = 7\n").unwrap();
    let config = ConfigArgs { file: Some(file) };
    let show = |line: &str| {
        let command = line.split_whitespace().map(OsString::from).collect();
        shown(&TEST, &ShowArgs { command }, &config).unwrap()
    };
    let of = |shown: &Shown, key: &str| {
        let found = shown.settings.iter().find(|it| it.key == key).unwrap();
        (found.value.clone().unwrap_or_default(), found.from)
    };
    let all = show("");
    assert_eq!(of(&all, "share"), ("7".to_owned(), "file"));
    assert_eq!(of(&all, "listen"), ("here".to_owned(), "default"));
    assert_eq!(of(&all, "test-path").1, "environment");
    assert_eq!(of(&all, "url"), (String::new(), "default"));
    let serve = show("serve --listen there");
    assert_eq!(of(&serve, "listen"), ("there".to_owned(), "flag"));
    assert_eq!(of(&serve, "share"), ("7".to_owned(), "file"));
    assert!(serve.settings.iter().all(|it| it.key != "url"));
    assert!(serve.text().contains("config.toml:2:9"), "{}", serve.text());
}
