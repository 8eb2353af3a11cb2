//! What the user sees: results on standard output, warnings and notices on standard error.

use std::io::{ErrorKind, Write as _};

use throng_core::Warnings;
use throng_traffic::config::Configured;

use crate::args::Verbosity;
use crate::exit::{Failure, Outcome};

/// Prints a result. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
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
    for line in warning_lines(&configured.warnings) {
        eprintln!("{line}");
    }
    for notice in &configured.notices {
        eprintln!("note: {notice}");
    }
}

/// Prints the warnings that were not `known` before.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings) {
    let mut new = Warnings::new();
    for (kind, warning) in warnings.iter().filter(|(kind, _)| known.count(kind) == 0) {
        new.add_many(warning.count, kind, || warning.example.clone());
    }
    for line in warning_lines(&new) {
        eprintln!("{line}");
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
