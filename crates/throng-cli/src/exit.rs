//! How a command ends: the exit code, and the message on the way out. [`Failure`] has the table of codes.

use std::process::ExitCode;

use throng::model::Failure;

use crate::report;

/// A command that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Done,
    /// The things compared differ, or a check failed.
    Differs,
}

/// Prints what the parser of arguments has to say, which may be help that was asked for, and returns the exit code.
pub(crate) fn usage(said: &clap::Error) -> ExitCode {
    let printed = said.print();
    if said.use_stderr() { ExitCode::from(2) } else { code(report::written(printed)) }
}

/// Says what went wrong, if anything, and returns the exit code.
pub(crate) fn code(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Differs) => ExitCode::from(1),
        Err(failure) => {
            report::tell(failure.text());
            ExitCode::from(failure.exit_code())
        }
    }
}
