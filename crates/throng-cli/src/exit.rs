//! How a command ends: the exit code, and the message on the way out.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done; what was compared is equal, what was checked holds |
//! | 1 | what was compared differs, or a check failed |
//! | 2 | the arguments are invalid, an input cannot be used, or the output folder is not empty |
//! | 3 | the machine lacks something: a device, memory, threads, room on the disk, an output folder that is writable and free |

use std::process::ExitCode;

use throng_core::{InputError, Problems};

use crate::report;

/// A command that came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Done,
    /// The things compared differ, or a check failed.
    Differs,
}

/// A command that could not do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The arguments are invalid, an input cannot be used, or the output folder is not empty.
    Input(Problems),
    /// A device or a resource is missing: what, and what to do.
    Resource { message: String, remedy: String },
}

impl Failure {
    /// A single problem with the arguments or an input.
    pub(crate) fn input(place: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::from(InputError::one(place, message, remedy))
    }

    /// A device or resource that is missing.
    pub(crate) fn resource(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Resource { message: message.into(), remedy: remedy.into() }
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Input(problems) if problems.is_shortage() => 3,
            Self::Input(_) => 2,
            Self::Resource { .. } => 3,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Input(problems) if problems.total() == 1 => format!("error: {problems}"),
            Self::Input(problems) => format!("error: {} problems\n{problems}", problems.total()),
            Self::Resource { message, remedy } => format!("error: {message}\n    {remedy}"),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error.0)
    }
}

impl From<throng::output::OutputError> for Failure {
    fn from(error: throng::output::OutputError) -> Self {
        use throng::output::OutputError;
        let text = error.to_string();
        let (message, remedy) = parts(&text);
        match error {
            OutputError::NotEmpty { .. } | OutputError::NotDeleted { .. } => Self::input("--out", message, remedy),
            OutputError::NotReplaced { path, reason, remedy } => {
                Self::input(path.display().to_string(), format!("not replaced: {reason}"), remedy)
            }
            _ => Self::resource(message, remedy),
        }
    }
}

/// Message and remedy of an error that prints both.
fn parts(text: &str) -> (&str, &str) {
    text.split_once("\n    ").unwrap_or((text, ""))
}

impl From<throng_device::DeviceError> for Failure {
    fn from(error: throng_device::DeviceError) -> Self {
        Self::resource(error.to_string(), error.remedy())
    }
}

impl From<throng_core::NoThread> for Failure {
    fn from(error: throng_core::NoThread) -> Self {
        Self::resource(error.to_string(), throng_core::NoThread::REMEDY)
    }
}

impl From<throng::fields::FieldError> for Failure {
    fn from(error: throng::fields::FieldError) -> Self {
        use throng::fields::Cause;
        match error.cause {
            Cause::Value => Self::input(error.place, error.value, error.remedy),
            Cause::Machine => Self::resource(format!("{}: {}", error.place, error.value), error.remedy),
        }
    }
}

impl From<throng::fields::gpu::GpuError> for Failure {
    fn from(error: throng::fields::gpu::GpuError) -> Self {
        use throng::fields::gpu::GpuError;
        match error {
            GpuError::Field(error) => error.into(),
            GpuError::Device(error) => error.into(),
        }
    }
}

impl From<throng::traffic::FileError> for Failure {
    fn from(error: throng::traffic::FileError) -> Self {
        use throng::traffic::FileError;
        match error {
            FileError::Input(error) => error.into(),
            FileError::Output(error) => error.into(),
        }
    }
}

impl From<throng::traffic::Failed> for Failure {
    fn from(error: throng::traffic::Failed) -> Self {
        use throng::traffic::{Failed, RunError};
        match error {
            Failed::Input(error) => error.into(),
            Failed::Run(
                error @ (RunError::VehicleNotHere { .. }
                | RunError::NoTravelTime { .. }
                | RunError::NoLink { .. }
                | RunError::Inconsistent { .. }
                | RunError::TooLarge { .. }),
            ) => Self::input("the scenario", error.to_string(), ""),
            Failed::Run(error @ RunError::NotOnDevice { .. }) => {
                Self::input("--device", error.to_string(), "use --device cpu")
            }
            Failed::Run(RunError::Device(error)) | Failed::Device(error) => error.into(),
            Failed::Run(RunError::NoThread(error)) => error.into(),
            Failed::Run(error) => Self::resource(error.to_string(), "no complete results were written"),
            Failed::Output(error) => error.into(),
        }
    }
}

impl From<throng::fields::Failed> for Failure {
    fn from(error: throng::fields::Failed) -> Self {
        use throng::fields::Failed;
        match error {
            Failed::Input(error) => error.into(),
            Failed::Field(error) => error.into(),
            Failed::Device(error) => error.into(),
            Failed::Output(error) => error.into(),
            Failed::NoThread(error) => error.into(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_texts() {
        let one = Failure::input("a.xml:3", "length is 0", "lengths are positive");
        assert_eq!(one.exit_code(), 2);
        assert_eq!(one.text(), "error: a.xml:3: length is 0\n    lengths are positive");
        let mut problems = Problems::new();
        problems.push("a", "x", "");
        problems.push("b", "y", "");
        assert_eq!(Failure::Input(problems).text(), "error: 2 problems\na: x\nb: y");
        let memory = InputError::shortage("grid", "1 TiB", "use larger cells");
        assert_eq!(Failure::from(memory).exit_code(), 3);
        let device = throng_device::DeviceError::OutOfMemory {
            device: "cuda:0".to_owned(),
            what: "vehicles".to_owned(),
            asked_mib: Some(2),
            available_mib: Some(1),
        };
        assert_eq!(Failure::from(throng::fields::gpu::GpuError::Device(device)).exit_code(), 3);
        let in_use = throng::output::OutputError::InUse { path: "out".into() };
        assert_eq!(Failure::from(in_use).exit_code(), 3);
        let resource = Failure::resource("no device", "use --device cpu");
        assert_eq!((resource.exit_code(), resource.text().as_str()), (3, "error: no device\n    use --device cpu"));
    }
}
