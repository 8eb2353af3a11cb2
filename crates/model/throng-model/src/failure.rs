//! Failures of runs and commands, and the exit codes of the command line.

use std::path::Path;

use thiserror::Error;
use throng_core::{InputError, InputErrorKind, NoThread};
use throng_device::DeviceError;
use throng_output::{FileError, OutputError};

/// The reason why a command or a run has no result.
///
/// | exit code | meaning |
/// |---|---|
/// | 0 | done; the results compared are equal, all checks hold |
/// | 1 | the results compared differ, or a check or a run of a sweep failed |
/// | 2 | the arguments are invalid, an input cannot be used, or the output folder holds something that must be kept |
/// | 3 | the machine lacks something: a device, memory, threads, disk space, an output folder that is writable and not in use |
#[derive(Clone, Error)]
pub enum Failure {
    /// The arguments are invalid, or an input cannot be used.
    #[error(transparent)]
    Input(InputError),
    /// The results cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The device does not exist, lacks something, or failed.
    #[error("{0}\n    {remedy}", remedy = .0.remedy())]
    Device(DeviceError),
    /// Another resource of the machine is missing.
    #[error("{message}\n    {remedy}")]
    Resource {
        /// Description of the missing resource.
        message: String,
        /// Suggested remedy.
        remedy: String,
    },
}

throng_core::debug_is_message!(Failure);

impl Failure {
    /// Creates a failure for a single problem with the arguments or an input.
    pub fn input(place: impl Into<String>, message: impl std::fmt::Display, remedy: impl Into<String>) -> Self {
        Self::from(InputError::one(place, message, remedy))
    }

    /// Creates a failure for a missing resource.
    pub fn resource(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Resource { message: message.into(), remedy: remedy.into() }
    }

    /// Prefixes a missing resource, such as disk space, with the file that needs it.
    #[must_use]
    pub fn of_file(self, path: &Path) -> Self {
        match self {
            Self::Resource { message, remedy } => {
                Self::Resource { message: format!("{}: {message}", path.display()), remedy }
            }
            other => other,
        }
    }

    /// Returns the exit code of a command that fails with this.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(error) if error.kind() != InputErrorKind::Invalid => 3,
            // Caused by a choice of the user, not by the machine.
            Self::Input(_)
            | Self::Output(
                OutputError::NotEmpty { .. } | OutputError::NotDeleted { .. } | OutputError::NotReplaced { .. },
            ) => 2,
            Self::Output(_) | Self::Device(_) | Self::Resource { .. } => 3,
        }
    }

    /// Returns the message for a terminal: `error:`, place, value, remedy.
    pub fn text(&self) -> String {
        match self {
            Self::Input(InputError(problems)) if problems.total() != 1 => {
                format!("error: {} problems\n{problems}", problems.total())
            }
            _ => format!("error: {self}").trim_end().to_owned(),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        match error.0.shown() {
            [problem] if error.kind() == InputErrorKind::Resource => {
                Self::resource(format!("{}: {}", problem.place, problem.message), problem.remedy.as_str())
            }
            _ => Self::Input(error),
        }
    }
}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

impl From<throng_device::Error> for Failure {
    fn from(error: throng_device::Error) -> Self {
        match error {
            throng_device::Error::Input(error) => error.into(),
            throng_device::Error::Device(error) => error.into(),
        }
    }
}

impl From<NoThread> for Failure {
    fn from(error: NoThread) -> Self {
        Self::resource(error.to_string(), NoThread::REMEDY)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Input(error) => error.into(),
            FileError::Output(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Problems;

    use super::*;

    #[test]
    fn failures_have_exit_codes_and_texts() {
        let one = Failure::input("a.xml:3", "length is 0", "lengths are positive");
        assert_eq!(
            (one.exit_code(), one.text().as_str()),
            (2, "error: a.xml:3: length is 0\n    lengths are positive")
        );
        let mut problems = Problems::new();
        problems.push("a", "x", "");
        problems.push("b", "y", "");
        assert_eq!(Failure::Input(InputError(problems)).text(), "error: 2 problems\na: x\nb: y");
        assert_eq!(Failure::from(InputError::out_of_memory("grid", "1 TiB", "use larger cells")).exit_code(), 3);
        let device = DeviceError::OutOfMemory {
            device: "cuda:0".to_owned(),
            what: "vehicles".to_owned(),
            asked_mib: Some(2),
            available_mib: Some(1),
        };
        assert_eq!(Failure::from(device).exit_code(), 3);
        assert_eq!(Failure::from(OutputError::InUse { path: "out".into() }).exit_code(), 3);
        let entries = OutputError::NotEmpty {
            path: "out".into(),
            entries: 1,
            example: "a".into(),
            run_of: None,
            remedy: "-o".into(),
        };
        let taken = Failure::from(entries);
        assert_eq!(taken.exit_code(), 2);
        assert!(taken.text().starts_with("error: output folder out is not empty"), "{}", taken.text());
        let resource = Failure::resource("no device", "use the device cpu");
        assert_eq!((resource.exit_code(), resource.text().as_str()), (3, "error: no device\n    use the device cpu"));
        let of_file = Failure::resource("not written", "free some space").of_file(Path::new("a/film.png"));
        assert_eq!(of_file.text(), "error: a/film.png: not written\n    free some space");
    }
}
