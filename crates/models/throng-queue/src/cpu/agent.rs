//! The states of agents outside traffic, and the order of agents that are due in the same step.

use std::cmp::Reverse;

/// An agent on a leg that is not simulated on the network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Teleport {
    /// Time of arrival, seconds of the day.
    pub arrival: f64,
    pub person: u32,
    /// The leg, as a position in the list of plan elements.
    pub element: u32,
}

/// A driver whose vehicle has not arrived yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitingDriver {
    pub person: u32,
    pub element: u32,
}

/// Sorts agents by the time at which they are due, then by descending id.
pub(super) type DueKey = (u64, Reverse<u32>);

/// A person who joined the end of a list in the last phase of a step: the place of the list, the key of the arrival,
/// and the person.
pub(super) type Late<P> = (P, DueKey, u32);

/// Returns MATSim's sort key: earlier times first; ties go to the higher id.
pub(super) fn due_key(ranks: &[u32], time: f64, person: u32) -> DueKey {
    // Flipping the bits of negative numbers makes the bit patterns sort like the numbers.
    let bits = time.to_bits();
    let ordered = if bits >> 63 == 0 { bits | (1 << 63) } else { !bits };
    (ordered, Reverse(ranks[person as usize]))
}
