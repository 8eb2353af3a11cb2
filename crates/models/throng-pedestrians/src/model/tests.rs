use super::super::rules::directional::Reading;
use super::*;
use throng_core::{Change, NoProgress};
use throng_device::{DeviceChoice, DeviceClass};
use throng_model::scenario_file::Border;
use throng_model::{Model as _, RunRequest, ScenarioRequest};
use throng_testing::Needs;

fn rooms() -> Scenario {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    Scenario {
        width_su: 30,
        height_su: 20,
        border: Border::Closed,
        rooms: vec![place("hall", [1, 1], [13, 18]), place("foyer", [15, 1], [14, 18])],
        doors: vec![Door { name: "door".to_owned(), at_su: [14, 9], size_su: [1, 2], open_s: None }],
        exits: vec![place("exit", [29, 9], [1, 2])],
        groups: vec![Group { room: Some("hall".to_owned()), persons: Some(40), ..Group::default() }],
        ..Scenario::default()
    }
}

fn entry() -> Entry {
    Entry {
        name: "in".to_owned(),
        at_su: [0, 5],
        size_su: [1, 3],
        persons_per_s: 1.0,
        from_s: 0.0,
        to_s: None,
        arrivals: Arrivals::Even,
        exits: None,
        walk_periods: vec![1],
    }
}

fn changed(change: impl Fn(&mut Scenario)) -> Scenario {
    let mut scenario = rooms();
    change(&mut scenario);
    scenario
}

#[test]
fn the_hash_depends_on_neither_threads_nor_devices() {
    let with_entry = changed(|scenario| {
        scenario.entries = vec![entry()];
        scenario.exchange_ticks = 2;
        scenario.choose_every_s = 1.0;
    });
    let torus = Scenario { width_su: 40, headings: super::super::start::Flow::Eight, ..Scenario::default() };
    let traces = Scenario { trace_decay: 3, reading: Reading::Cone, ..torus.clone() };
    let group = |persons, body_su| Group { persons: Some(persons), body_su, ..Group::default() };
    let groups = vec![group(40, [1, 1]), group(30, [2, 3]), group(10, [4, 1])];
    let bodies = Scenario { groups, walk_periods: vec![1, 2], ..torus.clone() };
    let groups = bodies.groups.iter().map(|group| Group { smallest_body_su: Some([1, 1]), ..group.clone() }).collect();
    let squeezing = Scenario { groups, squeeze_after_ticks: 1, ..bodies.clone() };
    let fine = Scenario { equal_speeds: true, ..with_entry.clone() };
    let walk_periods = vec![1, 2, 5];
    let groups = vec![Group { walk_periods: walk_periods.clone(), ..with_entry.groups[0].clone() }];
    let fine = Scenario { groups, entries: vec![Entry { walk_periods, ..entry() }], ..fine };
    for scenario in [with_entry, torus, traces, bodies, squeezing, fine] {
        let scenario = Scenario { ticks: 80, ..scenario };
        let end = |on: &Executor| {
            last_state::<SocialFieldModel>(on, &scenario, SocialFieldModel::start(&scenario).unwrap()).unwrap()
        };
        let cpu = Executor::cpu();
        let expected = end(&cpu).hash();
        for threads in [1, 3] {
            let pool = throng_core::thread_pool(threads).unwrap();
            assert_eq!(pool.install(|| end(&cpu).hash()), expected, "{threads} threads");
        }
        for device in throng_testing_devices::all_devices() {
            let on = &throng_device::Executor::from(device);
            assert_eq!(end(on).hash(), expected, "{}", on.label());
        }
    }
}

