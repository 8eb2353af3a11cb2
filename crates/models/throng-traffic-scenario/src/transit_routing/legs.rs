//! The result of a search as legs.

use throng_core::NONE;

use super::arrays::Arrays;
use super::labels::{Step, StopWalk};
use super::parameters::{TransitRouterParameters, UNITS_PER_UTIL};

/// A connection.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitTrip {
    /// Legs in order: a walk to the first stop, rides with walks between them, and a walk to the destination; or a
    /// single walk. Walks may take no time.
    pub legs: Vec<TransitLeg>,
    /// Generalised cost, utils: the utility lost by travelling instead of performing an activity, and by transfers.
    pub cost: f64,
    /// Arrival at the destination, seconds of the day.
    pub arrival_time_s: f64,
}

/// A leg of a connection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TransitLeg {
    /// On foot.
    Walk(WalkLeg),
    /// In a vehicle.
    Ride(RideLeg),
}

/// A walk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkLeg {
    /// Stop at its beginning; [`NONE`] at the origin of the trip.
    pub from_stop: u32,
    /// Stop at its end; [`NONE`] at the destination of the trip.
    pub to_stop: u32,
    /// Beginning, seconds of the day.
    pub departure_time_s: f64,
    /// Duration, seconds: whole seconds at stops, not rounded without a ride. Between two rides it is shorter by the
    /// margin, so that it ends before the next leg begins.
    pub travel_time_s: f64,
    /// Length of the way, metres; between two rides, rounded up.
    pub distance_m: f64,
}

/// A ride, including the waiting before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RideLeg {
    /// Line.
    pub line: u32,
    /// Route of the line.
    pub route: u32,
    /// Departure, by its index in the timetable.
    pub departure: u32,
    /// Stop where the person boards.
    pub access_stop: u32,
    /// Stop where the person alights.
    pub egress_stop: u32,
    /// Arrival at the access stop, seconds of the day.
    pub departure_time_s: f64,
    /// When the person boards: the arrival of the vehicle, or that of the person if it is later; seconds of the day.
    pub boarding_time_s: f64,
    /// From the arrival at the access stop to the arrival at the egress stop, seconds.
    pub travel_time_s: f64,
    /// Length of the links after that of the access stop, up to that of the egress stop, metres.
    pub distance_m: f64,
}

/// The legs of a connection that ends with `step` and a walk.
pub(super) fn trip(
    arrays: &Arrays,
    parameters: &TransitRouterParameters,
    steps: &[Step],
    (last, cost, egress): (u32, i64, StopWalk),
    access: &[StopWalk],
    start_s: i32,
) -> TransitTrip {
    let factor = parameters.walk_beeline_factor;
    let stop = |step: &Step| arrays.stop[step.call as usize];
    let transfer_m = |from: &Step, to: &Step| (arrays.beeline_m(stop(from), stop(to)) * factor).ceil();
    let last_step = &steps[last as usize];
    let arrival_s = last_step.arrival_s + egress.time_s;
    let mut to_destination = WalkLeg {
        from_stop: egress.stop,
        to_stop: NONE,
        departure_time_s: f64::from(last_step.arrival_s),
        travel_time_s: f64::from(egress.time_s),
        distance_m: egress.beeline_m * factor,
    };
    let mut legs = Vec::with_capacity(2 * last_step.transfers as usize + 3);
    let mut step = last_step;
    while step.parent != NONE {
        let parent = &steps[step.parent as usize];
        if step.departure != NONE {
            legs.push(TransitLeg::Ride(ride(arrays, parent, step)));
        } else if legs.is_empty() {
            // Two walks at the end are one.
            to_destination.from_stop = stop(parent);
            to_destination.departure_time_s = f64::from(parent.arrival_s);
            to_destination.travel_time_s += f64::from(step.arrival_s - parent.arrival_s);
            to_destination.distance_m += transfer_m(parent, step);
        } else {
            let time_s = f64::from(step.arrival_s - parent.arrival_s);
            legs.push(TransitLeg::Walk(WalkLeg {
                from_stop: stop(parent),
                to_stop: stop(step),
                departure_time_s: f64::from(parent.arrival_s),
                travel_time_s: (time_s - parameters.transfer_walk_margin_s).max(0.0),
                distance_m: transfer_m(parent, step),
            }));
        }
        step = parent;
    }
    let first_stop = stop(step);
    // All access stops are in the order of their indices.
    let beeline_m = access.binary_search_by_key(&first_stop, |walk| walk.stop).map_or(0.0, |at| access[at].beeline_m);
    legs.push(TransitLeg::Walk(WalkLeg {
        from_stop: NONE,
        to_stop: first_stop,
        departure_time_s: f64::from(start_s),
        travel_time_s: f64::from(step.arrival_s - start_s),
        distance_m: beeline_m * factor,
    }));
    legs.reverse();
    legs.push(TransitLeg::Walk(to_destination));
    TransitTrip { legs, cost: cost as f64 / UNITS_PER_UTIL, arrival_time_s: f64::from(arrival_s) }
}

fn ride(arrays: &Arrays, before: &Step, ride: &Step) -> RideLeg {
    let (from, to) = (before.call as usize, ride.call as usize);
    let departure = ride.departure as usize;
    let vehicle_s = arrays.departure_time_s[departure] + arrays.arrival_s[from];
    let route = arrays.route[to];
    RideLeg {
        line: arrays.line[route as usize],
        route,
        departure: arrays.departure_in_timetable[departure],
        access_stop: arrays.stop[from],
        egress_stop: arrays.stop[to],
        departure_time_s: f64::from(before.arrival_s),
        boarding_time_s: f64::from(before.arrival_s.max(vehicle_s)),
        travel_time_s: f64::from(ride.arrival_s - before.arrival_s),
        distance_m: arrays.distance_m(before.call, ride.call),
    }
}
