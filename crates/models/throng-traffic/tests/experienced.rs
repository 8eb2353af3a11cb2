//! Persons, activities and plans as they took place, recomputed from the events of the same run and compared with
//! MATSim's files.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use throng_core::{NoProgress, Problems, Warnings};
use throng_matsim::formats::open::TextInput;
use throng_matsim::formats::person::{ElementRecord, PersonRecord, RouteFormat};
use throng_matsim::formats::population::PopulationReader;
use throng_matsim::load::InputStamps;
use throng_model::RunRequest;
use throng_output::{Codec, IfNotEmpty, RunFolder};
use throng_testing::{outside_cases, reference_data, repository};
use throng_traffic::config::{self, Change};
use throng_traffic::results::{PlansFile, PlansOutputs};
use throng_traffic::{Day, load_scenario, make_cache, run};

/// Returns the text of a file, whatever its compression.
fn text(path: impl AsRef<Path>) -> String {
    let mut text = String::new();
    TextInput::open(path.as_ref()).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn run_config(config: &Path, out: &Path, changes: &[&str]) -> Warnings {
    let out = format!("controller.outputDirectory={}", out.display());
    let all: Vec<Change> = [&[out.as_str()], changes].concat().into_iter().map(Change::typed).collect();
    let settings = config::from_file_with(config, &all).unwrap().settings;
    run(Day::new(settings), &RunRequest::default(), &NoProgress).unwrap().warnings
}

/// The value of an attribute of an element; empty if there is none. The ids of these cases need no escapes.
fn attribute<'e>(element: &'e str, name: &str) -> &'e str {
    let rest = element.split_once(&format!(" {name}=\"")).map(|(_, rest)| rest);
    rest.and_then(|rest| rest.split_once('"')).map_or("", |(value, _)| value)
}

/// The columns of a table that do not depend on scores.
fn without_scores(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().map(|line| line.split(';').collect::<Vec<_>>());
    rows.map(|mut row| {
        row.remove(1);
        row
    })
    .collect()
}

#[test]
fn persons_match_matsim() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    run_config(&equil.join("config.xml"), dir.path(), &[]);
    let theirs = text(equil.join("controler_it0_fast/output_persons.csv.gz"));
    let ours = text(dir.path().join("output_persons.csv.gz"));
    assert!(ours.starts_with("person;executed_score;first_act_x;first_act_y;first_act_type\r\n1;;"), "{ours:.90}");
    assert_eq!(without_scores(&ours), without_scores(&theirs));
    assert_eq!(ours.lines().count(), 101);
}

const ATTRIBUTES: &str = r#"<!DOCTYPE population SYSTEM "population_v6.dtd"><population>
  <person id="b;c"><attributes><attribute name="age" class="java.lang.Integer">41</attribute>
    <attribute name="person" class="java.lang.String">no second column</attribute>
    <attribute name="vehicles" class="org.matsim.vehicles.PersonVehicles">{"car":"x"}</attribute></attributes>
    <plan selected="no"><activity type="other" link="1"/></plan>
    <plan selected="yes"><activity type="h" link="1" x="1.5" y="2" end_time="06:00:00"/><leg mode="walk"/>
      <activity type="w" link="20"/></plan></person>
  <person id="a"><attributes><attribute name="sex" class="java.lang.String">f</attribute>
    <attribute name="age" class="java.lang.Integer">7</attribute></attributes>
    <plan selected="yes"><activity type="h &amp; k" link="1"/></plan></person></population>"#;