#[test]
fn persons_arrive_at_the_rate_of_their_entry_and_none_is_lost() {
    let scenario = changed(|scenario| {
        scenario.groups.clear();
        scenario.entries = vec![Entry { persons_per_s: 2.0, from_s: 3.0, to_s: Some(33.0), ..entry() }];
        scenario.ticks = 400;
    });
    let start = SocialFieldModel::start(&scenario).unwrap();
    // Two per second for 30 seconds, each in the middle of its half second: 3.25 s and 32.75 s are in ticks 11 and 110.
    let due = &start.pedestrians.due;
    assert_eq!((due.len(), due[0], due[59]), (60, 11, 110));
    let last = last_state::<SocialFieldModel>(&Executor::cpu(), &scenario, start).unwrap();
    assert_eq!(measures::measure(&last), [0.0, 0.0, 60.0, 0.0]);
    let random = changed(|scenario| {
        scenario.entries = vec![Entry { persons_per_s: 5.0, arrivals: Arrivals::Random, ..entry() }];
        scenario.ticks = 2000;
    });
    let come = SocialFieldModel::start(&random).unwrap().pedestrians.len() - 40;
    // 3000 expected; the standard deviation is the square root, 55.
    assert!((2800..3200).contains(&come), "{come}");
}

#[test]
fn invalid_scenarios_are_refused_with_key_value_and_remedy() {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    let door = |at_su| Door { name: "side".to_owned(), at_su, size_su: [1, 1], open_s: None };
    let closed = |scenario: &mut Scenario| scenario.doors.clear();
    for (scenario, expected) in [
        (
            changed(|s| s.rooms[1].at_su = [12, 1]),
            "rooms \"foyer\": overlaps with room \"hall\", at [12, 1]\n    move it",
        ),
        (
            changed(|s| s.rooms[1].size_su = [20, 18]),
            "rooms \"foyer\": at_su = [15, 1], size_su = [20, 18]\n    give a",
        ),
        (changed(closed), "rooms \"hall\": no route leads to an exit from 234 of its 234 space units\n    add a door"),
        (
            changed(|s| s.doors.push(door([5, 5]))),
            "doors \"side\": is not in a wall: some of its space units are floor",
        ),
        (changed(|s| s.doors.push(door([14, 0]))), "doors \"side\": does not join two parts of the floor\n    place"),
        (changed(|s| s.doors[0].open_s = Some(vec![[9.0, 3.0]])), "doors \"door\", open_s: [9, 3]\n    give two times"),
        (
            changed(|s| s.exits.push(place("exit", [0, 3], [1, 1]))),
            "exits \"exit\": the name also belongs to one of the",
        ),
        (changed(|s| s.groups[0].persons = Some(235)), "groups 1, persons: 235 persons, for 234 free space units\n"),
        (
            changed(|s| s.groups[0].room = Some("hal".to_owned())),
            "groups 1, room: there is no room \"hal\"\n    did you mean",
        ),
        (changed(|s| s.groups[0].density = Some(0.1)), "groups 1: persons and density\n    give one of the two"),
        (
            changed(|s| s.groups[0].exits = Some(vec!["exti".to_owned()])),
            "groups 1, exits: there is no exit \"exti\"\n    did",
        ),
        (changed(|s| s.groups[0].walk_periods = vec![0]), "groups 1, walk_periods: 0\n    give 1 to 1000 ticks"),
        (
            changed(|s| s.entries = vec![Entry { persons_per_s: f64::NAN, ..entry() }]),
            "entries \"in\", persons_per_s: NaN",
        ),
        (
            changed(|s| s.entries = vec![Entry { from_s: 9.0, to_s: Some(1.0), ..entry() }]),
            "entries \"in\", from_s: 9 to",
        ),
        (
            changed(|s| s.exits.clear()),
            "doors \"door\": is in a world without exits\n    add [[exits]], or add the gap to [[rooms]]",
        ),
        (
            changed(|s| s.doors[0].open_s = Some(vec![[9.0, 9.1]])),
            "doors \"door\", open_s: [9, 9.1] is from tick 30 to tick 30, so that it does not open\n    give a time of at",
        ),
        (changed(|s| s.doors[0].open_s = Some(vec![])), "doors \"door\", open_s: [], so that it never opens\n    give"),
        (changed(|s| s.doors[0].open_s = Some(vec![[0.0, 1e300]])), "give two times from 0 to 100000000, the earlier"),
        (changed(|s| s.rooms[1].size_su = [0, 3]), "size_su = [0, 3]\n    give at least one column and one row"),
        (changed(|s| s.choose_every_s = 1e30), "\n    give 0 to 100000000 seconds"),
        (
            changed(|s| (s.crowding_weight, s.exit_flow) = (50.0, 0.1)),
            "crowding_weight: 50, with exit_flow = 0.1: each person ahead at exit \"exit\" counts for 250 ticks\n    give at \
             most 20, for 100 ticks",
        ),
        (changed(|s| s.density = f64::NAN), "density: NaN\n    give a number from 0 to 1"),
        (changed(|s| s.border = Border::Periodic), "border: periodic, in a world with exits\n    give \"closed\""),
        (changed(|s| s.field_size = 21), "field_size: 21 space units, in a world of 30 x 20\n    give at most 19"),
        (changed(|s| s.field_size = 8), "field_size: 8\n    give an odd number"),
        (changed(|s| s.tick_s = 0.0), "tick_s: 0\n    give a number from 0.001"),
        (changed(|s| s.exit_flow = 0.0), "exit_flow: 0\n    give a number from 0.01 to 1"),
        (changed(|s| s.width_su = 0), "width_su: 0\n    give 1 to 32768"),
        (
            Scenario { until: Until::Empty, ..Scenario::default() },
            "until: \"empty\", in a world without exits\n    add [[exits]]",
        ),
        (Scenario { density: 1.5, ..Scenario::default() }, "density: 1.5\n    give a number from 0 to 1"),
    ] {
        let found = SocialFieldModel::check(&scenario).unwrap_err().to_string();
        assert!(found.contains(expected), "expected {expected}\nfound {found}");
    }
}

