//! MATSim's queue model of road traffic, on threads and on GPUs, with the same events on both.
//!
//! * [`cpu::simulate`] runs a scenario on threads, [`gpu::simulate`] on a device; [`Running`] does either step by step.
//! * [`rules`] is the model: flow capacity, storage capacity, node transition.
//! * [`RunOptions`] are the options of a run, [`RunOutcome`] its counters; events go to an
//!   [`EventSink`](throng_traffic_scenario::events::EventSink).
//! * [`verification`] compares the results on this machine with those implied by capacities and speeds.

// Denied rather than forbidden because of the launches in `gpu::launch`.
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports, reason = "some things only kernels need"))]

pub mod cpu;
#[cfg(feature = "gpu")]
pub mod gpu;
#[cfg(not(feature = "gpu"))]
#[path = "gpu/no_kernels.rs"]
pub mod gpu;
mod pacing;
mod prepare;
pub mod rules;
mod run_error;
mod run_options;
mod running;
pub mod verification;

pub use run_error::RunError;
pub use run_options::{DeviceThreads, RunOptions, RunOutcome};
pub use running::Running;
