//! Routing of trips by public transport, once the other legs of their plans have travel times.

use rayon::prelude::*;
use throng_core::{InputError, NONE, Progress};

use super::report::Report;
use super::teleport::{self, at_speed};
use super::transit::Rides;
use super::trips::interaction;
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{ActivityDurationInterpretation, Settings, TeleportedMode, TeleportedSpeed};
use throng_traffic_scenario::transit_routing::{
    TransitLeg, TransitRouter, TransitRouterParameters, TransitRouterScratch, TransitTrip, TripRequest,
};
use throng_traffic_scenario::{Activity, Leg, ModeId, Network, PlanElement, Population, Ride, RouteKind};

/// Counted as a warning, because of equally good connections MATSim's router may choose another one.
const ROUTED: &str = "trips by public transport without routes, routed like MATSim's SwissRailRaptor";
const WALKED: &str = "trips by public transport for which no connection is better than walking; as in MATSim, those \
    persons walk";

/// Number of persons between two progress reports.
const BATCH: usize = 1 << 12;

/// A trip that needs a connection. Until then, its plan contains a single leg without route.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TransitRequest {
    /// Index of the leg.
    pub(super) leg: u32,
    pub(super) person: u32,
    /// Line of the leg, for messages.
    pub(super) line: u64,
    /// Coordinates of origin and destination, metres.
    pub(super) ends: [[f64; 2]; 2],
}

/// Finds connections for all requests, which are in the order of persons and plans, and puts their legs into the plans.
///
/// # Errors
/// If the settings or the schedule are unsuitable for the router.
pub(super) fn route(
    requests: &[TransitRequest],
    (settings, network): (&Settings, &Network),
    population: &mut Population,
    rides: &mut Rides,
    report: &mut Report<'_>,
    progress: &dyn Progress,
) -> Result<(), InputError> {
    if requests.is_empty() {
        return Ok(());
    }
    for request in requests {
        report.warn(ROUTED, request.line, || person(population, request));
    }
    refuse_unsupported(settings, requests[0].line, report)?;
    let walk = walk_rule(settings)?;
    let router = TransitRouter::new(&rides.schedule().timetable(network), &parameters(settings, walk));
    let router = router.map_err(|error| error.with_places(|place| format!("{}: {place}", rides.schedule_file())))?;
    progress.begin("routing trips by public transport", Some(requests.len() as u64), "trips");
    let plans: Vec<&[TransitRequest]> = requests.chunk_by(|a, b| a.person == b.person).collect();
    let mut trips = Vec::with_capacity(requests.len());
    for batch in plans.chunks(BATCH) {
        let found: Vec<_> = batch
            .par_iter()
            .map_init(TransitRouterScratch::default, |scratch, plan| {
                trips_of(plan, walk, settings, population, (&router, scratch))
            })
            .collect();
        trips.extend(found.into_iter().flatten());
        progress.at(trips.len() as u64, "");
    }
    progress.end();
    for request in requests.iter().zip(&trips).filter(|(_, trip)| trip.is_none()).map(|(request, _)| request) {
        report.warn(WALKED, request.line, || person(population, request));
    }
    let kind = population.activity_types.intern("pt interaction").unwrap_or(NONE);
    let legs: Vec<u32> = requests.iter().map(|request| request.leg).collect();
    population.replace_legs(&legs, |population, position, placeholder| {
        if let Some(trip) = &trips[position] {
            add_trip(population, trip, placeholder, kind, rides);
        } else {
            let modes = [rides.modes_of_legs[0], placeholder.routing_mode];
            let links = [placeholder.start_link, placeholder.end_link];
            population.add_leg(&teleport::leg(modes, links, walk_of(requests[position].ends, walk)));
        }
    });
    Ok(())
}

fn person(population: &Population, request: &TransitRequest) -> String {
    format!("person {}", quoted(population.person_ids.name(request.person)))
}

