//! What is simulated: network, population, vehicles and facilities, validated and in dense arrays.
//!
//! Everything here is read-only during a run. Indices are dense and follow the order of the files; text ids live in
//! the [`throng_core::IdTable`] of their kind.

mod builder;
mod change_events;
mod facilities;
mod modes;
mod network;
mod population;
mod vehicles;

pub use builder::{PlanBuilder, ScenarioBuilder};
pub use change_events::{ChangeKind, ChangeValue, NetworkChangeEvent};
pub use facilities::Facilities;
pub use modes::{ModeId, ModeTable};
pub use network::{Link, Network, NetworkBuilder};
pub use population::{Activities, Activity, Leg, Legs, PlanElement, Population, RouteKind};
pub use vehicles::{VehicleType, Vehicles};

use crate::settings::Settings;

/// A complete scenario, ready to run.
#[derive(Debug, Clone, Default)]
pub struct Scenario {
    /// The settings of the run.
    pub settings: Settings,
    /// Names of modes, shared by links, legs and vehicle types.
    pub modes: ModeTable,
    /// Nodes and links.
    pub network: Network,
    /// Persons and their selected plans.
    pub population: Population,
    /// Vehicles and their types.
    pub vehicles: Vehicles,
    /// Facilities named by activities.
    pub facilities: Facilities,
    /// Changes of link attributes during the day, sorted by time.
    pub change_events: Vec<NetworkChangeEvent>,
}
