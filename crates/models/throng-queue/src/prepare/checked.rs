//! A scenario whose indices are valid. Executors, and kernels without index checks, rely on this.

use std::ops::Deref;

use rayon::prelude::*;
use throng_core::NONE;

use super::check::check_places;
use super::rules::main_modes;
use crate::RunError;
use throng_traffic_scenario::{Network, PlanElement, RouteKind, Scenario, ValidRange};

/// A scenario that has passed [`CheckedScenario::new`], the only constructor. It borrows the scenario, which therefore
/// cannot change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckedScenario<'a>(&'a Scenario);

impl<'a> CheckedScenario<'a> {
    /// Checks that all columns of a table have the same length, that every index and all numbers of the network are in
    /// range, and that plans begin and teleported legs end on a link. Large columns are checked on all threads.
    ///
    /// # Errors
    /// [`RunError::Inconsistent`] for the first column with a wrong length or an invalid value; [`RunError::NoLink`].
    pub fn new(scenario: &'a Scenario) -> Result<Self, RunError> {
        check_lengths(scenario)?;
        check_network(&scenario.network)?;
        check_vehicles(scenario)?;
        check_plans(scenario)?;
        check_activities(scenario)?;
        let is_main = main_modes(scenario);
        check_routes(scenario, &is_main)?;
        check_transit(scenario)?;
        let links = scenario.network.links();
        for event in &scenario.change_events {
            check_all_below("the links of a network change event", &event.links, links, "links")?;
        }
        check_places(scenario, &is_main)?;
        Ok(Self(scenario))
    }

    /// Returns the scenario with the lifetime of the borrow.
    pub fn get(self) -> &'a Scenario {
        self.0
    }
}

impl Deref for CheckedScenario<'_> {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        self.0
    }
}

fn inconsistent(what: String) -> RunError {
    RunError::Inconsistent { what }
}

/// Checks that all columns of a table have the same length.
fn check_lengths(scenario: &Scenario) -> Result<(), RunError> {
    let Scenario { network: n, population: p, vehicles: v, .. } = scenario;
    let (a, l) = (&p.activities, &p.legs);
    let (nodes, links, vehicles) = (n.node_ids.len(), n.link_ids.len(), v.ids.len());
    let (activities, legs) = (a.kind.len(), l.mode.len());
    let columns = [
        ("network.node_x", n.node_x.len(), nodes),
        ("network.node_y", n.node_y.len(), nodes),
        ("network.from", n.from.len(), links),
        ("network.to", n.to.len(), links),
        ("network.length_m", n.length_m.len(), links),
        ("network.freespeed_mps", n.freespeed_mps.len(), links),
        ("network.capacity", n.capacity.len(), links),
        ("network.lanes", n.lanes.len(), links),
        ("network.modes", n.modes.len(), links),
        ("vehicles.type_of", v.type_of.len(), vehicles),
        ("vehicles.start_link", v.start_link.len(), vehicles),
        ("activities.link", a.link.len(), activities),
        ("activities.end_time", a.end_time.len(), activities),
        ("activities.max_duration", a.max_duration.len(), activities),
        ("legs.route", l.route.len(), legs),
        ("legs.route_start", l.route_start.len(), legs),
        ("legs.route_len", l.route_len.len(), legs),
        ("legs.start_link", l.start_link.len(), legs),
        ("legs.end_link", l.end_link.len(), legs),
        ("legs.travel_time", l.travel_time.len(), legs),
        ("legs.vehicle", l.vehicle.len(), legs),
    ];
    match columns.iter().find(|(_, len, expected)| len != expected) {
        None => Ok(()),
        Some((name, len, expected)) => {
            Err(inconsistent(format!("{name} has {len} values where there should be {expected}")))
        }
    }
}

fn check_network(network: &Network) -> Result<(), RunError> {
    let nodes = network.nodes();
    check_all_below("network.from", &network.from, nodes, "nodes")?;
    check_all_below("network.to", &network.to, nodes, "nodes")?;
    if let Some(node) = first_bad_index(nodes, |n| !(network.node_x[n].is_finite() && network.node_y[n].is_finite())) {
        let (id, x, y) = (network.node_ids.name(node as u32), network.node_x[node], network.node_y[node]);
        return Err(inconsistent(format!("node \"{id}\" is at {x}, {y}; expected finite numbers")));
    }
    // The id matters only for the message.
    let Some(link) = first_bad_index(network.links(), |link| network.link(link as u32).check("").is_err()) else {
        return Ok(());
    };
    let link = link as u32;
    network
        .link(link)
        .check(network.link_ids.name(link))
        .map_err(|error| inconsistent(format!("{}: {}; {}", error.place(), error.message(), error.remedy())))
}

