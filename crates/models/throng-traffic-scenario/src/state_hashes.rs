//! State hashes, which show whether two runs have the same state.

/// Hash of the simulation state after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashAt {
    /// Step, counted from 0.
    pub step: u64,
    /// Time of the step, seconds of the day.
    pub time: f64,
    /// Order-independent hash over all vehicles in traffic, all agents at finite activities and all teleporting agents.
    pub hash: u64,
}
