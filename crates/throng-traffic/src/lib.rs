//! Road traffic as MATSim's queue simulation: the same files in, the same events out.
//!
//! * [`settings::Settings`] is what a run can be told, with MATSim's names.
//! * [`scenario::Scenario`] is what is simulated, in dense arrays.
//! * [`events::EventSink`] receives what happens.

pub mod events;
pub mod results;
pub mod scenario;
pub mod settings;
