//! The router of public transport against plans that MATSim's `SwissRailRaptor` has routed.

use std::collections::BTreeMap;

use throng_core::{NONE, Problems, Warnings};
use throng_testing::outside_cases;
use throng_traffic_scenario::transit_routing::{
    TransitLeg, TransitRouter, TransitRouterParameters, TransitRouterScratch, TransitTrip, TripRequest,
};
use throng_traffic_scenario::{ModeTable, Network};

use super::parse;
use crate::coordinates::InputCoordinates;
use crate::formats::events_reader::EventsReader;
use crate::formats::network::read_with_attributes;
use crate::formats::person::{ElementRecord, LegRecord, PersonRecord};
use crate::formats::population::PopulationReader;
use crate::formats::transit_schedule::{ScheduleFile, read_schedule};

/// A leg of a routed plan. Times of the file are whole seconds.
#[derive(Debug, Clone, PartialEq)]
struct PlannedLeg {
    departure_s: f64,
    travel_s: f64,
    distance_m: f64,
    start_link: String,
    end_link: String,
    /// Line, access stop, egress stop, route and boarding time of a ride.
    ride: Option<[String; 5]>,
}

/// A trip of an unrouted plan, or of a routed one with its legs.
#[derive(Debug, Clone)]
struct Trip {
    person: String,
    request: TripRequest,
    legs: Vec<PlannedLeg>,
}

fn planned_leg(person: &PersonRecord, leg: &LegRecord) -> PlannedLeg {
    let route = leg.route.unwrap();
    let text = person.text(route.description);
    let mut names: [Option<String>; 4] = Default::default();
    let is_ride = !text.is_empty() && parse(text, &mut Default::default(), &mut names);
    let boarding = || text.split("\"boardingTime\":\"").nth(1).unwrap()[..8].to_owned();
    let [line, access, egress, name] = names.map(Option::unwrap_or_default);
    PlannedLeg {
        departure_s: leg.departure_time,
        travel_s: leg.travel_time,
        distance_m: route.distance,
        start_link: person.text(route.start_link).to_owned(),
        end_link: person.text(route.end_link).to_owned(),
        ride: is_ride.then(|| [line, access, egress, name, boarding()]),
    }
}

/// The trips by public transport of all persons; by person, in the order of their plans.
fn trips(path: &std::path::Path, is_routed: bool) -> BTreeMap<(String, usize), Trip> {
    let mut reader = PopulationReader::open(path).unwrap();
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    let mut trips = BTreeMap::new();
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        let elements = person.elements(&person.plans()[person.selected_plan().unwrap()]);
        let mut start = None;
        let mut legs: Vec<LegRecord> = Vec::new();
        for element in elements {
            let activity = match element {
                ElementRecord::Leg(leg) => {
                    legs.push(*leg);
                    continue;
                }
                ElementRecord::Activity(activity) if person.text(activity.kind) == "pt interaction" => continue,
                ElementRecord::Activity(activity) => activity,
            };
            let here = [activity.x, activity.y];
            let mode = |leg: &LegRecord| {
                if is_routed {
                    person.attribute(leg.attributes, "routingMode").unwrap().to_owned()
                } else {
                    person.text(leg.mode).to_owned()
                }
            };
            if let Some((from, end_s)) = start.replace((here, activity.end_time))
                && mode(&legs[0]) == "pt"
            {
                let request = TripRequest { from, to: here, departure_time_s: end_s as i32 };
                assert_eq!(f64::from(request.departure_time_s), end_s);
                let of_file = legs.iter().filter(|_| is_routed).map(|leg| planned_leg(&person, leg)).collect();
                let id = person.id().to_owned();
                let number = trips.range((id.clone(), 0)..=(id.clone(), usize::MAX)).count();
                trips.insert((id.clone(), number), Trip { person: id, request, legs: of_file });
            }
            legs.clear();
        }
    }
    problems.into_result().unwrap();
    trips
}

/// The legs as the file would have them.
fn planned(trip: &TransitTrip, schedule: &ScheduleFile, network: &Network, links: [&str; 2]) -> Vec<PlannedLeg> {
    let link = |stop: u32, otherwise: usize| match stop {
        NONE => links[otherwise].to_owned(),
        stop => network.link_ids.name(schedule.stops.link[stop as usize]).to_owned(),
    };
    let leg = |leg: &TransitLeg| match leg {
        TransitLeg::Walk(walk) => PlannedLeg {
            departure_s: walk.departure_time_s,
            travel_s: walk.travel_time_s.floor(),
            distance_m: walk.distance_m,
            start_link: link(walk.from_stop, 0),
            end_link: link(walk.to_stop, 1),
            ride: None,
        },
        TransitLeg::Ride(ride) => PlannedLeg {
            departure_s: ride.departure_time_s,
            travel_s: ride.travel_time_s,
            distance_m: ride.distance_m,
            start_link: link(ride.access_stop, 0),
            end_link: link(ride.egress_stop, 1),
            ride: Some([
                schedule.lines.name(ride.line).to_owned(),
                schedule.stops.ids.name(ride.access_stop).to_owned(),
                schedule.stops.ids.name(ride.egress_stop).to_owned(),
                schedule.routes.ids[ride.route as usize].clone(),
                throng_core::clock::format(ride.boarding_time_s),
            ]),
        },
    };
    trip.legs.iter().map(leg).collect()
}

