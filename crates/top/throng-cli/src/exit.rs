//! The exit code and the final message of a command. [`Failure`] has the table of codes.

use std::process::ExitCode;

use throng::model::Failure;
use throng_core::printable;

use crate::outcome::Outcome;
use crate::report;

/// Prints the message of the argument parser, which may be requested help, and the addition to an error message;
/// returns the exit code.
pub(crate) fn usage(error: &clap::Error, added: &str) -> ExitCode {
    if !error.use_stderr() {
        return code(report::written(error.print()));
    }
    let plain = error.render().to_string();
    if printable(&plain) == plain {
        // Uses colours if the terminal supports them. A failure is ignored, as for all messages.
        let _ = error.print();
    } else {
        report::print_to_stderr(plain.trim_end());
    }
    if !added.is_empty() {
        report::print_to_stderr(added.trim_end());
    }
    ExitCode::from(2)
}

/// Prints the error, if any, and returns the exit code.
pub(crate) fn code(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Differs) => ExitCode::from(1),
        Err(failure) => {
            report::print_to_stderr(failure.text());
            ExitCode::from(failure.exit_code())
        }
    }
}
