//! Pages that are made from the code.

use std::{fs, path::PathBuf};

/// Makes them anew.
pub(crate) const WRITE: &str = "SOKO_WRITE_DOCS=1 cargo test -p soko-coord --test docs";

/// The root of the project.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What every such page says of itself.
pub(crate) fn notice() -> String {
    format!("This page is made from the code. After a change there: `{WRITE}`")
}

/// Checks that a file of `docs/reference` has this content, or writes it.
pub(crate) fn check(name: &str, content: &str) {
    let file = project().join("docs/reference").join(name);
    if std::env::var_os("SOKO_WRITE_DOCS").is_some() {
        fs::write(&file, content).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    let differs = found.lines().zip(content.lines()).position(|(a, b)| a != b);
    let line = differs.unwrap_or(found.lines().count().min(content.lines().count())) + 1;
    assert!(
        found == content,
        "docs/reference/{name} is stale in line {line}: {WRITE}"
    );
}
