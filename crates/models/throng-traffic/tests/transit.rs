//! Public transport from files to tables, checked against the events that MATSim wrote for the same cases.

use std::collections::BTreeMap;
use std::io::Read as _;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_model::RunRequest;
use throng_testing::outside_cases;
use throng_traffic::config::{self, Change};
use throng_traffic::results::analysis::TransitDay;
use throng_traffic::{Day, make_cache, run};

/// The cases that are run: vehicles that are full, that wait for departure times, that are late, that are removed.
const CASES: [&str; 5] = ["capacity_denied", "denied_await", "circulation_late", "pt_tutorial", "stuck_remove"];

/// The value of an attribute of an event.
fn attribute<'e>(event: &'e str, name: &str) -> Option<&'e str> {
    let (_, rest) = event.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// Boarding, alighting, refused persons and delays, in the order arrival and departure, by vehicle and stop.
#[derive(Debug, Default, PartialEq)]
struct AtStop {
    boarded: u64,
    alighted: u64,
    denied: u64,
    delays_s: [f64; 2],
    departures: u64,
}

type AtStops = BTreeMap<(String, String), AtStop>;

/// Adds up what MATSim's events say.
fn from_events(text: &str) -> AtStops {
    let mut found = AtStops::new();
    let mut here: BTreeMap<&str, &str> = BTreeMap::new();
    for event in text.lines().filter(|line| line.contains("<event ")) {
        let value = |name| attribute(event, name).unwrap_or_default();
        let vehicle = value("vehicle");
        let is_driver = value("person").starts_with("pt_");
        let kind = value("type");
        if kind.ends_with("AtFacility") {
            let stop = value("facility");
            let at_stop = found.entry((vehicle.to_owned(), stop.to_owned())).or_default();
            let delay_s: f64 = value("delay").parse().unwrap();
            if kind.starts_with("VehicleArrives") {
                here.insert(vehicle, stop);
                at_stop.delays_s[0] += delay_s;
            } else {
                here.remove(vehicle);
                at_stop.delays_s[1] += delay_s;
                at_stop.departures += 1;
            }
        } else if let (Some(stop), false) = (here.get(vehicle), is_driver) {
            let at_stop = found.entry((vehicle.to_owned(), (*stop).to_owned())).or_default();
            match kind {
                "PersonEntersVehicle" => at_stop.boarded += 1,
                "PersonLeavesVehicle" => at_stop.alighted += 1,
                "BoardingDeniedEvent" => at_stop.denied += 1,
                _ => {}
            }
        }
    }
    found
}

/// Adds up the table.
fn from_table(text: &str) -> AtStops {
    let mut lines = text.lines().map(|line| line.split(';').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|&column| column == name).unwrap();
    let mut found = AtStops::new();
    for row in lines {
        assert_eq!(row.len(), header.len(), "{row:?}");
        let value = |name| row[column(name)];
        let number = |name| value(name).parse::<f64>().unwrap_or(0.0);
        if value("arrival").is_empty() {
            assert!(number("boarded") == 0.0 && value("departure").is_empty(), "{row:?}");
            continue;
        }
        let at_stop = found.entry((value("vehicle").to_owned(), value("stop").to_owned())).or_default();
        at_stop.boarded += number("boarded") as u64;
        at_stop.alighted += number("alighted") as u64;
        at_stop.denied += number("denied") as u64;
        at_stop.delays_s[0] += number("arrival_delay_s");
        at_stop.delays_s[1] += number("departure_delay_s");
        at_stop.departures += u64::from(!value("departure").is_empty());
        assert!(number("passengers") <= number("capacity"), "{row:?}");
    }
    found
}

fn unpacked(file: &std::path::Path) -> String {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn calls_at_stops_are_those_of_the_events_of_matsim_also_from_a_cache() {
    for case in CASES {
        let Some(folder) = outside_cases("matsim_transit", case) else { return };
        let dir = TempDir::new().unwrap();
        let cache = dir.path().join("scenario.throng");
        let fixed = [
            "throng.compat=13",
            "throng.nodeTransition=moveVehByVehDeterministicPriorities_nodeBlockedWhenSingleOutlinkFull",
        ];
        let settings = |out: &str, more: &str| {
            let out = format!("controller.outputDirectory={}", dir.path().join(out).display());
            let all = fixed.iter().copied().chain([out.as_str(), more]).filter(|change| !change.is_empty());
            let changes: Vec<Change> = all.map(Change::typed).collect();
            config::from_file_with(&folder.join("config.xml"), &changes).unwrap().settings
        };
        make_cache(settings("none", ""), &cache, &mut throng_core::Warnings::new(), &NoProgress).unwrap();
        let expected = from_events(&unpacked(&folder.join("events.xml.gz")));
        assert!(expected.values().any(|at_stop| at_stop.boarded > 0), "{case}");
        for (out, more) in [("files", String::new()), ("cache", format!("throng.scenarioCache={}", cache.display()))] {
            let settings = settings(out, &more);
            let counts_denied = settings.transit.has_boarding_denied_events;
            let done = run(Day::new(settings), &RunRequest::default(), &NoProgress).unwrap();
            let table = unpacked(&dir.path().join(out).join("stop_calls.csv.gz"));
            let found = from_table(&table);
            let mut denied_cells = table.lines().skip(1).map(|row| row.split(';').nth(19).unwrap());
            assert!(denied_cells.all(|cell| cell.is_empty() != counts_denied), "{case}");
            assert_eq!(found, expected, "{case}, {out}");
            let day = done.results.summary.transit.unwrap();
            let sum = |of: fn(&AtStop) -> f64| expected.values().map(of).sum::<f64>();
            assert_eq!(day.calls.boarded as f64, sum(|at_stop| at_stop.boarded as f64), "{case}");
            let denied = day.calls.denied.unwrap_or(0);
            assert_eq!(denied as f64, sum(|at_stop| at_stop.denied as f64), "{case}");
            assert_eq!(day.calls.denied.is_some(), counts_denied, "{case}");
            let departures = sum(|at_stop| at_stop.departures as f64);
            assert_eq!(day.calls.served as f64, departures, "{case}");
            let mean_s = sum(|at_stop| at_stop.delays_s[1]) / departures;
            assert!((day.calls.mean_delay_s() - mean_s).abs() < 1e-9 * mean_s.abs().max(1.0), "{case}");
            assert_eq!(day.by_hour.iter().map(|hour| hour.served).sum::<u64>(), day.calls.served, "{case}");
            let hours = day.by_hour.iter().filter(|hour| hour.served > 0);
            let sum_s: f64 = hours.map(|hour| hour.mean_delay_s() * hour.served as f64).sum();
            assert!((sum_s - mean_s * departures).abs() < 1e-9 * sum_s.abs().max(1.0), "{case}");
            let largest_s = day.lines.iter().map(|line| line.largest_delay_s).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(largest_s > TransitDay::LATE_S, day.late > 0, "{case}");
            let of_lines = day.lines.iter().map(|line| line.calls.boarded).sum::<u64>();
            assert_eq!(of_lines, day.calls.boarded, "{case}");
            let report = std::fs::read_to_string(dir.path().join(out).join("report.html")).unwrap();
            assert!(report.contains("<h2>Public transport</h2>") && report.contains("stop_calls.csv"), "{case}");
        }
    }
}
