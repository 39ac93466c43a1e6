//! The contract says what is there: every field of it is documented, and the
//! table of errors is that of the code.

use std::{collections::BTreeSet, fs, path::Path};

use soko_coord::service::Reason;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(&path).unwrap()
}

/// Whether a line of a proto file declares something that has a meaning.
fn declares(line: &str) -> bool {
    let line = line.trim();
    let starts = |word: &str| line.starts_with(word);
    let number = line.split(" = ").nth(1).map(|it| it.trim_end_matches(';'));
    let numbered = number.is_some_and(|it| it.parse::<u32>().is_ok());
    let kind = ["message ", "enum ", "service ", "rpc "];
    (numbered && !line.contains("_UNSPECIFIED")) || kind.into_iter().any(starts)
}

#[test]
fn every_field_and_call_is_documented() {
    let mut found = 0;
    for name in ["common", "jobs", "records", "work"] {
        let text = read(&format!("proto/soko/v1/{name}.proto"));
        let mut before = "";
        for line in text.lines() {
            if declares(line) {
                found += 1;
                let documented = before.trim().starts_with("//");
                assert!(documented, "{name}.proto: {line}");
            }
            before = line;
        }
    }
    assert!(found > 300, "{found} declarations");
}

#[test]
fn the_table_of_errors_is_that_of_the_code() {
    let text = read("docs/api.md");
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, reason, code, again, _, _] = cells[..] else {
            return None;
        };
        let upper = |it: char| it.is_ascii_uppercase() || it == '_';
        let is_reason = !reason.is_empty() && reason.chars().all(upper);
        is_reason.then(|| (reason.to_owned(), code.to_owned(), again.to_owned()))
    });
    let documented: BTreeSet<_> = rows.collect();
    let all = Reason::ALL.iter().map(|reason| {
        let again = reason.retry_after();
        let again = again.map_or(String::new(), |time| format!("{} s", time.as_secs()));
        let code = format!("{:?}", reason.code());
        (reason.name().to_owned(), code, again)
    });
    assert_eq!(documented, all.collect());
}

#[test]
fn the_contract_names_only_reasons_that_exist() {
    let known: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.name()).collect();
    let mut named = 0;
    for name in ["jobs", "records", "work"] {
        let text = read(&format!("proto/soko/v1/{name}.proto"));
        let mut errors = false;
        for line in text.lines() {
            let comment = line.trim().strip_prefix("//");
            errors = comment.is_some_and(|it| errors || it.contains("Errors:"));
            let words = line.split(|it: char| !it.is_ascii_uppercase() && it != '_');
            for word in words.filter(|word| errors && word.len() > 3) {
                assert!(known.contains(word), "{name}.proto: {word}");
                named += 1;
            }
        }
    }
    assert!(named > 30, "{named} reasons");
}
