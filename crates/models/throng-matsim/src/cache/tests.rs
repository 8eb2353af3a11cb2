use std::path::Path;

use proptest::prelude::*;
use throng_core::{NONE, NoProgress, Warnings};
use throng_output::PendingFile;

use super::origin::Origin;
use super::*;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{
    ChangeKind, ChangeValue, Departures, Doors, DriverLeg, NetworkBuilder, NetworkChangeEvent, Passengers, Ride,
    RouteKind, Routes, Scenario, ScenarioBuilder, Transit, VehicleType,
};

/// Three persons on a triangle of links, with everything that a scenario can hold.
fn small() -> Scenario {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 100.0, 0.5)
        .node("ö", -7.25, 1e6)
        .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
        .link("bc", "b", "ö", 250.5, f64::INFINITY, 1800.0, 2.5)
        .link("ca", "ö", "a", 1.0, 13.89, 600.0, 1.0)
        .build()
        .unwrap();
    let change = NetworkChangeEvent {
        time_s: 3600.0,
        links: vec![2, 0],
        kind: ChangeKind::FlowCapacity,
        value: ChangeValue::Factor(0.5),
    };
    let mut scenario = ScenarioBuilder::new(network)
        .vehicle_type(VehicleType { id: "truck".into(), pcu: 2.5, ..VehicleType::default_car() })
        .change(change)
        .person("1", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "bc", "ca"]).stay("w", "ca"))
        .person("zwölf", |plan| {
            plan.kind(1)
                .lasting("h", "bc", 60.5)
                .drive("car", &["bc", "ab"])
                .until("w", "ab", 1e5)
                .teleport("walk", "ab", "bc", 30.0, 12.5)
                .stay("h", "bc")
        })
        .person("3", |plan| plan.until("h", "ca", 0.0).lost("car", "ca", "ab").stay("h", "ab"))
        .build()
        .unwrap();
    scenario.population.person_attributes.intern("age").unwrap();
    scenario.facilities.ids.intern("home").unwrap();
    scenario.facilities.link.push(1);
    scenario.facilities.x.push(f64::NAN);
    scenario.facilities.y.push(2.0);
    scenario.facilities.coordinate_system = Some("EPSG:1".into());
    scenario.population.activities.facility[0] = 0;
    scenario.network.name = Some("triangle".into());
    add_transit(&mut scenario);
    scenario
}

/// Makes the last person a driver, and the walk a ride with it.
fn add_transit(scenario: &mut Scenario) {
    let legs = &mut scenario.population.legs;
    let walk = legs.route.iter().position(|&kind| kind == RouteKind::Generic).unwrap();
    (legs.route[walk], legs.route_start[walk]) = (RouteKind::Transit, 1);
    let transit = &mut scenario.transit;
    for stop in ["s1", "s2"] {
        transit.stops.ids.intern(stop).unwrap();
    }
    (transit.stops.link, transit.stops.is_blocking) = (vec![2, NONE], vec![true, false]);
    transit.lines.intern("line").unwrap();
    transit.routes = Routes {
        ids: vec!["r".into(), "r".into()],
        line: vec![0, 0],
        first_call: vec![0, 0, 2],
        stop: vec![0, 1],
        arrival_offset_s: vec![f64::NAN, 60.0],
        departure_offset_s: vec![0.0, -1.5],
        awaits_departure: vec![false, true],
    };
    transit.departures = Departures { ids: vec!["d".into()], time_s: vec![7200.0] };
    transit.first_driver = 2;
    transit.first_driver_leg = legs.mode.len() as u32 - 1;
    transit.driver_legs = vec![DriverLeg { route: 1, departure: 0 }];
    // The first ride belongs to no leg.
    let ride = |stop| Ride { line: 0, access_stop: stop, egress_stop: 1, route: NONE };
    transit.rides = vec![ride(1), ride(0)];
    let doors = Passengers { seats: 3, standing: 4, access_s: 0.5, egress_s: 2.0, doors: Doors::Parallel };
    scenario.vehicles.types[0].passengers = doors;
}

fn stored(scenario: &Scenario, path: &Path) {
    let origin = Origin::of(&Settings::default()).unwrap();
    write_cache(scenario, &origin, &warnings(), PendingFile::create(path).unwrap()).unwrap();
}

fn warnings() -> Warnings {
    let mut warnings = Warnings::new();
    warnings.add_many(3, "links without length", || "link ö".to_owned());
    warnings.add_noted(1, "all facilities are on one link", "link 7");
    warnings
}

fn read(path: &Path) -> Result<Scenario, String> {
    let mut settings = Settings::default();
    settings.files.scenario_cache = Some(path.to_owned());
    let here = format!("{}/", path.parent().unwrap().display());
    let mut found = Warnings::new();
    let scenario =
        read_cache(settings, &mut found, &NoProgress).map_err(|error| error.to_string().replace(&here, ""))?;
    assert_eq!(found, warnings());
    Ok(scenario)
}

