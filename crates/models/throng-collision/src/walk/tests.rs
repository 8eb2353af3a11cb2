use std::fs;

use throng_model::StepModel as _;
use throng_model::step_model::{State as _, last_state};

use super::*;
use throng_model::scenario_file::Border;

fn end(scenario: &Scenario) -> Walkers {
    last_state::<Collision>(&throng_device::Executor::cpu(), scenario, Collision::start(scenario).unwrap()).unwrap()
}

fn small() -> Scenario {
    Scenario { steps: 30, discs: 300, width_m: 30.0, height_m: 20.0, gate_walls_every_m: 15.0, ..Scenario::default() }
}

#[test]
fn the_hash_depends_on_neither_threads_nor_devices() {
    for behaviour in [Behaviour::Random, Behaviour::Gates] {
        for (border, largest_radius_m) in [(Border::Closed, None), (Border::Periodic, Some(0.6))] {
            let scenario = Scenario { behaviour, border, largest_radius_m, discs: 150, ..small() };
            let expected = end(&scenario).hash();
            for threads in [1, 3] {
                let pool = throng_core::thread_pool(threads).unwrap();
                assert_eq!(pool.install(|| end(&scenario).hash()), expected, "{threads} threads");
            }
            for device in throng_testing_devices::all_devices() {
                let on = &throng_device::Executor::from(device);
                let found = last_state::<Collision>(on, &scenario, Collision::start(&scenario).unwrap()).unwrap();
                assert_eq!(found.hash(), expected, "{}", device.info().label());
            }
        }
    }
}

/// Scenarios have seeds of 32 bits, walks of 64.
#[test]
fn every_executor_uses_all_bits_of_the_seed() {
    let scenario = Scenario { behaviour: Behaviour::Random, discs: 150, ..small() };
    let cpu = throng_device::Executor::cpu();
    let hash = |on: &throng_device::Executor, seed: u64| {
        let mut prepared = super::prepared::Prepared::of(&scenario).unwrap();
        prepared.options.seed = seed;
        let start = Walkers { columns: prepared.columns.clone(), prepared: std::sync::Arc::new(prepared) };
        last_state::<Collision>(on, &scenario, start).unwrap().hash()
    };
    assert_eq!(hash(&cpu, scenario.seed.into()), end(&scenario).hash());
    for seed in [1 << 32, (7 << 32) | 5] {
        let expected = hash(&cpu, seed);
        assert_ne!(expected, hash(&cpu, u64::from(seed as u32)), "{seed}");
        for device in throng_testing_devices::all_devices() {
            let on = &throng_device::Executor::from(device);
            assert_eq!(hash(on, seed), expected, "{seed}, {}", device.info().label());
        }
    }
}

/// A table of discs read as a file of discs, with radii for which a unit has few or many digits.
#[test]
fn tables_of_discs_are_read_back_as_equal_starts() {
    let dir = tempfile::tempdir().unwrap();
    for (case, radius_m) in [0.25, 0.012_345_678, 3.7e-5, 1234.567].into_iter().enumerate() {
        let metres = |radii: f64| radii * radius_m;
        let scenario = Scenario {
            radius_m,
            largest_radius_m: Some(metres(3.9)),
            width_m: metres(150.3),
            height_m: metres(100.1),
            step_m: metres(0.77),
            gate_walls_every_m: 0.0,
            discs: 60,
            steps: 20,
            ..Scenario::default()
        };
        let end = end(&scenario);
        let folder =
            throng_output::RunFolder::create(&dir.path().join(case.to_string()), throng_output::IfNotEmpty::Refuse, "")
                .unwrap();
        super::table::write_discs(&end, &folder).unwrap();
        let file = Some(dir.path().join(case.to_string()).join(super::table::DISCS));
        let again = Collision::start(&Scenario { discs_file: file, ..scenario }).unwrap();
        assert_eq!(again.columns[..2], end.columns[..2], "{radius_m}");
        assert_eq!(again.prepared.scene.radii, end.prepared.scene.radii, "{radius_m}");
        assert_eq!(again.prepared.id(59), "59");
    }
}

