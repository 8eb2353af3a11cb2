//! A vehicle of public transport at the stops of a link.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::doors::{self, AtDoors, DoorTimes, Doors};

/// The view of a vehicle of public transport at the end of a link: its next call, and the persons there.
#[cube]
pub trait VehicleAtStops {
    /// Whether the stop of the next call is on the link.
    fn is_at_next_stop(&self) -> bool;
    /// Whether the vehicle has arrived there.
    fn has_arrived(&self) -> bool;
    /// Arrives there, with an event.
    fn arrive_at_stop(&mut self);
    /// Finds the passengers who alight, and the waiting persons who board, as far as there is room. Those who find none
    /// are remembered for [`VehicleAtStops::report_denied`].
    fn find_persons(&mut self);
    /// Returns the state of the doors.
    fn doors(&self) -> Doors;
    /// Sets the state of the doors.
    fn set_doors(&mut self, doors: Doors);
    /// The time that persons take at the doors.
    fn door_times(&self) -> DoorTimes;
    /// Records an event for each person who found no place.
    fn report_denied(&mut self);
    /// The time until which the vehicle has to wait, seconds of the day; in the past if it need not wait.
    fn waits_until(&self) -> f64;
    /// Departs, with an event: the next call is that of the next stop.
    fn depart_from_stop(&mut self);
}

/// Serves the stops of the link that are next on the route. Returns how long the vehicle stays at one of them before
/// the next call, seconds; 0 if it drives on.
#[cube]
pub fn serve_stops<V: VehicleAtStops + AtDoors>(vehicle: &mut V, now: f64) -> f64 {
    let mut stay_s = 0.0f64;
    let mut serving = vehicle.is_at_next_stop();
    while serving {
        stay_s = serve::<V>(vehicle, now);
        serving = stay_s == 0.0f64 && vehicle.is_at_next_stop();
    }
    stay_s
}

/// Serves a stop. Returns how long the vehicle stays before the next call, seconds; 0 if it departs.
#[cube]
fn serve<V: VehicleAtStops + AtDoors>(vehicle: &mut V, now: f64) -> f64 {
    if !vehicle.has_arrived() {
        vehicle.arrive_at_stop();
    }
    vehicle.find_persons();
    let mut doors = vehicle.doors();
    let times = vehicle.door_times();
    let mut stay_s = doors::serve::<V>(&mut doors, vehicle, times);
    vehicle.set_doors(doors);
    if stay_s == 0.0f64 {
        vehicle.report_denied();
        let until = vehicle.waits_until();
        if until > now {
            stay_s = until - now;
        } else {
            vehicle.depart_from_stop();
        }
    }
    stay_s
}
