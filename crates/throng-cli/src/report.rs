//! What the user sees: results on standard output, warnings, notices and progress on standard error.
//!
//! The only place that prints text. `println!` and `eprintln!` panic when the stream cannot be written, which would end a run
//! of hours because of a terminal that was closed; Clippy refuses them elsewhere.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use throng::output::holds_results;
use throng::traffic::config::Configured;
use throng_core::{Warnings, printable};

use crate::args::Verbosity;
use crate::exit::{Failure, Outcome};

/// Prints a result for a user to read, control characters written out.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
    data(&printable(text))
}

/// Prints text for programs to read, as it is. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn data(text: &str) -> Result<Outcome, Failure> {
    let mut stdout = std::io::stdout();
    written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// What an attempt to write to standard output means for the command.
pub(crate) fn written(result: std::io::Result<()>) -> Result<Outcome, Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::resource(format!("standard output: {error}"), "check where the output goes"))
        }
        _ => Ok(Outcome::Done),
    }
}

/// Prints a line on standard error, control characters written out. When that cannot be written, nothing is lost that a
/// run is made for.
pub(crate) fn tell(line: impl Display) {
    // One call, so that lines of several threads do not mix.
    let _ = std::io::stderr().write_all(format!("{}\n", printable(&line.to_string())).as_bytes());
}

/// Prints warnings and notices, unless told to be quiet.
pub(crate) fn configured(configured: &Configured, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in configured.warnings.lines() {
        tell(line);
    }
    for notice in &configured.notices {
        tell(format_args!("note: {notice}"));
    }
}

/// Says what a run with `prefix` will remove from a folder in which it may remove `everything`, or an earlier run.
pub(crate) fn removed(folder: &Path, prefix: &str, everything: bool, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    let holds_something = || std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if everything && holds_something() {
        tell(format_args!("note: everything in {} will be deleted", folder.display()));
    } else if holds_results(folder, prefix) {
        tell(format_args!("note: the earlier results in {} will be replaced", folder.display()));
    }
}

/// Prints the warnings that were not `known` before, unless told to be quiet.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warnings.without(known).lines() {
        tell(line);
    }
}