/// Refuses settings that would find other connections.
fn refuse_unsupported(settings: &Settings, line: u64, report: &mut Report<'_>) -> Result<(), InputError> {
    let transit = &settings.transit;
    for (is_set, name) in [
        (transit.uses_intermodal_access, "useIntermodalAccessEgress"),
        (transit.uses_mode_mapping, "useModeMappingForPassengers"),
        (transit.uses_range_query, "useRangeQuery"),
    ] {
        if is_set {
            report.refuse_routing(settings, &format!("swissRailRaptor.{name}"), "trips by public transport", line)?;
        }
    }
    Ok(())
}

fn walk_rule(settings: &Settings) -> Result<(f64, f64), InputError> {
    if settings.qsim.main_modes.iter().any(|mode| mode == "walk") {
        return Err(InputError::one(
            "qsim.mainMode",
            "walks to stops would follow the network, because walk is a main mode",
            "Remove it, or give plans with routes.",
        ));
    }
    let rule = settings.routing.teleported_modes.iter().find(|rule| rule.mode == "walk");
    match rule {
        Some(&TeleportedMode { speed: TeleportedSpeed::MetresPerSecond(speed), beeline_distance_factor, .. }) => {
            Ok((speed, beeline_distance_factor))
        }
        _ => Err(InputError::one(
            "routing.teleportedModeParameters",
            "the speed of walks to stops is not known",
            "Define teleportedModeSpeed for walk.",
        )),
    }
}

fn parameters(settings: &Settings, (speed_mps, beeline_factor): (f64, f64)) -> TransitRouterParameters {
    let router = &settings.transit.router;
    TransitRouterParameters { walk_speed_mps: speed_mps, walk_beeline_factor: beeline_factor, ..router.clone() }
}

/// Finds the connections of a person, one after the other: a trip may begin when an activity of a given duration ends.
fn trips_of(
    requests: &[TransitRequest],
    walk: (f64, f64),
    settings: &Settings,
    population: &Population,
    (router, scratch): (&TransitRouter, &mut TransitRouterScratch),
) -> Vec<Option<TransitTrip>> {
    let mut trips = Vec::with_capacity(requests.len());
    let mut pending = requests;
    let mut now = 0.0;
    for element in population.plan(requests[0].person) {
        let [request, later @ ..] = pending else { break };
        match element {
            PlanElement::Activity(activity) => {
                now = end_of(&population.activity(activity), now, settings.plans.activity_duration_interpretation);
            }
            PlanElement::Leg(leg) if leg == request.leg => {
                let [from, to] = request.ends;
                let trip = router.route(scratch, &TripRequest { from, to, departure_time_s: now as i32 });
                now = trip.as_ref().map_or_else(|| now + walk_of(request.ends, walk).0, |trip| trip.arrival_time_s);
                trips.push(trip);
                pending = later;
            }
            PlanElement::Leg(leg) => {
                let travel_time = population.legs.travel_time[leg as usize];
                now += if travel_time.is_nan() { 0.0 } else { travel_time };
            }
        }
    }
    trips
}

/// Returns the planned end of an activity that begins at `now`. Unlike in the simulation, an end time may be earlier.
fn end_of(activity: &Activity, now: f64, interpretation: ActivityDurationInterpretation) -> f64 {
    let by_duration = now + activity.max_duration;
    let end = match interpretation {
        ActivityDurationInterpretation::TryEndTimeThenDuration if activity.end_time.is_nan() => by_duration,
        // The minimum is the other number if one is undefined.
        ActivityDurationInterpretation::MinOfDurationAndEndTime => activity.end_time.min(by_duration),
        _ => activity.end_time,
    };
    if end.is_nan() { now } else { end }
}