/// Errors of the fields, the world, the choice, the floor, a group, an entry and the bodies, each found in a different
/// stage.
#[test]
fn all_faults_of_a_scenario_are_reported_together() {
    let faulty = changed(|s| {
        s.field_size = 8;
        s.tick_s = 0.0;
        s.exit_flow = 0.0;
        s.rooms[1].at_su = [12, 1];
        s.doors[0].open_s = Some(vec![]);
        s.groups[0].room = Some("hal".to_owned());
        s.groups[0].walk_periods = vec![0];
        s.groups.push(Group { persons: Some(1), body_su: [2, 1], ..Group::default() });
        s.groups.push(Group { persons: Some(1), smallest_body_su: Some([2, 0]), ..Group::default() });
        s.squeeze_after_ticks = 0;
        s.entries = vec![Entry { persons_per_s: -1.0, exits: Some(vec!["exti".to_owned()]), ..entry() }];
    });
    let expected = [
        "field_size: 8",
        "tick_s: 0",
        "exit_flow: 0",
        "rooms \"foyer\": overlaps with room",
        "doors \"door\", open_s: []",
        "groups 1, room: there is no room \"hal\"",
        "groups 1, walk_periods: 0",
        "groups 2, body_su: bodies of several",
        "groups 3, smallest_body_su: [2, 0]",
        "squeeze_after_ticks: 0",
        "entries \"in\", persons_per_s: -1",
        "entries \"in\", exits: there is no exit \"exti\"",
    ];
    let found = SocialFieldModel::check(&faulty).unwrap_err();
    let text = found.to_string();
    for expected in expected {
        assert!(text.contains(expected), "expected {expected}\nfound {text}");
    }
    assert_eq!(found.0.total(), expected.len(), "{text}");

    // On a valid floor routes are searched and pedestrians placed, even if other parts are invalid.
    let faulty = changed(|s| {
        (s.field_size, s.crowding_weight) = (21, -1.0);
        s.doors.clear();
        s.groups[0].persons = Some(235);
    });
    let found = SocialFieldModel::check(&faulty).unwrap_err();
    let text = found.to_string();
    let expected =
        ["field_size: 21", "crowding_weight: -1", "rooms \"hall\": no route", "groups 1, persons: 235 persons"];
    for expected in expected {
        assert!(text.contains(expected), "expected {expected}\nfound {text}");
    }
    assert_eq!(found.0.total(), expected.len(), "{text}");

    // The maximum walk period depends on the size of the world.
    let long = changed(|s| {
        (s.width_su, s.height_su, s.field_size) = (2000, 2000, 8);
        s.groups[0].walk_periods = vec![1000];
    });
    let text = SocialFieldModel::check(&long).unwrap_err().to_string();
    assert!(
        text.contains("field_size: 8") && text.contains("walk_periods: 1000\n    give at most 191 ticks"),
        "{text}"
    );
}

