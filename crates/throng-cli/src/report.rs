//! All printed text: results on standard output, warnings, notices and progress on standard error.
//!
//! The only place that prints text. `println!` and `eprintln!` panic when the stream cannot be written, which would end a run
//! of hours because of a terminal that was closed; Clippy refuses them elsewhere.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Stdout, Write as _};

use throng::model::Failure;
use throng_core::{Warnings, printable};

use crate::args::Verbosity;
use crate::exit::Outcome;

/// Prints a result for a human reader, with control characters escaped.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
    written(write(std::io::stdout(), &printable(text)))
}

/// Prints text for programs to read, as it is, but with control characters escaped where a terminal would obey them.
pub(crate) fn data(text: &str) -> Result<Outcome, Failure> {
    let stdout = std::io::stdout();
    if stdout.is_terminal() { print(text) } else { written(write(stdout, text)) }
}

fn write(mut stdout: Stdout, text: &str) -> std::io::Result<()> {
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// The effect of a write to standard output on the command. A reader that stops early, such as `head`, is not an error.
pub(crate) fn written(result: std::io::Result<()>) -> Result<Outcome, Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::resource(format!("standard output: {error}"), "check where the output goes"))
        }
        _ => Ok(Outcome::Done),
    }
}

/// Prints a line on standard error, with control characters escaped. A failure is ignored: it costs no result of a
/// run.
pub(crate) fn tell(line: impl Display) {
    // One call, so that lines of several threads do not mix.
    let _ = std::io::stderr().write_all(format!("{}\n", printable(&line.to_string())).as_bytes());
}

/// Prints warnings and notes about settings, unless `quiet`.
pub(crate) fn about_settings(warnings: &Warnings, notes: &[String], verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warnings.lines() {
        tell(line);
    }
    for note in notes {
        tell(format_args!("note: {note}"));
    }
}

/// Prints the warnings that were not `known` before, unless `quiet`.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warnings.without(known).lines() {
        tell(line);
    }
}
