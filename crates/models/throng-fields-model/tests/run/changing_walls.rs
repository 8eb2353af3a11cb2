//! Walls that appear and vanish during a run.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::{CPU, DeviceChoice};
use throng_fields_model::{Change, FieldsModel, FieldsRun, Results, Scenario, Simulation, run};
use throng_model::replay::StoredRun;
use throng_model::{Done, RunRequest};

use super::{changed, saved, written};

fn scenario(text: &str, replaced: &[(&str, &str)]) -> Scenario {
    let dir = TempDir::new().unwrap();
    Scenario::read(&saved(&dir, &changed(text, replaced)), &[]).unwrap()
}

fn to_step(simulation: &mut Simulation<'_>, step: u32) {
    while simulation.summary().unwrap().step < step {
        simulation.step().unwrap();
    }
}

fn positions(simulation: &Simulation<'_>) -> Vec<[f32; 2]> {
    simulation.crowds()[0].positions().collect()
}

/// A corridor of 21 cells with a door in the middle.
const CORRIDOR: &str = r#"
model = "fields"
grid = { size = [21, 1], cell = 1 }
run = { steps = 100, time_step = 0.5 }

[[walls]]
name = "door"
shape = "box"
at = [10.5, 0.5]
size = [0.8, 0.8]
present = [[0, 12], [40, inf]]

[[goals]]
from = [20, 0]
to = [21, 1]

[[agents]]
name = "walkers"
count = 3
start = { from = [0, 0], to = [1, 1] }
speed = 1
follow = "flow"
"#;

#[test]
fn agents_wait_until_a_door_opens() {
    let open = scenario(CORRIDOR, &[]);
    assert!(open.warnings().is_empty());
    let mut simulation = Simulation::new(&open, &CPU).unwrap();
    let start = positions(&simulation);
    to_step(&mut simulation, 24);
    assert_eq!(positions(&simulation), start, "no path leads to the goal before time 12");
    assert_eq!(simulation.summary().unwrap().groups[0].stuck, 3);
    to_step(&mut simulation, 24 + 16);
    for (now, start) in positions(&simulation).iter().zip(&start) {
        assert!((now[0] - start[0] - 8.0).abs() < 0.05, "8 units in 8 units of time: {now:?} {start:?}");
    }
    to_step(&mut simulation, 100);
    for (arrival, start) in simulation.crowds()[0].arrivals().zip(&start) {
        // From the opening of the door to the goal's first cell, whose centre is half a unit inside.
        let earliest = 12.0 + 20.0 - f64::from(start[0]);
        assert!(arrival.is_some_and(|time| (earliest - 0.01..earliest + 0.6).contains(&time)), "{arrival:?} {start:?}");
    }
    // It closes again after two units of time.
    let closing = scenario(CORRIDOR, &[("[40, inf]", "[14, inf]")]);
    let mut simulation = Simulation::new(&closing, &CPU).unwrap();
    to_step(&mut simulation, 28);
    let stopped = positions(&simulation);
    assert!(stopped.iter().zip(&start).all(|(now, start)| (now[0] - start[0] - 2.0).abs() < 0.05), "{stopped:?}");
    to_step(&mut simulation, 100);
    assert_eq!((positions(&simulation), simulation.summary().unwrap().groups[0].arrived), (stopped, 0));
}

