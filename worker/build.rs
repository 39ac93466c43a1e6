//! Tells the programs which commit they are built from.
//!
//! `SOKO_COMMIT` names it where there is no checkout, as in a container. In the
//! sources alone, without git, only the version is known.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SOKO_COMMIT");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = env::var("SOKO_COMMIT").ok().filter(|it| !it.is_empty());
    let version = match given.or_else(of_checkout) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=SOKO_VERSION={version}");
}

/// Hash and date of the commit that is checked out.
fn of_checkout() -> Option<String> {
    let project = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("..");
    // Sources unpacked somewhere in another project are not of that project.
    if !git(&project, &["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    // Both change with the commit and with nothing else; cargo would build anew
    // every time if one did not exist.
    for file in ["HEAD", "logs/HEAD"] {
        let path = project.join(git(&project, &["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let shown = ["log", "-1", "--abbrev=12", "--format=%h %cs"];
    git(&project, &shown).filter(|commit| !commit.is_empty())
}

fn git(dir: &Path, args: &[&str]) -> Option<String> {
    let run = Command::new("git").arg("-C").arg(dir).args(args).output();
    let said = run.ok().filter(|run| run.status.success())?;
    Some(String::from_utf8(said.stdout).ok()?.trim().to_owned())
}
