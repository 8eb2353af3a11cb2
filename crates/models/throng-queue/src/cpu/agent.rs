//! The states of agents outside traffic, and the order of agents that are due in the same step.

use std::cmp::Reverse;

/// An agent on a leg that is not simulated on the network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Teleport {
    /// When it arrives, seconds of the day.
    pub arrival: f64,
    pub person: u32,
    /// The leg, as position in the list of plan elements.
    pub element: u32,
}

/// A driver whose vehicle is not here yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitingDriver {
    pub person: u32,
    pub element: u32,
}

/// Sorts agents by the time at which they are due, and then by descending id text.
pub(super) type DueKey = (u64, Reverse<u32>);

/// MATSim's order: earlier times first, and later id texts first among agents that are due at the same time.
pub(super) fn due_key(ranks: &[u32], time: f64, person: u32) -> DueKey {
    // Flipping the bits of negative numbers makes the order of the bit patterns that of the numbers.
    let bits = time.to_bits();
    let ordered = if bits >> 63 == 0 { bits | (1 << 63) } else { !bits };
    (ordered, Reverse(ranks[person as usize]))
}
