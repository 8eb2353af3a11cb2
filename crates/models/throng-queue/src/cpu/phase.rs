//! Phases of a step, in the order in which they run.

/// The phase that a partition is in. It decides in which step a departure is first processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Agents,
    Nodes,
    Links,
    Teleports,
}
