//! Groups that walk in formation.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::{CPU, DeviceChoice};
use throng_fields_model::{FieldsRun, Scenario, Simulation, run};
use throng_model::RunRequest;

use super::groups::{counts, scenario};
use super::{changed, saved};

/// A field of 120 x 60 with a goal in the east, and a group that starts in the west.
const FIELD: &str = r#"
model = "fields"
grid = { size = [120, 60], cell = 0.5 }
run = { steps = 400, time_step = 0.5 }

[[goals]]
name = "east"
from = [116, 0]
to = [120, 60]

[[agents]]
name = "a"
count = 24
start = { from = [4, 20], to = [16, 40] }
speed = 1
follow = "flow"
formation = { shape = "line", spacing = 1.5 }

[output]
frame_every = 0
"#;

/// Two walls with a gap of 3 units in between, at x = 60.
const GAP: &str = "[[walls]]\nshape = \"box\"\nat = [60, 14.25]\nsize = [1, 28.5]\n\
                   [[walls]]\nshape = \"box\"\nat = [60, 45.75]\nsize = [1, 28.5]\n";

const SPACING: f64 = 1.5;

/// The root-mean-square distance of the agents from their slots, in spacings; infinite if none has a slot.
fn deviation(simulation: &Simulation<'_>) -> f64 {
    let formation = simulation.formations()[0].as_ref().unwrap();
    formation.deviation(&simulation.crowds()[0]).map_or(f64::INFINITY, |deviation| deviation / SPACING)
}

fn positions(simulation: &Simulation<'_>) -> Vec<[f32; 2]> {
    simulation.crowds()[0].present().map(|(_, at)| at).collect()
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    libm::hypotf(a[0] - b[0], a[1] - b[1])
}

/// The smallest distance between agents of different subgroups.
fn apart(simulation: &Simulation<'_>) -> f32 {
    let formation = simulation.formations()[0].as_ref().unwrap();
    let present: Vec<_> = simulation.crowds()[0].present().collect();
    let pairs = present.iter().flat_map(|a| present.iter().map(move |b| (a, b)));
    let others = pairs.filter(|(a, b)| formation.subgroup(a.0) != formation.subgroup(b.0));
    others.map(|(a, b)| distance(a.1, b.1)).fold(f32::INFINITY, f32::min)
}

fn steps(simulation: &mut Simulation<'_>, count: u32) {
    (0..count).for_each(|_| simulation.step().unwrap());
}

/// Steps until all 24 agents have arrived, at most 400.
fn arrive(simulation: &mut Simulation<'_>) {
    let arrived = (0..400).any(|_| {
        simulation.step().unwrap();
        counts(simulation)[0].arrived == 24
    });
    assert!(arrived, "{:?}", counts(simulation));
}

/// The field with a shape, a number of subgroups, other keys of the group, and walls.
fn field(shape: &str, subgroups: u32, keys: &str, walls: &str) -> Scenario {
    let formation = format!("shape = \"{shape}\", subgroups = {subgroups}");
    let (goals, keys) = (format!("{walls}[[goals]]"), format!("{keys}speed = 1\n"));
    scenario(FIELD, &[("[[goals]]", &goals), ("speed = 1\n", &keys), ("shape = \"line\"", &formation)])
}

const BODIES: &str = "radius = 0.3\nspacing = 1\n";

#[test]
fn agents_in_the_open_are_in_their_slots_after_a_while() {
    for (shape, length, width) in
        [("line", 0.0, 34.5), ("column", 34.5, 0.0), ("wedge", 12.73, 24.4), ("box", 6.0, 6.0), ("circle", 11.49, 11.4)]
    {
        for keys in ["", BODIES] {
            let scenario = field(shape, 1, keys, "");
            let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
            steps(&mut simulation, 120);
            // At first they are some spacings away; the whole column has to line up within 60 units of time.
            assert!(deviation(&simulation) < 0.02, "{shape}: {}", deviation(&simulation));
            let at = positions(&simulation);
            for (axis, expected) in [(0, length), (1, width)] {
                let along = at.iter().map(|at| at[axis]);
                let extent = along.clone().fold(f32::MIN, f32::max) - along.fold(f32::MAX, f32::min);
                // The heading is along the x axis, as the goal is a whole side of the map.
                assert!((extent - expected).abs() < 0.3, "{shape}, axis {axis}: {extent}");
            }
            for (i, a) in at.iter().enumerate() {
                let others = at.iter().enumerate().filter(|(j, _)| *j != i);
                let nearest = others.map(|(_, b)| distance(*a, *b)).fold(f32::MAX, f32::min);
                assert!((f64::from(nearest) / SPACING - 1.0).abs() < 0.05, "{shape}, agent {i}: {nearest}");
            }
            arrive(&mut simulation);
        }
    }
}

