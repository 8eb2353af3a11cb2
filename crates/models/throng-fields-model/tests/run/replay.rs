//! Rendered runs of fields agree with the tables of the run.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsModel, FieldsRun, Scenario, run};
use throng_model::replay::StoredRun;
use throng_model::{Replay, RunRequest};
use throng_testing::outside_cases;

use super::{run_small, saved, written};

fn replay(stored: &StoredRun) -> &'static dyn Replay {
    stored.replay(&[&FieldsModel]).unwrap()
}

/// Runs the small scenario with a change.
fn changed(dir: &TempDir, change: &str) -> StoredRun {
    let scenario = Scenario::read(&written(dir, &[]), &[Change::typed(change)]).unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    StoredRun::open(&done.folder).unwrap()
}

#[test]
fn scenes_contain_the_agents_of_the_table() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("out");
    run_small(&out, 1, DeviceChoice::Cpu);
    let stored = StoredRun::open(&out).unwrap();
    let table = std::fs::read_to_string(out.join("agents.csv")).unwrap();
    for (colouring, name) in [("field", "potential"), ("influence", "influence of us")] {
        let [recording, again] = [(); 2].map(|()| replay(&stored).open(&stored, colouring).unwrap());
        let times = recording.times();
        // 24 steps of half a time unit, with a frame every four steps.
        assert_eq!((times.first, times.last, times.step), (0.0, 12.0, 2.0));
        assert_eq!((recording.title(), recording.camera().check()), ("Small".to_owned(), Ok(())));
        let legend: Vec<String> = recording.legend().into_iter().map(|entry| entry.1).collect();
        assert!(legend[0].starts_with(name) && legend.iter().any(|entry| entry == "planners"), "{legend:?}");
        // The longer side of the map is 16 units.
        assert!(legend.iter().any(|entry| entry.contains("is a height of 3.200")), "{legend:?}");
        let mut arrived = Vec::new();
        for time in [0.0, 3.0, 6.0, 9.0, 12.0] {
            let scene = recording.scene(time).unwrap();
            assert_eq!((scene.check(), &scene), (Ok(()), &again.scene(time).unwrap()), "{time}");
            let rows = table.lines().filter(|row| row.starts_with(&format!("{};{time};", 2.0 * time)));
            arrived.push(rows.filter(|row| row.ends_with("arrived")).count());
            // Agents that have arrived are also on the map.
            assert_eq!(scene.capsules.len(), 30, "{time}");
            // The home, and the ring of fire as spheres. Cells of walls and goals are boxes.
            assert_eq!((scene.spheres.len(), scene.height_fields.len()), (33, 1));
            assert!(scene.boxes.len() > 2);
        }
        assert!(arrived[0] == 0 && arrived[4] > 0, "{arrived:?}");
        assert_eq!(recording.scene(1.9).unwrap().height_fields, recording.scene(0.0).unwrap().height_fields);
        assert_ne!(recording.scene(2.0).unwrap().height_fields, recording.scene(0.0).unwrap().height_fields);
        assert_eq!(recording.scene(99.0).unwrap(), recording.scene(12.0).unwrap());
    }
    let error = replay(&stored).open(&stored, "height").err().unwrap().text();
    assert!(error.contains("colouring: \"height\"\n    give one of field, influence"), "{error}");
}

#[test]
fn rings_of_other_metrics_are_diamonds_and_squares() {
    for (metric, distance) in [
        ("manhattan", (|x, y| x + y) as fn(f64, f64) -> f64),
        ("chebyshev", |x, y| x.max(y)),
        ("euclidean", |x, y| libm::hypot(x, y)),
    ] {
        let dir = TempDir::new().unwrap();
        let stored = changed(&dir, &format!("entities.fire.metric={metric}"));
        let scene = replay(&stored).open(&stored, "field").unwrap().scene(0.0).unwrap();
        let smallest = scene.spheres.iter().map(|sphere| sphere.radius).fold(f64::INFINITY, f64::min);
        let beads = scene.spheres.iter().filter(|sphere| sphere.radius == smallest).map(|sphere| sphere.center);
        let beads: Vec<[f64; 2]> = beads.map(|[x, _, z]| [x, z]).collect();
        let middle = [0, 1].map(|axis| beads.iter().map(|at| at[axis]).sum::<f64>() / beads.len() as f64);
        let far = |at: &[f64; 2]| distance((at[0] - middle[0]).abs(), (at[1] - middle[1]).abs());
        assert!(beads.len() == 32 && beads.iter().all(|at| (far(at) - far(&beads[0])).abs() < 1e-6), "{metric}");
    }
}

#[test]
fn departed_agents_are_not_shown() {
    let dir = TempDir::new().unwrap();
    let stored = changed(&dir, "agents.planners.at_goal=leave");
    let table = std::fs::read_to_string(dir.path().join("out/agents.csv")).unwrap();
    let rows = |state: &str| table.lines().filter(|row| row.starts_with("24;12;") && row.ends_with(state)).count();
    let (left, waits) = (rows("left"), rows("waiting") + rows("removed"));
    assert!(left > 0 && waits == 0, "{left} {waits}");
    let scene = replay(&stored).open(&stored, "field").unwrap().scene(12.0).unwrap();
    assert_eq!(scene.capsules.len(), 30 - left);
}

