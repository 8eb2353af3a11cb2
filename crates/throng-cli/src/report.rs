//! What the user sees: results on standard output, warnings and notices on standard error.

use std::io::{ErrorKind, Write as _};

use throng_core::{Warnings, printable};
use throng_traffic::config::Configured;

use crate::args::Verbosity;
use crate::exit::{Failure, Outcome};

/// Prints a result for a user to read, control characters written out.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
    data(&printable(text))
}

/// Prints text for programs to read, as it is. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn data(text: &str) -> Result<Outcome, Failure> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::resource(format!("standard output: {error}"), "check where the output goes"))
        }
        _ => Ok(Outcome::Done),
    }
}

/// Prints warnings and notices, unless told to be quiet.
pub(crate) fn configured(configured: &Configured, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in configured.warnings.lines() {
        eprintln!("{line}");
    }
    for notice in &configured.notices {
        eprintln!("note: {}", printable(notice));
    }
}

/// Prints the warnings that were not `known` before.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings) {
    for line in warnings.without(known).lines() {
        eprintln!("{line}");
    }
}
