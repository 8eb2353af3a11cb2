//! The examples of the social field model, with the real binary.

use std::path::Path;
use std::process::{Command, Output};

use throng_testing::{program, repository};

use crate::common::text;

pub fn run(scenario: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(program(env!("CARGO_BIN_EXE_throng")));
    command.arg("run").arg(scenario).args(["--device", "cpu", "--out"]).arg(folder).args(more);
    command.output().expect("the binary was built for this test")
}

/// Hashes of the last state, identical on every device. Only a change to a rule or to an example may change them.
#[test]
fn the_examples_reproduce_their_stored_state_hashes() {
    for (name, persons, hash, ends_early) in [
        ("crossing", "2834 of 2834", "7178d8749cd905ba", false),
        ("evacuation", "1200 of 1200", "2d768bcc1539d57d", true),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("run");
        let settings = ["--set", "frame_every=10", "--set", "trajectories=false"];
        let output = run(&repository().join("examples").join(name), &folder, &settings);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(persons), "{}", text(&output.stdout));
        let measures = std::fs::read_to_string(folder.join("measures.csv")).unwrap();
        assert!(measures.trim_end().ends_with(hash), "{name}: {measures}");
        // The evacuation has 900 ticks, and ends at the first row without pedestrians inside.
        let empty = measures.lines().skip(1).filter(|row| row.split(';').nth(1) == Some("0")).count();
        assert_eq!(empty == 1 && measures.lines().count() < 91, ends_early, "{name}: {measures}");
        let left = std::fs::read_to_string(folder.join("exits.csv")).unwrap();
        assert_eq!(left.lines().count(), 1 + persons[..4].parse::<usize>().unwrap());
    }
}

#[test]
fn faults_of_a_floor_give_the_line_and_nothing_is_written() {
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
