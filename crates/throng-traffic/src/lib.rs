//! Road traffic as MATSim's queue simulation: the same files in, the same events out.
//!
//! * [`settings::Settings`] is what a run can be told, with MATSim's names; [`config`] reads it from `config.xml`.
//! * [`scenario::Scenario`] is what is simulated, in dense arrays.
//! * [`cpu::simulate`] runs it.
//! * [`routing::Router`] finds fastest paths.
//! * [`events::EventSink`] receives what happens.

pub mod cpu;
pub mod config;
pub mod events;
pub mod rules;
mod run_error;
pub mod compare;
pub mod events;
pub mod matsim;
pub mod routing;
pub mod scenario;
pub mod settings;
mod stats;

pub use run_error::RunError;
pub use stats::RunStats;
