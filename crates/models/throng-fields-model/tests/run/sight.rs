//! Layers of lines of sight: viewers that move, doors, cover, and agents that stay out of the line of fire.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::{CPU, DeviceChoice};
use throng_fields_model::{FieldsModel, FieldsRun, Results, Scenario, Simulation, run};
use throng_model::replay::StoredRun;
use throng_model::{Done, RunRequest};

use super::{changed, saved};

/// A corridor of 21 cells with a viewer at its end and a door in the middle.
const CORRIDOR: &str = r#"
model = "fields"
layers = ["fire"]
sight.fire = {}
grid = { size = [21, 1], cell = 1 }
run = { steps = 50, time_step = 1 }

[[walls]]
name = "door"
shape = "box"
at = [10.5, 0.5]
size = [0.8, 0.8]
present = [[0, 12], [14, inf]]

[[entities]]
name = "guard"
at = [0.5, 0.5]
sees = { fire = 1.5 }
range = 100
"#;

fn scenario(text: &str, replaced: &[(&str, &str)]) -> Scenario {
    let dir = TempDir::new().unwrap();
    Scenario::read(&saved(&dir, &changed(text, replaced)), &[]).unwrap()
}

fn error(text: &str, replaced: &[(&str, &str)]) -> String {
    let dir = TempDir::new().unwrap();
    Scenario::read(&saved(&dir, &changed(text, replaced)), &[]).unwrap_err().to_string()
}

fn to_step(simulation: &mut Simulation<'_>, step: u32) {
    while simulation.summary().unwrap().step < step {
        simulation.step().unwrap();
    }
}

/// The columns of the lowest row that have a value other than 0, as the first and the last one; all of them have
/// `value`.
fn seen(simulation: &Simulation<'_>, value: f32) -> Option<(usize, usize)> {
    let values = &simulation.field().unwrap().values()[..21];
    let first = values.iter().position(|&found| found != 0.0)?;
    let last = values.iter().rposition(|&found| found != 0.0)?;
    assert!(values[first..=last].iter().all(|&found| found == value), "{values:?}");
    Some((first, last))
}

#[test]
fn viewers_look_through_doors_while_they_are_open() {
    let scenario = scenario(CORRIDOR, &[]);
    assert!(scenario.warnings().is_empty());
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    // The walls of a state are those of the time at which the next step begins.
    for (step, last) in [(0, 9), (11, 9), (12, 20), (13, 20), (14, 9), (50, 9)] {
        to_step(&mut simulation, step);
        assert_eq!(seen(&simulation, 1.5), Some((0, last)), "{step}");
    }
}

#[test]
fn fields_of_view_turn_with_moving_viewers() {
    let present = ("[[0, 12], [14, inf]]", "[[90, inf]]");
    let range = |keys: &str, step: u32| {
        let scenario = scenario(CORRIDOR, &[present, ("range = 100", keys)]);
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        to_step(&mut simulation, step);
        seen(&simulation, 1.5)
    };
    let walk = "range = 6\npath = [[20.5, 0.5]]\nspeed = 1\nthen = \"back\"";
    // At 5.5 on the way there, and at 15.5 on the way back.
    assert_eq!((range(walk, 5), range(walk, 25)), (Some((0, 11)), Some((9, 20))));
    let ahead = &format!("{walk}\nopening = 90");
    assert_eq!((range(ahead, 5), range(ahead, 25)), (Some((5, 11)), Some((9, 15))));
    let behind = &format!("{walk}\nopening = 90\nheading = 180");
    assert_eq!((range(behind, 5), range(behind, 25)), (Some((0, 5)), Some((9, 15))));
    // At rest, the default heading is that of the x axis; on the edges of the field of view, cells are seen.
    let resting = "range = 6\nopening = 1e-3";
    assert_eq!((range(resting, 0), range("range = 0.9", 0)), (Some((0, 6)), Some((0, 0))));
}

