//! Random networks with buses: equal events and states on any number of threads, and on devices.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use throng_core::NONE;
use throng_queue::RunOptions;
use throng_queue::cpu::simulate;
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::{
    Departures, Doors, DriverLeg, Passengers, Ride, RouteKind, Routes, Scenario, ScenarioBuilder, Stops, Transit,
    VehicleType,
};

use super::generator::{Case, cases, drive, name};
use super::kinds::{COVERING, Kind};
use super::threads;
use crate::devices::{assert_same_on, hardware_devices};

/// Buses on the network of a case. There is a stop on each link.
#[derive(Debug, Clone)]
struct Buses {
    fleet: Vec<Bus>,
    /// Whether there is a second bus like the first.
    twin: bool,
    /// Bits of links whose stop is on the road.
    blocking: u64,
    passengers: Passengers,
    denied: bool,
}

#[derive(Debug, Clone)]
struct Bus {
    home: usize,
    departs_s: f64,
    runs: Vec<Run>,
}

#[derive(Debug, Clone)]
struct Run {
    turns: Vec<usize>,
    /// Bits of the links of the route with a call, in order, and of the calls at which the bus waits.
    calls: u64,
    awaits: u64,
    /// Planned time between two calls, seconds.
    pace_s: f64,
    line: u32,
}

const LINES: u32 = 2;

fn run() -> impl Strategy<Value = Run> {
    let pace_s = select(vec![0.0, 15.0, 60.0, f64::NAN]);
    (prop::collection::vec(0..64usize, 0..7), any::<u64>(), any::<u64>(), pace_s, 0..LINES)
        .prop_map(|(turns, calls, awaits, pace_s, line)| Run { turns, calls, awaits, pace_s, line })
}

fn buses() -> impl Strategy<Value = Buses> {
    let bus = (0..64usize, select(vec![0.0, 12.0, 12.0, 40.5]), prop::collection::vec(run(), 1..4))
        .prop_map(|(home, departs_s, runs)| Bus { home, departs_s, runs });
    let seconds = || select(vec![0.0, 0.4, 1.0, 2.7]);
    let passengers = (1..4u32, seconds(), seconds(), select(vec![Doors::Serial, Doors::Parallel]))
        .prop_map(|(seats, access_s, egress_s, doors)| Passengers { seats, standing: 0, access_s, egress_s, doors });
    (prop::collection::vec(bus, 1..6), any::<bool>(), any::<u64>(), passengers, any::<bool>())
        .prop_map(|(fleet, twin, blocking, passengers, denied)| Buses { fleet, twin, blocking, passengers, denied })
}

/// Builds the scenario of a case with buses. Teleports that take no time are rides.
fn scenario(case: &Case, buses: &Buses) -> Scenario {
    let bus_type =
        VehicleType { id: "bus".into(), pcu: 2.0, passengers: buses.passengers, ..VehicleType::default_car() };
    let mut builder = case.builder().vehicle_type(bus_type);
    let mut transit = transit(case, buses);
    for (number, bus) in buses.fleet.iter().enumerate() {
        builder = add_driver(builder, case, number, bus, &mut transit);
    }
    if let Some(first) = buses.fleet.first().filter(|_| buses.twin) {
        builder = add_driver(builder, case, buses.fleet.len(), first, &mut transit);
    }
    let mut scenario = builder.build().unwrap();
    transit.first_driver = case.persons() as u32;
    let legs = &mut scenario.population.legs;
    transit.first_driver_leg = (legs.mode.len() - transit.driver_legs.len()) as u32;
    for leg in 0..transit.first_driver_leg as usize {
        if legs.route[leg] == RouteKind::Generic && legs.travel_time[leg] == 0.0 && leg % 3 > 0 {
            (legs.route[leg], legs.route_start[leg]) = (RouteKind::Transit, transit.rides.len() as u64);
            let [access_stop, egress_stop] = [legs.start_link[leg], legs.end_link[leg]];
            // The route of the plan need not be of the line, nor exist.
            let routes = transit.routes.len() as u32;
            let route = Some(leg as u32 % (routes + 1)).filter(|&route| route < routes).unwrap_or(NONE);
            transit.rides.push(Ride { line: leg as u32 % LINES, access_stop, egress_stop, route });
        }
    }
    scenario.transit = transit;
    scenario.settings.transit.has_boarding_denied_events = buses.denied;
    scenario
}

/// Public transport without routes.
fn transit(case: &Case, buses: &Buses) -> Transit {
    let mut transit = Transit::default();
    for link in 0..case.links() {
        transit.stops.ids.intern(&format!("s{link}")).unwrap();
    }
    let Stops { link, is_blocking, .. } = &mut transit.stops;
    *link = (0..case.links() as u32).collect();
    *is_blocking = (0..case.links()).map(|link| (buses.blocking >> link) & 1 == 1).collect();
    for line in 0..LINES {
        transit.lines.intern(&line.to_string()).unwrap();
    }
    transit.routes.first_call.push(0);
    transit
}

