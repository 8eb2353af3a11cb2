//! The command line: arguments -> scenario -> one library call -> report.
//!
//! [`main_with`] is the whole program for lists of models, generators and papers: Throng's own, or these and those of
//! your program.
//!
//! * `args` declares the arguments, `typed` adds those that models, generators and papers declare, and `scenario`
//!   interprets them.
//! * `commands` holds one file per subcommand, each around one call of a library.
//! * `exit` decides the exit code.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     let models = throng::models();
//!     // Your own models: models.push(&Flocking);
//!     throng_cli::main_with(&models, &throng::generators(), &throng::papers())
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

use throng::model::{Failure, Generator, Model, Paper};

use args::{Command, Named};
use exit::Outcome;
use typed::Typed;

/// The folder for caches.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("throng"))
}

/// The models, generators and papers of a program.
#[derive(Clone, Copy)]
struct Lists<'a> {
    models: &'a [&'static dyn Model],
    generators: &'a [&'static dyn Generator],
    papers: &'a [&'static dyn Paper],
}

impl Lists<'_> {
    fn generator(&self, name: &str) -> Option<&'static dyn Generator> {
        self.generators.iter().copied().find(|generator| generator.name() == name)
    }

    fn paper(&self, name: &str) -> Option<&'static dyn Paper> {
        self.papers.iter().copied().find(|paper| paper.name() == name)
    }
}

/// Executes the arguments of this process with these models, generators and papers, and returns the exit code (see
/// [`Failure`]). The first model is the one that `throng config` uses if none is named.
pub fn main_with(
    models: &[&'static dyn Model],
    generators: &[&'static dyn Generator],
    papers: &[&'static dyn Paper],
) -> ExitCode {
    let lists = Lists { models, generators, papers };
    // Before anything that starts a thread.
    throng_device::quiet_drivers();
    let command = match typed::command(lists) {
        Ok(command) => command,
        Err(clash) => return exit::code(Err(clash)),
    };
    let typed = match Typed::parse(lists, command, std::env::args_os()) {
        Ok(typed) => typed,
        Err(said) => return exit::usage(&said),
    };
    if let Some(cache) = cache_folder() {
        throng_device::keep_kernels_in(&cache);
    }
    exit::code(run(lists, &typed))
}

fn run(lists: Lists<'_>, typed: &Typed) -> Result<Outcome, Failure> {
    let (Lists { models, papers, .. }, Typed { command, flags }) = (lists, typed);
    // These run parallel loops on all cores; a run has its own threads.
    if matches!(command, Command::Generate(_) | Command::Reproduce(_) | Command::Convert(_) | Command::Check(_)) {
        throng_core::start_all_threads()?;
    }
    let unlisted = |name: &str| Failure::input(name, "is not in the list", "`throng help` shows the list");
    match command {
        Command::Run(args) => commands::run::run(models, args, flags),
        Command::Compare(args) => commands::compare::run(args),
        Command::Generate(Named { name, args }) => {
            commands::generate::run(lists.generator(name).ok_or_else(|| unlisted(name))?, args, flags)
        }
        Command::Convert(args) => commands::convert::run(args),
        Command::Reproduce(Named { name, args }) => {
            commands::reproduce::run(lists.paper(name).ok_or_else(|| unlisted(name))?, args, flags)
        }
        Command::Config(args) => commands::config::run(models, args, flags),
        Command::Check(args) => commands::check::run(models, papers, args),
        Command::Doctor => commands::doctor::run(models),
    }
}
