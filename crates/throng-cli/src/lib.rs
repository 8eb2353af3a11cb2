//! The command line: arguments -> scenario -> one library call -> report.
//!
//! [`main_with`] is the whole program for a list of models: Throng's own, or these and those of your program.
//!
//! * `args` declares the arguments, `typed` adds those that the models declare, `scenario` interprets them.
//! * `commands` holds one file per subcommand, each around one call of a library.
//! * `exit` decides the exit code.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     let models = throng::models();
//!     // Your own models: models.push(&Flocking);
//!     throng_cli::main_with(&models)
//! }
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod commands;
mod exit;
mod progress;
mod report;
mod result_folder;
mod scenario;
mod typed;

use std::path::PathBuf;
use std::process::ExitCode;

use throng::model::{Failure, Model};

use args::Command;
use exit::Outcome;
use typed::Typed;

/// The folder for caches.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}

/// Executes the arguments of this process with these models, and returns the exit code (see
/// [`Failure`]). The first model is the one that `throng config` means if none is named.
pub fn main_with(models: &[&'static dyn Model]) -> ExitCode {
    // Before anything that starts a thread.
    throng_device::quiet_drivers();
    let typed = match Typed::parse(models, std::env::args_os()) {
        Ok(typed) => typed,
        Err(said) => return exit::usage(&said),
    };
    if let Some(cache) = cache_folder() {
        throng_device::keep_kernels_in(&cache);
    }
    exit::code(run(models, &typed))
}

fn run(models: &[&'static dyn Model], typed: &Typed) -> Result<Outcome, Failure> {
    let Typed { command, flags } = typed;
    // These run parallel loops on all cores; a run has its own threads.
    if matches!(command, Command::Generate(_) | Command::Reproduce(_) | Command::Convert(_) | Command::Check(_)) {
        throng_core::start_all_threads()?;
    }
    match command {
        Command::Run(args) => commands::run::run(models, args, flags),
        Command::Compare(args) => commands::compare::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Config(args) => commands::config::run(models, args, flags),
        Command::Check(args) => commands::check::run(models, args),
        Command::Doctor => commands::doctor::run(),
    }
}
