//! Vehicles and vehicle types.

use throng_core::IdTable;

/// The properties of a vehicle type that matter to the simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct VehicleType {
    /// Id.
    pub id: String,
    /// Length, metres; kept for output.
    pub length_m: f64,
    /// Width, metres; kept for output.
    pub width_m: f64,
    /// Maximum speed, metres per second; infinite if the file has none.
    pub maximum_velocity_mps: f64,
    /// Passenger car equivalents: the flow and storage that one vehicle takes, in cars.
    pub pcu: f64,
    /// Divisor of the flow that a vehicle takes.
    pub flow_efficiency: f64,
    /// `networkMode`.
    pub network_mode: String,
}

impl VehicleType {
    /// Returns MATSim's default vehicle.
    pub fn default_car() -> Self {
        Self {
            id: "defaultVehicleType".into(),
            length_m: 7.5,
            width_m: 1.0,
            maximum_velocity_mps: f64::INFINITY,
            pcu: 1.0,
            flow_efficiency: 1.0,
            network_mode: "car".into(),
        }
    }
}

/// Vehicles of a scenario with their types, as arrays.
#[derive(Debug, Clone, Default)]
pub struct Vehicles {
    /// Vehicle types; at most 65,535.
    pub types: Vec<VehicleType>,
    /// Vehicle ids.
    pub ids: IdTable,
    /// Type of each vehicle.
    pub type_of: Vec<u16>,
    /// The link where each vehicle is parked when the day begins, or [`throng_core::NONE`] if no leg uses it.
    pub start_link: Vec<u32>,
}