fn add_driver(
    builder: ScenarioBuilder,
    case: &Case,
    number: usize,
    bus: &Bus,
    transit: &mut Transit,
) -> ScenarioBuilder {
    let mut at = bus.home % case.links();
    let mut begins_s = bus.departs_s;
    builder.person(&format!("pt_{number}"), |plan| {
        let mut plan = plan.kind(4).until("depot", &name(at), begins_s);
        for (position, run) in bus.runs.iter().enumerate() {
            let route = case.walk(at, &run.turns);
            plan = drive(plan, &route);
            at = route[route.len() - 1];
            add_run(run, &route, begins_s, transit);
            begins_s += 70.0;
            let last = position + 1 == bus.runs.len();
            plan = if last { plan.stay("depot", &name(at)) } else { plan.until("depot", &name(at), begins_s) };
        }
        plan
    })
}

/// Adds a departure, on the same route as an earlier one if its stops and times are the same.
fn add_run(run: &Run, links: &[usize], begins_s: f64, transit: &mut Transit) {
    let Routes { ids, line, first_call, stop, arrival_offset_s, departure_offset_s, awaits_departure } =
        &mut transit.routes;
    let first = stop.len();
    for (position, &link) in links.iter().enumerate().filter(|(position, _)| (run.calls >> position) & 1 == 1) {
        stop.push(link as u32);
        arrival_offset_s.push(f64::NAN);
        departure_offset_s.push(run.pace_s * position as f64);
        awaits_departure.push((run.awaits >> position) & 1 == 1);
    }
    let calls = |from: usize, to: usize| {
        let times: Vec<u64> = departure_offset_s[from..to].iter().map(|offset_s| offset_s.to_bits()).collect();
        (&stop[from..to], times, &awaits_departure[from..to])
    };
    let is_same = |&route: &usize| {
        let [from, to] = [first_call[route], first_call[route + 1]].map(|call| call as usize);
        line[route] == run.line && calls(from, to) == calls(first, stop.len())
    };
    let same = (0..ids.len()).find(is_same);
    let route = same.unwrap_or(ids.len()) as u32;
    if same.is_some() {
        stop.truncate(first);
        arrival_offset_s.truncate(first);
        departure_offset_s.truncate(first);
        awaits_departure.truncate(first);
    } else {
        ids.push(route.to_string());
        line.push(run.line);
        first_call.push(stop.len() as u32);
    }
    let Departures { ids, time_s } = &mut transit.departures;
    let departure = ids.len() as u32;
    ids.push(departure.to_string());
    time_s.push(begins_s);
    transit.driver_legs.push(DriverLeg { route, departure });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_threads_does_not_matter(case in cases(400.0), buses in buses()) {
        let scenario = scenario(&case, &buses);
        threads::check(&scenario);
        let mut log = EventLog::default();
        simulate(&scenario, &mut log, &RunOptions::default()).unwrap();
        check_rides(&scenario, &log);
    }
}

/// Checks random networks of one kind on devices. They share their kernels, whose compilation takes most of the time.
fn devices_agree(kind: Kind) {
    let devices = hardware_devices("public transport");
    if devices.is_empty() {
        return;
    }
    let config = ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&(cases(400.0), buses()), |(case, buses)| {
        let scenario = scenario(&case.with_rules(kind), &buses);
        let options = RunOptions { hash_every: 7, device_threads: kind.threads, ..RunOptions::default() };
        let mut log = EventLog::default();
        let outcome = simulate(&scenario, &mut log, &options).unwrap();
        assert_same_on(&devices, &scenario, &options, &log, &outcome);
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
}

#[test]
fn devices_agree_about_passing_links() {
    devices_agree(COVERING[0]);
}

#[test]
fn devices_agree_about_holes() {
    devices_agree(COVERING[3]);
}

#[test]
fn devices_agree_about_waves() {
    devices_agree(COVERING[6]);
}

/// Checks that vehicles never have more passengers than places, and that each arrives at a stop as often as it departs,
/// but for the last time.
fn check_rides(scenario: &Scenario, log: &EventLog) {
    let vehicles = &scenario.vehicles;
    let mut passengers = vec![0usize; vehicles.ids.len()];
    let mut at_stop = vec![false; vehicles.ids.len()];
    for (time, event) in &log.events {
        let is_passenger = scenario.transit.driver(event.person).is_none();
        let capacity =
            |vehicle: u32| vehicles.types[usize::from(vehicles.type_of[vehicle as usize])].passengers.capacity();
        let of_bus = |vehicle: u32| vehicles.type_of[vehicle as usize] == 4;
        match event.kind {
            EventKind::PersonEntersVehicle if is_passenger && of_bus(event.detail) => {
                passengers[event.detail as usize] += 1;
                assert!(at_stop[event.detail as usize], "{time}: {event:?}");
                assert!(passengers[event.detail as usize] <= capacity(event.detail), "{time}: {event:?}");
            }
            EventKind::PersonLeavesVehicle if is_passenger && of_bus(event.detail) => {
                passengers[event.detail as usize] -= 1;
                assert!(at_stop[event.detail as usize], "{time}: {event:?}");
            }
            EventKind::VehicleArrivesAtFacility | EventKind::VehicleDepartsAtFacility => {
                let vehicle = scenario.at_stop(event, *time).unwrap().vehicle as usize;
                let arrives = event.kind == EventKind::VehicleArrivesAtFacility;
                assert_eq!(at_stop[vehicle], !arrives, "{time}: {event:?}");
                at_stop[vehicle] = arrives;
            }
            _ => {}
        }
    }
}