fn refusal(scenario: &Scenario) -> String {
    Collision::check(scenario).unwrap_err().to_string()
}

#[test]
fn out_of_range_keys_are_refused_with_value_and_remedy() {
    for (scenario, expected) in [
        (Scenario { radius_m: 0.0, ..small() }, "radius_m: 0 m\n    give a number of metres above 0"),
        (Scenario { radius_m: f64::NAN, ..small() }, "radius_m: NaN m"),
        (Scenario { radius_m: 100.0, ..small() }, "width_m: 30\n    give a number from 800 to"),
        (Scenario { radius_m: 3.0, ..small() }, "height_m: 20\n    give a number from 24 to 1112"),
        (
            Scenario { largest_radius_m: Some(1.1), ..small() },
            "largest_radius_m: 1.1\n    give a number from 0.25 to 1",
        ),
        (Scenario { step_m: -0.1, ..small() }, "step_m: -0.1\n"),
        (Scenario { step_m: 21.0, ..small() }, "step_m: 21\n    give a number from 0 to 20"),
        (Scenario { width_m: 1e9, ..small() }, "width_m: 1000000000\n    give a number from 2"),
        (Scenario { width_m: -1.0, ..small() }, "width_m: -1\n    give a number from 2 to "),
        (Scenario { height_m: f64::NAN, ..small() }, "height_m: NaN\n    give a number from 2 to "),
        (
            Scenario { gates_every_m: 0.0, ..small() },
            "gates_every_m: 0\n    give 0.5 m (the largest diameter) to 20 m (height_m)",
        ),
        (Scenario { gate_width_m: 0.4, ..small() }, "gate_width_m: 0.4\n    give 0.5 m (the largest diameter) to 10 m"),
        (Scenario { gates_every_m: 25.0, ..small() }, "gates_every_m: 25\n    give at most height_m, 20 m"),
        (Scenario { gate_walls_every_m: 1e-5, ..small() }, "gate_walls_every_m: 0.00001\n    give 0 for no walls"),
        (Scenario { step_m: 25.0, ..small() }, "step_m: 25\n    give a number from 0 to 20"),
        (Scenario { leftward_share: 1.5, ..small() }, "leftward_share: 1.5\n    give a number from 0 to 1"),
        (Scenario { discs: 0, ..small() }, "discs: 0\n    simulate at least one disc"),
        (
            // 600 square metres divided by the area of a disc, 0.19635 square metres.
            Scenario { discs: u32::MAX, ..small() },
            "discs: 4294967295 discs with radii of 0.25 m or more\n    the world has the area of 3055 such discs",
        ),
        (Scenario { discs: 3055, ..small() }, "discs: 3055 discs with radii of 0.25 m\n    at most"),
        (Scenario { behaviour: Behaviour::Goals, ..small() }, "behaviour: goals\n    name a discs_file"),
        (Scenario { walls_m: vec![[[0.0, f64::NAN], [1.0, 1.0]]], ..small() }, "walls_m, wall 0: [[0.0, NaN]"),
        (Scenario { walls_m: vec![[[0.0, 1.0], [31.0, 1.0]]], ..small() }, "walls_m, wall 0: ends at"),
    ] {
        let found = refusal(&scenario);
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    let sides = refusal(&Scenario { width_m: -1.0, height_m: 1.0, step_m: -1.0, ..small() });
    for part in ["width_m: -1\n", "height_m: 1\n", "step_m: -1\n    give a number from 0 to "] {
        assert!(sides.contains(part), "{part}: {sides}");
    }
    let all = refusal(&Scenario { width_m: -1.0, leftward_share: 2.0, behaviour: Behaviour::Goals, ..small() });
    for part in ["width_m: -1\n", "leftward_share: 2\n", "behaviour: goals\n"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    // Values that are valid by themselves are not blamed for the sides.
    let sides = refusal(&Scenario { width_m: -1.0, height_m: -1.0, ..small() });
    assert!(!sides.contains("step_m") && !sides.contains("gate"), "{sides}");
}

#[test]
fn discs_from_files_reach_their_goals() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("discs.csv");
    let scenario = |text: &str| {
        fs::write(&file, text).unwrap();
        Scenario {
            discs_file: Some(file.clone()),
            behaviour: Behaviour::Goals,
            border: Border::Closed,
            gate_walls_every_m: 0.0,
            steps: 60,
            ..small()
        }
    };
    let good = "id,x_m,y_m,goal_x_m,goal_y_m,radius_m\na,2,2,6,2,0.25\nb,2,4,2.0,9.0,0.5\n";
    let walkers = end(&scenario(good));
    let at = |disc: usize| [0, 1].map(|axis| walkers.prepared.lattice.metres(walkers.columns[axis][disc]));
    assert!((at(0)[0] - 6.0).abs() < 1e-3 && (at(0)[1] - 2.0).abs() < 1e-3 && (at(1)[1] - 9.0).abs() < 1e-3);
    let place = file.display().to_string();
    for (text, expected) in [
        ("x_m,y_m\n1,1\n", "has no column goal_x_m; its columns are x_m, y_m"),
        ("x_m,goal_x_m,goal_y_m\n1,1,1\n", "has no column y_m"),
        ("x_m,y_m,goal_x_m,goal_y_m\n", "has no discs"),
        ("", "is empty"),
        ("x_m,y_m,goal_x_m,goal_y_m\n1,1,1,1\n\n1,NaN,1,1\n", ":4, y_m: \"NaN\"\n    give a finite number"),
        ("x_m,y_m,goal_x_m,goal_y_m\n1,1,1\n", ":2: 3 fields\n    give the 4 fields"),
        ("x_m,y_m,goal_x_m,goal_y_m\n1,1,1,1\n1.2,1,1,1\n", ":2, disc 0 at 1.00000 m, 1.00000 m: overlaps with "),
        ("x_m,y_m,goal_x_m,goal_y_m\n0.1,1,1,1\n", "is not within the world"),
        (
            "x_m,y_m,goal_x_m,goal_y_m\n1,1,1,100\n",
            ":2, goal: 1, 100 m\n    give a goal with x from 0 to below 30 m, and y from 0 to",
        ),
        ("x_m,y_m,goal_x_m,goal_y_m,radius_m\n1,1,1,1,2\n", ":2, radius_m: 2\n"),
    ] {
        let found = refusal(&scenario(text));
        assert!(found.starts_with(&place) && found.contains(expected), "{found}\n{expected}");
    }
    let missing = Scenario { discs_file: Some(dir.path().join("none.csv")), ..small() };
    assert!(refusal(&missing).contains("none.csv: cannot be read: No such file"), "{}", refusal(&missing));
}

/// Discs cross a wall only in its gates: a wall at 15 m, with gates of 3 m around 5 m and 15 m.
#[test]
fn nothing_moves_through_walls_and_gates_are_used() {
    let walled = Scenario {
        border: Border::Closed,
        leftward_share: 0.5,
        step_m: 0.9,
        discs: 60,
        gate_walls_every_m: 15.0,
        gates_every_m: 10.0,
        gate_width_m: 3.0,
        ..small()
    };
    let start = Collision::start(&walled).unwrap();
    let cpu = throng_device::Executor::cpu();
    let mut steps = Collision::executor(&cpu, &walled, start.clone()).unwrap();
    let (lattice, mut before, mut crossed) = (start.prepared.lattice, start, 0);
    for _ in 0..100 {
        steps.step().unwrap();
        let after = steps.state().unwrap();
        let at = |walkers: &Walkers, axis: usize, disc: usize| lattice.metres(walkers.columns[axis][disc]);
        for disc in 0..60 {
            let [from, to] = [&before, &after].map(|walkers| [at(walkers, 0, disc), at(walkers, 1, disc)]);
            if (from[0] < 15.0) != (to[0] < 15.0) {
                let y = from[1] + (to[1] - from[1]) * (15.0 - from[0]) / (to[0] - from[0]);
                assert!([5.0, 15.0].iter().any(|gate| (y - gate).abs() < 1.5), "disc {disc} crosses at {y} m");
                crossed += 1;
            }
        }
        let positions = [&after.columns[0][..], &after.columns[1][..]];
        assert_eq!(super::super::oracle::overlaps(&after.prepared.scene, positions), Vec::<[usize; 2]>::new());
        before = after;
    }
    assert!(crossed > 15, "{crossed}");
}

/// Wishes from a file, in one step: each disc reaches its goal, at any distance up to the length of the step.
#[test]
fn goals_are_reached_in_one_long_step() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("wishes.csv");
    fs::write(&file, "x_m,y_m,goal_x_m,goal_y_m\n1,1,6,1\n29,19,1,19\n29,3,1.5,18\n").unwrap();
    for step_m in [29.0, 36.0] {
        let table = Scenario {
            discs_file: Some(file.clone()),
            behaviour: Behaviour::Goals,
            border: Border::Closed,
            gate_walls_every_m: 0.0,
            steps: 1,
            step_m,
            ..small()
        };
        let walkers = end(&table);
        let at = |disc: usize| [0, 1].map(|axis| walkers.prepared.lattice.metres(walkers.columns[axis][disc]));
        for (disc, goal) in [[6.0, 1.0], [1.0, 19.0], [1.5, 18.0]].into_iter().enumerate() {
            let is_near = step_m > 31.3 || disc < 2;
            let distance = libm::hypot(at(disc)[0] - goal[0], at(disc)[1] - goal[1]);
            assert_eq!(distance < 1e-3, is_near, "{step_m} {disc}: {distance}");
        }
    }
}