fn check_vehicles(scenario: &Scenario) -> Result<(), RunError> {
    let vehicles = &scenario.vehicles;
    let types = vehicles.types.len();
    if let Some(i) = first_bad_index(vehicles.type_of.len(), |i| usize::from(vehicles.type_of[i]) >= types) {
        return Err(out_of_range("vehicles.type_of", i, u32::from(vehicles.type_of[i]), types, "vehicle types"));
    }
    let times = |i: usize| [vehicles.types[i].passengers.access_s, vehicles.types[i].passengers.egress_s];
    if let Some(i) = first_bad_index(types, |i| times(i).iter().any(|&time| !ValidRange::TimeAtDoors.holds(time))) {
        let ([access_s, egress_s], id) = (times(i), &vehicles.types[i].id);
        let expected = ValidRange::TimeAtDoors.in_words();
        let what = format!(
            "vehicle type \"{id}\": persons take {access_s} and {egress_s} s at its doors; expected {expected}"
        );
        return Err(inconsistent(what));
    }
    check_below_or_none("vehicles.start_link", &vehicles.start_link, scenario.network.links(), "links")
}

fn check_activities(scenario: &Scenario) -> Result<(), RunError> {
    let activities = &scenario.population.activities;
    let kinds = scenario.population.activity_types.len();
    check_all_below("activities.kind", &activities.kind, kinds, "types of activity")?;
    check_below_or_none("activities.link", &activities.link, scenario.network.links(), "links")
}

/// Checks that plans are consecutive in the list of elements, and that the activities and legs of all elements exist.
fn check_plans(scenario: &Scenario) -> Result<(), RunError> {
    let population = &scenario.population;
    let (elements, persons, starts) = (population.elements(), population.persons(), &population.first_element);
    // Without persons, `first_element` may be empty.
    let empty = persons == 0 && elements == 0 && starts.is_empty();
    let divided = || starts.len() == persons + 1 && starts[0] == 0 && starts[persons] as usize == elements;
    if !(empty || divided() && starts.is_sorted()) {
        let what = "population.first_element does not divide the list of plan elements among the persons";
        return Err(inconsistent(what.to_owned()));
    }
    let (activities, legs) = (population.activities.kind.len(), population.legs.mode.len());
    let exists = |element: u32| match population.element(element) {
        PlanElement::Activity(activity) => (activity as usize) < activities,
        PlanElement::Leg(leg) => (leg as usize) < legs,
    };
    match first_bad_index(elements, |element| !exists(element as u32)) {
        None => Ok(()),
        Some(element) => {
            let what = format!(
                "plan element {element} is {:?}; there are {activities} activities and {legs} legs",
                population.element(element as u32)
            );
            Err(inconsistent(what))
        }
    }
}

/// Checks that the modes, routes, links and vehicles of legs exist.
fn check_routes(scenario: &Scenario, is_main: &[bool; 256]) -> Result<(), RunError> {
    let population = &scenario.population;
    let (legs, positions) = (&population.legs, population.route_links.len() as u64);
    let modes = scenario.modes.len();
    if let Some(leg) = first_bad_index(legs.mode.len(), |leg| usize::from(legs.mode[leg].0) >= modes) {
        return Err(out_of_range("legs.mode", leg, u32::from(legs.mode[leg].0), modes, "modes"));
    }
    let is_driven = |leg: usize| is_main[usize::from(legs.mode[leg].0)] && legs.route[leg] != RouteKind::Missing;
    let is_inside = |leg: usize| {
        let end = legs.route_start[leg].checked_add(u64::from(legs.route_len[leg]));
        end.is_some_and(|end| end <= positions)
    };
    let strays = |leg: usize| (is_driven(leg) || legs.route[leg] == RouteKind::Links) && !is_inside(leg);
    if let Some(leg) = first_bad_index(legs.mode.len(), strays) {
        let (len, start) = (legs.route_len[leg], legs.route_start[leg]);
        let what =
            format!("the route of leg {leg} is {len} links at index {start}; population.route_links has {positions}");
        return Err(inconsistent(what));
    }
    let links = scenario.network.links();
    check_below_or_none("population.route_links", &population.route_links, links, "links")?;
    check_below_or_none("legs.start_link", &legs.start_link, links, "links")?;
    check_below_or_none("legs.end_link", &legs.end_link, links, "links")?;
    check_below_or_none("legs.vehicle", &legs.vehicle, scenario.vehicles.ids.len(), "vehicles")
}

