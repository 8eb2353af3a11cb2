//! Many agents on a small map: the warnings of a run, and frames of its animation.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{FieldsRun, Results, Scenario, run};
use throng_model::{Done, RunRequest};

use super::saved;

/// A narrow map on which a hundred agents walk to a goal.
const NARROW: &str = r#"
model = "fields"
title = "Narrow"

[grid]
size = [30, 100]
cell = 1

[run]
steps = 120
time_step = 1

[[entities]]
at = [15, 95]
profile = "goal"

[profiles.goal]
form = "linear"
radius = 120

[[goals]]
at = [15, 95]
radius = 4

[[agents]]
name = "walkers"
count = 100
start = { from = [2, 2], to = [28, 90] }
speed = 1
follow = "flow"

[output]
frame_every = 5
first_and_last = false
"#;

#[test]
fn runs_without_goals_have_no_stuck_agents_and_equal_values_cause_a_warning() {
    let without = NARROW.replace("[[goals]]\nat = [15, 95]\nradius = 4\n", "").replace("\"flow\"", "\"field\"");
    let text = without.replace("speed = 1", "speed = 0").replace("steps = 120", "steps = 20");
    let text = text + "agents_every = 20\n";
    let (dir, done) = run_text(&text);
    assert_eq!(
        (done.results.summary.agents.agents, done.results.summary.agents.arrived, done.results.summary.agents.stuck),
        (100, 0, 0)
    );
    let table = std::fs::read_to_string(dir.path().join("out/agents.csv")).unwrap();
    assert!(table.contains("walking") && !table.contains("stuck"));
    assert!(done.warnings.is_empty(), "{:?}", done.warnings);

    let scent = "layers = [\"field\", \"scent\"]\n[diffusion.scent]\ndiffusivity = 1.0\n";
    let text = text.replace("\n[grid]", &format!("{scent}\n[grid]")).replace("[output]", "[output]\nlayer = \"scent\"");
    let text =
        text.replace("profile = \"goal\"\n", "profile = \"goal\"\nlayers = [\"field\"]\nemits = { scent = 2 }\n");
    // In the first frame all values are equal, but not in the whole animation.
    let (_dir, done) = run_text(&text);
    assert!(done.warnings.is_empty(), "{:?}", done.warnings);
    let (_dir, done) = run_text(&text.replace("scent = 2", "scent = 0"));
    let warnings: Vec<_> = done.warnings.iter().collect();
    assert!(warnings.len() == 1 && warnings[0].0.contains("nothing emits into a diffusing layer"), "{warnings:?}");
    let text = text.replace("[output]", "[output]\nrange = [0, 5]");
    let (_dir, done) = run_text(&text);
    assert!(done.warnings.is_empty(), "{:?}", done.warnings);
    let (_dir, done) = run_text(&text.replace("diffusivity = 1.0", "diffusivity = 100.0"));
    let warnings: Vec<_> = done.warnings.iter().map(|(kind, warning)| (kind, warning.example.as_str())).collect();
    assert!(warnings.len() == 1 && warnings[0].0.contains("larger cells"), "{warnings:?}");
    assert_eq!(warnings[0].1, "\"scent\": 212 passes");
}

#[test]
fn unlikely_scenarios_cause_warnings() {
    let wall = "[[walls]]\nshape = \"box\"\nat = [15, 92]\nsize = [40, 2]\n";
    let beside = "[[entities]]\nat = [15, 950]\nprofile = \"goal\"\n";
    let open = "[[walls]]\nname = \"fence\"\nshape = \"box\"\nat = [15, 20]\nsize = [10, 0.001]\n";
    let off = "[[walls]]\nname = \"off\"\nshape = \"line\"\npoints = [[-90, -90], [-80, -90]]\n";
    let between = "[[walls]]\nshape = \"disc\"\nat = [3, 3]\nradius = 0.4\n";
    // A wall that is half on the map, and a very short one; both without a width.
    let half = "[[walls]]\nshape = \"line\"\npoints = [[-90, 2], [2, 2]]\n";
    let hair = "[[walls]]\nshape = \"line\"\npoints = [[5, 2], [5, 2.1]]\n";
    let walls = [wall, open, off, between, half, hair].concat();
    let (_dir, done) = run_text(&format!("{}\n{walls}{beside}", NARROW.replace("steps = 120", "steps = 3")));
    let warnings: Vec<_> = done.warnings.iter().map(|(kind, warning)| (kind, warning.count)).collect();
    let expected = [
        ("a wall does not cover the centre of any cell, so it blocks nothing", 3),
        ("an agent starts where no path leads to a goal", 100),
        ("an entity is outside the map", 1),
    ];
    assert_eq!(warnings, expected);
    let example = &done.warnings.iter().next().unwrap().1.example;
    assert!(example.contains("walls") && example.contains("fence"), "{example}");
    let example = &done.warnings.iter().last().unwrap().1.example;
    assert!(example.contains(".toml:") && example.contains(": entities ") && example.contains(", at ("), "{example}");
    assert_eq!(done.results.summary.agents.arrived, 0);
}