#[test]
fn persons_have_their_attributes_but_no_vehicles() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let (plans, cache, config) =
        (dir.path().join("plans.xml"), dir.path().join("scenario.throng"), equil.join("config.xml"));
    std::fs::write(&plans, ATTRIBUTES).unwrap();
    let named = |plans: &Path| {
        [format!("plans.inputPlansFile={}", plans.display()), "facilities.facilitiesSource=none".to_owned()]
    };
    let changes = named(&plans);
    let changes = changes.each_ref().map(String::as_str);
    let expected = "person;executed_score;first_act_x;first_act_y;first_act_type;age;sex\r\n\
        \"b;c\";;1.5;2.0;h;41;\r\na;;;;h & k;7;f\r\n";
    let table = |out: &str| text(dir.path().join(out).join("output_persons.csv.gz"));
    run_config(&config, &dir.path().join("files"), &changes);
    assert_eq!(table("files"), expected);
    // Also without the other file that needs the plans.
    run_config(&config, &dir.path().join("few"), &[&changes[..], &["controller.writePlansInterval=0"]].concat());
    assert_eq!(table("few"), expected);
    assert!(!dir.path().join("few/output_plans.xml.gz").exists());

    let set: Vec<Change> = changes.iter().map(|&change| Change::typed(change)).collect();
    let settings = config::from_file_with(&config, &set).unwrap().settings;
    make_cache(settings, &cache, &mut Warnings::new(), &NoProgress).unwrap();
    let cache = format!("throng.scenarioCache={}", cache.display());
    let from_cache = [
        cache.as_str(),
        "plans.inputPlansFile=null",
        "facilities.facilitiesSource=none",
        "controller.writePlansInterval=0",
    ];
    let warnings = run_config(&config, &dir.path().join("cached"), &from_cache);
    assert_eq!(table("cached"), expected.replace(";41;", ";;").replace(";7;f", ";;"));
    let lines: Vec<String> = warnings.lines().filter(|line| line.contains("output_persons")).collect();
    assert!(lines.len() == 1 && lines[0].contains("attributes of persons are empty"), "{lines:?}");
}

#[test]
fn plans_that_change_during_a_run_leave_no_file() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let (plans, config) = (dir.path().join("plans.xml"), equil.join("config.xml"));
    let named = format!("plans.inputPlansFile={}", plans.display());
    let set = [named.as_str(), "facilities.facilitiesSource=none"];
    let settings = config::from_file_with(&config, &set.map(Change::typed)).unwrap().settings;
    let both = PlansOutputs { plans: true, persons: true };
    let truncated = ATTRIBUTES.replace("</population>", "");
    for (changed, is_known, fault) in [
        // The reader does not notice this change.
        (ATTRIBUTES.replace(">41<", ">401<"), true, "this file was changed while in use"),
        (truncated.clone(), true, "this file was changed while in use"),
        (truncated, false, "plans.xml"),
    ] {
        std::fs::write(&plans, ATTRIBUTES).unwrap();
        let before = InputStamps::of(&settings);
        let scenario = load_scenario(settings.clone(), &mut Warnings::new(), &NoProgress).unwrap();
        std::fs::write(&plans, changed).unwrap();
        let inputs = if is_known { before } else { InputStamps::of(&settings) };
        let out = TempDir::new().unwrap();
        let folder = RunFolder::create(out.path(), IfNotEmpty::Refuse, "").unwrap();
        let file = PlansFile::start(&Arc::new(scenario), &folder, Codec::None, 1, both).unwrap().unwrap();
        let error = file.finish(&inputs).unwrap_err().to_string();
        assert!(error.contains(fault), "{error}");
        let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let written: Vec<String> = names.filter(|name| name.contains("output_")).collect();
        assert!(written.is_empty(), "{written:?}");
    }
}

#[test]
fn persons_whose_trips_are_routed_by_public_transport_keep_their_attributes() {
    let Some(folder) = outside_cases("matsim_transit", "router_raptor_lineswitch") else { return };
    let dir = TempDir::new().unwrap();
    let plans = r#"<!DOCTYPE population SYSTEM "population_v6.dtd"><population>
      <person id="1"><attributes><attribute name="age" class="java.lang.Integer">41</attribute></attributes>
        <plan selected="yes"><activity type="home" x="15" y="-10" end_time="05:01:00"/><leg mode="pt"/>
          <activity type="home" x="2005" y="-10"/></plan></person></population>"#;
    let file = dir.path().join("plans.xml");
    std::fs::write(&file, plans).unwrap();
    let out = dir.path().join("out");
    run_config(&folder.join("config.xml"), &out, &[&format!("plans.inputPlansFile={}", file.display())]);
    let table = text(out.join("output_persons.csv.gz"));
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].ends_with(";first_act_type;age") && lines[1].ends_with(";41"), "{lines:?}");
    let legs = text(out.join("output_legs.csv.gz"));
    assert!(legs.contains(";pt;"), "{legs}");
}

/// An element of a plan that took place, as text; times and distances in Java's notation, `undefined` if unknown.
#[derive(Debug, Clone, PartialEq)]
enum Element {
    /// Type, link, facility, x, y, start, end.
    Activity([String; 7]),
    /// Mode, departure, travel time, kind of route, route, distance, boarding.
    Leg([String; 7]),
}

