//! Goals that teams capture.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::CPU;
use throng_device::DeviceChoice;
use throng_fields_model::{FieldsRun, Scenario, Simulation, run};
use throng_model::RunRequest;

use super::groups::{TEAMS, after, counts, scenario};

#[test]
fn goals_are_captured_by_a_team_without_opponents_in_them() {
    let text = r#"
model = "fields"
grid = { size = [30, 6], cell = 0.5 }
run = { steps = 100, time_step = 0.5 }
goals = [
    { name = "near", at = [10, 3], radius = 1, capture_time = 3 },
    { name = "far", at = [27, 3], radius = 1, capture_time = 2, owner = "blue" },
]
[[agents]]
name = "reds"
team = "red"
count = 3
start = { at = [2, 3], radius = 1 }
speed = 1
follow = "flow"
[[agents]]
name = "blues"
team = "blue"
count = 1
start = { at = [27, 3], radius = 0.5 }
speed = 0
follow = "flow"
rules = [{ near = "red", within = 4, after = 40, leave = true }]
[output]
frame_every = 0
"#;
    let scenario = scenario(text, &[]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut owners = Vec::new();
    for _ in 0..100 {
        simulation.step().unwrap();
        owners.push(simulation.summary().unwrap().owners);
    }
    // The walk takes about seven time units, and the capture three.
    let first = owners.iter().position(|owners| owners[0] == Some(0)).unwrap();
    assert!((16..=24).contains(&first), "{first}");
    // Blue keeps the far goal until it has left; then red needs two time units.
    let second = owners.iter().position(|owners| owners[1] == Some(0)).unwrap();
    assert!((83..=87).contains(&second), "{second}");
    let counts = counts(&simulation);
    assert_eq!(counts[1].removed, 1);
    // All goals are red now: red agents have none left, and are not stuck.
    assert_eq!((counts[0].walking, counts[0].stuck), (3, 0));
    drop(simulation);
    check_outcome(scenario);
}

/// Checks the results of a game in which red captures both goals, in the manifest and in the report.
fn check_outcome(scenario: Scenario) {
    let dir = TempDir::new().unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    let summary = &done.results.summary;
    assert_eq!(summary.goals_of_teams, [("red".to_owned(), 2), ("blue".to_owned(), 0)]);
    assert_eq!((summary.groups[1].0.as_str(), summary.groups[1].1.removed), ("blues", 1));
    let text = |name: &str| std::fs::read_to_string(done.folder.join(name)).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text("manifest.json")).unwrap();
    let results = &manifest["results"];
    assert_eq!(results["goals_of_teams"], serde_json::json!({ "red": 2, "blue": 0 }));
    assert_eq!(results["owners_of_goals"], serde_json::json!({ "near": "red", "far": "red" }));
    assert_eq!((&results["groups"]["reds"]["walking"], &results["groups"]["blues"]["removed"]), (&3.into(), &1.into()));
    let report = text("report.html");
    for part in ["Goals of red", "Owner at the end", "Goals that each team owns", "When goals changed owner"] {
        assert!(report.contains(part), "{part}");
    }
    // The changes are listed with their times in the history.
    let near = "<td>near</td><td>no team</td><td>red</td>";
    let far = "<td>far</td><td>blue</td><td>red</td>";
    assert!(report.contains(near) && report.matches(far).count() == 2, "{report}");
}

#[test]
fn agents_without_a_team_leave_at_captured_goals() {
    let civil = "owner = \"blue\"\ncapture_time = 3\n[[agents]]\nname = \"civil\"\ncount = 3\nspeed = 2\n\
                 follow = \"flow\"\nat_goal = \"leave\"\nstart = { at = [30, 10], radius = 1 }";
    let scenario = scenario(TEAMS, &[("owner = \"blue\"", civil)]);
    let simulation = after(&scenario, 20);
    assert_eq!(counts(&simulation)[0].arrived, 3);
    assert_eq!(simulation.summary().unwrap().owners[1], Some(1), "blue still owns it");
}

#[test]
fn goals_of_later_and_absent_teams_are_accepted() {
    // Green enters after 5 time units, white never does; the red agents walk to the goals of both.
    let goal = "owner = \"green\"\ncapture_time = 1\n[[goals]]\nat = [30, 16]\nradius = 1\nowner = \"white\"\n\
                capture_time = 1\n[[agents]]\nname = \"late\"\nteam = \"green\"\ncount = 0\nspeed = 1\n\
                follow = \"flow\"\nstart = { at = [30, 10], radius = 1 }\nspawn = { every = 5, count = 3, until = 5 }";
    let scenario = scenario(TEAMS, &[("owner = \"blue\"", goal)]);
    let simulation = after(&scenario, 0);
    let now = simulation.summary().unwrap();
    // Teams have indices in the order of entities, groups and goals.
    assert_eq!(now.owners[1..], [Some(2), Some(3)]);
    assert_eq!(now.groups[0].agents, 3);
    let dir = TempDir::new().unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, steps: Some(1), ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    let warnings: Vec<_> = done.warnings.iter().map(|(kind, warning)| (kind, warning.example.as_str())).collect();
    assert_eq!(warnings, [("a goal belongs to a team without entities and agents", "\"goal 3\" of \"white\"")]);
}
