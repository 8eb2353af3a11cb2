//! Translation of CubeCL errors into errors with a remedy.

use cubecl::server::{IoError, LaunchError, ServerError};

use crate::error::DeviceError;

/// The device as named in errors.
#[derive(Debug, Clone)]
pub(crate) struct ErrorContext {
    /// Id and name.
    pub label: String,
    /// Whether a generic error is a fault of a kernel.
    pub reports_faults: bool,
}

impl ErrorContext {
    pub fn lost(&self, during: &str, message: impl Into<String>) -> DeviceError {
        DeviceError::Lost { device: self.label.clone(), during: during.to_owned(), message: message.into() }
    }

    pub fn out_of_memory(&self, what: &str, asked_bytes: Option<u64>, available_bytes: Option<u64>) -> DeviceError {
        DeviceError::OutOfMemory {
            device: self.label.clone(),
            what: what.to_owned(),
            asked_mib: asked_bytes.map(|bytes| bytes.div_ceil(1 << 20)),
            available_mib: available_bytes.map(|bytes| bytes >> 20),
        }
    }

    pub fn kernel(&self, kernel: &str, message: String) -> DeviceError {
        DeviceError::Kernel { device: self.label.clone(), kernel: kernel.to_owned(), message }
    }

    fn fault(&self, kernel: &str, message: String) -> DeviceError {
        DeviceError::Fault { device: self.label.clone(), kernel: kernel.to_owned(), message }
    }

    pub fn failure(&self, during: &str, error: &ServerError) -> DeviceError {
        match (cause(error), error) {
            (Some(Cause::Memory(bytes)), _) => self.out_of_memory(during, bytes, None),
            (Some(Cause::Kernel), _) => self.kernel(during, compiler_message(&text(error))),
            (None, ServerError::Generic { reason, .. }) if self.reports_faults => self.fault(during, reason.clone()),
            (None, _) => self.lost(during, text(error)),
        }
    }
}

/// Cause of a CubeCL error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Out of memory; the requested bytes, if known.
    Memory(Option<u64>),
    Kernel,
}

/// Returns the cause of an error, if it is specific. CubeCL returns handles at once and requests their memory from the
/// driver later. A buffer without memory therefore means that the driver refused it.
fn cause(error: &ServerError) -> Option<Cause> {
    let of_memory = |error: &IoError| match error {
        IoError::BufferTooBig { size, .. } => Some(Cause::Memory(Some(*size))),
        IoError::NotFound { .. } => Some(Cause::Memory(None)),
        _ => None,
    };
    match error {
        ServerError::Io(error) | ServerError::Launch(LaunchError::IoError(error)) => of_memory(error),
        ServerError::Launch(LaunchError::OutOfMemory { .. }) => Some(Cause::Memory(None)),
        ServerError::Launch(LaunchError::CompilationError(_)) => Some(Cause::Kernel),
        ServerError::ServerUnhealthy { errors, .. } => errors.iter().find_map(cause),
        _ => None,
    }
}

/// Removes CubeCL's backtrace, and the source that it appends to the messages of a compiler, which do not help users.
fn text(error: &ServerError) -> String {
    let text = error.to_string();
    ["Backtrace", "\n[Source]"]
        .iter()
        .fold(text.as_str(), |text, end| text.split(end).next().unwrap_or_default())
        .trim()
        .to_owned()
}

/// Removes the text in which CubeCL encloses the message of a compiler.
fn compiler_message(text: &str) -> String {
    text.rsplit("caused the compilation to fail\nCaused by:\n").next().unwrap_or_default().trim().to_owned()
}

/// Returns the error that CubeCL reports for a kernel that its compiler rejected.
pub(crate) fn not_compiled(reason: &str) -> ServerError {
    let backtrace = cubecl::backtrace::BackTrace::capture();
    LaunchError::CompilationError(cubecl::CompilationError::Generic { reason: reason.to_owned(), backtrace }).into()
}

#[cfg(test)]
mod tests {
    use cubecl::backtrace::BackTrace;

    use super::*;

    fn translated(error: &ServerError) -> DeviceError {
        ErrorContext { label: "vulkan:0 (card)".into(), reports_faults: false }.failure("gather", error)
    }

    #[test]
    fn refused_memory_is_reported_with_size_and_remedy() {
        let backtrace = BackTrace::capture;
        let too_big = IoError::BufferTooBig { size: 48 << 20, backtrace: backtrace() };
        let error = translated(&too_big.clone().into());
        assert_eq!(error.to_string(), "vulkan:0 (card) has too little memory: 48 MiB requested (gather)");
        assert!(error.remedy().contains("the device cpu"));
        // The same error, as returned by a launch and by a later transfer.
        assert_eq!(translated(&LaunchError::IoError(too_big).into()), error);
        let missing = IoError::NotFound { backtrace: backtrace(), reason: "not initialized".to_owned().into() };
        let unhealthy = ServerError::ServerUnhealthy { errors: vec![missing.into()], backtrace: backtrace() };
        assert_eq!(
            translated(&unhealthy).to_string(),
            "vulkan:0 (card) has too little memory: the driver refused a buffer (gather)"
        );
    }

    #[test]
    fn refused_kernels_are_named() {
        let error = translated(&not_compiled("no such type"));
        let DeviceError::Kernel { kernel, message, .. } = &error else { panic!("{error}") };
        assert_eq!(kernel, "gather");
        assert_eq!(message, "no such type");
        let with_source = translated(&not_compiled("no such type\n[Source]\nkernel"));
        assert_eq!(error, with_source, "without the source of the kernel");
    }

    #[test]
    fn other_errors_mean_a_lost_device() {
        let error = translated(&ServerError::Generic { reason: "gone".into(), backtrace: BackTrace::capture() });
        assert!(matches!(&error, DeviceError::Lost { during, .. } if during == "gather"), "{error}");
        assert!(error.to_string().contains("gone"));
    }
}
