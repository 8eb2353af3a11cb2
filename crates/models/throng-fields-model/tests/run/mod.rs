//! Scenarios of fields: faulty files, and whole runs with several numbers of threads and on every device.

mod arrays;
mod bits;
mod bodies;
mod captures;
mod changing_walls;
mod extracts;
mod files;
mod formations;
mod group_problems;
mod groups;
mod metrics;
mod narrow;
mod origins;
mod pictures;
mod planners;
mod problems;
mod replay;
mod rules;
mod sight;
mod single_problems;
mod tutorial;
mod warnings;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::CPU;
use throng_device::DeviceChoice;
use throng_fields::Grid;
use throng_fields_model::{Change, FieldsRun, Results, Scenario, Simulation, run};
use throng_model::{Done, RunRequest};
use throng_pictures::files::npy;

/// A small map with at least one object of each kind.
const SMALL: &str = r#"
model = "fields"
title = "Small"
layers = ["good", "bad", "scent"]

[grid]
size = [16, 12]
cell = 0.5
map = "walls.txt"

[run]
steps = 24
time_step = 0.5

[[walls]]
shape = "line"
points = [[6, 2], [6, 9]]

[profiles.home]
form = "linear"
radius = 30

[profiles.fear]
form = "gaussian"
sigma = 1.5
radius = 4

[stamps.beam]
side = 0.5
file = "beam.npy"

[stamps.crater]
side = 1.0
values = [[0, -0.5, 0, 0], [-0.5, -1, -0.5, 0]]

[diffusion.scent]
diffusivity = 0.5
decay = 0.1
before = 2.5

[[entities]]
name = "home"
at = [14, 6]
profile = "home"
layers = ["good"]
team = "us"
colour = "blue"

[[entities]]
name = "guard"
at = [9, 2]
shape = "cone"
opening = 90
profile = "fear"
charge = -2
layers = ["bad"]
path = [[9, 10], [11, 6]]
speed = 1.5
team = "them"
strength = 2

[[entities]]
name = "fire"
at = [10, 6]
shape = "ring"
radius = 2
profile = "fear"
charge = -0.7
layers = ["bad"]
colour = "red"

[[entities]]
name = "lamp"
at = [3, 9]
shape = "stamp"
stamp = "beam"
charge = -0.5
layers = ["good"]
path = [[8, 11], [3, 3]]
speed = 1.3

[[entities]]
name = "crater"
at = [12, 2]
shape = "stamp"
stamp = "crater"
heading = 30
layers = ["good"]
emits = { scent = -0.25 }

[[entities]]
name = "fox"
at = [4, 3]
emits = { scent = 2 }
path = [[5, 8]]
then = "back"
speed = 1

[[goals]]
at = [14, 6]
radius = 1

[[agents]]
name = "planners"
count = 20
start = { from = [1, 1], to = [3, 11] }
speed = 2
spread = 0.3
follow = "flow"

[[agents]]
name = "seekers"
count = 10
start = { at = [3, 6], radius = 2 }
speed = 2
follow = "neighbour"
noise = 0.01
trail_cells = 10
trail_charge = 0.1

[flow]
danger = "bad"
weight = 3

[influence]
decay = 0.2

[output]
pixels_per_cell = 8
agents_every = 6
"#;

/// Writes the small scenario with the given replacements, and a map of its walls.
fn written(dir: &TempDir, replaced: &[(&str, &str)]) -> PathBuf {
    let text = changed(SMALL, replaced);
    // Blocks of 4 x 4 cells, starting with the upper row.
    std::fs::write(dir.path().join("walls.txt"), "#......#\n........\n........\n....#...\n........\n#\n").unwrap();
    let beam = Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap();
    npy::write_u8(&beam, &[0, 1, 3, 0, 1, 2], File::create(dir.path().join("beam.npy")).unwrap()).unwrap();
    saved(dir, &text)
}

