//! Whether the first vehicle in a buffer crosses the node.

use throng_core::NONE;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// The next link of a vehicle whose trip ends on its current link.
pub const ARRIVE: u32 = NONE;
/// The next link of a vehicle whose route continues on a link that does not exist.
pub const NO_SUCH_LINK: u32 = NONE - 1;

/// The outcome for the first vehicle in a buffer, and its consequences for the node.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Whether the vehicle moves to its next link.
    pub crosses: bool,
    /// Whether the vehicle moves although its next link is full, because it has been stuck for too long.
    pub pushed: bool,
    /// Whether the vehicle leaves the simulation.
    pub removed: bool,
    /// Whether the following vehicle may try to cross.
    pub moved: bool,
    /// Whether the next link was full.
    pub jammed: bool,
}

/// Decides the crossing of a vehicle. `connected`: its next link begins at this node. `accepted`: that link accepts it.
/// The buffer has not moved for `buffer_blocked_s` seconds. After `stuck_time_s` the vehicle is pushed into the full
/// link, or removed from the simulation if `remove_stuck`.
#[cube]
#[inline]
pub fn crossing(
    connected: bool,
    accepted: bool,
    buffer_blocked_s: f64,
    stuck_time_s: f64,
    remove_stuck: bool,
) -> Crossing {
    let jammed = connected && !accepted;
    let stuck = jammed && buffer_blocked_s > stuck_time_s;
    let pushed = stuck && !remove_stuck;
    let crosses = (connected && accepted) || pushed;
    let removed = !connected || (stuck && remove_stuck);
    // As in MATSim, the vehicle behind one that was removed for being stuck must wait for the next step.
    let moved = !connected || crosses;
    Crossing { crosses, pushed, removed, moved, jammed }
}
