//! The hash of the state after a step.

/// The state hash after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashAt {
    /// Step, counted from 0.
    pub step: u64,
    /// Time of the step, seconds of the day.
    pub time: f64,
    /// Order-free hash over all vehicles in traffic and all agents at finite activities or teleported.
    pub hash: u64,
}