#[test]
fn shapes_dissolve_in_a_gap_and_re_form_behind_it() {
    for (shape, keys) in [("line", ""), ("line", BODIES), ("wedge", BODIES), ("circle", ""), ("box", BODIES)] {
        let scenario = field(shape, 1, keys, GAP);
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        let (mut before, mut within, mut behind) = (f64::INFINITY, 0.0f64, f64::INFINITY);
        for _ in 0..400 {
            simulation.step().unwrap();
            let at = positions(&simulation);
            let (first, last) = at.iter().fold((f32::MIN, f32::MAX), |(a, b), at| (a.max(at[0]), b.min(at[0])));
            let is_near = |at: &&[f32; 2]| (59.0..61.0).contains(&at[0]);
            // Within the gap, which is 3 wide, they are in the gap.
            assert!(at.iter().filter(is_near).all(|at| at[0] < 59.5 || at[0] > 60.5 || (28.5..31.5).contains(&at[1])));
            if first < 55.0 {
                before = before.min(deviation(&simulation));
            } else if last < 60.0 {
                within = within.max(deviation(&simulation));
            } else if first < 114.0 {
                behind = behind.min(deviation(&simulation));
            }
            if counts(&simulation)[0].arrived == 24 {
                break;
            }
        }
        assert!(before < 0.02 && within > 0.3 && behind < 0.02, "{shape}: {before} {within} {behind}");
        assert_eq!(counts(&simulation)[0].arrived, 24, "{shape}");
    }
}

#[test]
fn subgroups_walk_one_behind_the_other() {
    for (shape, keys, walls) in [("box", "", ""), ("line", BODIES, ""), ("wedge", "", GAP), ("circle", BODIES, GAP)] {
        let scenario = field(shape, 3, keys, walls);
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        steps(&mut simulation, 80);
        let formation = simulation.formations()[0].as_ref().unwrap();
        let parts: Vec<_> = (0..25).map(|agent| formation.subgroup(agent)).collect();
        assert_eq!(
            (parts[7], parts[8], parts[15], parts[16], parts[23]),
            (Some(0), Some(1), Some(1), Some(2), Some(2))
        );
        assert_eq!(parts[24], None);
        let mut least = f32::INFINITY;
        while positions(&simulation).iter().all(|at| at[0] < 110.0) {
            least = least.min(apart(&simulation));
            simulation.step().unwrap();
        }
        // Two spacings between their ranks, less the resolution of travel times and what the gap takes from it.
        let expected = if walls.is_empty() { 2.0 } else { 1.5 };
        assert!(least > expected, "{shape}: {least}");
        arrive(&mut simulation);
    }
}

