//! The input and output of a simulation of road traffic, independent of files and executors.
//!
//! * [`Scenario`] is the input: network, population, vehicles and facilities, validated and in dense arrays;
//!   [`ScenarioBuilder`] creates one in code.
//! * [`settings::Settings`] holds the parameters of a run, with MATSim's names.
//! * [`events::EventSink`] receives the events; [`RunStats`] and [`VolumeBin`] contain counts.
//! * [`routing::Router`] finds fastest paths.
//!
//! A scenario is read-only during a run. Indices are dense and follow the order of the files; text ids are in the
//! [`throng_core::IdTable`] of their kind.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod builder;
mod change_events;
pub mod events;
mod facilities;
mod modes;
mod network;
mod population;
pub mod routing;
mod scenario;
pub mod settings;
mod state_hashes;
mod stats;
mod vehicles;
pub mod volumes;

pub use builder::{PlanBuilder, ScenarioBuilder};
pub use change_events::{ChangeKind, ChangeValue, NetworkChangeEvent};
pub use facilities::Facilities;
pub use modes::{ModeId, ModeTable};
pub use network::{Link, Network, NetworkBuilder};
pub use population::{Activities, Activity, Leg, Legs, PlanElement, PlansError, Population, RouteKind};
pub use scenario::Scenario;
pub use state_hashes::HashAt;
pub use stats::RunStats;
pub use vehicles::{VehicleType, Vehicles};
pub use volumes::VolumeBin;