/// Adds the legs of a connection, with the activities between them, in place of a leg.
fn add_trip(population: &mut Population, trip: &TransitTrip, placeholder: &Leg, kind: u32, rides: &mut Rides) {
    let [walk_mode, ride_mode] = rides.modes_of_legs;
    let ride_mode = if ride_mode == ModeId::NONE { placeholder.mode } else { ride_mode };
    let mut at = placeholder.start_link;
    for (position, leg) in trip.legs.iter().enumerate() {
        let (from_stop, to_stop) = match leg {
            TransitLeg::Walk(walk) => (walk.from_stop, walk.to_stop),
            TransitLeg::Ride(ride) => (ride.access_stop, ride.egress_stop),
        };
        let schedule = rides.schedule();
        if position > 0 {
            let [x, y] = schedule.coordinates[from_stop as usize];
            population.add_activity(&interaction(kind, at, (x, y)));
        }
        let to = if to_stop == NONE { placeholder.end_link } else { schedule.stops.link[to_stop as usize] };
        let routing_mode = placeholder.routing_mode;
        population.add_leg(&match leg {
            TransitLeg::Walk(walk) => {
                teleport::leg([walk_mode, routing_mode], [at, to], (walk.travel_time_s, walk.distance_m))
            }
            TransitLeg::Ride(ride) => Leg {
                routing_mode,
                route: RouteKind::Transit,
                route_start: rides.add(Ride {
                    line: ride.line,
                    access_stop: from_stop,
                    egress_stop: to_stop,
                    route: ride.route,
                }),
                travel_time: ride.travel_time_s,
                distance: ride.distance_m,
                ..Leg::new(ride_mode, at, to)
            },
        });
        at = to;
    }
}

/// Returns time and distance of the walk of a person who finds no connection.
fn walk_of(ends: [[f64; 2]; 2], (speed, factor): (f64, f64)) -> (f64, f64) {
    at_speed(ends.map(|[x, y]| (x, y)), speed, factor)
}

#[cfg(test)]
mod tests {
    use throng_traffic_scenario::transit_routing::{RouteDeparture, Timetable};
    use throng_traffic_scenario::{Routes, Stops};

    use super::*;

    #[test]
    fn a_walk_for_want_of_a_ride_delays_the_next_trip() {
        let mut stops = Stops::default();
        for id in ["west", "east"] {
            stops.ids.insert(id).unwrap();
        }
        stops.link = vec![0, 1];
        let routes = Routes {
            ids: vec!["r".to_owned()],
            line: vec![0],
            first_call: vec![0, 2],
            stop: vec![0, 1],
            arrival_offset_s: vec![f64::NAN, 300.0],
            departure_offset_s: vec![0.0, f64::NAN],
            awaits_departure: vec![false, false],
        };
        let timetable = Timetable {
            stops: &stops,
            coordinates: &[[0.0, 0.0], [5000.0, 0.0]],
            routes: &routes,
            route_links: &[vec![0, 1]],
            link_lengths_m: &[100.0, 5000.0],
            departures: [600.0, 2000.0].map(|time_s| RouteDeparture { route: 0, time_s }).to_vec(),
            transfer_times: &[],
        };
        let router = TransitRouter::new(&timetable, &TransitRouterParameters::default()).unwrap();

        let mut population = Population::default();
        let person = population.begin_person("ann").unwrap();
        let (kind, facility, x, y, max_duration) = (0, NONE, 0.0, 0.0, 0.0);
        let mut requests = Vec::new();
        for ends in [[[0.0, 0.0], [0.0, 900.0]], [[0.0, 0.0], [5000.0, 0.0]]] {
            population.add_activity(&Activity { kind, link: 0, facility, x, y, end_time: f64::NAN, max_duration });
            let leg = population.add_leg(&Leg::new(ModeId(0), 0, 1));
            requests.push(TransitRequest { leg, person, line: 1, ends });
        }
        let mut scratch = TransitRouterScratch::default();
        let walk = (3.0 / 3.6, 1.3);
        let trips = trips_of(&requests, walk, &Settings::default(), &population, (&router, &mut scratch));
        assert_eq!(trips[0], None);
        // 900 m * 1.3 at 3 km/h take 1404 s.
        assert_eq!(trips[1].as_ref().unwrap().arrival_time_s, 2300.0);
    }
}