/// A scenario without its settings; routes leg by leg, since their offsets may differ.
fn content(scenario: &Scenario) -> String {
    let Scenario { settings: _, modes, network, population, vehicles, facilities, change_events, transit } = scenario;
    let ids = |table: &throng_core::IdTable| format!("{:?}", table.iter().collect::<Vec<_>>());
    let n = network;
    let persons = 0..population.persons() as u32;
    let plans: Vec<Vec<_>> = persons.map(|person| population.plan(person).collect()).collect();
    let routes: Vec<_> = (0..population.legs.mode.len() as u32).map(|leg| population.route(leg)).collect();
    let (a, l) = (&population.activities, &population.legs);
    let rides: Vec<_> = (0..l.mode.len() as u32).map(|leg| scenario.ride(leg)).collect();
    let Transit { stops, lines, routes: of_lines, departures, first_driver, first_driver_leg, driver_legs, .. } =
        transit;
    let transit = format!(
        "{} {} {:?} {of_lines:?} {departures:?} {first_driver} {first_driver_leg} {driver_legs:?} {rides:?}",
        ids(&stops.ids),
        ids(lines),
        (&stops.link, &stops.is_blocking)
    );
    format!(
        "{transit} {} {:?} {:?} {:?} {} {} {:?} {:?} {plans:?} {routes:?} {:?} {:?} {} {:?} {:?} {} {} {:?} {change_events:?}",
        ids(&population.person_attributes),
        modes.names().collect::<Vec<_>>(),
        (&n.name, &n.coordinate_system, n.cell_size_m, n.lane_width_m, n.capacity_period_s),
        (&n.node_x, &n.node_y),
        ids(&n.node_ids),
        ids(&n.link_ids),
        (&n.from, &n.to, &n.length_m, &n.freespeed_mps),
        (&n.capacity, &n.lanes, &n.modes),
        a,
        (&l.mode, &l.routing_mode, &l.route, &l.route_len, &l.start_link, &l.end_link),
        ids(&population.person_ids),
        (&l.travel_time, &l.distance, &l.vehicle),
        (&vehicles.types, &vehicles.type_of, &vehicles.start_link),
        ids(&vehicles.ids),
        ids(&facilities.ids),
        (&facilities.coordinate_system, &facilities.link, &facilities.x, &facilities.y),
    )
}

#[test]
fn scenarios_are_read_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CACHE_NAME);
    for scenario in [small(), Scenario::default()] {
        stored(&scenario, &path);
        assert_eq!(content(&read(&path).unwrap()), content(&scenario));
    }
}

#[test]
fn changed_bytes_and_truncation_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CACHE_NAME);
    stored(&small(), &path);
    let bytes = std::fs::read(&path).unwrap();
    let damaged = folder.path().join("damaged");
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        std::fs::write(&damaged, &other).unwrap();
        let error = read(&damaged).expect_err("a changed byte is detected");
        assert!(error.starts_with("damaged: ") && error.contains("\n    "), "byte {at}: {error}");
        std::fs::write(&damaged, &bytes[..at]).unwrap();
        let error = read(&damaged).expect_err("a truncated file is detected");
        assert!(error.starts_with("damaged: ") && error.contains("\n    "), "truncated at {at}: {error}");
    }
}

#[test]
fn files_other_than_caches_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    std::fs::write(&path, "<?xml version=\"1.0\"?><plans/> and so on, longer than head and foot together").unwrap();
    assert!(read(&path).unwrap_err().contains("f: this is not a scenario cache"));
    std::fs::write(&path, b"THRONG\x1a\n\x01\0\0\0\0\0\0\0").unwrap();
    assert!(read(&path).unwrap_err().contains("the cache has version 1, this program reads version 4"));
    assert!(read(folder.path()).unwrap_err().contains("this is a folder"));
    assert!(read(&folder.path().join("none")).unwrap_err().contains("Check throng.scenarioCache"));
}

type Change = fn(&mut Scenario);