/// Checks that lines, stops, routes and departures of public transport exist, and that its drivers and rides refer to
/// them.
fn check_transit(scenario: &Scenario) -> Result<(), RunError> {
    let Scenario { transit: t, population, .. } = scenario;
    let (stops, routes, calls) = (t.stops.ids.len(), t.routes.len(), t.routes.stop.len());
    let drivers = if t.is_empty() { 0 } else { population.legs.mode.len().saturating_sub(t.first_driver_leg as usize) };
    let columns = [
        ("transit.stops.link", t.stops.link.len(), stops),
        ("transit.stops.is_blocking", t.stops.is_blocking.len(), stops),
        ("transit.routes.ids", t.routes.ids.len(), routes),
        ("transit.routes.arrival_offset_s", t.routes.arrival_offset_s.len(), calls),
        ("transit.routes.departure_offset_s", t.routes.departure_offset_s.len(), calls),
        ("transit.routes.awaits_departure", t.routes.awaits_departure.len(), calls),
        ("transit.departures.time_s", t.departures.time_s.len(), t.departures.ids.len()),
        ("transit.driver_legs", t.driver_legs.len(), drivers),
    ];
    if let Some((name, len, expected)) = columns.iter().find(|(_, len, expected)| len != expected) {
        return Err(inconsistent(format!("{name} has {len} values where there should be {expected}")));
    }
    let first = &t.routes.first_call;
    let divided = first.len() == routes + 1 && first[0] == 0 && first[routes] as usize == calls && first.is_sorted();
    if !(divided || routes == 0 && calls == 0) {
        let what = "transit.routes.first_call does not divide the stops among the routes";
        return Err(inconsistent(what.to_owned()));
    }
    check_below_or_none("transit.stops.link", &t.stops.link, scenario.network.links(), "links")?;
    check_all_below("transit.routes.line", &t.routes.line, t.lines.len(), "lines")?;
    check_all_below("transit.routes.stop", &t.routes.stop, stops, "stops")?;
    for leg in t.driver_legs.iter().filter(|leg| !leg.is_empty_run()) {
        check_all_below("transit.driver_legs, route", &[leg.route], routes, "routes")?;
        check_all_below("transit.driver_legs, departure", &[leg.departure], t.departures.ids.len(), "departures")?;
    }
    for ride in &t.rides {
        check_all_below("transit.rides, line", &[ride.line], t.lines.len(), "lines")?;
        check_all_below("transit.rides, stops", &[ride.access_stop, ride.egress_stop], stops, "stops")?;
        check_below_or_none("transit.rides, route", &[ride.route], routes, "routes")?;
    }
    let legs = &population.legs;
    let strays = |leg: usize| legs.route[leg] == RouteKind::Transit && legs.route_start[leg] >= t.rides.len() as u64;
    if let Some(leg) = first_bad_index(legs.mode.len(), strays) {
        let (ride, rides) = (legs.route_start[leg], t.rides.len());
        return Err(inconsistent(format!("leg {leg} has ride {ride}; there are {rides} rides, numbered from 0")));
    }
    let persons = population.persons();
    if t.first_driver as usize > persons {
        return Err(inconsistent(format!("transit.first_driver is {}; there are {persons} persons", t.first_driver)));
    }
    let is_bad = |person: u32| {
        let mut plan = population.plan(person);
        plan.any(|element| matches!(element, PlanElement::Leg(leg) if t.driver_leg(leg).is_none() || legs.vehicle[leg as usize] == NONE))
    };
    if let Some(person) = (t.first_driver..persons as u32).filter(|_| !t.is_empty()).find(|&person| is_bad(person)) {
        let id = population.person_ids.name(person);
        return Err(inconsistent(format!("driver \"{id}\" has a leg without a vehicle or a departure")));
    }
    Ok(())
}

/// Checks that all values are below `count`, or [`NONE`].
fn check_below_or_none(column: &str, values: &[u32], count: usize, what: &str) -> Result<(), RunError> {
    check(column, values, count, what, |value| value == NONE || (value as usize) < count)
}

/// Checks that all values are below `count`.
fn check_all_below(column: &str, values: &[u32], count: usize, what: &str) -> Result<(), RunError> {
    check(column, values, count, what, |value| (value as usize) < count)
}

fn check(
    column: &str,
    values: &[u32],
    count: usize,
    what: &str,
    is_good: impl Fn(u32) -> bool + Sync,
) -> Result<(), RunError> {
    match first_bad_index(values.len(), |i| !is_good(values[i])) {
        None => Ok(()),
        Some(i) => Err(out_of_range(column, i, values[i], count, what)),
    }
}

/// Number of values that a thread checks at once: claiming values one by one would take longer than the checks.
const CHUNK: usize = 1 << 14;

/// Returns the first index below `len` for which `is_bad` holds.
fn first_bad_index(len: usize, is_bad: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    (0..len.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
        let from = chunk * CHUNK;
        (from..len.min(from + CHUNK)).find(|&i| is_bad(i))
    })
}

fn out_of_range(column: &str, i: usize, value: u32, count: usize, what: &str) -> RunError {
    inconsistent(format!("value {i} of {column} is {value}; there are {count} {what}, numbered from 0"))
}

#[cfg(test)]
#[path = "checked_tests.rs"]
mod tests;
