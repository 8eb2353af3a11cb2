//! The version of the program.

/// The version and, if known, the commit: `0.1.0 (commit 4228e95a, with changes)`.
pub(crate) const VERSION: &str = env!("THRONG_VERSION");