#[test]
fn agents_turn_round_if_a_door_closes_ahead() {
    // The door is in the lowest row of a wall, and a gap is in the highest row.
    let more = "[[walls]]\nshape = \"box\"\nat = [10.5, 5.5]\nsize = [0.8, 8.8]\n\n[[goals]]";
    let of_door = |present: &str| {
        let replaced = [("[21, 1]", "[21, 11]"), ("[[0, 12], [40, inf]]", present), ("[[goals]]", more)];
        scenario(CORRIDOR, &replaced)
    };
    let closes = of_door("[[6, inf]]");
    let mut simulation = Simulation::new(&closes, &CPU).unwrap();
    to_step(&mut simulation, 12);
    let turned = positions(&simulation);
    to_step(&mut simulation, 100);
    for (arrival, [x, y]) in simulation.crowds()[0].arrivals().zip(turned) {
        assert!((6.0..7.1).contains(&x) && (0.0..1.0).contains(&y), "straight ahead until time 6: {x} {y}");
        // Around both corners of the gap, to the nearest corner of the goal.
        let [x, y] = [x, y].map(f64::from);
        let shortest = libm::hypot(10.0 - x, 10.0 - y) + 1.0 + libm::hypot(20.0 - 11.0, 10.0 - 1.0);
        assert!(arrival.is_some_and(|time| (0.0..2.5).contains(&(time - 6.0 - shortest))), "{arrival:?} {shortest}");
    }
    // Through the door, which closes later.
    let stays = of_door("[[30, inf]]");
    let mut simulation = Simulation::new(&stays, &CPU).unwrap();
    to_step(&mut simulation, 44);
    assert_eq!(simulation.summary().unwrap().groups[0].arrived, 3);
}