#[test]
fn agents_are_viewers_until_they_leave() {
    let agents = r#"
[[goals]]
from = [20, 0]
to = [21, 1]

[[agents]]
name = "scouts"
count = 1
start = { from = [0, 0], to = [1, 1] }
speed = 1
follow = "flow"
at_goal = "leave"
sees = { fire = 2 }
range = 3
"#;
    let entities = CORRIDOR.find("[[entities]]").unwrap();
    let text = format!("{}{agents}", &CORRIDOR[..entities]);
    let scenario = scenario(&text, &[("[[0, 12], [14, inf]]", "[[90, inf]]")]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let position = |simulation: &Simulation<'_>| simulation.crowds()[0].positions().next().unwrap()[0] as usize;
    // Agents walk after the fields of their step have been computed.
    let mut before = position(&simulation);
    for step in 0..20 {
        assert_eq!(seen(&simulation, 2.0), Some((before.saturating_sub(3), (before + 3).min(20))), "{step}");
        before = position(&simulation);
        simulation.step().unwrap();
    }
    assert!(before > 15);
    to_step(&mut simulation, 25);
    assert_eq!((simulation.summary().unwrap().groups[0].arrived, seen(&simulation, 2.0)), (1, None));
}

/// Agents walk from left to right. A guard above sees everything except the shadow of a wall, through which a detour
/// leads.
const COVER: &str = r#"
model = "fields"
layers = ["fire", "calm"]
sight.fire = {}
grid = { size = [21, 9], cell = 1 }
run = { steps = 80, time_step = 0.5 }
profiles.near = { form = "gaussian", sigma = 2, radius = 5 }
goals = [{ from = [20, 5], to = [21, 8] }]
flow = { danger = "fire", weight = 5 }
combine = [{ operation = "add", layer = "fire", weight = 0.5 }, { operation = "add", layer = "calm" }]

[[walls]]
name = "cover"
shape = "box"
at = [10.5, 4.5]
size = [12.8, 0.8]
present = [[0, 90]]

[[entities]]
name = "guard"
at = [10.5, 8.5]
sees = { fire = -1 }
range = 30

[[entities]]
at = [3, 3]
path = [[17, 3]]
speed = 1
profile = "near"
layers = ["calm"]

[[agents]]
name = "walkers"
count = 10
start = { from = [0, 5], to = [1, 8] }
speed = 1
follow = "flow"

[output]
layer = "fire"
arrays = [{ quantity = "layer", layer = "fire", at = [0, 10] }, { quantity = "combined" }]
queries = [{ quantity = "layer", layer = "fire", points = [[10.5, 6.5], [10.5, 2.5]] }]
"#;

/// The lowest and the highest agent of all steps, of those in the middle third of the map, and the mean number of steps
/// that an agent walked in the line of fire.
fn walk(scenario: &Scenario) -> ([f32; 2], f64) {
    let mut simulation = Simulation::new(scenario, &CPU).unwrap();
    let (mut range, mut under_fire) = ([f32::MAX, f32::MIN], 0);
    for _ in 0..scenario.steps() {
        simulation.step().unwrap();
        // In half steps of the combined field.
        let field = simulation.field().unwrap();
        for ([x, y], arrival) in simulation.crowds()[0].positions().zip(simulation.crowds()[0].arrivals()) {
            if (7.0..14.0).contains(&x) {
                range = [range[0].min(y), range[1].max(y)];
            }
            let (column, row) = scenario.grid().cell_at([x, y]).unwrap();
            under_fire += u32::from(arrival.is_none() && field.at(column, row).unwrap() < -0.4);
        }
    }
    assert_eq!(simulation.summary().unwrap().groups[0].arrived, 10);
    (range, f64::from(under_fire) / 10.0)
}

#[test]
fn agents_take_the_covered_route() {
    let no_entity = ("layers = [\"calm\"]", "layers = [\"calm\"]\ncharge = 0");
    let (covered, under_fire) = walk(&scenario(COVER, &[no_entity]));
    assert!(covered[1] < 4.0, "below the wall: {covered:?}");
    let (straight, exposed) = walk(&scenario(COVER, &[no_entity, ("weight = 5", "weight = 0")]));
    assert!(straight[0] > 5.0, "above the wall: {straight:?}");
    assert!(exposed > 35.0 && under_fire < 0.6 * exposed, "{under_fire} {exposed}");
    // Behind the guard no agent is in the line of fire.
    let looks_away = ("range = 30", "range = 30\nopening = 170\nheading = 90");
    let (safe, under_fire) = walk(&scenario(COVER, &[no_entity, looks_away]));
    assert!(safe[0] > 5.0 && under_fire == 0.0, "{safe:?} {under_fire}");
}

#[test]
fn agents_leave_a_cover_that_is_blown_away() {
    let no_entity = ("layers = [\"calm\"]", "layers = [\"calm\"]\ncharge = 0");
    let scenario = scenario(COVER, &[no_entity, ("[[0, 90]]", "[[0, 8]]")]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let fire = |simulation: &Simulation<'_>| simulation.field().unwrap().at(10, 1).unwrap();
    to_step(&mut simulation, 15);
    assert_eq!(fire(&simulation), 0.0);
    let positions = |simulation: &Simulation<'_>| simulation.crowds()[0].positions().collect::<Vec<_>>();
    assert!(positions(&simulation).iter().all(|[_, y]| *y < 5.0));
    to_step(&mut simulation, 16);
    assert_eq!(fire(&simulation), -0.5, "at once");
    // Now every way is equally dangerous: straight to the goal.
    to_step(&mut simulation, 40);
    assert!(positions(&simulation).iter().all(|[_, y]| *y > 4.5), "{:?}", positions(&simulation));
}

fn run_cover(dir: &TempDir, folder: &str, threads: usize, device: DeviceChoice) -> Done<Results> {
    let scenario = Scenario::read(&saved(dir, &changed(COVER, &[("[[0, 90]]", "[[0, 8], [9.5, 20]]")])), &[]).unwrap();
    let folder = Some(dir.path().join(folder));
    let request = RunRequest { device, hash_every: 1, ..RunRequest::default() };
    run(FieldsRun { threads, folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap()
}

#[test]
fn runs_with_lines_of_sight_do_not_depend_on_threads_and_devices() {
    let dir = TempDir::new().unwrap();
    let hashes = |done: &Done<Results>| done.results.history.iter().map(|now| now.hash).collect::<Vec<_>>();
    let one = run_cover(&dir, "1", 1, DeviceChoice::Cpu);
    let bytes = |folder: &str, name: &str| std::fs::read(dir.path().join(folder).join(name)).unwrap();
    let names =
        ["fields.png", "last.png", "layer_fire.npy", "combined.npy", "queries.csv", "agents.csv", "replay.json"];
    let same = |other: &Done<Results>, folder: &str| {
        assert_eq!(hashes(&one), hashes(other), "{folder}");
        for name in names {
            assert_eq!(bytes("1", name), bytes(folder, name), "{name} of {folder}");
        }
    };
    for (folder, threads) in [("2", 2), ("3", 3)] {
        same(&run_cover(&dir, folder, threads, DeviceChoice::Cpu), folder);
    }
    for device in throng_testing_devices::all_devices() {
        let id = device.info().id;
        let folder = id.to_string().replace(':', "_");
        same(&run_cover(&dir, &folder, 1, DeviceChoice::Device(id)), &folder);
    }
}

#[test]
fn arrays_queries_images_and_scenes_show_lines_of_sight() {
    let dir = TempDir::new().unwrap();
    let done = run_cover(&dir, "out", 1, DeviceChoice::Cpu);
    let out = |name: &str| dir.path().join("out").join(name);
    let answers = std::fs::read_to_string(out("queries.csv")).unwrap();
    let values: Vec<&str> = answers.lines().skip(1).map(|row| row.split(';').nth(9).unwrap()).collect();
    // The cover is gone at the end.
    assert_eq!(values, ["-1", "-1"], "{answers}");
    let bytes = std::fs::read(out("layer_fire.npy")).unwrap();
    let values: Vec<f32> = bytes[128..].as_chunks().0.iter().map(|&value| f32::from_le_bytes(value)).collect();
    let at = |frame: usize, column: usize, row: usize| values[(frame * 9 + row) * 21 + column];
    assert_eq!([at(0, 10, 1), at(0, 10, 6), at(1, 10, 1), at(1, 10, 4)], [0.0, -1.0, 0.0, 0.0]);
    // The frames for scenes change with the walls.
    let stored = StoredRun::open(&done.folder).unwrap();
    let recording = stored.replay(&[&FieldsModel]).unwrap().open(&stored, "field").unwrap();
    let scenes = [0.0, 8.0, 10.0].map(|time| format!("{:?}", recording.scene(time).unwrap()));
    assert!(scenes[0] != scenes[1] && scenes[1] != scenes[2]);
    let frames = std::fs::metadata(out("field_frames.npy")).unwrap().len();
    assert_eq!(frames, 128 + 21 * 9 * 21 * 4, "a frame every four steps");
}

#[test]
fn lines_of_sight_are_part_of_the_hash() {
    let hash = |strength: &str| Simulation::new(&scenario(COVER, &[("fire = -1", strength)]), &CPU).unwrap().hash();
    assert_eq!(hash("fire = -1"), hash("fire = -1.0"));
    assert_ne!(hash("fire = -1"), hash("fire = -1.25"));
}

#[test]
fn profiles_weaken_sight_with_distance_in_fixed_point_and_in_floats() {
    for arithmetic in ["fixed-point", "float"] {
        let run = format!("time_step = 1, bits = 4, arithmetic = \"{arithmetic}\" }}");
        let replaced = [("{}", "{ profile = \"gun\" }"), ("time_step = 1 }", run.as_str())];
        let text = format!("{CORRIDOR}\n[profiles.gun]\nform = \"linear\"\nradius = 8\n");
        let scenario = scenario(&text, &replaced);
        let simulation = Simulation::new(&scenario, &CPU).unwrap();
        // In steps of a sixteenth: 24 (1 - d / 8), until the door.
        let expected = [24, 21, 18, 15, 12, 9, 6, 3, 0, 0, 0].map(|steps| steps as f32 / 16.0);
        assert_eq!(simulation.field().unwrap().values()[..11], expected);
    }
}

#[test]
fn problems_of_lines_of_sight_have_place_value_and_remedy() {
    let agents = |keys: &str| {
        format!(
            "[[goals]]\nat = [20.5, 0.5]\nradius = 1\n[[agents]]\nname = \"scouts\"\ncount = 2\nspeed = 1\n\
             start = {{ from = [0, 0], to = [1, 1] }}\nfollow = \"flow\"\n{keys}\n[[entities]]"
        )
    };
    for (from, to, expected) in [
        ("sight.fire = {}", "sight.fir = {}", "sight \"fir\": there is no layer \"fir\"\n    did you mean \"fire\"?"),
        ("sight.fire = {}", "", "entities \"guard\", sees: \"fire\" has no lines of sight\n    add [sight.fire]"),
        ("{}", "{ profile = \"far\" }", "sight \"fire\", profile: there is no profile \"far\"\n    add [profiles.far]"),
        ("{}", "{ range = 3 }", "sight \"fire\": unknown key \"range\""),
        (
            "sight.fire = {}",
            "sight.fire = {}\ndiffusion.fire = { diffusivity = 1 }",
            "sight \"fire\": \"fire\" also diffuses\n    remove one of the two, or use two layers",
        ),
        ("fire = 1.5", "smoke = 1.5", "entities \"guard\", sees: there is no layer \"smoke\"\n    known: fire"),
        ("fire = 1.5", "fire = nan", "entities \"guard\", sees, fire: NaN\n    expected a finite number"),
        (
            "{ fire = 1.5 }",
            "{}",
            "entities \"guard\", sees: {}\n    expected the strength in at least one layer of lines of sight",
        ),
        ("range = 100", "", "entities \"guard\": range is missing\n    sees needs it"),
        ("sees = { fire = 1.5 }", "emits = {}", "range is given\n    an entity without sees has no range"),
        ("range = 100", "range = 0", "entities \"guard\", range: 0\n    expected a finite number above 0"),
        ("range = 100", "range = 1e9", "entities \"guard\", range: 1000000000\n    give at most 21000"),
        ("range = 100", "range = 9\nopening = 0", "opening: 0\n    expected degrees, above 0 and at most 360"),
        ("range = 100", "range = 9\nopening = 361", "opening: 361\n    expected degrees, above 0 and at most 360"),
        ("range = 100", "range = 9\nheading = 3", "heading is given\n    shape = \"disc\" has no heading"),
        ("range = 100", "range = 9\nlayers = [\"fire\"]", "an entity without a profile has no layers"),
        (
            "range = 100",
            "range = 9\nprofile = \"p\"\nlayers = [\"fire\"]\n[profiles.p]\nform = \"linear\"\nradius = 3",
            "\"fire\" has lines of sight\n    it has viewers and no fields of entities: write sees = { fire = 1 }",
        ),
        (
            "fire = 1.5",
            "fire = 40000",
            "run, layer \"fire\", viewers, sum of all strengths: 40000\n    with 16 fractional bits, fixed point holds",
        ),
        ("[[entities]]", &agents("sees = { fire = 1 }"), "agents \"scouts\": range is missing"),
        ("[[entities]]", &agents("range = 1"), "a group without sees has no range"),
        ("[[entities]]", &agents("sees = { fire = 1 }\nrange = -1"), "agents \"scouts\", range: -1"),
        ("[[entities]]", &agents("sees = { fire = 20000 }\nrange = 1"), "viewers, sum of all strengths: 40001.5"),
        ("time_step = 1 }", "time_step = 1, bits = 25, arithmetic = \"float\" }", "run, bits: 25\n    expected"),
    ] {
        let found = error(CORRIDOR, &[(from, to)]);
        assert!(found.contains(expected), "{to}: {found}");
    }
}