type Plans = BTreeMap<String, Vec<Element>>;

fn java(value: f64) -> String {
    if value.is_nan() { String::new() } else { format!("{value:?}") }
}

fn number(text: &str) -> f64 {
    if text.is_empty() { f64::NAN } else { text.parse().unwrap() }
}

/// A vehicle in the events.
#[derive(Debug, Default)]
struct Vehicle {
    /// Line, route and driver of its departure in public transport.
    service: Option<[String; 3]>,
    /// All links that it was on.
    links: Vec<String>,
    stop: String,
}

/// A person under way in the events.
#[derive(Debug, Default)]
struct Under {
    mode: String,
    departure: f64,
    start_link: String,
    /// Vehicle, its number of links at the time, its stop, and the time.
    boarded: Option<(String, usize, String, f64)>,
    travelled: Option<f64>,
}

/// The plans as MATSim would derive them from the events, and the vehicles of the legs of each person.
fn from_events(events: &str, lengths: &BTreeMap<String, f64>) -> (Plans, BTreeMap<String, Vec<String>>) {
    let (mut plans, mut entered) = (Plans::new(), BTreeMap::<String, Vec<String>>::new());
    let mut vehicles: BTreeMap<String, Vehicle> = BTreeMap::new();
    let mut activities: BTreeMap<String, [String; 7]> = BTreeMap::new();
    let mut under_way: BTreeMap<String, Under> = BTreeMap::new();
    for event in events.lines().filter(|line| line.contains("<event ")) {
        let value = |name: &str| attribute(event, name).to_owned();
        let (time, person) = (number(&value("time")), value("person"));
        let vehicle = vehicles.entry(value("vehicle")).or_default();
        let activity = || [value("actType"), value("link"), value("facility"), value("x"), value("y")];
        match attribute(event, "type") {
            "actend" => {
                let mut ended = activities.remove(&person).unwrap_or_else(|| {
                    let [kind, link, facility, x, y] = activity();
                    [kind, link, facility, x, y, String::new(), String::new()]
                });
                ended[6] = java(time);
                plans.entry(person).or_default().push(Element::Activity(ended));
            }
            "actstart" => {
                let [kind, link, facility, x, y] = activity();
                activities.insert(person, [kind, link, facility, x, y, java(time), String::new()]);
            }
            "departure" => {
                let (mode, start_link) = (value("legMode"), value("link"));
                under_way.insert(person, Under { mode, departure: time, start_link, ..Under::default() });
            }
            "TransitDriverStarts" => {
                let vehicle = vehicles.entry(value("vehicleId")).or_default();
                vehicle.service = Some([value("transitLineId"), value("transitRouteId"), value("driverId")]);
            }
            "VehicleArrivesAtFacility" => vehicle.stop = value("facility"),
            "PersonEntersVehicle" => {
                if let Some(under) = under_way.get_mut(&person) {
                    under.boarded = Some((value("vehicle"), vehicle.links.len(), vehicle.stop.clone(), time));
                }
            }
            "vehicle enters traffic" | "entered link" => vehicle.links.push(value("link")),
            "travelled" => {
                under_way.get_mut(&person).unwrap().travelled = Some(number(&value("distance")));
            }
            "arrival" => {
                let under = under_way.remove(&person).unwrap();
                // In the order of the links, like MATSim.
                let length = |links: &[String]| links.iter().fold(0.0, |sum, link| sum + lengths[link]);
                let (kind, route, distance) = match &under.boarded {
                    None => {
                        let ends = format!("{} {}", under.start_link, value("link"));
                        ("generic", ends, under.travelled.unwrap_or(0.0))
                    }
                    Some((vehicle, since, stop, boarding)) => {
                        let vehicle = &vehicles[vehicle];
                        let links = &vehicle.links[*since..];
                        match &vehicle.service {
                            Some([line, route, driver]) if *driver != person => {
                                let boarding = throng_core::clock::format(*boarding);
                                let text = format!(
                                    "{{\"transitRouteId\":\"{route}\",\"boardingTime\":\"{boarding}\",\
                                     \"transitLineId\":\"{line}\",\"accessFacilityId\":\"{stop}\",\
                                     \"egressFacilityId\":\"{}\"}}",
                                    vehicle.stop
                                );
                                ("default_pt", text, length(links))
                            }
                            _ => {
                                // MATSim leaves out the last link of a round trip.
                                let is_round = links.len() > 1 && links.first() == links.last();
                                let driven = &links[1..links.len() - usize::from(is_round)];
                                ("links", links.join(" "), length(driven))
                            }
                        }
                    }
                };
                let leg = [
                    under.mode,
                    java(under.departure),
                    java(time - under.departure),
                    kind.to_owned(),
                    route,
                    java(distance),
                    under.boarded.as_ref().map_or(String::new(), |&(.., time)| java(time)),
                ];
                let vehicle = under.boarded.map_or(String::new(), |(vehicle, ..)| vehicle);
                entered.entry(person.clone()).or_default().push(vehicle);
                plans.entry(person).or_default().push(Element::Leg(leg));
            }
            _ => {}
        }
    }
    for (person, activity) in activities {
        plans.entry(person).or_default().push(Element::Activity(activity));
    }
    plans.retain(|person, _| !person.starts_with("pt_"));
    (plans, entered)
}