#[test]
fn agents_walk_out_of_walls_that_appear_around_them() {
    // From time 0.5 on, columns 2 to 5 are walls, and agents are in columns 3 and 4.
    let text = changed(
        CORRIDOR,
        &[
            ("[21, 1]", "[9, 3]"),
            ("at = [10.5, 0.5]\nsize = [0.8, 0.8]\npresent = [[0, 12], [40, inf]]", "at = [4, 1.5]\nsize = [3.8, 2.8]"),
            ("name = \"door\"", "present = [[0.5, inf]]"),
            ("from = [20, 0]\nto = [21, 1]", "from = [8, 0]\nto = [9, 3]"),
            ("count = 3", "count = 20"),
            (
                "start = { from = [0, 0], to = [1, 1] }\nspeed = 1",
                "start = { from = [3, 0], to = [4, 3] }\nspeed = 0.5",
            ),
        ],
    );
    let scenario = scenario(&text, &[]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    to_step(&mut simulation, 1);
    let caught = positions(&simulation);
    let on_left: Vec<bool> = caught.iter().map(|[x, _]| *x < 4.0).collect();
    assert!(on_left.contains(&true) && on_left.contains(&false));
    let mut before = caught.clone();
    for step in 2..=40 {
        to_step(&mut simulation, step);
        let now = positions(&simulation);
        for (agent, ([x, y], [x0, y0])) in now.iter().zip(&before).enumerate() {
            assert!(libm::hypotf(x - x0, y - y0) < 0.2501, "a step is a quarter of a unit");
            // Straight to the centre of the nearest open cell: column 1 or 6 in the same row.
            let to = [if on_left[agent] { 1.5 } else { 6.5 }, caught[agent][1].floor() + 0.5];
            if (2.0..6.0).contains(x) {
                let [dx, dy] = [to[0] - x0, to[1] - y0];
                let share = 0.25 / libm::hypotf(dx, dy);
                let expected = [x0 + share * dx, y0 + share * dy];
                assert!((x - expected[0]).abs() < 1e-4 && (y - expected[1]).abs() < 1e-4, "{step} {agent}");
            }
        }
        before = now;
    }
    for (agent, [x, _]) in before.iter().enumerate() {
        // Those on the left stop in the first open cell, from which no path leads to the goal.
        let expected = if on_left[agent] { 1.5..2.0 } else { 8.0..9.0 };
        assert!(expected.contains(x), "{agent}: {x}");
    }
    let counts = simulation.summary().unwrap().groups[0];
    let left = on_left.iter().filter(|left| **left).count();
    assert_eq!((counts.stuck, counts.arrived), (left, 20 - left));
}

#[test]
fn arrived_agents_stay_arrived_and_covered_goals_are_out_of_reach() {
    let goal = "[[walls]]\nshape = \"box\"\nat = [20.5, 0.5]\nsize = [0.8, 0.8]\npresent = PRESENT\n\n[[goals]]";
    let counts = |present: &str, steps: [u32; 2]| {
        let goal = goal.replace("PRESENT", present);
        let scenario = scenario(CORRIDOR, &[("[[0, 12], [40, inf]]", "[[99, inf]]"), ("[[goals]]", &goal)]);
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        steps.map(|step| {
            to_step(&mut simulation, step);
            let counts = simulation.summary().unwrap().groups[0];
            (counts.arrived, counts.stuck)
        })
    };
    assert_eq!(counts("[[25, inf]]", [50, 100]), [(3, 0); 2]);
    // Until the end of the run, and until time 25.
    assert_eq!(counts("[[0, 50]]", [30, 100]), [(0, 3); 2]);
    assert_eq!(counts("[[0, 25]]", [50, 100]), [(0, 3), (3, 0)]);
}

/// The corridor with a source in the first cell; the door opens at 15 and closes at 18.
fn source(more: &str) -> Scenario {
    let agents = CORRIDOR.find("[[goals]]").unwrap();
    scenario(
        &format!("{more}\n{}", &CORRIDOR[..agents]),
        &[("0.5 }", "1 }"), ("[[0, 12], [40, inf]]", "[[0, 15], [18, inf]]")],
    )
}

#[test]
fn influence_passes_a_door_while_it_is_open() {
    let scenario = source("influence = { decay = 0.1 }\nentities = [{ at = [0.5, 0.5], team = \"us\", strength = 1 }]");
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut at = |step: u32, column: u32| {
        to_step(&mut simulation, step);
        simulation.influence().unwrap().unwrap().at(column, 0).unwrap()
    };
    // `exp(-0.1 * distance)`, one cell per step.
    #[allow(clippy::disallowed_methods, reason = "the system's functions check those of libm")]
    let is_near = |found: f32, distance: f32| (found - (-0.1 * distance).exp()).abs() < 1e-5;
    assert!(is_near(at(15, 9), 9.0) && at(15, 10) == 0.0 && at(15, 11) == 0.0);
    assert!(is_near(at(16, 10), 10.0) && at(16, 11) == 0.0);
    assert!(is_near(at(17, 11), 11.0) && at(17, 12) == 0.0);
    // The door cuts off the influence beyond it, which fades.
    assert!(at(18, 10) == 0.0 && is_near(at(18, 12), 12.0));
    let (before, after) = (at(19, 12), at(40, 12));
    assert!(at(40, 10) == 0.0 && after < 0.5 * before, "{before} {after}");
}

#[test]
fn amounts_pass_a_door_while_it_is_open() {
    let scenario = source(
        "layers = [\"scent\"]\ndiffusion.scent = { diffusivity = 1 }\n\
         entities = [{ at = [0.5, 0.5], emits = { scent = 1 } }]",
    );
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut sums = |step: u32| -> [f32; 3] {
        to_step(&mut simulation, step);
        let values = simulation.field().unwrap().values();
        [values[..10].iter().sum(), values[10], values[11..].iter().sum()]
    };
    let close = |found: f32, expected: f32| (found - expected).abs() < 1e-3;
    let [left, door, right] = sums(15);
    assert!(close(left, 15.0) && door == 0.0 && right == 0.0, "{left} {door} {right}");
    let [left, door, right] = sums(17);
    assert!(close(left + door + right, 17.0) && door > 0.0 && right > 0.0, "{left} {door} {right}");
    // The amount in the door is lost when it closes; the others stay on their sides.
    let [left, door, right] = sums(18);
    assert!(left + right < 17.999 && door == 0.0, "{left} {door} {right}");
    let [later, door, still] = sums(30);
    assert!(close(later, left + 12.0) && door == 0.0 && close(still, right), "{later} {door} {still}");
}

const DOOR: (&str, &str) = ("points = [[6, 2], [6, 9]]\n", "points = [[6, 2], [6, 9]]\npresent = [[0, 3], [4.9, 8]]\n");

fn run_doors(dir: &TempDir, folder: &str, threads: usize, device: DeviceChoice) -> Done<Results> {
    let open = "output.arrays=[{ name = \"doors\", quantity = \"open\", at = [0, 2.5, 3, 4.5, 5, 8] }]";
    let scenario = Scenario::read(&written(dir, &[DOOR]), &[Change::typed(open)]).unwrap();
    let folder = Some(dir.path().join(folder));
    let request = RunRequest { device, hash_every: 1, ..RunRequest::default() };
    run(FieldsRun { threads, folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap()
}

#[test]
fn runs_with_doors_do_not_depend_on_threads_and_devices() {
    let dir = TempDir::new().unwrap();
    let hashes = |done: &Done<Results>| done.results.history.iter().map(|now| now.hash).collect::<Vec<_>>();
    let one = run_doors(&dir, "1", 1, DeviceChoice::Cpu);
    let bytes = |folder: &str, name: &str| std::fs::read(dir.path().join(folder).join(name)).unwrap();
    let same = |other: &Done<Results>, folder: &str| {
        assert_eq!(hashes(&one), hashes(other), "{folder}");
        for name in ["fields.png", "last.png", "field.npy", "agents.csv", "measures.csv", "replay.json"] {
            assert_eq!(bytes("1", name), bytes(folder, name), "{name} of {folder}");
        }
    };
    for (folder, threads) in [("2", 2), ("5", 5)] {
        same(&run_doors(&dir, folder, threads, DeviceChoice::Cpu), folder);
    }
    for device in throng_testing_devices::all_devices() {
        let id = device.info().id;
        let folder = id.to_string().replace(':', "_");
        same(&run_doors(&dir, &folder, 1, DeviceChoice::Device(id)), &folder);
    }
    let always = Scenario::read(&written(&dir, &[]), &[]).unwrap();
    let mut always = Simulation::new(&always, &CPU).unwrap();
    to_step(&mut always, 6);
    assert_eq!(always.hash(), hashes(&one)[6], "until time 3");
    to_step(&mut always, 24);
    assert_ne!(always.hash(), hashes(&one)[24]);
}

#[test]
fn arrays_images_and_scenes_show_the_walls_of_their_time() {
    let dir = TempDir::new().unwrap();
    let done = run_doors(&dir, "out", 1, DeviceChoice::Cpu);
    // A frame every four steps, thus every two units of time.
    let bytes = std::fs::read(done.folder.join("replay.json")).unwrap();
    let replay: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let changes: Vec<(u64, bool)> =
        serde_json::from_value::<Vec<(u64, Vec<[u32; 4]>)>>(replay["changing_walls"].clone())
            .unwrap()
            .into_iter()
            .map(|(frame, cells)| (frame, cells.is_empty()))
            .collect();
    // There at times 0 and 2, not at 4, there at 6, and not at 8.
    assert_eq!(changes, [(0, false), (2, true), (3, false), (4, true)]);
    let stored = StoredRun::open(&done.folder).unwrap();
    let recording = stored.replay(&[&FieldsModel]).unwrap().open(&stored, "field").unwrap();
    let boxes = [0.0, 2.0, 4.0, 6.0, 8.0, 12.0].map(|time| recording.scene(time).unwrap().boxes.len());
    let (closed, open) = (boxes[0], boxes[2]);
    assert!(closed > open && boxes == [closed, closed, open, closed, open, open], "{boxes:?}");
    // Cells of the wall, which is two cells wide, at the times of the arrays.
    let bytes = std::fs::read(done.folder.join("doors.npy")).unwrap();
    let cells = 32 * 24;
    let values = bytes[bytes.len() - 6 * cells..].chunks_exact(cells);
    assert_eq!(values.map(|values| values[10 * 32 + 12]).collect::<Vec<u8>>(), [0, 0, 1, 1, 0, 1]);
}

#[test]
fn images_at_the_end_show_no_door_that_has_vanished() {
    let dir = TempDir::new().unwrap();
    let goals = CORRIDOR.find("[[goals]]").unwrap();
    let images = |present: &str| {
        let scenario = scenario(&CORRIDOR[..goals], &[("[[0, 12], [40, inf]]", present)]);
        let folder = Some(dir.path().join("out"));
        let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
        let done =
            run(FieldsRun { folder, overwrite: true, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
        ["first.png", "last.png"].map(|name| std::fs::read(done.folder.join(name)).unwrap())
    };
    let ([first, last], [first_without, last_without]) = (images("[[0, 12]]"), images("[[99, inf]]"));
    assert!(first != first_without && last == last_without);
}
