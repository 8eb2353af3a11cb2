//! The examples of the social field model, with the real binary.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use throng_testing::{program, repository};

fn run(scenario: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    command.arg("run").arg(scenario).args(["--device", "cpu", "--out"]).arg(folder).args(more);
    command.output().expect("the binary was built for this test")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Hashes of the last state, the same on every device and as long as the examples are unchanged. A change of a rule or
/// of an example changes them; a change of anything else must not.
#[test]
fn the_examples_end_in_their_stored_states() {
    for (name, persons, hash) in
        [("crossing", "2834 of 2834", "fac310a547638267"), ("evacuation", "1200 of 1200", "e5adecfdae333cde")]
    {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("run");
        let settings = ["--set", "frame_every=0", "--set", "trajectories=false"];
        let output = run(&repository().join("examples").join(name), &folder, &settings);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(persons), "{}", text(&output.stdout));
        let measures = std::fs::read_to_string(folder.join("measures.csv")).unwrap();
        assert!(measures.trim_end().ends_with(hash), "{name}: {measures}");
        let left = std::fs::read_to_string(folder.join("exits.csv")).unwrap();
        assert_eq!(left.lines().count(), 1 + persons[..4].parse::<usize>().unwrap());
    }
}

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
    // Rows are id, frame, x and y: nobody is faster than a diagonal step in each tick.
    let fastest = read["speed"].as_array().unwrap().iter().map(|row| row[2].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(fastest > 1.0 && fastest <= 0.4 * 2.0f64.sqrt() / 0.3 + 1e-9, "{fastest}");
}

#[test]
fn faults_of_a_floor_name_their_lines_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let scenario = dir.path().join("scenario.toml");
    let floor = "model = \"social-field\"\nborder = \"closed\"\n\n[[rooms]]\nname = \"hall\"\nat_su = [1, 1]\n\
                 size_su = [20, 20]\n\n[[rooms]]\nname = \"foyer\"\nat_su = [10, 1]\nsize_su = [20, 20]\n";
    std::fs::write(&scenario, floor).unwrap();
    let output = run(&scenario, &dir.path().join("run"), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    let message = text(&output.stderr);
    assert!(message.contains("scenario.toml:9: rooms \"foyer\": overlaps with room \"hall\", at [10, 1]"), "{message}");
    assert!(!dir.path().join("run").exists());
}
