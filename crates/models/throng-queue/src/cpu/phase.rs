//! The phases of a step.

/// The phase that a partition is in; decides when a departure is first considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Agents,
    Nodes,
    Links,
    Teleports,
}