#[test]
fn inconsistent_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CACHE_NAME);
    let cases: [(Change, &str); 16] = [
        (|s| s.network.from[1] = 3, "value 1 of column links.from is 3; there are 3 nodes, numbered from 0"),
        (|s| s.network.length_m[0] = f64::NAN, "value 0 of column links.length is NaN"),
        (|s| s.network.freespeed_mps[2] = 1e-12, "link 2 takes too long: 1 m at 0.000000000001 m/s"),
        (|s| s.network.lanes.truncate(2), "column links.lanes has 2 values where there should be 3"),
        (|s| s.population.activities.link[3] = 3, "value 3 of column activities.link is 3; there are 3 links"),
        (|s| s.population.activities.kind[0] = NONE, "column activities.type is 4294967295; there are 2 types"),
        (|s| s.population.legs.vehicle[0] = NONE, "leg 0 is driven without a vehicle"),
        (|s| s.population.legs.vehicle[0] = 2, "value 0 of column legs.vehicle is 2; there are 2 vehicles"),
        (|s| s.population.legs.travel_time[2] = f64::INFINITY, "column legs.travel_time is inf"),
        (|s| s.vehicles.type_of[1] = 2, "value 1 of column vehicles.type is 2; there are 2 vehicle types"),
        (|s| s.vehicles.types[1].pcu = 0.0, "value 1 of column vehicle_types.pcu is 0"),
        (|s| s.change_events[0].links.push(7), "value 2 of column changes.links is 7; there are 3 links"),
        (|s| s.transit.routes.stop[1] = 2, "value 1 of column calls.stop is 2; there are 2 stops"),
        (|s| s.transit.routes.first_call[2] = 1, "the calls of all routes do not add up to 2"),
        (|s| s.transit.rides[1].egress_stop = 5, "value 0 of column rides.egress_stop is 5; there are 2 stops"),
        (|s| s.transit.first_driver_leg = 1, "legs of drivers begin with leg 1, and there are 1 of them, but 4 legs"),
    ];
    for (change, expected) in cases {
        let mut scenario = small();
        change(&mut scenario);
        stored(&scenario, &path);
        let error = read(&path).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn links_with_zeros_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CACHE_NAME);
    let mut scenario = small();
    let n = &mut scenario.network;
    (n.length_m[0], n.freespeed_mps[1], n.capacity[2], n.lanes[2]) = (0.0, 0.0, 0.0, 0.0);
    stored(&scenario, &path);
    let read = read(&path).unwrap().network;
    assert_eq!(
        (0..3).map(|link| read.link(link)).collect::<Vec<_>>(),
        [0, 1, 2].map(|link| scenario.network.link(link))
    );
}

#[test]
fn a_cache_of_other_settings_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CACHE_NAME);
    stored(&small(), &path);
    let mut settings = Settings::default();
    settings.files.scenario_cache = Some(path);
    settings.qsim.main_modes = vec!["truck".into()];
    let error = read_cache(settings, &mut Warnings::new(), &NoProgress).unwrap_err().to_string();
    assert!(error.contains("was created with qsim.mainMode=car, this run has qsim.mainMode=truck"), "{error}");
}

/// Trips of each person: links are arbitrary, so most routes have gaps, or there is no route.
fn persons() -> impl Strategy<Value = Vec<Vec<Vec<usize>>>> {
    let route = prop::collection::vec(0..7usize, 0..9);
    prop::collection::vec(prop::collection::vec(route, 0..4), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(8), ..ProptestConfig::default() })]

    #[test]
    fn random_scenarios_are_read_back_unchanged(persons in persons(), ends in prop::collection::vec((0..4usize, 0..4usize), 6)) {
        let nodes = ["a", "b", "c", "d"];
        let links = ["l0", "l1", "l2", "l3", "l4", "l5", "not there"];
        let network = nodes.iter().fold(NetworkBuilder::new(), |builder, node| builder.node(node, 1.5, -2.0));
        let network = ends.iter().zip(links).fold(network, |builder, (&(from, to), id)| {
            builder.link(id, nodes[from], nodes[to], 10.0, 5.0, 600.0, 1.0)
        });
        let builder = ScenarioBuilder::new(network.build().unwrap());
        let scenario = persons.iter().enumerate().fold(builder, |builder, (number, trips)| {
            builder.person(&format!("p{number}"), |plan| {
                trips.iter().enumerate().fold(plan.until("h", links[number % 7], 3.0), |plan, (i, route)| {
                    let route: Vec<&str> = route.iter().map(|&link| links[link]).collect();
                    let plan = if route.is_empty() { plan.lost("bus", "l0", "l1") } else { plan.drive("car", &route) };
                    plan.until("w", links[i], 1e4)
                })
            })
        });
        let scenario = scenario.build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CACHE_NAME);
        stored(&scenario, &path);
        let back = read(&path).map_err(TestCaseError::fail)?;
        prop_assert_eq!(content(&back), content(&scenario));
        let driven = back.population.legs.route.iter().filter(|&&kind| kind == RouteKind::Links).count();
        prop_assert_eq!(driven, persons.iter().flatten().filter(|route| !route.is_empty()).count());
    }
}

/// The fuzzer starts from caches that are accepted, or cut off.
#[test]
fn the_seeds_of_the_fuzzer_are_up_to_date() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz/seeds/cache"));
    let (whole, cut_off) = (folder.join("triangle.throng"), folder.join("cut_off.throng"));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("c");
    stored(&small(), &path);
    let bytes = std::fs::read(path).unwrap();
    if std::env::var_os("THRONG_STORE").is_some() {
        std::fs::write(&whole, &bytes).unwrap();
        std::fs::write(&cut_off, &bytes[..bytes.len() - 40]).unwrap();
    }
    let remedy = "THRONG_STORE=1 cargo test -p throng-matsim seeds";
    assert!(std::fs::read(&whole).unwrap() == bytes, "{remedy}");
    assert!(std::fs::read(&cut_off).unwrap() == bytes[..bytes.len() - 40], "{remedy}");
}
