//! The outcome of a completed command.

/// The outcome of a command without a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Success.
    Done,
    /// The compared results differ, or a check or a run of a sweep failed.
    Differs,
}
