//! Files of a run that MATSim's tools look for, compared with those that MATSim wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::Value;
use tempfile::TempDir;
use throng_core::{NoProgress, Warnings};
use throng_matsim::formats::open::TextInput;
use throng_model::RunRequest;
use throng_testing::{outside_cases, reference_data};
use throng_traffic::config::{self, Change};
use throng_traffic::{Day, make_cache, run};

/// Returns the text of a file, whatever its compression.
fn text(path: impl AsRef<Path>) -> String {
    let mut text = String::new();
    TextInput::open(path.as_ref()).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Returns the lines in alphabetical order: MATSim sorts elements by id, Throng keeps the order of the input.
fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Runs a config with results in `out`, and returns the warnings.
fn run_config(config: &Path, out: &Path, changes: &[&str]) -> Warnings {
    let out = format!("controller.outputDirectory={}", out.display());
    let all: Vec<Change> = [&[out.as_str()], changes].concat().into_iter().map(Change::typed).collect();
    let settings = config::from_file_with(config, &all).unwrap().settings;
    run(Day::new(settings), &RunRequest::default(), &NoProgress).unwrap().warnings
}

#[test]
fn inputs_in_effect_match_matsim() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    run_config(&equil.join("config.xml"), dir.path(), &[]);
    for name in ["output_network.xml.gz", "output_vehicles.xml.gz"] {
        let (ours, theirs) = (text(dir.path().join(name)), text(equil.join("controler_it0_fast").join(name)));
        assert_eq!(sorted_lines(&ours), sorted_lines(&theirs), "{name}");
    }
    assert_eq!(text(dir.path().join("output_facilities.xml.gz")), text(equil.join("facilities.xml")));
    // The results are inputs of the same day.
    let again = dir.path().join("again");
    let [network, facilities, vehicles] =
        ["network", "facilities", "vehicles"].map(|name| dir.path().join(format!("output_{name}.xml.gz")));
    let changes = [
        format!("network.inputNetworkFile={}", network.display()),
        format!("facilities.inputFacilitiesFile={}", facilities.display()),
        format!("vehicles.vehiclesFile={}", vehicles.display()),
        "qsim.vehiclesSource=fromVehiclesData".to_owned(),
    ];
    run_config(&equil.join("config.xml"), &again, &changes.each_ref().map(String::as_str));
    let events = "output_events.xml.gz";
    assert!(std::fs::read(dir.path().join(events)).unwrap() == std::fs::read(again.join(events)).unwrap());
    assert_eq!(text(again.join("output_vehicles.xml.gz")).trim(), text(&vehicles).trim());
}

#[test]
fn vehicles_of_modes_have_the_types_of_their_file() {
    let Some(mixed) = reference_data("equil_mixed_it0") else { return };
    let dir = TempDir::new().unwrap();
    run_config(&mixed.join("config-with-mode-vehicles.xml"), dir.path(), &["throng.compat=13"]);
    let name = "output_vehicles.xml.gz";
    let (ours, theirs) = (text(dir.path().join(name)), text(mixed.join(name)));
    // Throng creates only the vehicles that a leg needs.
    let (vehicles, types): (Vec<&str>, Vec<&str>) = sorted_lines(&ours)
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .partition(|line| line.contains("<vehicle "));
    let (all_vehicles, expected): (Vec<&str>, Vec<&str>) = sorted_lines(&theirs)
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .partition(|line| line.contains("<vehicle "));
    assert_eq!(types, expected);
    assert!(vehicles.len() == 10 && vehicles.iter().all(|vehicle| all_vehicles.contains(vehicle)), "{vehicles:?}");
}

