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
    /// Places and doors; used in public transport only.
    pub passengers: Passengers,
}

/// Places and doors of a vehicle of public transport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passengers {
    /// Number of seats, without the driver's.
    pub seats: u32,
    /// Number of standing places.
    pub standing: u32,
    /// Time that each person takes to board, seconds.
    pub access_s: f64,
    /// Time that each person takes to alight, seconds.
    pub egress_s: f64,
    /// Whether persons board and alight one after the other or at the same time.
    pub doors: Doors,
}

/// The use of doors at a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doors {
    /// First all alight, then all board.
    Serial,
    /// Persons alight and board at the same time, through different doors.
    Parallel,
}

impl Default for Passengers {
    /// The default of a type in a file: one seat, a second per person, one door.
    fn default() -> Self {
        Self { seats: 1, standing: 0, access_s: 1.0, egress_s: 1.0, doors: Doors::Serial }
    }
}

impl Passengers {
    /// Maximum number of passengers.
    pub fn capacity(&self) -> usize {
        self.seats as usize + self.standing as usize
    }
}

impl VehicleType {
    /// Returns MATSim's default vehicle, a car with four seats.
    pub fn default_car() -> Self {
        Self {
            id: "defaultVehicleType".into(),
            length_m: 7.5,
            width_m: 1.0,
            maximum_velocity_mps: f64::INFINITY,
            pcu: 1.0,
            flow_efficiency: 1.0,
            network_mode: "car".into(),
            passengers: Passengers { seats: 4, ..Passengers::default() },
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
