//! All printed text: results on standard output, warnings, notices and progress on standard error.
//!
//! No other module prints text. `println!` and `eprintln!` panic if the stream cannot be written, so a closed terminal
//! would end a run of hours; Clippy forbids them elsewhere.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal as _, Stdout, Write as _};

use throng::model::Failure;
use throng_core::{Warnings, printable};

use crate::args::Verbosity;
use crate::outcome::Outcome;

/// Prints a result for a human reader, with control characters escaped.
pub(crate) fn print(text: &str) -> Result<Outcome, Failure> {
    written(write(std::io::stdout(), &printable(text)))
}

/// Like [`print()`], with styles such as `\x1b[1m` for bold.
pub(crate) fn print_styled(text: &str) -> Result<Outcome, Failure> {
    written(write(std::io::stdout(), &printable_with_styles(text)))
}

/// Escapes all control characters of `text` except styles: `ESC [`, numbers and `m`.
fn printable_with_styles(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut out = printable(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let style = part.split_once('m');
        match style.filter(|(code, _)| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')) {
            Some((code, after)) => out.extend(["\x1b[", code, "m", &printable(after)]),
            None => out.push_str(&printable(&["\x1b[", part].concat())),
        }
    }
    out
}

/// Prints text for programs to read: unchanged, except that control characters are escaped on a terminal.
pub(crate) fn print_data(text: &str) -> Result<Outcome, Failure> {
    let stdout = std::io::stdout();
    if stdout.is_terminal() { print(text) } else { written(write(stdout, text)) }
}

fn write(mut stdout: Stdout, text: &str) -> std::io::Result<()> {
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Converts the result of a write to standard output. A reader that stops early, such as `head`, is not
/// an error.
pub(crate) fn written(result: std::io::Result<()>) -> Result<Outcome, Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::resource(format!("standard output: {error}"), "check where the output goes"))
        }
        _ => Ok(Outcome::Done),
    }
}

/// Prints a line on standard error, with control characters escaped. A failure is ignored, because no result of a run
/// depends on it.
pub(crate) fn print_to_stderr(line: impl Display) {
    // A single call, so that lines of several threads do not mix.
    let _ = std::io::stderr().write_all(format!("{}\n", printable(&line.to_string())).as_bytes());
}

/// Prints warnings and notes about settings, unless `quiet`.
pub(crate) fn about_settings(warnings: &Warnings, notes: &[String], verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warnings.lines() {
        print_to_stderr(line);
    }
    for note in notes {
        print_to_stderr(format_args!("note: {note}"));
    }
}

/// Prints the warnings that are not in `known`, unless `quiet`.
pub(crate) fn new_warnings(warnings: &Warnings, known: &Warnings, verbosity: Verbosity) {
    if verbosity.quiet {
        return;
    }
    for line in warnings.without(known).lines() {
        print_to_stderr(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_styles_are_kept_and_other_control_sequences_are_escaped() {
        assert_eq!(printable_with_styles("a\x1b[1m b \x1b[0m\x1b[1;31mc"), "a\x1b[1m b \x1b[0m\x1b[1;31mc");
        assert_eq!(printable_with_styles("\x1b[2J\x07m \x1b]0;m"), "\\u{1b}[2J\\u{7}m \\u{1b}]0;m");
    }
}