#[test]
fn settings_without_effect_cause_warnings() {
    let warned = |change: &dyn Fn(&mut Scenario)| {
        SocialFieldModel::warnings(&changed(change)).lines().collect::<Vec<_>>().join("; ")
    };
    assert_eq!(warned(&|_| {}), "");
    // The run takes 180 s.
    assert_eq!(warned(&|s| s.doors[0].open_s = Some(vec![[500.0, 600.0], [100.0, 120.0]])), "");
    assert_eq!(
        warned(&|s| s.doors[0].open_s = Some(vec![[180.0, 600.0]])),
        "warning: a door does not open before the end of the run (doors \"door\")"
    );
    assert_eq!(
        warned(&|s| s.groups[0].headings = super::super::start::Flow::Four),
        "warning: headings have no effect in a world with exits (groups 1)"
    );
    let warning = warned(&|s| (s.until, s.frame_every) = (Until::Empty, 0));
    assert!(warning.starts_with("warning: the run does not end before the last tick (until = \"empty\""), "{warning}");
}

#[test]
fn groups_without_a_route_to_their_exits_are_refused() {
    let place = |name: &str, at_su, size_su| Place { name: name.to_owned(), at_su, size_su };
    // A third room with its own exit, and no door to the other rooms.
    let divided = |change: &dyn Fn(&mut Scenario)| {
        let mut scenario = changed(|s| {
            s.rooms[1].size_su = [6, 18];
            s.rooms.push(place("annex", [22, 1], [7, 18]));
            s.exits.push(place("front", [17, 0], [1, 1]));
        });
        change(&mut scenario);
        SocialFieldModel::check(&scenario).map_err(|error| error.to_string())
    };
    assert_eq!(divided(&|_| {}), Ok(()));
    let only = |name: &str| Some(vec![name.to_owned()]);
    let found = divided(&|s| s.groups[0].exits = only("exit")).unwrap_err();
    let expected =
        "groups 1, exits: no route leads to \"exit\" from 234 of the 234 space units in which its persons may be\n";
    assert!(found.starts_with(expected), "{found}");
    assert_eq!(divided(&|s| s.groups[0].exits = only("front")), Ok(()));
    let found = divided(&|s| s.entries = vec![Entry { exits: only("exit"), ..entry() }]).unwrap_err();
    assert!(found.starts_with("entries \"in\", exits: no route leads to \"exit\"\n"), "{found}");
    assert_eq!(divided(&|s| s.entries = vec![Entry { exits: only("front"), ..entry() }]), Ok(()));

    // Without rooms: walls around 9 space units.
    let walls = [([2, 2], [5, 1]), ([2, 6], [5, 1]), ([2, 3], [1, 3]), ([6, 3], [1, 3])];
    let mut pocket = Scenario {
        border: Border::Closed,
        walls: walls.map(|(at_su, size_su)| Wall { at_su, size_su }).to_vec(),
        exits: vec![place("exit", [119, 9], [1, 2])],
        ..Scenario::default()
    };
    let found = SocialFieldModel::check(&pocket).unwrap_err().to_string();
    assert!(found.starts_with("exits: no route leads to an exit from 9 of the 4784 space units"), "{found}");
    pocket.walls.pop();
    SocialFieldModel::check(&pocket).unwrap();
}

fn cases_hold(on: &Executor, cases: &[Case]) {
    let label = on.label();
    for case in cases {
        let verified = case.verified((case.check)(on));
        assert!(verified.finding.holds, "{label}: {verified:?}");
    }
}

