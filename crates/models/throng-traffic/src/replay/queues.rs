//! Positions of vehicles along a link.

use super::stay_reader::Stay;

/// Length of road that a standing vehicle occupies, m.
pub const ROOM_M: f64 = 7.5;

/// A vehicle on a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PositionedVehicle {
    pub stay: Stay,
    /// Distance from the beginning of the link to the front of the vehicle, m.
    pub front_m: f64,
    /// Index of the lane, from 0 on the left.
    pub lane: u32,
}

/// Computes the positions of the vehicles that are on a link with a length and a number of lanes, at a time.
///
/// The lane of a vehicle is its index modulo the number of lanes. It drives at the free speed, but stays 7.5 m behind
/// the previous vehicle to leave in its lane, so waiting vehicles stand behind each other in the order in which they
/// leave. If a lane has more vehicles than room for them, each takes an equal part of the length.
///
/// The result is in the order in which the vehicles leave.
pub fn position_vehicles(mut stays: Vec<Stay>, length_m: f64, lanes: u32, time_s: f64) -> Vec<PositionedVehicle> {
    let lane = |stay: &Stay| stay.vehicle % lanes;
    stays.sort_by(|a, b| a.leave_s.total_cmp(&b.leave_s).then(a.enter_s.total_cmp(&b.enter_s)));
    let mut vehicles = vec![0_u32; lanes as usize];
    for stay in &stays {
        vehicles[lane(stay) as usize] += 1;
    }
    let room = |vehicles: u32| ROOM_M.min(length_m / f64::from(vehicles.max(1)));
    let rooms: Vec<f64> = vehicles.into_iter().map(room).collect();
    let mut ends = vec![length_m; lanes as usize];
    let placed = |stay: Stay| {
        let lane = lane(&stay);
        let (end, room) = (&mut ends[lane as usize], rooms[lane as usize]);
        let front_m = (driven_fraction(&stay, time_s) * length_m).min(*end);
        *end = (front_m - room).max(0.0);
        PositionedVehicle { stay, front_m, lane }
    };
    stays.into_iter().map(placed).collect()
}

/// Returns the fraction of the link that a vehicle has covered at free speed, from 0 to 1.
fn driven_fraction(stay: &Stay, time_s: f64) -> f64 {
    let (enter, arrive) = (f64::from(stay.enter_s), f64::from(stay.arrive_s));
    if time_s >= arrive { 1.0 } else { ((time_s - enter) / (arrive - enter)).clamp(0.0, 1.0) }
}
