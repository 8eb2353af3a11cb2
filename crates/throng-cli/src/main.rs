//! The command line: arguments -> plan -> one library call -> report.
//!
//! * [`args`] is what was typed; [`plan`] is what it means, validated.
//! * [`commands`] holds one file per subcommand, each around one call of a library.
//! * [`exit`] decides the exit code: 0 done, 1 differs or check failed, 2 bad usage or input, 3 device or resource.

mod args;
mod commands;
mod exit;
mod plan;
mod progress;
mod report;
mod scenario_file;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Run(args) => commands::run::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Config(args) => commands::config::run(args),
        Command::Doctor => commands::doctor::run(),
    };
    exit::code(result)
}
