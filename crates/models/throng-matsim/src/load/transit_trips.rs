//! Routing of trips by public transport, once the other legs of their plans have travel times.

use rayon::prelude::*;
use throng_core::{InputError, NONE, Progress};

use super::report::Report;
use super::teleport::beeline;
use super::transit::Rides;
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::{ActivityDurationInterpretation, Settings, TeleportedMode, TeleportedSpeed};
use throng_traffic_scenario::transit_routing::{
    TransitLeg, TransitRouter, TransitRouterParameters, TransitRouterScratch, TransitTrip, TripRequest,
};
use throng_traffic_scenario::{Activity, Leg, ModeId, Network, PlanElement, Population, Ride, RouteKind};

/// Counted as a warning, because of equally good connections MATSim's router may choose another one.
const ROUTED: &str = "trips by public transport without routes, routed like MATSim's SwissRailRaptor";
const WALKED: &str = "trips by public transport that no ride serves; as in MATSim, those persons walk";

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
    let walk = walk_rule(settings)?;
    let router = TransitRouter::new(&rides.schedule().timetable(network), &parameters(settings, walk))?;
    progress.begin("routing trips by public transport", Some(requests.len() as u64), "trips");
    let plans: Vec<&[TransitRequest]> = requests.chunk_by(|a, b| a.person == b.person).collect();
    let mut trips = Vec::with_capacity(requests.len());
    for batch in plans.chunks(BATCH) {
        let found: Vec<_> = batch
            .par_iter()
            .map_init(TransitRouterScratch::default, |scratch, plan| {
                trips_of(plan, settings, population, &router, scratch)
            })
            .collect();
        trips.extend(found.into_iter().flatten());
        progress.at(trips.len() as u64, "");
    }
    progress.end();
    for request in requests.iter().zip(&trips).filter(|(_, trip)| trip.is_none()).map(|(request, _)| request) {
        report.warn(WALKED, request.line, || person(population, request));
    }
    let interaction = population.activity_types.intern("pt interaction").unwrap_or(NONE);
    let legs: Vec<u32> = requests.iter().map(|request| request.leg).collect();
    population.replace_legs(&legs, |population, position, placeholder| {
        if let Some(trip) = &trips[position] {
            add_trip(population, trip, placeholder, interaction, rides);
        } else {
            let walk = walk_leg(requests[position].ends, walk, placeholder, rides.modes_of_legs[0]);
            population.add_leg(&walk);
        }
    });
    Ok(())
}

fn person(population: &Population, request: &TransitRequest) -> String {
    format!("person {}", quoted(population.person_ids.name(request.person)))
}

fn walk_rule(settings: &Settings) -> Result<(f64, f64), InputError> {
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
    settings: &Settings,
    population: &Population,
    router: &TransitRouter,
    scratch: &mut TransitRouterScratch,
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
                now = trip.as_ref().map_or(now, |trip| trip.arrival_time_s);
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
fn add_trip(population: &mut Population, trip: &TransitTrip, placeholder: &Leg, interaction: u32, rides: &mut Rides) {
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
            let (end_time, max_duration) = (f64::NAN, 0.0);
            let stop = Activity { kind: interaction, link: at, facility: NONE, x, y, end_time, max_duration };
            population.add_activity(&stop);
        }
        let to = if to_stop == NONE { placeholder.end_link } else { schedule.stops.link[to_stop as usize] };
        let routing_mode = placeholder.routing_mode;
        population.add_leg(&match leg {
            TransitLeg::Walk(walk) => Leg {
                routing_mode,
                route: RouteKind::Generic,
                travel_time: walk.travel_time_s,
                distance: walk.distance_m,
                ..Leg::new(walk_mode, at, to)
            },
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

/// Returns the walk of a person who finds no connection.
fn walk_leg([from, to]: [[f64; 2]; 2], (speed, factor): (f64, f64), placeholder: &Leg, mode: ModeId) -> Leg {
    let distance = beeline([from, to].map(|[x, y]| (x, y))) * factor;
    Leg {
        routing_mode: placeholder.routing_mode,
        route: RouteKind::Generic,
        travel_time: (distance / speed).trunc(),
        distance,
        ..Leg::new(mode, placeholder.start_link, placeholder.end_link)
    }
}