#[test]
fn sources_in_walls_and_immobile_groups_cause_warnings() {
    let text = r#"
model = "fields"
layers = ["field", "scent", "fire"]
grid = { size = [20, 10], cell = 1 }
run = { steps = 20, time_step = 1 }
sight.fire = {}
diffusion.scent = { diffusivity = 0.1 }
influence = { decay = 0.1 }
walls = [{ shape = "line", points = [[10, 0], [10, 10]] }, { shape = "box", at = [5, 5], size = [3, 3] }]
entities = [
    { at = [5, 5], emits = { scent = 5 } },
    { at = [5.5, 5], emits = { scent = 0 }, team = "red", strength = 3 },
    { at = [5.5, 5], emits = { scent = 0 } },
    { at = [8, 5], emits = { scent = 5 }, team = "red" },
    { at = [5.5, 5], sees = { fire = 1 }, range = 5 },
    { at = [8, 5], sees = { fire = 1 }, range = 5 },
]
goals = [{ name = "w", at = [3, 8], radius = 1 }, { name = "e", at = [17, 5], radius = 2 }]
[[agents]]
name = "a"
count = 5
start = { at = [2, 2], radius = 1.5 }
speed = 1
follow = "flow"
goals = ["e"]
[[agents]]
name = "b"
count = 5
start = { at = [2, 2], radius = 1.5 }
speed = 1
follow = "flow"
[[agents]]
name = "late"
count = 0
spawn = { every = 100 }
start = { at = [2, 2], radius = 1.5 }
speed = 1
follow = "flow"
[output]
frame_every = 0
range = [0, 1]
"#;
    let (_dir, done) = run_text(text);
    let warnings: Vec<_> = done.warnings.iter().map(|(kind, warning)| (kind, warning.count)).collect();
    let expected = [
        ("an agent starts where no path leads to a goal", 5),
        ("an entity is in a wall, where it neither has influence nor emits or sees anything", 3),
        ("no agent of a group ever enters", 1),
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn duplicate_entity_names_are_refused() {
    let twice = NARROW.replace("profile = \"goal\"\n", "profile = \"goal\"\nname = \"base\"\n");
    let twice = format!("{twice}\n[[entities]]\nat = [1, 1]\nprofile = \"goal\"\nname = \"base\"\n");
    let dir = TempDir::new().unwrap();
    let error = Scenario::read(&saved(&dir, &twice), &[]).unwrap_err().to_string();
    assert!(
        error.contains("name: \"base\", the name of an earlier entity") && error.contains("a unique name"),
        "{error}"
    );
}

/// The request for a run on the CPU.
fn on_the_cpu() -> RunRequest {
    RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() }
}

fn run_text(text: &str) -> (TempDir, Done<Results>) {
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&saved(&dir, text), &[]).unwrap();
    let out = dir.path().join("out");
    let done = run(FieldsRun { folder: Some(out), ..FieldsRun::new(scenario) }, &on_the_cpu(), &NoProgress).unwrap();
    (dir, done)
}

#[test]
fn frame_sizes_do_not_depend_on_the_titles() {
    // From "time 0.0: 2 of 100 agents arrived, 0 stuck", which is shorter than a line, to a text that is longer than a
    // line.
    let (_dir, done) = run_text(NARROW);
    assert!(
        done.results.history[0].groups[0].arrived < 10 && done.results.summary.agents.arrived == 100,
        "{:?}",
        done.results.summary
    );
    assert!(done.files.iter().any(|file| file.name == "fields.png"));
}