#[test]
fn missing_files_are_reported_with_the_required_setting() {
    for (change, file, setting) in [
        ("output.frame_every=0", "replay.json", "output.frame_every above 0"),
        ("output.agents_every=0", "agents.csv", "output.agents_every above 0"),
    ] {
        let dir = TempDir::new().unwrap();
        let stored = changed(&dir, change);
        let error = replay(&stored).open(&stored, "field").err().unwrap().text();
        let expected = format!("out: has no {file}, which rendering needs\n    repeat the run with {setting}");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn a_field_that_never_changes_is_stored_once() {
    let dir = TempDir::new().unwrap();
    let text = "model = \"fields\"\n[grid]\nsize = [300, 40]\ncell = 1\norigin = [690000, 5334000]\n\
                [run]\nsteps = 8\ntime_step = 1\n[profiles.home]\nform = \"linear\"\nradius = 100\n\
                [[entities]]\nat = [690100, 5334020]\nprofile = \"home\"\ncolour = \"blue\"\n";
    let scenario = Scenario::read(&saved(&dir, text), &[]).unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    // Blocks of 3 x 3 cells.
    let bytes = std::fs::metadata(done.folder.join("field_frames.npy")).unwrap().len();
    assert_eq!(bytes, 128 + 100 * 14 * 4);
    let stored = StoredRun::open(&done.folder).unwrap();
    let recording = replay(&stored).open(&stored, "field").unwrap();
    let scene = recording.scene(5.0).unwrap();
    assert_eq!((scene.check(), scene.capsules.len(), scene.boxes.len()), (Ok(()), 0, 0));
    // The entity is 50 units to the left of the map's middle, on top of the field, at any origin.
    let center = scene.spheres[0].center;
    assert!((center[0] + 50.0).abs() < 1e-3 && center[2].abs() < 1e-3 && center[1] > 55.0, "{center:?}");
    let error = replay(&stored).open(&stored, "influence").err().unwrap().text();
    assert!(error.contains("out: has no influence\n    give the colouring field"), "{error}");
    assert_eq!(replay(&stored).colourings_of(&stored).iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["field"]);
    let error = replay(&stored).open(&stored, "height").err().unwrap().text();
    assert!(error.ends_with("colouring: \"height\"\n    give one of field"), "{error}");
    std::fs::write(done.folder.join("field_frames.npy"), b"short").unwrap();
    let error = replay(&stored).open(&stored, "field").err().unwrap().text();
    assert!(error.contains("field_frames.npy: ") && error.contains("\n    repeat the run"), "{error}");
}

#[test]
fn three_teams_have_goals_and_influence_in_their_colours() {
    let Some(file) = outside_cases("fields_cases", "g/three-teams/three.toml") else { return };
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&file, &[]).unwrap();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, steps: Some(16), ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    let stored = StoredRun::open(&done.folder).unwrap();
    for colouring in ["field", "influence"] {
        let recording = replay(&stored).open(&stored, colouring).unwrap();
        let legend = recording.legend();
        let colour = |name: &str| legend.iter().find(|entry| entry.1 == name).map(|entry| entry.0).unwrap();
        let colours = ["goals of red", "goals of blue", "goals of green", "goals of no team"].map(colour);
        let [red, blue, green, free] = colours;
        assert!(red[0] > red[2] && blue[2] > blue[0] && green[1] > green[0], "{colours:?}");
        let scene = recording.scene(4.0).unwrap();
        // Each flag has the same offset from the middle as in the scenario: x to the right, y to the back.
        let at = |[x, y]: [f64; 2]| {
            let is_flag = |one: &&throng_scene::OrientedBox| {
                let [dx, dz] = [one.center[0] - (x - 40.0), one.center[2] + (y - 40.0)];
                libm::hypot(dx, dz) < 2.9 && colours.contains(&one.albedo)
            };
            scene.boxes.iter().find(is_flag).map(|one| one.albedo)
        };
        let flags = [[9.6, 9.6], [70.4, 9.6], [40.0, 70.4], [40.0, 44.0]].map(at);
        assert_eq!(flags, [red, blue, green, free].map(Some), "{colouring}");
        if colouring == "influence" {
            let ground = &scene.height_fields[0].albedos;
            for full in [red, blue, green] {
                // The highest influence of any team has its full colour, or nearly so; all teams have their hue.
                let strongest = (0..3).max_by(|a, b| full[*a].total_cmp(&full[*b])).unwrap();
                let has_hue = |cell: &&throng_scene::Rgb| {
                    (0..3).all(|part| part == strongest || cell[part] < 0.8 * cell[strongest])
                };
                assert!(ground.iter().filter(has_hue).count() > 20, "{full:?}");
            }
        }
    }
}
