//! The text with all effective keys.

use std::path::{Path, PathBuf};

use crate::Scenario;
use crate::template;
use throng_core::Change;

/// A scenario as text, without the fields that depend on its file.
fn all_of(path: &Path, changes: &[Change]) -> String {
    let mut scenario = Scenario::read(path, changes).unwrap();
    scenario.entities.iter_mut().for_each(|entity| entity.place.clear());
    let (settings, inputs, idle_walls, effective) = Default::default();
    format!("{:#?}", Scenario { settings, inputs, idle_walls, effective, loading_s: 0.0, ..scenario })
}

/// A scenario with only the required keys, for each kind of table.
const SHORT: &str = r#"
    model = "fields"
    grid = { size = [6, 4.2], cell = 0.3 }
    run = { steps = 5, time_step = 0.1 }
    profiles.near = { form = "linear", radius = 1.7 }
    [[walls]]
    shape = "line"
    points = [[1, 1], [1.1, 3]]
    [[walls]]
    shape = "box"
    at = [5, 1]
    size = [0.7, 0.7]
    [[entities]]
    at = [3.3, 2.1]
    profile = "near"
    [[entities]]
    at = [3.3, 2.1]
    shape = "box"
    size = [0.1, 0.9]
    profile = "near"
    [[entities]]
    at = [3.3, 2.1]
    shape = "capsule"
    length = 0.6
    profile = "near"
    path = [[0.1, 0.2]]
    speed = 0.7
    team = "us"
    [influence]
    decay = 0.1
    [[agents]]
    name = "walkers"
    count = 3
    start = { at = [3, 3], radius = 0.7 }
    speed = 0.3
    follow = "field"
"#;

#[test]
fn effective_scenarios_equal_their_source() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| -> PathBuf {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/fields/scenario.toml");
    let changes = [Change::typed("run.steps=3"), Change::typed("agents.1.speed=0.123456789")];
    for path in [file("short.toml", SHORT), file("template.toml", template()), example] {
        let text = Scenario::read(&path, &changes).map(|read| read.effective).unwrap();
        let again = file("again.toml", &text);
        assert!(all_of(&path, &changes) == all_of(&again, &[]), "{text}");
        assert_eq!(Scenario::read(&again, &[]).map(|read| read.effective).unwrap(), text);
        assert!(text.contains("steps = 3\n") && text.contains("speed = 0.12345679\n"), "{text}");
    }
}

#[test]
fn defaults_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scenario.toml");
    std::fs::write(&path, SHORT).unwrap();
    let text = Scenario::read(&path, &[]).map(|read| read.effective).unwrap();
    let found: toml::Table = text.parse().unwrap();
    let expected: toml::Table = r#"
        title = "Fields"
        seed = 1
        layers = ["field"]
        grid = { origin = [0.0, 0.0], sample = "centre", unit = "" }
        run = { stuck_after = 1.0, arithmetic = "fixed-point", bits = 16 }
        walls = [{}, { heading = 0.0 }]
        entities = [
            { shape = "disc", charge = 1.0, layers = ["field"] },
            { heading = 0.0 },
            { then = "round", strength = 1.0 },
        ]
        combine = [{ operation = "add", layer = "field", weight = 1.0 }]
        flow = { base = 1.0, weight = 0.0, highest = 256.0, every = 1 }
        influence = { momentum = 0.0, sweeps = 1 }
        output = { overwrite = false, frame_every = 4, frames_per_second = 12.0, npy = true, agents_every = 10 }
    "#
    .parse()
    .unwrap();
    holds("", &toml::Value::Table(found.clone()), &toml::Value::Table(expected));
    assert!(!text.contains("map =") && found["entities"][2].get("heading").is_none(), "{text}");
    // 1.42 cells.
    let width = found["walls"][0]["width"].as_float().unwrap();
    assert!((width - 0.426).abs() < 1e-6, "{width}");
    let agents = ["spread", "noise", "trail_cells", "trail_charge", "colour"];
    assert!(agents.iter().all(|key| found["agents"][0].get(key).is_some()), "{text}");
}

/// Panics unless a value contains all parts of another one.
fn holds(place: &str, found: &toml::Value, expected: &toml::Value) {
    match (found, expected) {
        (toml::Value::Table(found), toml::Value::Table(expected)) => {
            for (key, expected) in expected {
                let found = found.get(key).unwrap_or_else(|| panic!("{place}.{key} is missing"));
                holds(&format!("{place}.{key}"), found, expected);
            }
        }
        (toml::Value::Array(found), toml::Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                holds(&format!("{place}.{i}"), found, expected);
            }
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}
