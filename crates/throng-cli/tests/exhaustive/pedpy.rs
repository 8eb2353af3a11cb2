//! Trajectories of runs in PedPy.

use std::process::Command;

use serde_json::Value;
use throng_testing::repository;

use crate::common::text;
use crate::social_field::run;

#[test]
fn pedpy_opens_the_trajectories_of_an_evacuation() {
    let Some(python) = throng_testing::pedpy() else { return };
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("run");
    let output = run(&repository().join("examples/evacuation"), &folder, &["--steps", "60"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let script = repository().join("crates/throng-output/tests/pedpy/read.py");
    let read = Command::new(python).arg(script).arg(folder.join("trajectories.sqlite")).output().unwrap();
    assert!(read.status.success(), "{}", text(&read.stderr));
    let read: Value = serde_json::from_slice(&read.stdout).unwrap();
    // A frame every five ticks of 0.3 s.
    assert!((read["frame_rate"].as_f64().unwrap() - 1.0 / 1.5).abs() < 1e-9);
    // Three pillars, and two pieces of a wall between doors.
    assert_eq!((&read["all_inside"], &read["holes"]), (&Value::Bool(true), &5.into()));
    let rows = read["rows"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row[1] == 0.0).count(), 1200);
    // Rows are id, frame, x and y: no person is faster than a diagonal step in each tick.
    let fastest = read["speed"].as_array().unwrap().iter().map(|row| row[2].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(fastest > 1.0 && fastest <= 0.4 * 2.0f64.sqrt() / 0.3 + 1e-9, "{fastest}");
}
