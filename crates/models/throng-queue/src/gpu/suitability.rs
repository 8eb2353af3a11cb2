//! Checks whether a device can run a given scenario, and whether it can run any scenario.

use throng_device::DeviceInfo;

use crate::prepare::rules::kinds;
use crate::vehicle_uses::needs_one_thread;
use throng_traffic_scenario::settings::NodeRandom;
use throng_traffic_scenario::{PlanElement, Scenario};

/// Number of bits for the vehicle type.
pub const KIND_BITS: u32 = 10;
/// Maximum number of links per route that a device can count.
const MAX_ROUTE_LINKS: u64 = 1 << (32 - KIND_BITS);
/// Limits of 32-bit indices into packed records.
const MAX_PERSONS: u64 = 1 << 29;
const MAX_ELEMENTS: u64 = (1 << 29) - 2;
const MAX_LINKS: u64 = 1 << 28;
/// With the other limits, all parts of public transport fit into one array of words.
const MAX_STOPS: u64 = 1 << 26;
const MAX_PASSENGER_LISTS: u64 = 1 << 29;
const MAX_NODES: u64 = (1 << 30) - 2;
const MAX_TRAVEL_TIMES: u64 = (1 << 32) - 1;
/// Maximum number of steps that a device can count, with a margin for activities that begin late.
const MAX_STEPS: u64 = 2_000_000_000;
const MAX_POSITIONS: u64 = (1 << 32) - 3;

/// Returns the reason why a device cannot run any scenario; `None` if it can.
pub fn unsuitable_device(device: &DeviceInfo) -> Option<String> {
    device.unsuitable_for_f64()
}

/// Returns the reason why a scenario needs the CPU executor; `None` if a device can run it.
pub fn unsuitable(scenario: &Scenario) -> Option<String> {
    if scenario.settings.extensions.node_random == NodeRandom::Java {
        let why = "throng.nodeRandom=java draws from one common stream of random numbers, node after node";
        return Some(format!("{why}; only the CPU can do that, on one thread"));
    }
    if let Some(why) = needs_one_thread(scenario) {
        return Some(format!("{why}; only the CPU can do that, on one thread"));
    }
    let population = &scenario.population;
    let longest = population.legs.route_len.iter().copied().max().unwrap_or(0);
    let elements = population.first_element.last().copied().unwrap_or(0);
    let mut speeds: Vec<u64> = kinds(scenario).iter().map(|kind| kind.maximum_velocity_mps.to_bits()).collect();
    speeds.sort_unstable();
    speeds.dedup();
    let activities = &population.activities;
    let plan_times = activities.end_time.iter().chain(&activities.max_duration).chain(&population.legs.travel_time);
    let last = plan_times.copied().filter(|time| time.is_finite()).fold(0.0, f64::max);
    let limits = [
        ("vehicle types", scenario.vehicles.types.len() as u64, 1 << KIND_BITS),
        ("links of one route", u64::from(longest), MAX_ROUTE_LINKS),
        ("links of all routes", population.route_links.len() as u64, MAX_POSITIONS),
        ("links", scenario.network.links() as u64, MAX_LINKS),
        ("nodes", scenario.network.nodes() as u64, MAX_NODES),
        ("links times speeds of vehicle types", (speeds.len() * scenario.network.links()) as u64, MAX_TRAVEL_TIMES),
        ("steps until the last time in the plans", (last / scenario.settings.qsim.time_step_s) as u64, MAX_STEPS),
        ("persons", population.persons() as u64, MAX_PERSONS),
        ("stops", scenario.transit.stops.ids.len() as u64, MAX_STOPS),
        ("calls of routes at stops", scenario.transit.routes.stop.len() as u64, MAX_STOPS),
        ("drivers of public transport", passenger_lists(scenario).count() as u64, MAX_STOPS),
        (
            "calls of the longest departures of all drivers",
            passenger_lists(scenario).map(u64::from).sum(),
            MAX_PASSENGER_LISTS,
        ),
        ("vehicles", scenario.vehicles.ids.len() as u64, MAX_PERSONS),
        ("plan elements", u64::from(elements), MAX_ELEMENTS),
    ];
    let over = limits.into_iter().find(|(_, found, limit)| found > limit);
    over.map(|(what, found, limit)| format!("{what}: {found}, but a device takes at most {limit}"))
}

/// Returns the number of lists of passengers of each driver: the maximum number of calls of a leg, at least one.
pub(super) fn passenger_lists(scenario: &Scenario) -> impl Iterator<Item = u32> + '_ {
    let transit = &scenario.transit;
    let drivers = if transit.is_empty() { 0..0 } else { transit.first_driver..scenario.population.persons() as u32 };
    let calls = |element| {
        let PlanElement::Leg(leg) = element else { return 0 };
        transit.driver_leg(leg).map_or(0, |driven| transit.routes.calls(driven.route).len() as u32)
    };
    drivers.map(move |driver| scenario.population.plan(driver).map(calls).max().unwrap_or(0).max(1))
}
