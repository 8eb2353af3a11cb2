//! Public transport of a city: bus lines along streets, railway lines on their own links, and a timetable.

mod lines;
mod rail;
mod timetable;

pub(crate) use lines::lay;
pub use timetable::{RouteCall, TransitDeparture};

use throng_traffic_scenario::{Doors, Passengers, VehicleType};

/// Lines with stops, routes and departures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransitLines {
    /// Link of each stop; vehicles stop at its end.
    pub stops: Vec<u32>,
    /// Two routes for each line, one for each direction; buses first.
    pub routes: Vec<TransitRoute>,
    /// The vehicles, by number: whether they are trains.
    pub vehicles: Vec<bool>,
}

/// A route from one end of a line to the other.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitRoute {
    /// Number of the line.
    pub line: u32,
    /// Whether trains drive it; otherwise buses.
    pub is_rail: bool,
    /// Links from the first stop to the last one. It ends on the first link of the way back.
    pub links: Vec<u32>,
    /// Stops with times.
    pub calls: Vec<RouteCall>,
    /// Departures in order of time.
    pub departures: Vec<TransitDeparture>,
}

/// Returns the types of buses and trains in a sample of the city: a fraction of the passengers needs a fraction of the
/// places.
pub(crate) fn vehicle_types(sample: f64) -> [VehicleType; 2] {
    let vehicle = |id: &str, [seats, standing]: [u32; 2], length_m: f64, pcu: f64, seconds: f64| {
        let places = |whole: u32| (f64::from(whole) * sample).ceil() as u32;
        let passengers = Passengers {
            seats: places(seats),
            standing: places(standing).max(1),
            access_s: seconds,
            egress_s: seconds,
            doors: Doors::Parallel,
        };
        VehicleType { id: id.into(), length_m, pcu: pcu * sample, passengers, ..VehicleType::default_car() }
    };
    [vehicle("bus", [35, 45], 12.0, 2.5, 1.0), vehicle("train", [400, 400], 120.0, 2.5, 0.2)]
}
