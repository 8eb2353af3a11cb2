//! Road traffic as MATSim's queue simulation: the same files in, the same events out.
//!
//! * [`settings::Settings`] is what a run can be told, with MATSim's names; [`config`] reads it from `config.xml`.
//! * [`scenario::Scenario`] is what is simulated, in dense arrays.
//! * [`cpu::simulate`] runs it, [`gpu::simulate`] on a device.
//! * [`routing::Router`] finds fastest paths.
//! * [`generate::city`] makes scenarios up.
//! * [`load::load_scenario`] reads it from the files that the settings name; [`cache`] keeps it for the next time.
//! * [`events::EventSink`] receives what happens.
//! * [`verification`] holds what capacities and speeds promise against what this machine gives.

// Denied and not forbidden, because of the launches in `gpu::launch`.
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod baselines;
pub mod cache;
pub mod compare;
pub mod config;
pub mod convert;
pub mod cpu;
pub mod events;
mod file_error;
pub mod generate;
pub mod gpu;
pub mod load;
pub mod matsim;
mod prepare;
pub mod results;
pub mod routing;
pub mod rules;
mod run_error;
mod run_options;
pub mod scenario;
pub mod settings;
mod stats;
pub mod verification;
mod volumes;

pub use file_error::FileError;
pub use run_error::RunError;
pub use run_options::{DeviceThreads, HashAt, RunOptions, RunOutcome};
pub use stats::RunStats;
pub use volumes::VolumeBin;
