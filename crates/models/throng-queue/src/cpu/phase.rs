//! Phases of a step, in the order in which they run.

/// The phase that a partition is in. It decides in which step a departure is first processed, and the order of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Agents,
    Nodes,
    Links,
    Teleports,
}

impl Phase {
    /// Whether the events of the phase are in descending order of the ids of agents. Those of other phases are in the
    /// order of nodes or links, or with Java's generator in the order of their activation.
    pub fn is_by_agent(self) -> bool {
        matches!(self, Self::Agents | Self::Teleports)
    }
}
