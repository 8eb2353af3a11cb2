//! Loads the reference scenarios; the expected numbers were counted in the files.

use throng_core::{NONE, NoProgress, Warnings};

use super::load_scenario;
use throng_testing::reference_data;
use throng_traffic_scenario::settings::{Compat, FacilitiesSource, Settings, VehiclesSource};
use throng_traffic_scenario::{RouteKind, Scenario};

/// Loads a scenario from `folder`, without warnings; `None` if the data is missing.
fn load(folder: &str, network: &str, plans: &str, change: impl FnOnce(&mut Settings)) -> Option<Scenario> {
    let folder = reference_data(folder)?;
    let mut settings = Settings::default();
    settings.files.network = Some(folder.join(network));
    settings.files.plans = Some(folder.join(plans));
    settings.files.facilities = Some(folder.join("facilities.xml"));
    settings.files.vehicles = None;
    settings.extensions.compat = Compat::Matsim13;
    settings.facilities.source = FacilitiesSource::OnePerActivityLinkInPlansFile;
    change(&mut settings);
    let mut warnings = Warnings::new();
    let scenario = load_scenario(settings, &mut warnings, &NoProgress).unwrap();
    let warnings: Vec<_> = warnings.iter().collect();
    assert!(warnings.is_empty(), "{warnings:?}");
    Some(scenario)
}

/// Counts persons, activities, legs and links of routes.
fn counts(scenario: &Scenario) -> [usize; 4] {
    let p = &scenario.population;
    [p.persons(), p.activities.kind.len(), p.legs.mode.len(), p.route_links.len()]
}

/// Returns the route of a person's leg as ids.
fn route<'a>(scenario: &'a Scenario, person: &str, leg: usize) -> Vec<&'a str> {
    let p = &scenario.population;
    let person = p.person_ids.get(person).unwrap();
    let legs: Vec<_> = p
        .plan(person)
        .filter_map(|element| match element {
            throng_traffic_scenario::PlanElement::Leg(leg) => Some(leg),
            throng_traffic_scenario::PlanElement::Activity(_) => None,
        })
        .collect();
    p.route(legs[leg]).iter().map(|&link| scenario.network.link_ids.name(link)).collect()
}

fn check_consistency(scenario: &Scenario) {
    let p = &scenario.population;
    let n = &scenario.network;
    for leg in 0..p.legs.mode.len() as u32 {
        let i = leg as usize;
        if p.legs.route[i] != RouteKind::Links {
            continue;
        }
        let route = p.route(leg);
        assert_eq!(route.first(), Some(&p.legs.start_link[i]));
        assert_eq!(route.last(), Some(&p.legs.end_link[i]));
        assert!(route.windows(2).all(|pair| n.to[pair[0] as usize] == n.from[pair[1] as usize]));
        assert_ne!(p.legs.vehicle[i], NONE);
    }
}

#[test]
fn equil100() {
    let Some(scenario) = load("equil100", "network.xml", "plans100.xml", |_| {}) else { return };
    // All drive 1-6-15-20 and 20-21-22-23-1; person 1 also has a leg on link 20 in between.
    assert_eq!(counts(&scenario), [100, 301, 201, 901]);
    assert_eq!(route(&scenario, "1", 0), ["1", "6", "15", "20"]);
    assert_eq!(route(&scenario, "1", 1), ["20"]);
    assert_eq!(route(&scenario, "1", 2), ["20", "21", "22", "23", "1"]);
    check_consistency(&scenario);
    assert_eq!(scenario.vehicles.ids.len(), 100);
    assert_eq!(scenario.vehicles.ids.name(0), "1");
    assert_eq!(scenario.facilities.ids.iter().collect::<Vec<_>>(), ["f_auto_1", "f_auto_20"]);
    let a = &scenario.population.activities;
    assert_eq!((a.x[0], a.y[0], a.end_time[0], a.max_duration[1]), (-15050.0, -150.0, 21600.0, 600.0));
}

/// The files that MATSim wrote contain the same scenario as those that it read.
#[test]
fn equil100_as_written_by_matsim() {
    let Some(read) = load("equil100", "network.xml", "plans100.xml", |_| {}) else { return };
    let plans = "controler_it0_fast/output_plans.xml.gz";
    let Some(written) = load("equil100", "controler_it0_fast/output_network.xml.gz", plans, |_| {}) else { return };
    assert_eq!(counts(&read), counts(&written));
    let population = &read.population;
    for id in population.person_ids.iter() {
        for leg in 0..if id == "1" { 3 } else { 2 } {
            assert_eq!(route(&read, id, leg), route(&written, id, leg));
        }
    }
    let sum = |of: &[f64]| of.iter().sum::<f64>();
    assert_eq!(sum(&population.legs.distance), sum(&written.population.legs.distance));
}