/// A hall of 100 persons and a foyer with the only exit, behind a door of 1.2 m.
const HALL: &str = r#"model = "social-field"
ticks = 400
width_su = 32
height_su = 22
border = "closed"
doors = [{ name = "door", at_su = [21, 10], size_su = [1, 3], open_s = [[0, 6], [60, 70]] }]
exits = [{ name = "exit", at_su = [31, 10], size_su = [1, 3] }]
groups = [{ room = "hall", persons = 100 }]
rooms = [
    { name = "hall", at_su = [1, 1], size_su = [20, 20] },
    { name = "foyer", at_su = [22, 1], size_su = [9, 20] },
]
"#;

/// The output of a run of the hall with changes.
struct RunOutput {
    lines: Vec<(&'static str, String)>,
    warnings: Vec<String>,
    figures: Vec<Figure>,
    report: String,
    manifest: String,
}

impl RunOutput {
    fn of(changes: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("scenario.toml");
        std::fs::write(&file, HALL).unwrap();
        let request = ScenarioRequest {
            file: Some(file.into()),
            out: Some(dir.path().join("out")),
            changes: changes.iter().copied().map(Change::typed).collect(),
            ..ScenarioRequest::default()
        };
        let request_of_run = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
        let done = SocialFieldModel.scenario(&request).unwrap().run(&request_of_run, &NoProgress).unwrap();
        let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).unwrap();
        Self {
            lines: done.lines,
            warnings: done.warnings.lines().collect(),
            figures: done.measured.figures,
            report: read("report.html"),
            manifest: read("manifest.json"),
        }
    }

    fn line(&self, name: &str) -> Option<&str> {
        self.lines.iter().find(|(of, _)| *of == name).map(|(_, line)| line.as_str())
    }

    fn has_result(&self, name: &str, value: impl std::fmt::Display) -> bool {
        self.manifest.contains(&format!("\"{name}\": {value}"))
    }

    fn figure(&self, name: &str) -> f64 {
        self.figures.iter().find(|figure| figure.quantity.name == name).unwrap().value
    }
}

const MARK: &str = "above the 1.2 to 1.9 in experiments";

#[test]
fn reported_flows_exclude_the_time_of_shut_doors() {
    // The door is open for 16 s.
    let output = RunOutput::of(&[]);
    let line = output.line("door").unwrap();
    assert!(line.contains(MARK) && line.ends_with(" s, without the 53.7 s in which it was shut"), "{line}");
    let flow = output.figure("door_door_flow");
    assert!((4.5..5.1).contains(&flow) && line.contains(&format!("{flow:.2} persons/s")), "{flow}: {line}");
    let cells =
        format!("<td class=\"n\">53.7</td><td class=\"n\">{flow:.2}</td><td class=\"n\">{:.2}</td>", flow / 1.2);
    assert!(output.report.contains(&format!("{cells}<td>{MARK}</td>")), "{}", output.report);
    assert!(output.has_result("door_door_flow", flow), "{}", output.manifest);
    // Right behind the door, the exit counts as shut while the door is.
    let hall = "rooms=[{ name = \"hall\", at_su = [1, 1], size_su = [20, 20] }]";
    let output = RunOutput::of(&["exits.1.at_su=[22, 10]", hall]);
    assert!(output.line("exit").unwrap().ends_with("s in which it was shut"), "{:?}", output.lines);
}

