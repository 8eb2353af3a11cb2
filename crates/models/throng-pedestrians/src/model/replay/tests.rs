use std::path::Path;

use throng_core::NoProgress;
use throng_model::replay::StoredRun;
use throng_model::{Model as _, RunRequest, ScenarioRequest};
use throng_output::StoredTrajectories;
use throng_scene::colours::category;
use throng_scene::{Recording, TimeUnit, ground};

use super::super::SocialFieldModel;
use super::plan::{DOOR, ENTRY, EXIT, WALL};

/// A room and a corridor behind a door that opens after 6 s; two groups, and an entry.
const SCENARIO: &str = r#"
model = "social-field"
ticks = 60
width_su = 20
height_su = 12
border = "closed"
frame_every = 5
trajectories = true
field_size = 3
rooms = [
    { name = "hall", at_su = [1, 1], size_su = [10, 10] },
    { name = "corridor", at_su = [12, 4], size_su = [7, 4] },
]
walls = [{ at_su = [4, 4], size_su = [2, 2] }]
doors = [{ name = "door", at_su = [11, 5], size_su = [1, 2], open_s = [[6.0, 100.0]] }]
exits = [{ name = "exit", at_su = [19, 5], size_su = [1, 2] }]
entries = [{ name = "12", at_su = [14, 3], size_su = [2, 1], persons_per_s = 0.5, arrivals = "even" }]
groups = [
    { room = "hall", persons = 10 },
    { room = "hall", density = 0.1, walk_periods = [1, 2] },
]
"#;

fn run(dir: &Path, scenario: &str, changes: &[&str]) -> StoredRun {
    let (file, out) = (dir.join("scenario.toml"), dir.join("out"));
    std::fs::write(&file, scenario).unwrap();
    let changes = changes.iter().map(|change| throng_core::Change::typed(*change)).collect();
    let request =
        ScenarioRequest { file: Some(file.into()), out: Some(out.clone()), changes, ..ScenarioRequest::default() };
    let scenario = SocialFieldModel.scenario(&request).unwrap();
    scenario.run(&RunRequest::default(), &NoProgress).unwrap();
    StoredRun::open(&out).unwrap()
}

fn open(run: &StoredRun, colouring: &str) -> Box<dyn Recording> {
    SocialFieldModel.replay().unwrap().open(run, colouring).unwrap()
}

#[test]
fn scenes_contain_the_persons_of_the_trajectories() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), SCENARIO, &[]);
    let stored = StoredTrajectories::open(&run.folder().join("trajectories.sqlite")).unwrap();
    let recording = open(&run, "group");
    let times = recording.times();
    assert_eq!((times.first, times.last, times.step, times.unit), (0.0, 18.0, 1.5, TimeUnit::Seconds));
    let measures = std::fs::read_to_string(run.folder().join("measures.csv")).unwrap();
    let inside = |row: usize| -> usize {
        let fields: Vec<&str> = measures.lines().nth(row + 1).unwrap().split(';').collect();
        fields[1].parse::<f64>().unwrap() as usize
    };
    for (frame, time_s) in [(0, 0.0), (3, 4.5), (8, 12.0), (12, 18.0)] {
        let scene = recording.scene(time_s).unwrap();
        assert_eq!(scene.check(), Ok(()));
        let agents = stored.frame(frame).unwrap();
        assert_eq!(scene.capsules.len(), agents.len());
        assert_eq!(scene.capsules.len(), inside(frame as usize), "at {time_s} s");
        for (capsule, agent) in scene.capsules.iter().zip(&agents) {
            let [x, y] = agent.position;
            assert_eq!(capsule.from, ground(x, y, 0.2));
            assert!((1.55..1.95).contains(&(capsule.to[1] + capsule.radius)), "{capsule:?}");
        }
        assert_eq!(scene, open(&run, "group").scene(time_s).unwrap());
    }
    for (colouring, _) in SocialFieldModel.replay().unwrap().colourings() {
        let recording = open(&run, colouring);
        assert_eq!(recording.scene(7.0).unwrap().check(), Ok(()));
        assert_eq!(recording.camera().check(), Ok(()));
    }
}

