//! Opens the files of a traffic run with the Python tools of modellers.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use throng_testing::repository;

use crate::common::{code, err, text, throng};

/// The script checks that the files agree with each other; this test, that they agree with the summary of the run.
#[test]
fn python_tools_open_every_file_of_a_traffic_run() {
    let Some(python) = throng_testing::python_tools() else { return };
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let city = ["generate", "city", "--persons", "1000", "--links", "1000", "--lines", "6", "-q", "--out"];
    let output = throng(&[&city[..], &[&path("city")]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    fs::write(
        path("counts.xml"),
        "<counts name=\"two stations\" year=\"2024\">\n\
         <count loc_id=\"351\" cs_id=\"north; gate\"><volume h=\"8\" val=\"100\"/><volume h=\"9\" val=\"20\"/></count>\n\
         <count loc_id=\"353\" cs_id=\"bridge\"><volume h=\"8\" val=\"7\"/><volume h=\"17\" val=\"0\"/></count>\n\
         </counts>\n",
    )
    .unwrap();
    fs::write(
        path("facilities.xml"),
        "<facilities name=\"two\">\n\
         <facility id=\"a\" linkId=\"1\" x=\"-1310.0\" y=\"-910.5\"><activity type=\"work\"/></facility>\n\
         <facility id=\"b\" linkId=\"3\" x=\"-1300.0\" y=\"-800.0\"/>\n\
         </facilities>\n",
    )
    .unwrap();
    let settings = [
        // Agents are under way at the end.
        "qsim.endTime=17:00:00".to_owned(),
        "global.coordinateSystem=EPSG:25832".to_owned(),
        "throng.iterationFiles=true".to_owned(),
        "scoring.writeExperiencedPlans=true".to_owned(),
        format!("counts.inputCountsFile={}", path("counts.xml")),
        format!("facilities.inputFacilitiesFile={}", path("facilities.xml")),
    ];
    let (config, run) = (path("city/config.xml"), path("run"));
    let mut arguments = vec!["run", &config, "--out", &run, "--link-volumes", "-q"];
    arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    let output = throng(&arguments);
    assert_eq!(code(&output), 0, "{}", err(&output));

    let script = repository().join("crates/top/throng-cli/tests/python_tools/traffic_run.py");
    let read = Command::new(python).arg(script).arg(&run).output().unwrap();
    assert!(read.status.success(), "{}", text(&read.stderr));
    let mut found: Value = serde_json::from_slice(&read.stdout).unwrap();
    let mean_trip_s = found["mean_trip_s"].take().as_f64().unwrap();
    let manifest: Value = serde_json::from_slice(&fs::read(path("run/manifest.json")).unwrap()).unwrap();
    let results = &manifest["results"];
    assert!((mean_trip_s - results["mean_trip_s"].as_f64().unwrap()).abs() < 1.0, "{mean_trip_s}");
    let network_distance_m = found["network_distance_m"].take().as_f64().unwrap();
    let expected_m = results["network_distance_m"].as_f64().unwrap();
    assert!((network_distance_m - expected_m).abs() < 1e-6 * expected_m, "{network_distance_m}, {expected_m}");
    let modes: Value =
        results["modes"].as_array().unwrap().iter().map(of_mode).collect::<serde_json::Map<_, _>>().into();
    assert!(["car", "pt", "walk"].iter().all(|mode| modes[mode].as_u64().is_some_and(|trips| trips > 20)), "{modes}");
    let expected = json!({
        "links": network_links(&path("city/network.xml.gz"), &path("network.xml")),
        "persons": 1000,
        "events": results["events"],
        "legs_ended": results["legs_ended"],
        "moves_over_nodes": results["moves_over_nodes"],
        "stuck": results["stuck"],
        "trips": results["trips"],
        "modes": modes,
        "boarded": results["transit"]["boarded"],
        "planned_calls": results["transit"]["planned_calls"],
        "simulated_at_counts": results["counts"]["simulated"].as_f64().unwrap() as u64,
        "network_distance_m": null,
        "mean_trip_s": null,
        "panels": 7,
    });
    assert_eq!(found, expected);
    assert!(found["stuck"] != 0 && found["boarded"] != 0 && found["simulated_at_counts"] != 0, "{found}");
}

/// The trips of a mode.
fn of_mode(mode: &Value) -> (String, Value) {
    (mode["mode"].as_str().unwrap().to_owned(), mode["trips"].clone())
}

/// Counts the links of a compressed network.
fn network_links(packed: &str, plain: &str) -> usize {
    let output = throng(&["convert", packed, plain]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    fs::read_to_string(plain).unwrap().matches("<link ").count()
}