#[test]
fn the_fraction_of_leftward_discs_matches_the_scenario() {
    for (leftward_share, expected) in [(0.0, 0..1), (0.3, 60..120), (1.0, 300..301)] {
        let start = Collision::start(&Scenario { leftward_share, ..small() }).unwrap();
        let leftward = start.columns[2].iter().filter(|&&direction| direction == super::rules::LEFT).count();
        assert!(expected.contains(&leftward), "{leftward_share}: {leftward}");
    }
}

/// In a stream through gates all discs pass; crossing the width of the world takes 300 steps.
#[test]
fn a_stream_flows_through_gates() {
    let stream = Scenario { steps: 400, discs: 100, ..small() };
    let start = Collision::start(&stream).unwrap();
    let end = end(&stream);
    let half = end.prepared.lattice.units(15.0);
    let is_left = |walkers: &Walkers, disc: usize| walkers.columns[0][disc] < half;
    let accepted = Collision::measure(&end)[0];
    let changed = (0..100).filter(|&disc| is_left(&start, disc) != is_left(&end, disc)).count();
    assert!(changed > 50 && accepted > 0.8, "{changed} {accepted}");
}

#[test]
fn all_cases_hold_on_every_executor() {
    for on in &throng_testing_devices::executors() {
        for case in super::verification::CASES {
            let finding = (case.check)(on).unwrap();
            assert!(finding.holds, "{}, {}: {finding:?}", on.label(), case.name);
        }
    }
}

