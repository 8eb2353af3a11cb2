//! The input and output of a simulation of road traffic, independent of files and executors.
//!
//! * [`Scenario`] is the input: network, population, vehicles and facilities, validated and in dense arrays.
//! * [`ScenarioBuilder`] creates a scenario in code, with a network from a [`NetworkBuilder`].
//! * [`events::EventSink`] receives the events of a run.
//!
//! ```
//! use throng_traffic_scenario::routing::Router;
//! use throng_traffic_scenario::{ModeId, NetworkBuilder, ScenarioBuilder};
//!
//! let network = NetworkBuilder::new()
//!     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1500.0, 0.0).node("d", 2000.0, 0.0)
//!     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
//!     .link("bc", "b", "c", 1000.0, 10.0, 1000.0, 1.0)
//!     .link("cd", "c", "d", 500.0, 10.0, 1000.0, 1.0)
//!     .build()?;
//! let scenario = ScenarioBuilder::new(network)
//!     .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "bc", "cd"]).stay("work", "cd"))
//!     .build()?;
//! let router = Router::new(&scenario.network, ModeId(0), f64::INFINITY);
//! let route = router.route(0, 2);
//! assert_eq!(route.map(|route| route.travel_time_s), Some(100.0), "1000 m from the end of ab to cd");
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! * [`settings::Settings`] holds the parameters of a run, with MATSim's names.
//! * [`RunStats`] and [`VolumeBin`] contain counts.
//! * [`routing::Router`] finds fastest paths.
//! * [`transit_routing::TransitRouter`] finds connections of public transport.
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
mod transit;
pub mod transit_routing;
mod valid_range;
mod vehicles;
pub mod volumes;

pub use builder::{PlanBuilder, ScenarioBuilder};
pub use change_events::{ChangeKind, ChangeValue, InvalidChange, NetworkChangeEvent, invalid_changes};
pub use facilities::Facilities;
pub use modes::{ModeId, ModeTable, main_mode};
pub use network::{Link, Network, NetworkBuilder};
pub use population::{Activities, Activity, Leg, Legs, PlanElement, Population, RouteKind, is_interaction};
pub use scenario::{AtStop, DriverStart, Scenario};
pub use state_hashes::HashAt;
pub use stats::RunStats;
pub use transit::{Departures, DriverLeg, Ride, Routes, Stops, Transit};
pub use valid_range::ValidRange;
pub use vehicles::{Doors, Passengers, VehicleType, Vehicles};
pub use volumes::VolumeBin;