#[test]
fn formations_turn_with_the_path_and_turn_back_with_the_goals() {
    // North around a wall; from time 100 on, back to a goal in the south.
    let wall = "[[walls]]\nshape = \"box\"\nat = [60, 20]\nsize = [40, 40]\n";
    let west = "[[goals]]\nname = \"west\"\nfrom = [0, 0]\nto = [10, 4]\n";
    let scenario = field(
        "column",
        1,
        "goals = [\"east\"]\nrules = [{ after = 100, goals = [\"west\"] }]\n",
        &format!("{wall}{west}"),
    );
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    steps(&mut simulation, 160);
    let at = positions(&simulation);
    let (first, last) = at.iter().fold((f32::MIN, f32::MAX), |(a, b), at| (a.max(at[0]), b.min(at[0])));
    // The column bends: it keeps its length, up to what the corner takes from it.
    assert!(first > 40.0 && first - last > 20.0, "{first} {last}");
    assert!(deviation(&simulation) < 1.0, "{}", deviation(&simulation));
    // Under a rule with other goals, agents are out of formation.
    steps(&mut simulation, 45);
    assert_eq!(deviation(&simulation), f64::INFINITY);
    assert!(simulation.formations()[0].as_ref().unwrap().slots().next().is_none());
    arrive(&mut simulation);
    // A rule that only changes the pace keeps them in formation; the slowest agent sets the speed.
    let slow = field("box", 1, "rules = [{ after = 60, pace = 0.5 }]\n", "");
    let mut simulation = Simulation::new(&slow, &CPU).unwrap();
    steps(&mut simulation, 130);
    let before = positions(&simulation)[0][0];
    steps(&mut simulation, 20);
    let walked = positions(&simulation)[0][0] - before;
    assert!((walked - 5.0).abs() < 0.1 && deviation(&simulation) < 0.02, "{walked} {}", deviation(&simulation));
}