#[test]
fn schedules_are_copied_and_caches_say_what_they_lack() {
    let Some(case) = outside_cases("matsim_transit", "pt_tutorial") else { return };
    let dir = TempDir::new().unwrap();
    let (config, cache) = (case.join("config.xml"), dir.path().join("scenario.throng"));
    let settings = config::from_file_with(&config, &[]).unwrap().settings;
    make_cache(settings, &cache, &mut Warnings::new(), &NoProgress).unwrap();
    let files = dir.path().join("files");
    let warnings = run_config(&config, &files, &[]);
    assert_eq!(warnings.iter().filter(|(kind, _)| kind.starts_with("not written")).count(), 0, "{warnings:?}");
    for (ours, theirs) in [
        ("output_transitSchedule.xml.gz", "transitSchedule.xml"),
        ("output_transitVehicles.xml.gz", "transitVehicles.xml"),
    ] {
        assert_eq!(text(files.join(ours)), text(case.join(theirs)), "{ours}");
    }
    let vehicles = text(files.join("output_vehicles.xml.gz"));
    let transit = text(case.join("transitVehicles.xml"));
    let ids = |text: &str| -> BTreeSet<String> {
        let tags = text.split("<vehicle ").skip(1).filter_map(|rest| rest.split("id=\"").nth(1));
        tags.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    assert!(!ids(&transit).is_empty() && ids(&vehicles).is_disjoint(&ids(&transit)));

    let named = format!("throng.scenarioCache={}", cache.display());
    let without = ["network.inputNetworkFile", "transit.transitScheduleFile", "transit.vehiclesFile"]
        .map(|name| format!("{name}=null"));
    let changes = [&without[..], &[named, "controller.writePlansInterval=0".to_owned()]].concat();
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    let cached = dir.path().join("cached");
    let warnings = run_config(&config, &cached, &changes);
    let lines: Vec<String> = warnings.lines().filter(|line| line.contains("not written")).collect();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert!(
        line.contains("output_transitSchedule.xml, output_transitVehicles.xml") && !line.contains("facilities"),
        "{line}"
    );
    assert!(!cached.join("output_transitSchedule.xml.gz").exists());
    assert_eq!(ids(&text(cached.join("output_vehicles.xml.gz"))), ids(&vehicles));
    let links = |folder: &Path| {
        sorted_lines(&text(folder.join("output_network.xml.gz")))
            .into_iter()
            .filter(|line| line.contains("<link "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(links(&cached), links(&files));
}

#[test]
fn counts_are_compared_with_scaled_volumes() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let counts = format!("counts.inputCountsFile={}", equil.join("counts100.xml").display());
    let changes = [&*counts, "counts.countsScaleFactor=2", "throng.iterationFiles=true", "qsim.flowCapacityFactor=0.5"];
    let warnings = run_config(&equil.join("config.xml"), dir.path(), &changes);
    assert!(warnings.lines().all(|line| !line.contains("counts")), "{warnings:?}");
    let table = text(dir.path().join("countscompare.txt"));
    assert_eq!(table, text(dir.path().join("ITERS/it.0/0.countscompare.txt")));
    assert_eq!(text(dir.path().join("output_counts.xml.gz")), text(equil.join("counts100.xml")));
    let link_stats = text(dir.path().join("ITERS/it.0/0.linkstats.txt.gz"));
    let volumes: BTreeMap<&str, Vec<f64>> = link_stats
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|row| (row[0], (0..24).map(|hour| row[7 + 3 * hour].parse().unwrap()).collect()))
        .collect();
    let (mut rows, mut simulated) = (0, 0.0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let numbers: Vec<f64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        let [hour, ours, counted, relative, _, geh] = numbers[..] else { panic!("{line}") };
        assert_eq!(ours, 2.0 * volumes[fields[0]][hour as usize - 1], "{line}");
        let expected = if counted > 0.0 {
            (ours - counted) / counted
        } else if ours > 0.0 {
            1000.0
        } else {
            0.0
        };
        assert!((relative - expected).abs() < 1e-3, "{line}");
        let expected = if ours + counted > 0.0 {
            (2.0 * (ours - counted) * (ours - counted) / (ours + counted)).sqrt()
        } else {
            0.0
        };
        assert!((geh - expected).abs() < 1e-3, "{line}");
        (rows, simulated) = (rows + 1, simulated + ours);
    }
    assert!(rows == 24 * counts_in(&equil) && simulated > 0.0, "{rows} {simulated}");
    let report = text(dir.path().join("report.html"));
    for part in ["<h2>Traffic counts</h2>", "Vehicles × 2.0", "qsim.flowCapacityFactor is 0.5"] {
        assert!(report.contains(part), "{part}");
    }
    // A sample whose volumes are not scaled.
    let changes = [&*counts, "qsim.flowCapacityFactor=0.5"];
    let warnings = run_config(&equil.join("config.xml"), &dir.path().join("unscaled"), &changes);
    assert!(warnings.lines().any(|line| line.contains("counts.countsScaleFactor=1")), "{warnings:?}");
}

fn counts_in(equil: &Path) -> usize {
    text(equil.join("counts100.xml")).matches("<count ").count()
}

#[test]
fn faulty_counts_stop_the_run_before_it_begins() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("counts.xml");
    std::fs::write(&file, "<counts>\n<count loc_id='1'><volume h='1' val='many'/></count></counts>").unwrap();
    let out = dir.path().join("out");
    let changes = [("counts.inputCountsFile", &file), ("controller.outputDirectory", &out)];
    let changes = changes.map(|(name, path)| Change::typed(format!("{name}={}", path.display())));
    let settings = config::from_file_with(&equil.join("config.xml"), &changes).unwrap().settings;
    let error = run(Day::new(settings), &RunRequest::default(), &NoProgress).unwrap_err().to_string();
    assert!(error.contains("counts.xml:2: ") && error.contains("\"many\""), "{error}");
    assert!(!out.exists());
}

#[test]
fn links_are_written_as_geojson_in_degrees() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let (known, unknown) = (dir.path().join("known"), dir.path().join("unknown"));
    let warnings = run_config(&equil.join("config.xml"), &known, &["global.coordinateSystem=EPSG:25832"]);
    assert!(warnings.lines().all(|line| !line.contains("geojson")), "{warnings:?}");
    let map: Value = serde_json::from_str(&text(known.join("output_links.geojson"))).unwrap();
    let features = map["features"].as_array().unwrap();
    assert_eq!((map["type"].as_str(), features.len()), (Some("FeatureCollection"), 23));
    let volumes: u64 = features.iter().map(|feature| feature["properties"]["volume"].as_u64().unwrap()).sum();
    let table = text(known.join("link_stats.csv.gz"));
    let of_table = table.lines().skip(1).map(|line| line.split(';').nth(5).unwrap().parse::<u64>().unwrap());
    assert_eq!(volumes, of_table.sum::<u64>());
    for feature in features {
        assert_eq!((&feature["type"], &feature["geometry"]["type"]), (&"Feature".into(), &"LineString".into()));
        let points = feature["geometry"]["coordinates"].as_array().unwrap();
        // The network lies around the origin of the zone, 500 km west of its meridian, 9 degrees east, on the equator.
        let is_near = |point: &Value| {
            let [longitude, latitude] = [0, 1].map(|axis| point[axis].as_f64().unwrap());
            (4.2..4.7).contains(&longitude) && latitude.abs() < 0.2
        };
        assert!(points.len() == 2 && points.iter().all(is_near), "{feature}");
    }
    for (system, is_warned) in [("Atlantis", false), ("Venus", true)] {
        let changes =
            [&*format!("global.coordinateSystem={system}"), "controller.overwriteFiles=deleteDirectoryIfExists"];
        let warnings = run_config(&equil.join("config.xml"), &unknown, &changes);
        assert_eq!(warnings.lines().any(|line| line.contains("output_links.geojson")), is_warned, "{warnings:?}");
        assert!(!unknown.join("output_links.geojson").exists());
        assert!(text(unknown.join("report.html")).contains("There is no output_links.geojson."), "{system}");
    }
}

