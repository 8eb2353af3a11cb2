//! The command line of Throng as a library, for programs that add their own models and tools to it.
//!
//! * [`main_with`] is the whole program for a catalogue of models, generators, papers and tools.
//! * [`Catalogue`] lists the commands of a program.
//! * [`throng::catalogue`] returns the models, generators, papers and tools of Throng.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     let mut catalogue = throng::catalogue();
//!     // Your own models: catalogue.models.push(&Flocking);
//!     // Tools that this program does not offer:
//!     catalogue.tools.retain(|tool| tool.help().command != "view");
//!     for model in &catalogue.models {
//!         eprintln!("{}: {}", model.name(), model.about());
//!     }
//!     throng_cli::main_with(&catalogue)
//! }
//! ```
//!
//! # Modules
//!
//! A command goes from arguments to a scenario, to one library call, to a report.
//!
//! * `args` defines the arguments, `parsed_command` adds those of the catalogue, and `scenario` interprets them.
//! * `commands` has one file per subcommand, each around one library call.
//! * `exit` determines the exit code, `usage_hints` adds the next command to a usage error, and `interruption`
//!   handles Ctrl-C.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod cache_folder;
mod child_run;
mod commands;
mod exit;
mod file_size;
mod interruption;
mod outcome;
mod parsed_command;
mod progress;
mod report;
mod result_folder;
mod run_differences;
mod scenario;
mod terminal;
mod usage_hints;
mod version;

use std::ffi::OsString;
use std::process::ExitCode;

use throng::model::generator::Generator;
use throng::model::paper::Paper;
use throng::model::tool::Tool;
use throng::model::{Catalogue, Failure};

use crate::outcome::Outcome;
use args::{Command, Named};
use parsed_command::ParsedCommand;

fn generator(catalogue: &Catalogue, name: &str) -> Option<&'static dyn Generator> {
    catalogue.generators.iter().copied().find(|generator| generator.name() == name)
}

fn paper(catalogue: &Catalogue, name: &str) -> Option<&'static dyn Paper> {
    catalogue.papers.iter().copied().find(|paper| paper.name() == name)
}

/// Returns the tool of a command, selected by its second word if several tools share the command.
fn tool(catalogue: &Catalogue, command: &str, name: Option<&str>) -> Option<&'static dyn Tool> {
    catalogue.tools.iter().copied().find(|tool| (tool.help().command, tool.help().name) == (command, name))
}

/// Executes this process's arguments with a catalogue, and returns the exit code (see [`Failure`]).
pub fn main_with(catalogue: &Catalogue) -> ExitCode {
    // Both must precede the start of any thread.
    file_size::report_limit();
    throng_device::quiet_drivers();
    let command = match parsed_command::command(catalogue) {
        Ok(command) => command,
        Err(clash) => return exit::code(Err(clash)),
    };
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let typed = match ParsedCommand::parse(catalogue, command, &arguments) {
        Ok(typed) => typed,
        Err(mut error) => {
            usage_hints::suggest(catalogue, &mut error, &arguments);
            return exit::usage(&error, &usage_hints::hint(catalogue, &error, &arguments));
        }
    };
    interruption::handle(&typed.command);
    if let Some(cache) = cache_folder::cache_of_kernels(&typed.command) {
        throng_device::keep_kernels_in(&cache);
    }
    exit::code(run(catalogue, &typed))
}

fn run(catalogue: &Catalogue, typed: &ParsedCommand) -> Result<Outcome, Failure> {
    let (Catalogue { models, papers, .. }, ParsedCommand { command, flags }) = (catalogue, typed);
    // The other commands run parallel loops on all cores; a run has separate threads.
    if !matches!(
        command,
        Command::Run(_)
            | Command::Sweep(_)
            | Command::Bench(_)
            | Command::Config(_)
            | Command::Compare(_)
            | Command::Doctor(_)
            | Command::List(_)
            | Command::Completions(_)
            | Command::Man(_)
    ) {
        throng_core::start_all_threads()?;
    }
    let unlisted = |name: &str| Failure::input(name, "is not in the list", "`throng help` shows the list");
    match command {
        Command::Run(args) => commands::run::run(models, args, flags),
        Command::Sweep(args) => commands::sweep::run(models, args, flags),
        Command::Bench(args) => commands::bench::run(models, args),
        Command::Compare(args) => commands::compare::run(models, args),
        Command::Generate(Named { name, args }) => {
            commands::generate::run(generator(catalogue, name).ok_or_else(|| unlisted(name))?, args, flags)
        }
        Command::Convert(args) => commands::convert::run(args),
        Command::Reproduce(Named { name, args }) => {
            commands::reproduce::run(paper(catalogue, name).ok_or_else(|| unlisted(name))?, args, flags)
        }
        Command::Config(args) => commands::config::run(models, args, flags),
        Command::Check(args) => commands::check::run(models, papers, args),
        Command::Doctor(args) => commands::doctor::run(models, args),
        Command::List(args) => commands::list::run(catalogue, args),
        Command::Completions(args) => commands::completions::run(parsed_command::command(catalogue)?, args),
        Command::Man(args) => commands::man::run(parsed_command::command(catalogue)?, args),
        Command::Tool(args) => {
            let tool = tool(catalogue, &args.command, args.name.as_deref());
            commands::tool::run(tool.ok_or_else(|| unlisted(&args.command))?, args, flags)
        }
    }
}
