//! MATSim's queue model of road traffic, on threads and on GPUs, with the same events on both.
//!
//! * [`cpu::simulate`] runs a scenario on threads, and [`gpu::simulate`] on a device.
//! * [`Running`] is a run on either that pauses at times chosen by the caller.
//! * [`RunOptions`] are the options of a run, and [`RunOutcome`] its counters.
//!
//! ```
//! use throng_queue::{RunOptions, cpu};
//! use throng_traffic_scenario::events::EventLog;
//! use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
//!
//! let network = NetworkBuilder::new()
//!     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1000.0, 0.0)
//!     .link("ab", "a", "b", 500.0, 10.0, 3600.0, 1.0)
//!     .link("bc", "b", "c", 500.0, 10.0, 3600.0, 1.0)
//!     .build()?;
//! let scenario = ScenarioBuilder::new(network)
//!     .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "bc"]).stay("work", "bc"))
//!     .build()?;
//! let mut log = EventLog::default();
//! let outcome = cpu::simulate(&scenario, &mut log, &RunOptions::default())?;
//! // Enters traffic at 60 s, crosses the node at 61 s, and drives 50 s.
//! assert_eq!((outcome.end_time, outcome.stats.arrivals), (111.0, 1));
//! println!("{} events", log.events.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`rules`] is the model: flow capacity, storage capacity, node transition. Events go to an
//! [`EventSink`](throng_traffic_scenario::events::EventSink). [`verification`] compares the results on this machine
//! with those implied by capacities and speeds.

// Denied rather than forbidden because of the launches in `gpu::launch`.
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports, reason = "some items are needed only by kernels"))]

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
mod vehicle_uses;
pub mod verification;

pub use run_error::RunError;
pub use run_options::{DeviceThreads, RunOptions, RunOutcome};
pub use running::Running;