#[test]
fn remaining_persons_are_listed_in_summary_report_and_manifest() {
    let output = RunOutput::of(&["doors.1.open_s=[[0, 6]]"]);
    let inside = output.figure("inside");
    assert!(
        inside > 50.0 && output.has_result("inside", inside) && output.has_result("all_left", "null"),
        "{}",
        output.manifest
    );
    let line = format!(
        "{inside} inside and 0 waiting at entries at the end; {inside} without a route to an exit: doors around them are shut"
    );
    assert_eq!(output.line("not left"), Some(&*line));
    let warning = format!(
        "warning: {inside} times: a person inside has no route to an exit at the end (permanently shut around them: \
         door \"door\" since 6.0 s; extend open_s, or add an exit)"
    );
    assert_eq!(output.warnings, [warning]);
    assert!(output.report.contains("<td>a person inside has no route to an exit at the end</td>"));
    assert!(output.report.contains("<span>Time until all have left</span><b>–</b>"));

    // No pedestrian leaves within 0.3 s.
    let output = RunOutput::of(&["ticks=1"]);
    assert_eq!(output.line("left"), Some("0 of 100"));
    assert_eq!(output.line("not left"), Some("100 inside and 0 waiting at entries at the end"));
    assert_eq!(output.warnings, [""; 0]);
}

#[test]
fn evacuation_times_are_in_summary_report_and_manifest() {
    let output = RunOutput::of(&["doors.1.open_s=[[0, 1000]]", "until=empty"]);
    let all_left = output.figure("all_left");
    assert!(output.line("left").unwrap().ends_with(&format!(", the last after {all_left:.1} s")), "{all_left}");
    // As many digits as in exits.csv.
    assert!(all_left.to_string().len() <= 5 && output.has_result("all_left", all_left), "{}", output.manifest);
    assert!(output.report.contains(&format!("<span>Time until all have left</span><b>{all_left:.1} s</b>")));
    assert!(output.report.contains("32 x 22 space units, 2 rooms, 1 exit ·"), "{}", &output.report[..5000]);
    // All walk to one exit.
    assert_eq!(output.line("order of lanes"), None);
    assert!(!output.report.contains("<span>Order of lanes</span>") && !output.report.contains("<h2>Lanes</h2>"));
    assert!(output.report.contains("people walk up to 41 % too fast"));
    assert_eq!(output.lines.iter().filter(|(name, _)| *name == "calibration").count(), 2);
    let output = RunOutput::of(&["equal_speeds=true", "ticks=3"]);
    assert!(!output.report.contains("equal_speeds = false"));
}

/// Returns the cases before the first that compares means of many runs.
fn exact_cases() -> &'static [Case] {
    let exact = SocialFieldModel::CASES.iter().position(|case| case.name == "flow in one direction").unwrap();
    assert!(exact > 10);
    &SocialFieldModel::CASES[..exact]
}

#[test]
fn exact_cases_of_the_verification_hold_on_the_cpu() {
    cases_hold(&Executor::cpu(), exact_cases());
}

/// Means over many runs.
mod exhaustive {
    use super::*;

    #[test]
    fn all_cases_of_the_verification_hold_on_every_executor() {
        cases_hold(&Executor::cpu(), SocialFieldModel::CASES);
        for device in throng_testing_devices::devices() {
            let is_software = device.info().class == DeviceClass::Software;
            if is_software {
                let label = device.info().label();
                throng_testing::skip(Needs::Hardware, format_args!("means of many runs take minutes on {label}"));
            }
            let on = &throng_device::Executor::from(device);
            cases_hold(on, if is_software { exact_cases() } else { SocialFieldModel::CASES });
        }
    }
}

