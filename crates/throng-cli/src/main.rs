//! The command line: arguments -> plan -> one library call -> report.
//!
//! * [`args`] is what was typed; [`plan`] is what it means, validated.
//! * [`commands`] holds one file per subcommand, each around one call of a library.
//! * [`exit`] decides the exit code.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod commands;
mod exit;
mod plan;
mod progress;
mod report;
mod result_folder;
mod scenario_file;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use exit::{Failure, Outcome};

/// Where things are kept that can be made again.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}

fn main() -> ExitCode {
    // Before anything that starts a thread.
    throng_device::quiet_drivers();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(said) => return exit::usage(&said),
    };
    if let Some(cache) = cache_folder() {
        throng_device::keep_kernels_in(&cache);
    }
    exit::code(run(&arguments.command))
}

fn run(command: &Command) -> Result<Outcome, Failure> {
    // These run parallel loops on all cores; `run` has threads of its own.
    if matches!(command, Command::Generate(_) | Command::Reproduce(_) | Command::Convert(_) | Command::Check(_)) {
        throng_core::start_all_threads()?;
    }
    match command {
        Command::Run(args) => commands::run::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Config(args) => commands::config::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Doctor => commands::doctor::run(),
    }
}
