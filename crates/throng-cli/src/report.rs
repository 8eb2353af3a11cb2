//! What the user sees: results on standard output, warnings, notices and progress on standard error.
//!
//! The only place that prints. `println!` and `eprintln!` panic when the stream cannot be written, which would end a run
//! of hours because of a terminal that was closed; Clippy refuses them elsewhere.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

use throng_core::Warnings;
use throng_traffic::config::Configured;

use crate::args::Verbosity;
use crate::exit::{Failure, Outcome};

/// Prints a result. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
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

/// Prints a line on standard error. When that cannot be written, nothing is lost that a run is made for.
pub(crate) fn tell(line: impl Display) {
    // One call, so that lines of several threads do not mix.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints warnings and notices, unless told to be quiet.
pub(crate) fn configured(configured: &Configured, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warning_lines(&configured.warnings) {
        tell(line);
    }
    for notice in &configured.notices {
        tell(format_args!("note: {notice}"));
    }
}

/// Prints the warnings that were not `known` before.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings) {
    let mut new = Warnings::new();
    for (kind, warning) in warnings.iter().filter(|(kind, _)| known.count(kind) == 0) {
        new.add_many(warning.count, kind, || warning.example.clone());
    }
    for line in warning_lines(&new) {
        tell(line);
    }
}

fn warning_lines(warnings: &Warnings) -> Vec<String> {
    let line = |kind: &str, warning: &throng_core::Warning| match warning.count {
        1 => format!("warning: {kind} ({})", warning.example),
        count => format!("warning: {count} times: {kind} (first: {})", warning.example),
    };
    warnings.iter().map(|(kind, warning)| line(kind, warning)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let mut warnings = Warnings::new();
        warnings.add("a", || "x:1".into());
        warnings.add("b", || "y:1".into());
        warnings.add("b", || "y:2".into());
        assert_eq!(warning_lines(&warnings), ["warning: a (x:1)", "warning: 2 times: b (first: y:1)"]);
    }
}