#[test]
fn runs_of_a_file_of_discs_write_their_files() {
    use throng_core::Change;
    use throng_model::{Model as _, RunRequest, ScenarioRequest};

    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let file = dir.path().join("scenario.toml");
    fs::write(&file, Collision.template()).unwrap();
    let discs = "x_m,y_m,goal_x_m,goal_y_m\n5,5,9,5\n6,20,6,20\n";
    fs::write(dir.path().join("crowd.csv"), discs).unwrap();
    let changes = ["discs_file=crowd.csv", "behaviour=goals", "steps=30", "frame_every=10", "discs_table=true"];
    let request = ScenarioRequest {
        file: Some(file.into()),
        out: Some(out.clone()),
        overwrite: true,
        changes: changes.map(Change::typed).to_vec(),
        ..ScenarioRequest::default()
    };
    let scenario = Collision.scenario(&request).unwrap();
    let done = scenario.run(&RunRequest::default(), &throng_core::NoProgress).unwrap();
    let names: Vec<&str> = done.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["collision.png", "discs.csv", "measures.csv", "report.html", "manifest.json"]);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(read("measures.csv").lines().count(), 5, "a heading, and every tenth step from 0 to 30");
    // 30 steps of 0.1 m to the right, each rounded towards zero.
    let table = read("discs.csv");
    assert!(table.contains("\n0;7.99") && table.contains("\n1;6.00000;20.00000;0.25000;1"), "{table}");
    assert!(read("report.html").contains("Wishes granted") && read("report.html").contains("Gaps between discs"));
    let (_, checks) = done.lines.iter().find(|(name, _)| *name == "checks").unwrap();
    let rate: f64 = checks.split(' ').next().unwrap().parse().unwrap();
    assert!(rate > 0.0 && checks.ends_with(" per second, including wishes and state reads"), "{checks}");
    let (line, remedy) = (":2, x_m: \"NaN\"", "give a finite number of metres");
    fs::write(dir.path().join("crowd.csv"), discs.replacen("5,5", "NaN,5", 1)).unwrap();
    let error = Collision.scenario(&request).err().unwrap().to_string();
    assert!(error.contains("crowd.csv") && error.contains(line) && error.contains(remedy), "{error}");
}

