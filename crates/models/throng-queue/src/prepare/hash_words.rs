//! The parts of the state of vehicles and agents that are hashed. All executors hash the same words.

use throng_core::StateHash;

use crate::rules::doors::Doors;

/// The list of a link that contains a vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Waiting,
    Queue,
    Buffer,
    Stops,
}

/// The state of an agent outside traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OffNetworkState {
    AtActivity,
    Teleported,
}

/// The hashed state of a vehicle with its driver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HashedVehicle {
    pub person: u32,
    pub element: u32,
    pub vehicle: u32,
    /// Earliest time at which the vehicle may leave the link, seconds of the day; hashed only while it drives.
    pub exit: f64,
}

/// Adds a vehicle at a position in a list of a link. `link` is the index in the scenario.
pub(crate) fn add_vehicle(hash: &mut StateHash, link: u32, list: List, position: usize, vehicle: HashedVehicle) {
    let HashedVehicle { person, element, vehicle, exit } = vehicle;
    let (number, exit) = match list {
        List::Waiting => (0, 0.0),
        List::Queue => (1, exit),
        List::Buffer => (2, 0.0),
        List::Stops => (3, exit),
    };
    let place = (u64::from(link) << 32) | (number << 28) | position as u64;
    hash.add(u64::from(person), &[place, u64::from(element), u64::from(vehicle), f64::to_bits(exit)]);
}

/// Adds a passenger at a place in the vehicle of `driver`, or, with [`NONE`](throng_core::NONE), in the list of those
/// who wait at a stop.
pub(crate) fn add_passenger(hash: &mut StateHash, person: u32, element: u32, driver: u32, place: usize) {
    hash.add(u64::from(person), &[5, u64::from(element), u64::from(driver), place as u64]);
}

/// Adds a vehicle of public transport: its next call, whether it is there, and its doors.
pub(crate) fn add_transit_vehicle(hash: &mut StateHash, driver: u32, call: u32, has_arrived: bool, doors: Doors) {
    let Doors { open, boarding_s, alighting_s } = doors;
    let place = (u64::from(call) << 2) | (u64::from(open) << 1) | u64::from(has_arrived);
    hash.add(u64::from(driver), &[6, place, boarding_s.to_bits(), alighting_s.to_bits()]);
}

/// Adds an agent outside traffic and the time at which its activity or teleported leg ends, seconds of the day.
pub(crate) fn add_agent(hash: &mut StateHash, state: OffNetworkState, person: u32, element: u32, until: f64) {
    let number = match state {
        OffNetworkState::AtActivity => 3,
        OffNetworkState::Teleported => 4,
    };
    hash.add(u64::from(person), &[number, u64::from(element), until.to_bits()]);
}