#[test]
fn agents_join_and_leave_formations() {
    // Eight at first, and eight more at times 10 and 20; four of all are removed at a post at time 60.
    let keys = "count = 8\nspawn = { every = 10, count = 8, until = 20 }\nat_goal = \"leave\"\n\
                rules = [{ near = \"post\", within = 3, after = 60, before = 60.5, leave = true }]\n";
    let post = "[[entities]]\nname = \"post\"\nat = [46, 30]\n\n[profiles.p]\nform = \"linear\"\nradius = 1\n";
    let text = changed(
        FIELD,
        &[
            ("count = 24\n", keys),
            ("[[goals]]", &format!("{}[[goals]]", post.replace("30]\n", "30]\nprofile = \"p\"\n"))),
            ("shape = \"line\"", "shape = \"box\""),
        ],
    );
    let scenario = scenario(&text, &[("[[agents]]", "[flow]\nweight = 0\n[[agents]]")]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let slots = |simulation: &Simulation<'_>| simulation.formations()[0].as_ref().unwrap().slots().count();
    let mut most_removed = 0;
    for step in 0..400 {
        let now = counts(&simulation)[0];
        let expected = now.walking + now.stuck;
        if step == 19 {
            assert_eq!((now.waiting, expected), (16, 8));
            assert!(deviation(&simulation) < 0.5, "{}", deviation(&simulation));
        }
        if (60..120).contains(&step) {
            assert_eq!((now.waiting, expected, slots(&simulation)), (0, 24, 24));
        }
        if step == 119 {
            assert!(deviation(&simulation) < 0.05, "those who came later have caught up: {}", deviation(&simulation));
        }
        most_removed = most_removed.max(now.removed);
        if step == 150 {
            // The others close the ranks.
            assert_eq!(slots(&simulation), 24 - most_removed);
            assert!(most_removed > 0 && most_removed < 24 && deviation(&simulation) < 0.05, "{most_removed}");
        }
        simulation.step().unwrap();
    }
    let end = counts(&simulation)[0];
    assert_eq!((end.arrived + end.removed, positions(&simulation).len()), (24, 0), "{end:?}");
}

#[test]
fn agents_that_enter_after_all_others_have_left_form_again() {
    let keys = "count = 8\nspawn = { every = 200, count = 8, from = 200, until = 200 }\nat_goal = \"leave\"\n";
    let scenario = scenario(&changed(FIELD, &[("count = 24\n", keys), ("steps = 400", "steps = 600")]), &[]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    steps(&mut simulation, 390);
    assert_eq!((counts(&simulation)[0].arrived, positions(&simulation).len()), (8, 0));
    let formation = simulation.formations()[0].as_ref().unwrap();
    assert!(formation.slots().next().is_none() && deviation(&simulation) == f64::INFINITY);
    steps(&mut simulation, 130);
    assert_eq!(positions(&simulation).len(), 8);
    assert!(deviation(&simulation) < 0.05, "{}", deviation(&simulation));
}

#[test]
fn formations_wait_for_a_door_and_walk_through_it() {
    let door = "[[walls]]\nshape = \"box\"\nat = [60, 30]\nsize = [1, 60]\npresent = [[0, 80], [100, inf]]\n";
    for keys in ["", BODIES] {
        let scenario = field("line", 2, keys, door);
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        let start = positions(&simulation);
        steps(&mut simulation, 160);
        // Bodies that overlap at the start are pushed apart.
        let moved =
            |from: &[[f32; 2]], to: &[[f32; 2]]| from.iter().zip(to).map(|(a, b)| distance(*a, *b)).fold(0.0, f32::max);
        assert!(moved(&start, &positions(&simulation)) < 0.1, "no path leads to the goal");
        assert_eq!(counts(&simulation)[0].stuck, 24);
        // They come too late: it closes again.
        steps(&mut simulation, 40);
        let halfway = positions(&simulation);
        assert!(halfway.iter().zip(&start).all(|(now, start)| distance(*now, *start) > 3.0), "{halfway:?}");
        steps(&mut simulation, 100);
        assert!(moved(&halfway, &positions(&simulation)) < 0.1);
        assert_eq!(counts(&simulation)[0].stuck, 24);
    }
    let opens = field("line", 2, "", &door.replace("[100, inf]", "[300, inf]"));
    arrive(&mut Simulation::new(&opens, &CPU).unwrap());
}

#[test]
fn formations_do_not_depend_on_threads() {
    let dir = TempDir::new().unwrap();
    let text = changed(
        FIELD,
        &[
            ("[[goals]]", &format!("{GAP}[[goals]]")),
            ("speed = 1\n", "speed = 1\nspread = 0.2\nradius = 0.3\nspacing = 1\n"),
            ("shape = \"line\"", "shape = \"wedge\", subgroups = 2"),
        ],
    );
    let history = |threads: usize| {
        let scenario = Scenario::read(&saved(&dir, &text), &[]).unwrap();
        let folder = Some(dir.path().join(threads.to_string()));
        let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
        run(FieldsRun { threads, folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap().results.history
    };
    let one = history(1);
    assert!(one == history(2) && one == history(3));
    assert_eq!(one.last().unwrap().groups[0].arrived, 24);
}

#[test]
fn formations_arrive_beside_a_danger_that_moves_with_every_step() {
    // A guard walks to and fro beside the way. Slow reference points must not turn back whenever costs change.
    const GUARD: &str = r#"
        model = "fields"
        seed = 270
        layers = ["fire"]
        grid = { size = [30, 40], cell = 1 }
        run = { steps = 1200, time_step = 1 }
        sight = { fire = {} }
        flow = { danger = "fire", weight = 20 }
        goals = [{ at = [27.5, 38.5], radius = 2.5 }]
        output = { frame_every = 0 }
        [[entities]]
        at = [10.60, 24.37]
        sees = { fire = -1 }
        range = 9
        path = [[20.10, 18.91]]
        speed = 0.7
        then = "back"
        [[walls]]
        shape = "box"
        at = [23, 31.5]
        size = [10, 1]
        [[walls]]
        shape = "box"
        at = [23.5, 21.5]
        size = [13, 1]
        [[agents]]
        name = "a"
        count = 40
        start = { from = [0, 0], to = [30, 20] }
        speed = 1
        follow = "flow"
        at_goal = "leave"
        formation = { shape = "circle", spacing = 2 }
    "#;
    let dir = TempDir::new().unwrap();
    for metric in ["euclidean", "manhattan", "chebyshev"] {
        let text = changed(GUARD, &[("weight = 20", &format!("weight = 20, metric = \"{metric}\""))]);
        let scenario = Scenario::read(&saved(&dir, &text), &[]).unwrap();
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        for _ in 0..1200 {
            simulation.step().unwrap();
        }
        assert_eq!(simulation.summary().unwrap().groups[0].arrived, 40, "{metric}");
    }
}