/// Reads experienced plans; persons without a plan are left out.
fn from_plans(file: &Path) -> Plans {
    let mut reader = PopulationReader::open(file).unwrap();
    let (mut person, mut problems, mut warnings) = (PersonRecord::new(), Problems::new(), Warnings::new());
    let mut plans = Plans::new();
    while reader.read_person(&mut person, &mut problems, &mut warnings) {
        assert_eq!(person.plans().len(), 1);
        let elements = person.elements(&person.plans()[0]).iter().map(|element| match element {
            ElementRecord::Activity(a) => {
                let [kind, link, facility] = [a.kind, a.link, a.facility].map(|text| person.text(text).to_owned());
                let [x, y, start, end] = [a.x, a.y, a.start_time, a.end_time].map(java);
                assert!(a.max_duration.is_nan());
                Element::Activity([kind, link, facility, x, y, start, end])
            }
            ElementRecord::Leg(leg) => {
                let route = leg.route.as_ref().unwrap();
                assert_eq!(route.travel_time, leg.travel_time);
                let text = match route.format {
                    RouteFormat::Other if route.description.is_none() || person.text(route.description).is_empty() => {
                        format!("{} {}", person.text(route.start_link), person.text(route.end_link))
                    }
                    _ => person.text(route.description).to_owned(),
                };
                let boarding = person.attribute(leg.attributes, "enterVehicleTime").unwrap_or("").to_owned();
                let [departure, travel_time, distance] =
                    [leg.departure_time, leg.travel_time, route.distance].map(java);
                let [mode, kind] = [leg.mode, route.kind].map(|text| person.text(text).to_owned());
                Element::Leg([mode, departure, travel_time, kind, text, distance, boarding])
            }
        });
        let elements: Vec<Element> = elements.collect();
        if !elements.is_empty() {
            plans.insert(person.id().to_owned(), elements);
        }
    }
    plans
}

/// The rows of `output_activities.csv` that follow from plans, by person.
fn activity_rows(plans: &Plans) -> BTreeMap<&str, Vec<String>> {
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (person, elements) in plans {
        let mut number = 0;
        for element in elements {
            let Element::Activity([kind, link, facility, x, y, start, end]) = element else { continue };
            if kind.ends_with("interaction") {
                continue;
            }
            number += 1;
            let row = format!("{person};{number};{person}_{number};{kind};{start};{end};;{link};{facility};{x};{y}");
            rows.entry(person).or_default().push(row);
        }
    }
    rows
}

/// Returns the rows of `output_legs.csv` and `output_trips.csv` that follow from plans and the vehicles of their legs:
/// person, distance, mode, route of public transport and vehicle of each leg, person and distance of each trip. Only
/// trips that end with an activity have rows.
fn distance_rows(plans: &Plans, vehicles: &BTreeMap<String, Vec<String>>) -> [Vec<String>; 2] {
    let [mut legs, mut trips] = [const { Vec::new() }; 2];
    for (person, elements) in plans {
        let mut vehicles = vehicles.get(person).into_iter().flatten();
        let (mut of_trip, mut distance_m) = (Vec::new(), 0.0);
        for element in elements {
            match element {
                Element::Activity([kind, ..]) if kind.ends_with("interaction") => {}
                Element::Activity(_) => {
                    if !of_trip.is_empty() {
                        trips.push(format!("{person};{}", (distance_m + 0.5_f64).floor() as i32));
                    }
                    legs.append(&mut of_trip);
                    distance_m = 0.0;
                }
                Element::Leg([mode, _, _, _, text, distance, _]) => {
                    let route = text.strip_prefix("{\"transitRouteId\":\"").and_then(|rest| rest.split('"').next());
                    let (metres, vehicle) = (number(distance), vehicles.next().unwrap());
                    of_trip.push(format!("{person};{};{mode};{};{vehicle}", metres as i32, route.unwrap_or("")));
                    distance_m += metres;
                }
            }
        }
    }
    [legs, trips]
}

