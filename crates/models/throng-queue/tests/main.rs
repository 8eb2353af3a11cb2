//! Tests of the queue model against MATSim's results, hand-computed cases, and invariants on random networks.

mod devices;
mod golden;
mod invariants;
mod pitfalls;
#[cfg(feature = "gpu")]
mod rules;
mod transit;
