//! Reads the trajectories of runs with PedPy.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use throng_testing::repository;

use crate::common::text;
use crate::social_field::run;

/// Returns a script's output about a trajectory file.
fn answer(python: &Path, script: &str, file: &Path) -> Value {
    let script = repository().join("crates/output/throng-output/tests/pedpy").join(script);
    let read = Command::new(python).arg(script).arg(file).output().unwrap();
    assert!(read.status.success(), "{}", text(&read.stderr));
    serde_json::from_slice(&read.stdout).unwrap()
}

#[test]
fn pedpy_opens_the_trajectories_of_an_evacuation() {
    let Some(python) = throng_testing::python_tools() else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let output = run(&repository().join("examples/evacuation"), &folder, &["--steps", "60"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = answer(&python, "read.py", &folder.join("trajectories.sqlite"));
    // One frame every five ticks of 0.3 s.
    assert!((read["frame_rate"].as_f64().unwrap() - 1.0 / 1.5).abs() < 1e-9);
    // Three pillars, and two pieces of a wall between doors.
    assert_eq!((&read["all_inside"], &read["holes"]), (&Value::Bool(true), &5.into()));
    let rows = read["rows"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row[1] == 0.0).count(), 1200);
    // Rows are id, frame, x and y; no pedestrian is faster than a diagonal step per tick.
    let fastest = read["speed"].as_array().unwrap().iter().map(|row| row[2].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(fastest > 1.0 && fastest <= 0.4 * 2.0f64.sqrt() / 0.3 + 1e-9, "{fastest}");
}

/// With pedestrians exactly on the lattice lines, PedPy could not join the cells.
#[test]
fn pedpy_finds_voronoi_cells_in_every_frame_of_an_evacuation() {
    let Some(python) = throng_testing::python_tools() else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let output = run(&repository().join("examples/evacuation"), &folder, &["--set", "animation_frames=0"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = answer(&python, "voronoi.py", &folder.join("trajectories.sqlite"));
    assert_eq!((&found["failures"], &found["persons"]), (&json!([]), &json!(1200)));
    assert!(found["found"].as_u64().unwrap() > 50, "{found}");
}

/// Storeys are unconnected rooms, so each has a separate file.
#[test]
fn pedpy_opens_the_storeys_of_a_building() {
    let Some(python) = throng_testing::python_tools() else { return };
    let Some(scenario) = throng_testing::outside_cases("crowd_cases", "two_storeys/scenario.toml") else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let output = run(&scenario, &folder, &["--set", "animation_frames=0"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for storey in 1..=2 {
        let file = folder.join(format!("trajectories_{storey}.sqlite"));
        let read = answer(&python, "read.py", &file);
        // 20 x 20 space units and an exit of 3 units, of 0.16 m^2 each.
        assert!((read["area"].as_f64().unwrap() - 403.0 * 0.16).abs() < 1e-9, "{}", read["area"]);
        assert_eq!(read["all_inside"], Value::Bool(true));
        let found = answer(&python, "voronoi.py", &file);
        assert_eq!((&found["failures"], &found["persons"]), (&json!([]), &json!(50)));
    }
}