/// Returns the metres of all legs by mode, in kilometres as `pkm_modestats` rounds them.
fn kilometres(plans: &Plans) -> BTreeMap<&str, String> {
    let mut metres: BTreeMap<&str, f64> = BTreeMap::new();
    for element in plans.values().flatten() {
        if let Element::Leg([mode, _, _, _, _, distance, _]) = element {
            let distance_m = number(distance);
            *metres.entry(mode).or_default() += if distance_m.is_nan() { 0.0 } else { distance_m };
        }
    }
    metres.into_iter().map(|(mode, sum)| (mode, format!("{}", (sum / 1000.0 + 0.5).floor() as i64))).collect()
}

/// Returns columns of a table, in the order of persons.
fn columns(table: &str, names: &[&str]) -> Vec<String> {
    let mut lines = table.lines().map(|line| line.split(';').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let at: Vec<usize> = names.iter().map(|name| header.iter().position(|found| found == name).unwrap()).collect();
    let mut rows: Vec<Vec<&str>> = lines.collect();
    rows.sort_by_key(|row| row[0]);
    rows.iter().map(|row| at.iter().map(|&column| row[column]).collect::<Vec<_>>().join(";")).collect()
}

/// Runs `config` and compares its activities, legs and plans with its events. Returns the number of legs by kind of
/// route.
fn check(config: &Path, changes: &[&str]) -> BTreeMap<String, usize> {
    let dir = TempDir::new().unwrap();
    let fixed = ["scoring.writeExperiencedPlans=true", "throng.iterationFiles=true"];
    run_config(config, dir.path(), &[&fixed[..], changes].concat());
    let network = text(dir.path().join("output_network.xml.gz"));
    let links = network.split("<link ").skip(1).map(|rest| format!(" {}", rest.split('>').next().unwrap()));
    let lengths = links.map(|link| (attribute(&link, "id").to_owned(), number(attribute(&link, "length")))).collect();
    let (expected, vehicles) = from_events(&text(dir.path().join("output_events.xml.gz")), &lengths);
    let file = dir.path().join("output_experienced_plans.xml.gz");
    let found = from_plans(&file);
    assert_eq!(found.len(), expected.len());
    for (person, elements) in &expected {
        assert_eq!(found[person], *elements, "person {person}");
    }
    let of_iteration = dir.path().join("ITERS/it.0/0.experienced_plans.xml.gz");
    assert!(std::fs::read(&file).unwrap() == std::fs::read(of_iteration).unwrap());

    let table = text(dir.path().join("output_activities.csv.gz"));
    let mut lines = table.lines();
    assert_eq!(
        lines.next().unwrap(),
        "person;activity_number;activity_id;activity_type;start_time;end_time;maximum_duration;link_id;facility_id;\
         coord_x;coord_y"
    );
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in lines {
        rows.entry(line.split(';').next().unwrap()).or_default().push(line.to_owned());
    }
    // Events of release 13, which has no such table, have no coordinates of first activities.
    if !changes.contains(&"throng.compat=13") {
        assert_eq!(rows, activity_rows(&expected));
        let [legs, trips] = distance_rows(&expected, &vehicles);
        let table = |name: &str| text(dir.path().join(name));
        let of_legs = ["person", "distance", "mode", "transit_route", "vehicle_id"];
        assert_eq!(columns(&table("output_legs.csv.gz"), &of_legs), legs);
        assert_eq!(columns(&table("output_trips.csv.gz"), &["person", "traveled_distance"]), trips);
        let statistics = table("pkm_modestats.csv");
        let mut lines = statistics.lines().map(|line| line.split(';').skip(1));
        let by_mode: BTreeMap<&str, String> =
            lines.next().unwrap().zip(lines.next().unwrap().map(str::to_owned)).collect();
        assert_eq!(by_mode, kilometres(&expected));
    }

    let mut kinds = BTreeMap::new();
    for element in expected.into_values().flatten() {
        if let Element::Leg([_, _, _, kind, ..]) = element {
            *kinds.entry(kind).or_default() += 1;
        }
    }
    kinds
}

fn city() -> PathBuf {
    repository().join("examples/city/config.xml")
}

#[test]
fn activities_and_plans_of_a_city_are_those_of_its_events() {
    // The run ends in the middle of the morning, with persons under way.
    let kinds = check(&city(), &["qsim.endTime=07:30:00"]);
    assert!(kinds["links"] > 500, "{kinds:?}");
}

#[test]
fn activities_and_plans_with_public_transport_are_those_of_their_events() {
    let mut legs: BTreeMap<String, usize> = BTreeMap::new();
    for (case, changes) in [
        ("capacity_denied", &[][..]),
        ("circulation_late", &[]),
        ("denied_await", &[]),
        ("loop_route", &[]),
        ("mixed_medium", &[]),
        ("multi_leg_access", &[]),
        ("negative/n_egress_other_link", &[]),
        ("park_and_ride", &[]),
        ("pt_tutorial", &["throng.compat=13"]),
        ("same_time_departures", &[]),
        ("stuck_remove", &["throng.compat=13"]),
        ("two_modes_two_lines", &[]),
        ("two_stops_one_link", &[]),
    ] {
        let Some(folder) = outside_cases("matsim_transit", case) else { return };
        for (kind, number) in check(&folder.join("config.xml"), changes) {
            *legs.entry(kind).or_default() += number;
        }
    }
    assert!(["default_pt", "generic", "links"].iter().all(|kind| legs[*kind] > 50), "{legs:?}");
}

#[test]
fn plans_are_written_as_experienced_only_on_request() {
    let dir = TempDir::new().unwrap();
    let few = ["qsim.endTime=05:30:00", "throng.iterationFiles=true"];
    run_config(&city(), &dir.path().join("not"), &few);
    let written = |out: &str| dir.path().join(out).join("output_experienced_plans.xml.gz").exists();
    assert!(!written("not") && !dir.path().join("not/ITERS/it.0/0.experienced_plans.xml.gz").exists());
    // The name of the group in release 13.
    let config = text(city()).replacen(
        "<module name=\"planCalcScore\">",
        "<module name=\"planCalcScore\"><param name=\"writeExperiencedPlans\" value=\"true\"/>",
        1,
    );
    let file = dir.path().join("config.xml");
    std::fs::write(&file, config).unwrap();
    for name in ["network.xml.gz", "plans.xml.gz"] {
        std::fs::copy(city().with_file_name(name), dir.path().join(name)).unwrap();
    }
    run_config(&file, &dir.path().join("yes"), &few[..1]);
    assert!(written("yes") && !dir.path().join("yes/ITERS").exists());
    let warnings = run_config(&file, &dir.path().join("no"), &[few[0], "throng.analysis=false"]);
    let count = warnings.lines().filter(|line| line.contains("output_experienced_plans is not written")).count();
    assert!(count == 1 && !written("no"), "{warnings:?}");
}

#[test]
fn the_log_has_phases_warnings_and_the_iteration() {
    let dir = TempDir::new().unwrap();
    let changes = ["qsim.endTime=05:30:00", "controller.runId=r1", "controller.firstIteration=2"];
    let warnings = run_config(&city(), dir.path(), &changes);
    let log = text(dir.path().join("r1.logfile.log"));
    let messages: Vec<&str> = log.lines().map(|line| line.split_once(" throng ").unwrap().1).collect();
    let position = |part: &str| {
        let found = messages.iter().position(|message| message.contains(part));
        found.unwrap_or_else(|| panic!("{part} is not in\n{log}"))
    };
    let order = [
        "plans.xml.gz",
        "### ITERATION 2 BEGINS",
        "simulating on",
        "### ITERATION 2 ENDS",
        "completing events and tables: ",
    ];
    let found = order.map(position);
    assert!(found.is_sorted(), "{found:?}");
    assert_eq!(log.lines().filter(|line| line.contains("  WARN throng ")).count(), warnings.lines().count());
    let of_warnings = text(dir.path().join("r1.logfileWarningsErrors.log"));
    assert!(of_warnings.lines().count() > 0, "agents are under way at the end");
    assert_eq!(of_warnings.lines().count(), warnings.lines().count());
    assert!(of_warnings.contains("agents aborted because the simulation ended"), "{of_warnings}");
}