#[test]
fn groups_and_entries_have_colours() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), SCENARIO, &[]);
    let recording = open(&run, "group");
    let legend = recording.legend();
    let names: Vec<&str> = legend.iter().map(|(_, text)| text.as_str()).collect();
    let expected = ["group 1, hall", "group 2, hall", "12", "wall", "exit", "entry", "door; upright while it is shut"];
    assert_eq!(names, expected);
    let colours = |time_s: f64| -> Vec<_> {
        recording.scene(time_s).unwrap().capsules.iter().map(|capsule| capsule.albedo).collect()
    };
    // A tenth of the hall's 100 space units minus the wall's 4 and the first group's 10.
    let first = colours(0.0);
    assert_eq!(first.len(), 10 + 9);
    assert!(first[..10].iter().all(|&albedo| albedo == category(0)));
    assert!(first[10..].iter().all(|&albedo| albedo == category(1)));
    assert!(colours(9.0).contains(&category(2)));
}

#[test]
fn walls_and_openings_are_boxes() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), SCENARIO, &[]);
    let recording = open(&run, "speed");
    let heights = |time_s: f64, albedo| -> Vec<f64> {
        let boxes = recording.scene(time_s).unwrap().boxes;
        boxes.iter().filter(|shape| shape.albedo == albedo).map(|shape| 2.0 * shape.half_size[1]).collect()
    };
    assert_eq!((heights(0.0, DOOR), heights(6.0, DOOR)), (vec![2.5], vec![0.02]));
    assert_eq!((heights(0.0, EXIT), heights(0.0, ENTRY)), (vec![0.02], vec![0.02]));
    assert!(heights(0.0, WALL).iter().all(|&height| height == 2.5));
    // 240 space units minus 100 of the hall, 28 of the corridor, and 2 each of door, exit and entry; plus 4 of the
    // wall.
    let area = recording
        .scene(0.0)
        .unwrap()
        .boxes
        .iter()
        .filter(|shape| shape.albedo == WALL)
        .fold(0.0, |sum, shape| sum + 4.0 * shape.half_size[0] * shape.half_size[2]);
    assert!((area / 0.16 - 110.0).abs() < 1e-9, "{}", area / 0.16);
}

#[test]
fn periodic_worlds_without_groups_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    let scenario = "model = \"social-field\"\nticks = 20\nwidth_su = 30\nheight_su = 10\ntrajectories = true\n\
                    density = 0.2\nfield_size = 3\n";
    let run = run(dir.path(), scenario, &[]);
    let recording = open(&run, "speed");
    let scene = recording.scene(0.7).unwrap();
    assert_eq!((scene.capsules.len(), scene.boxes.len()), (60, 0));
    // A pedestrian crossing the border is shown near it, not in the middle of the world.
    let [first, next] = [0.0, 1.5].map(|time_s| recording.scene(time_s).unwrap().capsules);
    for ((capsule, from), to) in scene.capsules.iter().zip(first).zip(next) {
        let near = |x: f64| (capsule.from[0] - x).abs() <= 2.1;
        assert!(near(from.from[0]) || near(to.from[0]), "{capsule:?}");
    }
}

#[test]
fn missing_files_are_reported_with_their_setting() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), SCENARIO, &["trajectories=false"]);
    let replay = SocialFieldModel.replay().unwrap();
    let error = replay.open(&run, "speed").err().unwrap().to_string();
    assert!(error.contains("has no trajectories.sqlite, which rendering needs"), "{error}");
    assert!(error.contains("trajectories = true"), "{error}");
    let error = replay.open(&run, "mood").err().unwrap().to_string();
    assert!(error.contains("give one of speed, group, heading, density, id"), "{error}");
}

