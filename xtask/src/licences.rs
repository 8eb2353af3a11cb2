//! `cargo xtask licences`: what `deny.toml` says of dependencies.

use std::env;
use std::process::Command;

use crate::{cargo, root, run as run_command, succeeds};

/// The version that is installed where there is none.
const VERSION: &str = "0.20.2";
/// What needs no more than the registry. Advisories are a git repository, which not every machine can reach.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Runs cargo-deny. Where it is not there it is installed on request. Where it cannot be, for want of the registry, the
/// check is skipped: a dependency that is new would not have been downloaded either.
pub(crate) fn run(install: bool) -> Result<(), String> {
    if !succeeds(deny(&["--version"])) {
        let installed = if install { install_in_target() } else { Err("cargo xtask licences --install".to_owned()) };
        if let Err(hint) = installed {
            println!("skipped: licences, bans and sources, because cargo-deny is not installed ({hint})");
            return Ok(());
        }
    }
    let mut command = deny(&["--log-level", "error", "check"]);
    command.args(CHECKS);
    run_command(command)
}

/// Into the folder of builds, where it stays as long as they do. Without optimisation: two minutes in place of ten, and
/// a check still takes a second.
fn install_in_target() -> Result<(), String> {
    let mut command = cargo(&["install", "--locked", "--debug", "--version", VERSION, "cargo-deny", "--root"]);
    command.arg(root().join("target/tools"));
    run_command(command)
}

/// `cargo-deny ARGUMENTS`, from the path or from the folder of builds.
fn deny(arguments: &[&str]) -> Command {
    let tools = root().join("target/tools/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([tools]).map(|folder| folder.join("cargo-deny"));
    let program = places.into_iter().find(|program| program.is_file()).unwrap_or_else(|| "cargo-deny".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}
