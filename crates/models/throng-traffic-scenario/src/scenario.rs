//! A complete scenario.

use crate::settings::Settings;
use crate::{Facilities, ModeTable, Network, NetworkChangeEvent, Population, Vehicles};

/// A complete scenario, ready to run.
#[derive(Debug, Clone, Default)]
pub struct Scenario {
    /// Settings that control the simulation and its output.
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