#[test]
fn invalid_settings_in_a_manifest_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let stored = run(dir.path(), SCENARIO, &[]);
    let file = stored.folder().join("manifest.json");
    let manifest = std::fs::read_to_string(&file).unwrap();
    for (from, to, expected) in [
        ("\"width_su\": \"20\"", "\"width_su\": \"wide\"", "manifest.json, width_su: \"wide\"\n    repeat the run"),
        ("\"height_su\": \"12\"", "\"height_su\": \"0\"", "height_su"),
        ("\"exits.1.at_su\": \"[19, 5]\"", "\"exits.1.at_su\": \"[190, 5]\"", "exits \"exit\""),
    ] {
        std::fs::write(&file, manifest.replace(from, to)).unwrap();
        let changed = StoredRun::open(stored.folder()).unwrap();
        let error = SocialFieldModel.replay().unwrap().open(&changed, "id").err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Two rooms that are not connected, a third one that stays empty, and a fourth with an entry.
const STOREYS: &str = r#"
model = "social-field"
ticks = 40
width_su = 30
height_su = 12
border = "closed"
frame_every = 5
trajectories = true
field_size = 3
rooms = [
    { name = "first", at_su = [1, 1], size_su = [6, 10] },
    { name = "second", at_su = [8, 1], size_su = [6, 10] },
    { name = "third", at_su = [15, 1], size_su = [6, 10] },
    { name = "fourth", at_su = [22, 1], size_su = [6, 10] },
]
exits = [
    { name = "a", at_su = [0, 5], size_su = [1, 2] },
    { name = "b", at_su = [10, 11], size_su = [2, 1] },
    { name = "c", at_su = [17, 11], size_su = [2, 1] },
    { name = "d", at_su = [28, 5], size_su = [1, 2] },
]
entries = [{ name = "in", at_su = [24, 11], size_su = [2, 1], persons_per_s = 2.0, from_s = 3.0 }]
groups = [{ room = "first", persons = 10 }, { room = "second", persons = 20 }]
"#;

#[test]
fn connected_parts_of_the_floor_have_separate_files_and_joint_scenes() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path(), STOREYS, &[]);
    let open_part = |part: u32| StoredTrajectories::open(&run.folder().join(format!("trajectories_{part}.sqlite")));
    let parts = [1, 2, 3].map(|part| open_part(part).unwrap());
    assert!(open_part(4).is_err() && !run.folder().join("trajectories.sqlite").exists());
    let counts = |frame: u64| [0, 1, 2].map(|part: usize| parts[part].frame(frame).unwrap().len());
    assert_eq!(counts(0), [10, 20, 0]);
    // Columns of the rooms, m.
    for (part, [left, right]) in parts.iter().zip([[0.0, 2.8], [3.2, 5.6], [8.8, 11.6]]) {
        let everyone = (0..=8).flat_map(|frame| part.frame(frame).unwrap());
        assert!(everyone.map(|agent| agent.position[0]).all(|x| left < x && x < right), "{left} {right}");
    }
    let recording = open(&run, "id");
    assert_eq!((recording.times().first, recording.times().last), (0.0, 12.0));
    for frame in [0, 3, 8] {
        let scene = recording.scene(1.5 * frame as f64).unwrap();
        assert_eq!(scene.capsules.len(), counts(frame).iter().sum::<usize>(), "{frame}");
    }
    assert!(counts(8)[2] > 0);
    // A lost file is reported, and an unrelated file does not replace it.
    std::fs::rename(run.folder().join("trajectories_2.sqlite"), run.folder().join("trajectories.sqlite")).unwrap();
    let error = SocialFieldModel.replay().unwrap().open(&run, "id").err().unwrap().to_string();
    assert!(error.contains("has no trajectories_2.sqlite"), "{error}");
}

