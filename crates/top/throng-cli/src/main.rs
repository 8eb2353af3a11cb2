//! The program `throng`: the command line with all of Throng's models, generators, papers and tools.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    throng_cli::main_with(&throng::catalogue())
}
