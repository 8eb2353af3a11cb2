//! Tells the program its version with the commit that it was built from, as `THRONG_VERSION`.
//!
//! The commit is that of the variable `THRONG_COMMIT`, of a package (`cargo package` records it) or of the repository. Without
//! any of them the version stands alone. Only this crate is compiled again when it changes.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Where `cargo package` records the commit of a package.
const OF_PACKAGE: &str = ".cargo_vcs_info.json";
/// What the program is made from, relative to this crate; changes to anything else leave the commit as it is.
const SOURCES: [&str; 3] = ["../../../crates", "../../../Cargo.toml", "../../../Cargo.lock"];

fn main() {
    println!("cargo::rerun-if-env-changed=THRONG_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let named = || env::var("THRONG_COMMIT").ok().filter(|commit| !commit.is_empty());
    let version = match named().or_else(of_package).or_else(of_repository) {
        Some(commit) => format!("{version} (commit {commit})"),
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=THRONG_VERSION={version}");
}

fn of_package() -> Option<String> {
    let text = fs::read_to_string(OF_PACKAGE).ok()?;
    println!("cargo::rerun-if-changed={OF_PACKAGE}");
    let (_, after) = text.split_once("\"sha1\"")?;
    let commit = after.split('"').nth(1)?.get(..8)?.to_owned();
    Some(if text.contains("\"dirty\": true") { format!("{commit}, with changes") } else { commit })
}

fn of_repository() -> Option<String> {
    // Not the commit of another repository in which an unpacked package lies.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        watch(&path);
    }
    SOURCES.iter().copied().for_each(watch);
    let commit = git(&["rev-parse", "--short=8", "HEAD"])?;
    let changes = git(&[&["--no-optional-locks", "status", "--porcelain", "--"], &SOURCES[..]].concat())?;
    Some(if changes.is_empty() { commit } else { format!("{commit}, with changes") })
}

/// A path that does not exist would run this program each time.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// What git prints; `None` without git or outside a repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