/// A stored run of 60 discs of different radii, with further settings.
fn stored_run(dir: &std::path::Path, changes: &[&str]) -> throng_model::replay::StoredRun {
    use throng_core::Change;
    use throng_model::replay::StoredRun;
    use throng_model::{Model as _, RunRequest, ScenarioRequest};

    let (file, out) = (dir.join("scenario.toml"), dir.join("out"));
    fs::write(&file, Collision.template()).unwrap();
    let fixed = ["discs=60", "largest_radius_m=0.5", "steps=20", "frame_every=10", "width_m=30", "height_m=20"];
    let changes = fixed.iter().chain(&["gate_walls_every_m=15", "gates_every_m=20", "gate_width_m=4"]).chain(changes);
    let request = ScenarioRequest {
        file: Some(file.into()),
        out: Some(out.clone()),
        changes: changes.map(|change| Change::typed(*change)).collect(),
        ..ScenarioRequest::default()
    };
    let scenario = Collision.scenario(&request).unwrap();
    scenario.run(&RunRequest::default(), &throng_core::NoProgress).unwrap();
    StoredRun::open(&out).unwrap()
}

#[test]
fn scenes_contain_the_discs_of_trajectories_and_table() {
    use throng_model::Model as _;

    let dir = tempfile::tempdir().unwrap();
    let run = stored_run(dir.path(), &["trajectories=true", "walls_m=[[[5.0, 15.0], [8.0, 19.0]]]"]);
    let replay = Collision.replay().unwrap();
    let recording = replay.open(&run, "speed").unwrap();
    let times = recording.times();
    assert_eq!([times.first, times.last, times.step], [0.0, 20.0, 10.0]);
    assert_eq!(times.text(10.0), "step 10");
    let rows = super::discs_file::read_discs(&run.folder().join("discs.csv"), false).unwrap();
    let last = recording.scene(20.0).unwrap();
    assert_eq!(last.capsules.len(), 60);
    for (capsule, row) in last.capsules.iter().zip(&rows) {
        let radius_m = row.radius_m.unwrap();
        assert_eq!(capsule.radius, radius_m);
        // The table is rounded.
        assert!((capsule.from[0] - row.x_m).abs() < 1e-4 && (capsule.from[2] + row.y_m).abs() < 1e-4, "{capsule:?}");
    }
    // Two walls with a gate each, in a periodic world at 0 m and 15 m, and one more.
    assert_eq!(last.boxes.len(), 2 * 2 + 1);
    assert_eq!(last.boxes[0].center, [6.5, 0.5, -17.0]);
    for step in [0.0, 3.0, 10.0, 20.0] {
        let scene = recording.scene(step).unwrap();
        assert_eq!(scene.check(), Ok(()));
        assert_eq!(scene, replay.open(&run, "speed").unwrap().scene(step).unwrap());
    }
    assert_eq!(recording.camera().check(), Ok(()));
}

