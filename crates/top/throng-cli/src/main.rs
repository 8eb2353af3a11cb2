//! The program `throng`: the command line with all of Throng's models, generators and papers.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    throng_cli::main_with(&throng::catalogue())
}
