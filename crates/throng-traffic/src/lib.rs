//! Road traffic as MATSim's queue simulation: the same files in, the same events out.
//!
//! * [`settings::Settings`] is what a run can be told, with MATSim's names.
//! * [`scenario::Scenario`] is what is simulated, in dense arrays.
//! * [`routing::Router`] finds fastest paths.
//! * [`generate::city`] makes scenarios up.
//! * [`events::EventSink`] receives what happens.

pub mod events;
pub mod generate;
pub mod matsim;
pub mod routing;
pub mod scenario;
pub mod settings;