#[test]
fn the_last_state_is_shown_without_trajectories() {
    use throng_model::Model as _;

    let dir = tempfile::tempdir().unwrap();
    let run = stored_run(dir.path(), &["discs_table=true"]);
    let recording = Collision.replay().unwrap().open(&run, "id").unwrap();
    assert_eq!((recording.times().first, recording.times().last), (20.0, 20.0));
    assert_eq!(recording.scene(0.0).unwrap().capsules.len(), 60);
    let dir = tempfile::tempdir().unwrap();
    let error = Collision.replay().unwrap().open(&stored_run(dir.path(), &[]), "id").err().unwrap().to_string();
    assert!(error.contains("has no trajectories.sqlite") && error.contains("trajectories = true"), "{error}");
}

/// A few large discs and many small ones; the largest do not fit in rows.
#[test]
fn discs_of_different_sizes_fit_by_their_areas() {
    let scenario = |discs: u32, border: Border| Scenario {
        discs,
        border,
        largest_radius_m: Some(1.0),
        gate_walls_every_m: 0.0,
        walls_m: vec![[[10.0, 2.0], [12.0, 18.0]]],
        ..small()
    };
    for border in [Border::Closed, Border::Periodic] {
        // 150 discs of 1 m fit in rows.
        let walkers = Collision::start(&scenario(240, border)).unwrap();
        let ([xs, ys, ..], prepared) = (&walkers.columns, &walkers.prepared);
        let (lattice, scene) = (&prepared.lattice, &prepared.scene);
        let radius_m = |disc: usize| lattice.metres(scene.radii.of(disc));
        let covered: f64 = (0..240).map(|disc| std::f64::consts::PI * radius_m(disc) * radius_m(disc)).sum();
        assert!(covered > 0.5 * 600.0, "{covered}");
        let gap = |a: i32, b: i32, side: i32| {
            let gap = i64::from((a - b).abs());
            if border == Border::Periodic { gap.min(i64::from(side) - gap) } else { gap }
        };
        let [width, height] = scene.world.size();
        for disc in 0..240 {
            for other in 0..disc {
                let (dx, dy) = (gap(xs[disc], xs[other], width), gap(ys[disc], ys[other], height));
                let radii = i64::from(scene.radii.of(disc) + scene.radii.of(other));
                assert!(dx * dx + dy * dy >= radii * radii, "{disc} and {other} overlap");
            }
        }
        // Both halves of the world contain large and small discs.
        let mean_m = |is_left: bool| {
            let half = (0..240).filter(|&disc| (xs[disc] < width / 2) == is_left);
            let radii: Vec<f64> = half.map(radius_m).collect();
            radii.iter().sum::<f64>() / radii.len() as f64
        };
        assert!((mean_m(true) - mean_m(false)).abs() < 0.15, "{} {}", mean_m(true), mean_m(false));
        let found = refusal(&scenario(400, border));
        assert!(found.starts_with("discs: 400 discs with radii of up to 1 m, which cover 9"), "{found}");
        assert!(found.contains(" of them fit, the largest first; simulate fewer or smaller"), "{found}");
    }
}