#[test]
fn bodies_of_a_group_are_placed_or_refused() {
    let with = |body_su, persons: Option<u32>, density| {
        let group = Group { persons, density, body_su, ..Group::default() };
        Scenario { width_su: 40, height_su: 30, groups: vec![group], ..Scenario::default() }
    };
    // Half of 1,200 space units, six per body.
    let state = SocialFieldModel::start(&with([3, 2], None, Some(0.5))).unwrap();
    let crowd = &state.pedestrians;
    assert_eq!((crowd.len(), crowd.bodies.len(), crowd.body(99)), (100, 100, [3, 2]));
    let covered = crowd.occupants(&state.prepared.world).unwrap();
    assert_eq!(covered.iter().filter(|&&occupant| occupant < super::super::WALL).count(), 600);

    let refused = |scenario: &Scenario| SocialFieldModel::start(scenario).map(drop).unwrap_err().to_string();
    for (scenario, start) in [
        (with([12, 1], Some(1), None), "groups 1, body_su: [12, 1]\n    give columns and rows from 1 to 11"),
        (with([0, 1], Some(1), None), "groups 1, body_su: [0, 1]"),
        (with([3, 2], Some(201), None), "groups 1, persons: 201 persons, for 1200 free space units, in which"),
        (with([5, 5], Some(2), None), "field_size: a field of 35 space units about a body of 5"),
        (
            changed(|scenario| scenario.groups[0].body_su = [2, 1]),
            "groups 1, body_su: bodies of several space units in a world with doors and exits\n",
        ),
    ] {
        let message = refused(&scenario);
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn limits_of_bodies_are_checked_and_placed() {
    let group = |body_su, smallest_body_su| Group { persons: Some(3), body_su, smallest_body_su, ..Group::default() };
    let with = |groups| Scenario { width_su: 40, height_su: 30, groups, ..Scenario::default() };
    let limits = |smallest, largest| super::super::BodyLimits { smallest, largest };
    let start = |groups| SocialFieldModel::start(&with(groups)).unwrap().pedestrians;
    let mixed = start(vec![group([1, 1], None), group([2, 3], Some([1, 3])), group([2, 2], None)]);
    let expected = [limits([1, 1], [1, 1]), limits([1, 3], [2, 3]), limits([2, 2], [2, 2])].map(|limits| [limits; 3]);
    assert_eq!(mixed.limits, expected.concat());
    // Equal limits do not change the state.
    let [constant, equal] = [None, Some([2, 3])].map(|smallest| start(vec![group([2, 3], smallest)]));
    assert_eq!(constant, equal);
    let world = Scenario { body_su: [2, 3], smallest_body_su: Some([1, 1]), ..with(Vec::new()) };
    let start = SocialFieldModel::start(&world).unwrap().pedestrians;
    assert!(start.len() == 40 && start.limits.iter().all(|of| *of == limits([1, 1], [2, 3])));

    for (smallest, found) in [([0, 1], "[0, 1]"), ([3, 1], "[3, 1]"), ([1, 4], "[1, 4]"), ([255, 255], "[255, 255]")] {
        let error = SocialFieldModel::check(&with(vec![group([2, 3], Some(smallest))])).unwrap_err().to_string();
        let remedy = "give columns and rows of at least 1, and at most those of body_su, [2, 3]";
        assert!(error.contains(&format!("groups 1, smallest_body_su: {found}\n    {remedy}")), "{error}");
    }
    let error = SocialFieldModel::check(&with(vec![group([0, 1], None)])).unwrap_err().to_string();
    assert!(error.contains("groups 1, body_su: [0, 1]") && !error.contains("smallest"), "{error}");
    let error = SocialFieldModel::check(&Scenario { smallest_body_su: Some([2, 1]), ..with(Vec::new()) }).unwrap_err();
    assert!(error.to_string().starts_with("smallest_body_su: [2, 1]\n"), "{error}");
    // Fields of all sizes must fit in 32 bits; long and thin bodies are the most dense.
    let strong = |smallest| Scenario { crowd_strength: 150.0, ..with(vec![group([4, 4], smallest)]) };
    assert_eq!(SocialFieldModel::check(&strong(None)), Ok(()));
    let error = SocialFieldModel::check(&strong(Some([4, 1]))).unwrap_err().to_string();
    assert!(error.contains("crowd_strength: 150: strengths of a field sum up to "), "{error}");

    let warned = |scenario: &Scenario| SocialFieldModel::warnings(scenario).lines().collect::<Vec<_>>().join("\n");
    let slow = |groups| Scenario { squeeze_after_ticks: 9, ..with(groups) };
    let expected = "squeeze_after_ticks has no effect on bodies of constant size";
    assert!(warned(&slow(vec![group([2, 2], Some([2, 2]))])).contains(expected));
    assert!(!warned(&slow(vec![group([2, 2], Some([1, 2]))])).contains(expected));
    assert!(!warned(&with(Vec::new())).contains(expected));
}