/// Reads YAML without aliases; scalars in plain style become texts.
fn yaml(text: &str) -> Value {
    fn value<'e>(events: &mut impl Iterator<Item = Event<'e>>) -> Option<Value> {
        Some(match events.next().unwrap() {
            Event::Scalar(text, ScalarStyle::Plain, ..) => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
            Event::Scalar(text, ..) => text.into(),
            Event::SequenceStart(..) => std::iter::from_fn(|| value(events)).collect(),
            Event::MappingStart(..) => {
                let mut map = serde_json::Map::new();
                while let Some(key) = value(events) {
                    map.insert(key.as_str().unwrap().to_owned(), value(events).unwrap());
                }
                map.into()
            }
            Event::SequenceEnd | Event::MappingEnd => return None,
            other => panic!("{other:?}"),
        })
    }
    let events = Parser::new_from_str(text).map(|event| event.unwrap().0);
    let of_document = |event: &Event<'_>| !matches!(event, Event::StreamStart | Event::DocumentStart(_));
    value(&mut events.filter(of_document)).unwrap()
}

#[test]
fn the_dashboard_has_the_structure_that_simwrapper_documents() {
    let Some(equil) = reference_data("equil100") else { return };
    let dir = TempDir::new().unwrap();
    let counts = format!("counts.inputCountsFile={}", equil.join("counts100.xml").display());
    for (release, system, panels) in [("2024", "EPSG:25832", 7), ("13", "Atlantis", 6)] {
        let out = dir.path().join(release);
        let changes = [&*format!("throng.compat={release}"), &*format!("global.coordinateSystem={system}"), &*counts];
        run_config(&equil.join("config.xml"), &out, &changes);
        let dashboard = yaml(&text(out.join("dashboard-1-throng.yaml")));
        assert!(["tab", "title"].iter().all(|key| dashboard["header"][key].is_string()), "{dashboard}");
        let rows: Vec<&Value> = dashboard["layout"].as_object().unwrap().values().collect();
        let all: Vec<&Value> = rows.iter().flat_map(|row| row.as_array().unwrap()).collect();
        assert_eq!(all.len(), panels, "{dashboard:#}");
        for panel in all {
            let file = match panel["type"].as_str().unwrap() {
                "pie" => {
                    assert!(panel["useLastRow"] == true && panel["ignoreColumns"].is_array(), "{panel}");
                    let header = text(out.join(panel["dataset"].as_str().unwrap()));
                    let ignored = panel["ignoreColumns"][0].as_str().unwrap();
                    assert!(header.starts_with(ignored), "{panel}: {header}");
                    &panel["dataset"]
                }
                "csv" => &panel["dataset"],
                "map" => {
                    let of_file = &panel["shapes"]["file"];
                    for of_lines in ["lineWidth", "lineColor"] {
                        let display = &panel["display"][of_lines];
                        assert_eq!(&display["dataset"], of_file);
                        let column = display["columnName"].as_str().unwrap();
                        let map: Value = serde_json::from_str(&text(out.join(of_file.as_str().unwrap()))).unwrap();
                        assert!(map["features"][0]["properties"].get(column).is_some(), "{column}");
                    }
                    of_file
                }
                other => panic!("SimWrapper has no panel {other}"),
            };
            assert!(panel["title"].is_string() && out.join(file.as_str().unwrap()).is_file(), "{panel}");
        }
    }
    // Its name has no prefix.
    let prefixed = dir.path().join("prefixed");
    run_config(&equil.join("config.xml"), &prefixed, &["controller.runId=r1"]);
    assert!(!prefixed.join("r1.dashboard-1-throng.yaml").exists());
}
