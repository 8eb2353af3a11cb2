//! `cargo xtask licences`: checks dependencies against `deny.toml`.

use std::env;
use std::process::Command;

use crate::{cargo, root, run as run_command, succeeds};

/// Version to install if there is none.
const VERSION: &str = "0.20.2";
/// Checks that need only the registry. Advisories come from a git repository, which not every machine can reach.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

/// Runs cargo-deny, installing it on request if it is missing. The checks are skipped if it is not installed or its
/// installation fails: on a machine that cannot reach the registry, no new dependency could have been downloaded.
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

/// Installs cargo-deny in the build folder, without optimisation: this takes two minutes instead of ten, and a check
/// still takes only a second.
fn install_in_target() -> Result<(), String> {
    let mut command = cargo(&["install", "--locked", "--debug", "--version", VERSION, "cargo-deny", "--root"]);
    command.arg(root().join("target/tools"));
    run_command(command)
}

/// Returns the command `cargo-deny ARGUMENTS`, from the path or from the build folder.
fn deny(arguments: &[&str]) -> Command {
    let tools = root().join("target/tools/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let candidates = env::split_paths(&path).chain([tools]).map(|folder| folder.join("cargo-deny"));
    let program = candidates.into_iter().find(|program| program.is_file()).unwrap_or_else(|| "cargo-deny".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}
