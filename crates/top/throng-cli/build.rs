//! Sets the version of the program, including the commit it is built from, as `THRONG_VERSION`.
//!
//! The commit is taken from the variable `THRONG_COMMIT`, a package (`cargo package` records it) or the repository. If
//! all are missing, only the version is set. Only this crate is recompiled when the commit changes.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// File in which `cargo package` records the commit.
const OF_PACKAGE: &str = ".cargo_vcs_info.json";
/// The sources of the program, relative to this crate; uncommitted changes elsewhere are not reported.
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
    // Fails if an unpacked package lies in another repository, whose commit would be wrong.
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

/// Reruns this script if `path` changes. Watching a nonexistent path would rerun it every time.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// Returns git's output; `None` if it fails, for example without git or outside a repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