/// Applies replacements to a text.
fn changed(text: &str, replaced: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (from, to) in replaced {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// Writes a scenario to a file.
fn saved(dir: &TempDir, text: &str) -> PathBuf {
    let path = dir.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn run_small(out: &Path, threads: usize, device: DeviceChoice) -> Done<Results> {
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&written(&dir, &[]), &[]).unwrap();
    let folder = Some(out.to_owned());
    run(
        FieldsRun { threads, folder, ..FieldsRun::new(scenario) },
        &RunRequest { device, hash_every: 1, ..RunRequest::default() },
        &NoProgress,
    )
    .unwrap()
}

#[test]
fn runs_write_all_files_listed_in_the_manifest() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("out");
    let done = run_small(&out, 1, DeviceChoice::Cpu);
    let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.collect();
    let expected = [
        "agents.csv",
        "field.npy",
        "field_frames.npy",
        "fields.png",
        "first.png",
        "influence.png",
        "influence_frames.npy",
        "last.png",
        "manifest.json",
        "measures.csv",
        "replay.json",
        "report.html",
        "state_hashes.txt",
        "team_frames.npy",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());

    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let listed = manifest["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap().to_owned());
    assert_eq!(listed.chain(["manifest.json".to_owned()]).collect::<BTreeSet<String>>(), names);
    assert_eq!(manifest["model"], "fields");
    assert_eq!(manifest["settings"]["entities.2.path"], "[[9, 10], [11, 6]]");
    assert_eq!(manifest["results"]["hash"], format!("{:016x}", done.results.summary.hash));
    let inputs = manifest["inputs"].as_array().unwrap();
    let inputs = inputs.iter().map(|input| input.to_string().contains("beam.npy"));
    assert_eq!(inputs.collect::<Vec<_>>(), [false, true, false]);

    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    // A header, and the state at the start and after each of 24 steps; agents every six steps.
    assert_eq!((text("measures.csv").lines().count(), text("agents.csv").lines().count()), (26, 1 + 5 * 30));
    assert_eq!(text("state_hashes.txt").lines().count(), 26);
    assert!(text("measures.csv").starts_with("step;time;planners: walking;planners: arrived;planners: stuck;seekers"));
    assert!(text("report.html").contains("<img src=\"fields.png\""));
    assert!(done.results.summary.agents.arrived > 0, "{:?}", done.results.summary);
    let folder = Some(out.clone());
    let scenario = Scenario::read(&written(&dir, &[]), &[]).unwrap();
    let again = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &RunRequest::default(), &NoProgress)
        .unwrap_err()
        .to_string();
    assert!(again.contains("is not empty") && again.contains("--overwrite"), "{again}");
}

#[test]
fn runs_do_not_depend_on_threads_and_devices() {
    let dir = TempDir::new().unwrap();
    let hashes = |done: &Done<Results>| done.results.history.iter().map(|now| now.hash).collect::<Vec<_>>();
    let one = run_small(&dir.path().join("1"), 1, DeviceChoice::Cpu);
    let all: BTreeSet<u64> = hashes(&one).into_iter().collect();
    assert_eq!(all.len(), 25, "every step changes something");
    let two = run_small(&dir.path().join("2"), 2, DeviceChoice::Cpu);
    assert_eq!(hashes(&one), hashes(&two));
    let files = ["fields.png", "last.png", "field.npy", "agents.csv", "measures.csv"];
    let bytes = |folder: &str, name: &str| std::fs::read(dir.path().join(folder).join(name)).unwrap();
    for name in files {
        assert_eq!(bytes("1", name), bytes("2", name), "{name}");
    }
    for device in throng_testing_devices::all_devices() {
        let device = device.info();
        let folder = device.id.to_string().replace(':', "_");
        let done = run_small(&dir.path().join(&folder), 1, DeviceChoice::Device(device.id));
        assert_eq!(hashes(&one), hashes(&done), "{}", device.label());
        assert!(done.device.starts_with(&device.label()), "{}", done.device);
        for name in files {
            assert_eq!(bytes("1", name), bytes(&folder, name), "{name} of {}", device.label());
        }
    }
}

#[test]
fn influence_is_part_of_the_hash() {
    // The strength of a team affects neither layers nor agents.
    let hash = |strength: &str| {
        let dir = TempDir::new().unwrap();
        let scenario = written(&dir, &[("strength = 2", strength)]);
        Simulation::new(&Scenario::read(&scenario, &[]).unwrap(), &CPU).unwrap().hash()
    };
    assert_eq!(hash("strength = 2"), hash("strength = 2"));
    assert_ne!(hash("strength = 2"), hash("strength = 2.5"));
}

#[test]
fn large_charges_are_summed_in_one_part() {
    let dir = TempDir::new().unwrap();
    // With 24 bits, a charge of 2 has too many steps for sums of two parts in single precision.
    let combine = r#"combine=[{ operation = "add", layer = "good" }, { operation = "add", layer = "bad" }]"#;
    let changes = ["run.bits=24", combine].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    for _ in 0..3 {
        simulation.step().unwrap();
    }
    let members: Vec<_> = simulation.entities().to_vec();
    let whole = throng_fields::creation::FixedPoint::new(24).unwrap();
    let good: Vec<_> = members.iter().filter(|entity| entity.layers == 1).cloned().collect();
    let bad: Vec<_> = members.iter().filter(|entity| entity.layers == 2).cloned().collect();
    let layers = [good, bad].map(|members| whole.every_pair(scenario.grid(), &members).unwrap());
    let sum = |cell: usize| layers[0].values()[cell] + layers[1].values()[cell];
    assert!(simulation.field().unwrap().values().iter().enumerate().all(|(cell, &value)| value == sum(cell)));
}

#[test]
fn stamps_are_read_inline_or_from_files_and_rotated() {
    let dir = TempDir::new().unwrap();
    let layer = r#"combine=[{ operation = "add", layer = "good" }]"#;
    let changes = [layer, "entities.home.charge=0", "entities.crater.heading=90"].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let simulation = Simulation::new(&scenario, &CPU).unwrap();
    let [_, _, _, lamp, crater, _] = simulation.entities() else { panic!("six entities") };
    // The lamp initially faces from (3, 9) to (8, 11); its first row is on the right.
    let [x, y] = [5.0, 2.0].map(|part: f32| part / 29.0f32.sqrt());
    let lit = |ahead: f32, left: f32| lamp.charge_at([3.0 + ahead * x - left * y, 9.0 + ahead * y + left * x]);
    for (ahead, left, expected) in [(0.5, -0.25, -1.5), (0.5, 0.25, -1.0), (0.0, 0.25, -0.5), (-0.5, -0.25, 0.0)] {
        assert!((lit(ahead, left) - expected).abs() < 1e-4, "{ahead} {left}: {}", lit(ahead, left));
    }
    // Rows of the crater go north, and the second row is west of the first.
    for (x, y, expected) in [(0.5, -0.5, -0.5), (-0.5, -1.5, -0.5), (-0.5, -0.5, -1.0), (-0.5, 0.5, -0.5)] {
        let found = crater.charge_at([12.0 + x, 2.0 + y]);
        assert!((found - expected).abs() < 1e-4, "{x} {y}: {found}");
    }
    let grid = scenario.grid();
    for (column, row) in (0..grid.columns()).flat_map(|column| (0..grid.rows()).map(move |row| (column, row))) {
        let expected = lamp.charge_at(grid.point(column, row)) + crater.charge_at(grid.point(column, row));
        let found = simulation.field().unwrap().at(column, row).unwrap();
        assert!((found - expected).abs() < 1e-3, "{column} {row}: {found} {expected}");
    }
}

#[test]
fn amounts_grow_by_emissions_and_attract_agents() {
    let dir = TempDir::new().unwrap();
    let changes = [r#"combine=[{ operation = "add", layer = "scent" }]"#].map(Change::typed);
    let scenario = Scenario::read(&written(&dir, &[]), &changes).unwrap();
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    // A net rate of 2 minus 0.25, and a decay of 0.1.
    #[allow(clippy::disallowed_methods, reason = "the system's functions check those of libm")]
    let expected = |time: f64| 1.75 * (1.0 - (-0.1 * time).exp()) / 0.1;
    for step in 0..=scenario.steps() {
        let now = simulation.summary().unwrap();
        let sum: f64 = simulation.field().unwrap().values().iter().map(|&value| f64::from(value)).sum();
        assert_eq!(now.amounts, [sum]);
        let expected = expected(2.5 + 0.5 * f64::from(step));
        assert!((sum - expected).abs() < 1e-3 * expected, "{step}: {sum} {expected}");
        simulation.step().unwrap();
    }
    // Walls keep the scent out, and there is more of it around the fox than around the sink.
    let field = simulation.field().unwrap();
    let lowest = field.values().iter().copied().fold(0.0, f32::min);
    assert_eq!(field.at(0, 0), Some(0.0));
    assert!(lowest < 0.0 && field.best(None).unwrap().is_some_and(|best| best.column < 16), "{lowest}");
}