/// MATSim wrote the links that it assigned to facilities.
#[test]
fn facilities_get_the_links_that_matsim_finds() {
    let from_file = |s: &mut Settings| s.facilities.source = FacilitiesSource::FromFile;
    let Some(given) = load("equil100", "network.xml", "plans100.xml", from_file) else { return };
    let folder = reference_data("equil100/controler_it0_fast").unwrap();
    let file = folder.join("output_facilities.xml.gz");
    let links = &given.network.link_ids;
    let expected = crate::formats::facilities::read_facilities(&file, links, &mut Warnings::new()).unwrap();
    assert_eq!(expected.ids.len(), 23);
    for (index, id) in expected.ids.iter().enumerate() {
        let found = given.facilities.link[given.facilities.ids.get(id).unwrap() as usize];
        assert_eq!(links.name(found), links.name(expected.link[index]), "facility {id}");
    }
}

#[test]
fn equil2000() {
    let Some(scenario) = load("equil2000", "network.xml", "plans2000.xml.gz", |_| {}) else { return };
    assert_eq!(counts(&scenario)[..3], [2000, 6000, 4000]);
    assert_eq!(route(&scenario, "1", 0), ["1", "6", "15", "20"]);
    check_consistency(&scenario);
}

#[test]
fn roundabout() {
    let Some(scenario) = load("queue_variants", "network.xml", "plans.xml", |_| {}) else { return };
    assert_eq!(route(&scenario, "1", 0).first(), Some(&"21"));
    assert_eq!(route(&scenario, "1", 0).last(), Some(&"87"));
    check_consistency(&scenario);
    assert_eq!(counts(&scenario)[..3], [1200, 3600, 2400]);
}

#[test]
fn chessboard() {
    let settings = |s: &mut Settings| s.facilities.source = FacilitiesSource::FromFile;
    let Some(scenario) = load("chessboard_it0", "network.xml", "output_plans.xml.gz", settings) else { return };
    assert_eq!(counts(&scenario), [324, 1296, 972, 11368]);
    assert_eq!(route(&scenario, "1", 0), ["91", "1", "2", "3", "4", "5", "6", "7", "8", "9", "172"]);
    check_consistency(&scenario);
    let p = &scenario.population;
    assert_eq!((p.legs.travel_time[0], p.legs.distance[0]), (1199.0, 10000.0));
    // The first activity is at facility 1, whose link is found from its coordinate.
    assert_eq!(scenario.facilities.ids.name(p.activities.facility[0]), "1");
    assert_eq!(scenario.network.link_ids.name(p.activities.link[0]), "91");
}

#[test]
fn cars_and_bicycles() {
    let settings = |s: &mut Settings| {
        s.qsim.main_modes = vec!["bicycle".into(), "car".into()];
        s.routing.network_modes = vec!["bicycle".into(), "car".into()];
        s.qsim.vehicles_source = VehiclesSource::ModeVehicleTypesFromVehiclesData;
        s.files.vehicles = s.files.network.as_ref().map(|path| path.with_file_name("mode-vehicles.xml"));
    };
    let Some(scenario) = load("equil_mixed_it0", "network.xml", "output_plans.xml.gz", settings) else { return };
    assert_eq!(counts(&scenario), [10, 30, 20, 90]);
    assert_eq!(route(&scenario, "1", 0), ["1", "4", "13", "20"]);
    check_consistency(&scenario);
    let v = &scenario.vehicles;
    let type_of = |id: &str| v.types[usize::from(v.type_of[v.ids.get(id).unwrap() as usize])].id.as_str();
    assert_eq!((type_of("1"), type_of("10_bicycle")), ("car", "bicycle"));
    assert_eq!(v.ids.len(), 10);
}

#[test]
fn berlin() {
    let settings = |s: &mut Settings| s.global.coordinate_system = "GK4".into();
    let plans = "plans_hwh_1pct.xml.gz";
    let Some(scenario) = load("berlin_1pct_10s", "network.xml.gz", plans, settings) else { return };
    // Legs by car have one link more than their route has nodes, or a single link if they do not leave it.
    assert_eq!(counts(&scenario), [15931, 47793, 31862, 727_444]);
    let car = scenario.modes.get("car").unwrap();
    let legs = &scenario.population.legs;
    let teleported: Vec<_> = (0..legs.mode.len()).filter(|&leg| legs.mode[leg] != car).collect();
    assert_eq!(teleported.len(), 371);
    // MATSim's events of these legs have no distance either.
    assert!(teleported.iter().all(|&leg| legs.route[leg] == RouteKind::Generic && legs.distance[leg].is_nan()));
    check_consistency(&scenario);
    let route = route(&scenario, "66805", 0);
    assert_eq!((route.first(), route.last()), (Some(&"11457"), Some(&"11720")));
    // 5 nodes: 4 links between them, and one at each end.
    assert_eq!(route.len(), 6);
}
