//! Every executor rejects inconsistent scenarios before it runs them.

use throng_core::NONE;

use crate::{RunOptions, cpu, gpu};
use throng_traffic_scenario::events::EventLog;
use throng_traffic_scenario::{
    ChangeKind, ChangeValue, ModeId, NetworkBuilder, NetworkChangeEvent, Ride, RouteKind, Scenario, ScenarioBuilder,
};

/// Returns a scenario of two persons who drive; one of them also walks.
fn small() -> Scenario {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 100.0, 0.0)
        .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
        .link("ba", "b", "a", 100.0, 10.0, 3600.0, 1.0);
    let change = NetworkChangeEvent {
        time_s: 65.0,
        links: vec![0],
        kind: ChangeKind::Freespeed,
        value: ChangeValue::Factor(0.5),
    };
    ScenarioBuilder::new(network.build().unwrap())
        .change(change)
        .person("1", |p| p.until("h", "ab", 60.0).drive("car", &["ab", "ba"]).stay("w", "ba"))
        .person("2", |p| {
            p.until("h", "ba", 60.0)
                .drive("car", &["ba", "ab"])
                .lasting("w", "ab", 0.0)
                .teleport("walk", "ab", "ba", 5.0, 1.0)
                .stay("h", "ba")
        })
        .build()
        .unwrap()
}

type Change = fn(&mut Scenario);

const CASES: [(Change, &str); 29] = [
    (|s| s.network.to[1] = 2, "value 1 of network.to is 2; there are 2 nodes, numbered from 0"),
    (|s| s.network.from[0] = NONE, "value 0 of network.from is 4294967295; there are 2 nodes, numbered from 0"),
    (|s| s.network.capacity.truncate(1), "network.capacity has 1 values where there should be 2"),
    (|s| s.network.node_x.push(1.0), "network.node_x has 3 values where there should be 2"),
    (|s| s.network.modes.truncate(1), "network.modes has 1 values where there should be 2"),
    (|s| s.network.node_y[1] = f64::NAN, "node \"b\" is at 100, NaN; expected finite numbers"),
    (|s| s.network.length_m[1] = -500.0, "link \"ba\", length: -500; expected a finite number not below 0 (metres)"),
    (|s| s.network.freespeed_mps[0] = f64::NAN, "link \"ab\", free speed: NaN; expected a number not below 0"),
    (|s| s.network.lanes[0] = -1.0, "link \"ab\", lanes: -1; expected a number not below 0"),
    (|s| s.network.freespeed_mps[0] = 1e-8, "link \"ab\", travel time: 1e10 seconds for 100 m at 0.00000001 m/s"),
    (|s| s.vehicles.type_of[1] = 1, "value 1 of vehicles.type_of is 1; there are 1 vehicle types, numbered from 0"),
    (|s| s.vehicles.start_link[0] = 9, "value 0 of vehicles.start_link is 9; there are 2 links, numbered from 0"),
    (|s| s.vehicles.start_link.truncate(1), "vehicles.start_link has 1 values where there should be 2"),
    (|s| s.population.legs.vehicle[1] = 2, "value 1 of legs.vehicle is 2; there are 2 vehicles, numbered from 0"),
    (|s| s.population.route_links[2] = 2, "value 2 of population.route_links is 2; there are 2 links, numbered from 0"),
    (|s| s.population.legs.route_len[1] = 3, "the route of leg 1 is 3 links at index 2; population.route_links has 4"),
    (
        |s| s.population.legs.route_start[0] = u64::MAX,
        "the route of leg 0 is 2 links at index 18446744073709551615; population.route_links has 4",
    ),
    (
        |s| (s.population.legs.route[0], s.population.legs.route_start[0]) = (RouteKind::Generic, 7),
        "the route of leg 0 is 2 links at index 7; population.route_links has 4",
    ),
    (
        |s| {
            let transit = &mut s.transit;
            transit.lines.intern("line").unwrap();
            transit.stops.ids.intern("stop").unwrap();
            transit.stops.link.push(0);
            transit.stops.is_blocking.push(false);
            transit.rides.push(Ride { line: 0, access_stop: 0, egress_stop: 0, route: 3 });
            transit.first_driver_leg = s.population.legs.mode.len() as u32;
        },
        "value 0 of transit.rides, route is 3; there are 0 routes, numbered from 0",
    ),
    (|s| s.population.activities.kind.truncate(4), "activities.link has 5 values where there should be 4"),
    (
        |s| {
            let a = &mut s.population.activities;
            a.kind.truncate(4);
            a.link.truncate(4);
            a.end_time.truncate(4);
            a.max_duration.truncate(4);
        },
        "plan element 7 is Activity(4); there are 4 activities and 3 legs",
    ),
    (
        |s| s.population.first_element[1] = 9,
        "population.first_element does not divide the list of plan elements among the persons",
    ),
    (
        |s| s.population.first_element[2] = 7,
        "population.first_element does not divide the list of plan elements among the persons",
    ),
    (
        |s| s.change_events[0].links.push(5),
        "value 1 of the links of a network change event is 5; there are 2 links, numbered from 0",
    ),
    (
        |s| s.change_events[0].links.push(NONE),
        "value 1 of the links of a network change event is 4294967295; there are 2 links, numbered from 0",
    ),
    (|s| s.population.legs.mode[0] = ModeId(200), "value 0 of legs.mode is 200; there are 2 modes, numbered from 0"),
    (|s| s.population.legs.end_link[2] = 2, "value 2 of legs.end_link is 2; there are 2 links, numbered from 0"),
    (|s| s.population.activities.link[1] = 7, "value 1 of activities.link is 7; there are 2 links, numbered from 0"),
    (
        |s| s.population.activities.kind[0] = 9,
        "value 0 of activities.kind is 9; there are 2 types of activity, numbered from 0",
    ),
];

#[test]
fn contradictory_scenarios_are_refused_by_cpu_and_devices() {
    let devices = throng_testing_devices::suitable(throng_testing_devices::devices(), crate::gpu::unsuitable_device);
    let options = RunOptions { threads: 2, ..RunOptions::default() };
    assert!(cpu::simulate(&small(), &mut EventLog::default(), &options).is_ok());
    for (change, expected) in CASES {
        let mut scenario = small();
        change(&mut scenario);
        let mut log = EventLog::default();
        let mut errors = vec![cpu::simulate(&scenario, &mut log, &options).unwrap_err()];
        errors.extend(devices.iter().map(|d| gpu::simulate(&scenario, &mut log, &options, d).unwrap_err()));
        for error in errors {
            let error = error.to_string();
            assert!(error.starts_with("the scenario contradicts itself: ") && error.contains(expected), "{error}");
        }
        assert!(log.events.is_empty());
    }
}