/// The cost and the arrival of a trip of the file, with default parameters: all seconds cost the same.
fn cost_and_arrival(legs: &[PlannedLeg]) -> [f64; 2] {
    let rides = legs.iter().filter(|leg| leg.ride.is_some()).count();
    let (first, last) = (&legs[0], &legs[legs.len() - 1]);
    // The time of a walk without a ride is truncated in the file; its distance is exact.
    let last_s = if rides == 0 { last.distance_m / (3.0 / 3.6) } else { last.travel_s };
    let arrival_s = last.departure_s + last_s;
    [12.0 / 3600.0 * (arrival_s - first.departure_s) + rides.saturating_sub(1) as f64, arrival_s]
}

/// The arrivals of walks in the events of MATSim's simulation, by person and departure.
fn arrivals(events: &std::path::Path) -> BTreeMap<(String, i64), f64> {
    let mut reader = EventsReader::open(events).unwrap();
    let (mut departures, mut arrivals) = (BTreeMap::new(), BTreeMap::new());
    while let Some(event) = reader.read().unwrap() {
        if event.get("legMode") != Some("walk") {
            continue;
        }
        let time_s = event.time_s;
        let person = event.get("person").unwrap().to_owned();
        match event.get("type") {
            Some("departure") => _ = departures.insert(person, time_s as i64),
            _ => _ = arrivals.insert((person.clone(), departures[&person]), time_s),
        }
    }
    arrivals
}

/// Routes all trips of a case like MATSim. Returns the numbers of trips, of those with a ride, of those with a
/// transfer, of those for which the router has no connection, and of walks whose arrival is in the events. Those of
/// the router are not truncated, so they end a second later.
fn compare(case: &str, unrouted: &str, routed: &str) -> Option<[usize; 5]> {
    let folder = outside_cases("matsim_transit", case)?;
    let mut warnings = Warnings::new();
    let (network, _) = read_with_attributes(
        &folder.join("network.xml"),
        InputCoordinates::default(),
        &mut ModeTable::default(),
        &mut warnings,
    )
    .unwrap();
    let schedule = read_schedule(&folder.join("transitSchedule.xml"), &network, &mut warnings).unwrap();
    let router = TransitRouter::new(&schedule.timetable(&network), &TransitRouterParameters::default()).unwrap();
    let (unrouted, routed) = (trips(&folder.join(unrouted), false), trips(&folder.join(routed), true));
    assert!(unrouted.keys().eq(routed.keys()));
    let mut scratch = TransitRouterScratch::default();
    let arrivals = arrivals(&folder.join("events.xml.gz"));
    let mut counts = [0; 5];
    for (request, expected) in unrouted.values().map(|trip| trip.request).zip(routed.values()) {
        assert_eq!(request, expected.request);
        let Trip { person, legs, .. } = expected;
        let departure_s = f64::from(request.departure_time_s);
        let arrival = arrivals.get(&(person.clone(), i64::from(request.departure_time_s)));
        let Some(trip) = router.route(&mut scratch, &request) else {
            // MATSim has routed these trips as walks.
            let [[ax, ay], [bx, by]] = [request.from, request.to];
            let distance_m = crate::load::beeline([(ax, ay), (bx, by)]) * 1.3;
            let time_s = (distance_m / (3.0 / 3.6)).floor();
            let walk = (legs[0].ride.is_none(), legs[0].distance_m, legs[0].travel_s);
            assert_eq!((legs.len(), walk), (1, (true, distance_m, time_s)));
            assert!(arrival.is_none_or(|&arrival_s| arrival_s == departure_s + time_s), "person {person}: {arrival:?}");
            let is = [true, false, false, true, arrival.is_some()];
            counts.iter_mut().zip(is).for_each(|(count, is)| *count += usize::from(is));
            continue;
        };
        let [cost, arrival_s] = cost_and_arrival(legs);
        assert!((trip.cost - cost).abs() < 1e-9, "person {person}, at {}: {} {cost}", legs[0].departure_s, trip.cost);
        assert!((trip.arrival_time_s - arrival_s).abs() < 1e-6, "person {person}: {} {arrival_s}", trip.arrival_time_s);
        let links = [legs[0].start_link.as_str(), legs[legs.len() - 1].end_link.as_str()];
        assert_eq!(&planned(&trip, &schedule, &network, links), legs, "person {person}");
        let rides = legs.iter().filter(|leg| leg.ride.is_some()).count();
        let is_walk = rides == 0 && arrival.is_some();
        assert!(!is_walk || arrival == Some(&trip.arrival_time_s.ceil()), "person {person}: {trip:?} {arrival:?}");
        let is = [true, rides > 0, rides > 1, false, is_walk];
        counts.iter_mut().zip(is).for_each(|(count, is)| *count += usize::from(is));
    }
    Some(counts)
}

#[test]
fn connections_are_those_of_matsim() {
    let Some(tutorial) = compare("router_raptor_tutorial", "plans_in.xml.gz", "prepared_plans.xml.gz") else { return };
    let line_switch = compare("router_raptor_lineswitch", "plans_in.xml", "prepared_plans.xml").unwrap();
    assert_eq!((tutorial, line_switch), ([1090, 629, 0, 397, 434], [2, 2, 1, 0, 0]));
}
