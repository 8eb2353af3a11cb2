//! What a command that completed found.

/// A command that completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Done,
    /// The things compared differ, or a check or a run of a sweep failed.
    Differs,
}
