//! Links in the documents.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::page::project;

/// All documents of the project.
pub(crate) fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![project()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                // Where the example in Python tells people to put packages.
                if !name.starts_with('.') && name != "target" && name != "venv" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|it| it == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text without what is code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn targets(text: &str) -> Vec<String> {
    let text = prose(text);
    let rests = text.split("](").skip(1);
    rests
        .filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()))
        .collect()
}

/// The anchors that a document has, by the rules of GitHub.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = prose(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let mut found = BTreeSet::new();
    for heading in headings {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        let anchor: String = kept.map(|it| if it == ' ' { '-' } else { it }).collect();
        let mut name = anchor.clone();
        for count in 1.. {
            if found.insert(name) {
                break;
            }
            name = format!("{anchor}-{count}");
        }
    }
    found
}

fn problem(document: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        document.to_owned()
    } else {
        document.parent()?.join(file)
    };
    if !path.exists() {
        return Some("there is no such file".to_owned());
    }
    if anchor.is_empty() {
        return None;
    }
    let known = anchors(&fs::read_to_string(&path).unwrap_or_default());
    (!known.contains(anchor)).then(|| format!("no such heading; there are {known:?}"))
}

#[test]
fn every_link_resolves() {
    let (mut seen, mut broken) = (0, Vec::new());
    for document in documents() {
        for target in targets(&fs::read_to_string(&document).unwrap()) {
            seen += 1;
            if let Some(why) = problem(&document, &target) {
                broken.push(format!("{}: {target}: {why}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(seen > 100, "only {seen} links are seen");
}

/// What nothing leads to, nobody reads.
#[test]
fn the_index_names_every_document() {
    let docs = fs::canonicalize(project().join("docs")).unwrap();
    let index = fs::read_to_string(docs.join("README.md")).unwrap();
    let named: BTreeSet<PathBuf> = targets(&index)
        .iter()
        .filter_map(|target| fs::canonicalize(docs.join(target)).ok())
        .collect();
    for document in documents() {
        let document = fs::canonicalize(document).unwrap();
        let listed = !document.starts_with(&docs)
            || document == docs.join("README.md")
            || named.contains(&document);
        assert!(
            listed,
            "docs/README.md does not name {}",
            document.display()
        );
    }
}

#[test]
fn anchors_are_those_of_github() {
    let found = anchors("# A `b` c\n## D-e, f!\n## D-e, f!\n```\n# no\n```\n");
    let expected = ["a-b-c", "d-e-f", "d-e-f-1"].map(str::to_owned);
    assert_eq!(found, expected.into());
}
