//! Road traffic as MATSim's queue simulation: the same files in, the same events out.
//!
//! * [`settings::Settings`] is what a run can be told, with MATSim's names.
//! * [`scenario::Scenario`] is what is simulated, in dense arrays.
//! * [`load::load_scenario`] reads it from the files that the settings name.
//! * [`events::EventSink`] receives what happens.

pub mod compare;
pub mod convert;
pub mod events;
pub mod load;
pub mod matsim;
pub mod routing;
pub mod scenario;
pub mod settings;