#[test]
fn periodic_borders_join_parts_and_single_parts_keep_the_usual_file() {
    let dir = tempfile::tempdir().unwrap();
    let scenario = "model = \"social-field\"\nticks = 30\nwidth_su = 30\nheight_su = 11\ntrajectories = true\n\
                    density = 0.2\nheadings = \"uni\"\nfield_size = 3\nwalls = [{ at_su = [20, 0], size_su = [1, 11] }, \
                    { at_su = [10, 0], size_su = [1, 11] }]\n";
    // Two parts: one between the walls, and one across the border, which is stored in two files.
    let stored = run(dir.path(), scenario, &[]);
    let part = |part: u32| stored.folder().join(format!("trajectories_{part}.sqlite"));
    let inside = |part: &Path| StoredTrajectories::open(part).unwrap().frame(6).unwrap().len();
    let counts = [1, 2, 3].map(|number| inside(&part(number)));
    // A fifth of 28 columns of 11 space units.
    assert_eq!(counts.iter().sum::<usize>(), 62);
    assert!(!part(4).exists());
    let dir = tempfile::tempdir().unwrap();
    let rooms = "model = \"social-field\"\nticks = 5\nwidth_su = 20\nheight_su = 12\nborder = \"closed\"\ntrajectories = true\n\
                 field_size = 3\nrooms = [{ name = \"hall\", at_su = [1, 1], size_su = [10, 10] }, \
                 { name = \"empty\", at_su = [13, 1], size_su = [5, 10] }]\ngroups = [{ room = \"hall\", persons = 10 }]\n";
    let stored = run(dir.path(), rooms, &[]);
    let only = StoredTrajectories::open(&stored.folder().join("trajectories.sqlite")).unwrap();
    assert_eq!(only.frame(1).unwrap().len(), 10);
}

/// Bodies that change their size are plates below the capsules, as large as the trajectories say; constant ones are
/// not.
#[test]
fn plates_show_the_current_size_of_bodies() {
    let changing = r#"
model = "social-field"
ticks = 40
width_su = 24
height_su = 24
frame_every = 5
trajectories = true
squeeze_after_ticks = 1
groups = [{ persons = 50, headings = "eight", body_su = [2, 3], smallest_body_su = [1, 1] }]
"#;
    let dir = tempfile::tempdir().unwrap();
    let changing = run(dir.path(), changing, &[]);
    let stored = StoredTrajectories::open(&changing.folder().join("trajectories.sqlite")).unwrap();
    let recording = open(&changing, "group");
    let mut areas = std::collections::BTreeSet::new();
    for frame in 0..=8 {
        let (sizes, scene) = (stored.sizes(frame).unwrap(), recording.scene(1.5 * frame as f64).unwrap());
        assert_eq!((sizes.len(), scene.capsules.len(), scene.boxes.len()), (50, 50, 50));
        for (((_, [x, y]), shape), capsule) in sizes.iter().zip(&scene.boxes).zip(&scene.capsules) {
            let [half_x, height, half_y] = shape.half_size;
            assert!((2.0 * half_x - x).abs() + (2.0 * half_y - y).abs() + (height - 0.05).abs() < 1e-9, "{shape:?}");
            assert!((shape.center[0] - capsule.from[0]).abs() + (shape.center[2] - capsule.from[2]).abs() < 1e-9);
            areas.insert(((x * y) / 0.16).round() as u32);
        }
        assert_eq!(scene.check(), Ok(()));
    }
    // From 1 to 6 space units; the last is the size at the start.
    assert!(areas.len() >= 4 && areas.last() == Some(&6), "{areas:?}");
    assert!(stored.sizes(0).unwrap().iter().all(|(_, size)| *size == [0.8, 3.0 * 0.4]));

    let dir = tempfile::tempdir().unwrap();
    let constant = run(dir.path(), SCENARIO, &[]);
    let stored = StoredTrajectories::open(&constant.folder().join("trajectories.sqlite")).unwrap();
    assert_eq!(stored.sizes(0), Ok(vec![]));
}
