//! Groups of agents: teams with opposite goals, schedules, bodies, and the fields that agents carry.

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::CPU;
use throng_device::DeviceChoice;
use throng_fields::creation::FixedPoint;
use throng_fields::routing::{AgentState, Crowd};
use throng_fields::{Entity, Profile};
use throng_fields_model::{FieldsRun, GroupCounts, Scenario, Simulation, run};
use throng_model::RunRequest;

use super::{changed, saved};

/// Two teams on a field of 40 x 20, each with a base on its side and a goal in the other team's base.
pub(crate) const TEAMS: &str = r#"
model = "fields"
layers = ["red presence", "blue presence", "scent"]

[grid]
size = [40, 20]
cell = 0.5

[run]
steps = 100
time_step = 0.5

[profiles.near]
form = "linear"
radius = 4

[diffusion.scent]
diffusivity = 1

[[walls]]
shape = "line"
points = [[20, 0], [20, 8]]

[[entities]]
name = "red base"
at = [2, 10]
team = "red"
profile = "near"
layers = ["red presence"]

[[entities]]
name = "blue base"
at = [38, 10]
team = "blue"
profile = "near"
layers = ["blue presence"]

[[goals]]
name = "west"
at = [2, 10]
radius = 1.5
owner = "red"

[[goals]]
name = "east"
at = [38, 10]
radius = 1.5
owner = "blue"

[[agents]]
name = "reds"
team = "red"
count = 40
start = { from = [1, 2], to = [5, 18] }
speed = 1.5
follow = "flow"
flow = "wary of blue"
radius = 0.2
spacing = 0.8
profile = "near"
charge = -1
layers = ["red presence"]
emits = { scent = 0.1 }
strength = 0.5

[[agents]]
name = "blues"
team = "blue"
count = 30
start = { from = [35, 2], to = [39, 18] }
speed = 1.5
spread = 0.2
follow = "flow"
flow = "wary of red"
radius = 0.2
profile = "near"
charge = -1
layers = ["blue presence"]
strength = 0.5

[flows."wary of blue"]
danger = "blue presence"
weight = 0.5
every = 2

[flows."wary of red"]
danger = "red presence"
weight = 0.5

[influence]
decay = 0.2
sweeps = 2

[output]
frame_every = 0
"#;

pub(crate) fn scenario(text: &str, replaced: &[(&str, &str)]) -> Scenario {
    let text = changed(text, replaced);
    let dir = TempDir::new().unwrap();
    Scenario::read(&saved(&dir, &text), &[]).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn after(scenario: &Scenario, steps: u32) -> Simulation<'_> {
    let mut simulation = Simulation::new(scenario, &CPU).unwrap();
    (0..steps).for_each(|_| simulation.step().unwrap());
    simulation
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

pub(crate) fn counts(simulation: &Simulation<'_>) -> Vec<GroupCounts> {
    simulation.summary().unwrap().groups
}

#[test]
fn teams_walk_to_opposing_goals() {
    let scenario = scenario(TEAMS, &[]);
    let simulation = after(&scenario, 100);
    for (counts, agents) in counts(&simulation).iter().zip([40, 30]) {
        assert_eq!((counts.agents, counts.arrived), (agents, agents), "{counts:?}");
    }
    for (crowd, goal) in simulation.crowds().iter().zip([[38.0f32, 10.0], [2.0, 10.0]]) {
        for [x, y] in crowd.positions() {
            assert!(distance([x, y], goal) < 5.0, "({x}, {y})");
        }
    }
}

#[test]
fn groups_walk_to_their_listed_goals() {
    let scenario = scenario(TEAMS, &[("name = \"reds\"\n", "name = \"reds\"\ngoals = [\"west\"]\n")]);
    let simulation = after(&scenario, 60);
    let [reds, blues] = [0, 1].map(|group: usize| simulation.crowds()[group].positions().collect::<Vec<_>>());
    assert!(reds.iter().chain(&blues).all(|[x, _]| *x < 8.0), "{reds:?} {blues:?}");
}

#[test]
fn bodies_keep_apart_and_stay_out_of_walls() {
    let scenario = scenario(TEAMS, &[("count = 40", "count = 400")]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    for _ in 0..150 {
        simulation.step().unwrap();
        for [x, y] in simulation.crowds().iter().flat_map(Crowd::positions) {
            assert!((0.0..40.0).contains(&x) && (0.0..20.0).contains(&y));
            assert!(!((19.75..20.25).contains(&x) && y < 8.0), "({x}, {y}) is in the wall");
        }
    }
    let all: Vec<[f32; 2]> = simulation.crowds().iter().flat_map(Crowd::positions).collect();
    let nearest = |i: usize| {
        let others = (0..all.len()).filter(|&j| j != i);
        others.map(|j| distance(all[i], all[j])).fold(f32::INFINITY, f32::min)
    };
    let mut nearest: Vec<f32> = (0..all.len()).map(nearest).collect();
    nearest.sort_by(f32::total_cmp);
    // Bodies have a diameter of 0.4. Crowds stand around both goals; some agents still press from behind.
    assert!(nearest[0] > 0.25 && nearest[nearest.len() / 20] > 0.35, "{:?}", &nearest[..30]);
}

#[test]
fn bodies_do_not_touch_through_walls() {
    // A wall of one cell right behind the goal, with agents of the same group on both sides.
    let text = r#"
model = "fields"
grid = { size = [20, 10], cell = 1 }
run = { steps = 20, time_step = 0.5 }
goals = [{ name = "g", from = [14, 4], to = [15, 6] }]
walls = [{ shape = "box", at = [15.5, 5], size = [1, 10] }]
[[agents]]
name = "a"
count = 40
start = { from = [13, 4], to = [17, 6] }
speed = 1
follow = "flow"
radius = 0.7
[output]
frame_every = 0
"#;
    // In the first map, no path leads around the wall; in the second, one does, but agents do not walk along paths.
    let gap = changed(text, &[("size = [1, 10]", "size = [1, 8]"), ("\"flow\"", "\"field\"")]);
    for text in [text, &gap] {
        let scenario = scenario(text, &[]);
        let started: Vec<[f32; 2]> = Simulation::new(&scenario, &CPU).unwrap().crowds()[0].positions().collect();
        let simulation = after(&scenario, 20);
        let states = simulation.crowds()[0].states(5.0).unwrap();
        let (west, east): (Vec<_>, Vec<_>) = started.iter().zip(states).partition(|([x, _], _)| *x < 16.0);
        let arrived = |of: &[(&[f32; 2], AgentState)]| of.iter().filter(|(_, it)| *it == AgentState::Arrived).count();
        assert!(east.len() > 5 && arrived(&east) == 0 && arrived(&west) > 10, "{west:?} {east:?}");
    }
    // A body is not pushed by bodies on the other side of the wall.
    let beside = "[[agents]]\nname = \"beside\"\ncount = 1\nstart = { at = [16.5, 4.5], radius = 0.4 }\n\
                  speed = 1\nfollow = \"flow\"\nradius = 0.7\n[output]";
    let position = |start: &str| {
        let scenario = scenario(text, &[("from = [13, 4], to = [17, 6]", start), ("[output]", beside)]);
        after(&scenario, 20).crowds()[1].positions().next().unwrap()
    };
    assert_eq!(position("from = [13, 4], to = [15, 6]"), position("at = [2, 2], radius = 1"));
}

#[test]
fn crowds_separate_their_bodies() {
    use throng_fields::routing::{Body, FlowField, Steering, maps};
    let map = maps::empty(32).unwrap();
    let flow = FlowField::new(map.ground.distances());
    let mut crowd = Crowd::new(&map.ground, &[[5.5, 16.5]; 3], &[1.0; 3]).unwrap().with_body(Body::new(0.5).unwrap());
    assert_eq!(crowd.run(&Steering::Follow(&flow), 0.5, 10).unwrap(), 10);
    let at: Vec<[f32; 2]> = crowd.positions().collect();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!(distance(at[a], at[b]) > 0.9, "{at:?}");
    }
}

#[test]
fn fields_of_agents_move_with_them() {
    let combine = "combine = [\n    { operation = \"add\", layer = \"red presence\" },\n    \
                   { operation = \"add\", layer = \"blue presence\" },\n]\n";
    let scenario = scenario(
        TEAMS,
        &[
            ("layers = [\"red presence\", \"blue", &format!("{combine}layers = [\"red presence\", \"blue")),
            ("name = \"reds\"\n", "name = \"reds\"\nat_goal = \"leave\"\n"),
        ],
    );
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let profile = Profile::linear(4.0).unwrap();
    for step in 1..=60 {
        let present: Vec<Vec<([f32; 2], bool)>> =
            simulation.crowds().iter().map(|crowd| crowd.positions().zip(crowd.presences()).collect()).collect();
        simulation.step().unwrap();
        if step % 20 != 0 {
            continue;
        }
        let bases = simulation.entities().iter().cloned();
        let agents = present.iter().flatten().filter(|(_, present)| *present);
        let agents = agents.map(|(at, _)| Entity::new(*at, profile.clone()).with_charge(-1.0));
        let entities: Vec<Entity> = bases.chain(agents).collect();
        let expected = FixedPoint::default().every_pair(scenario.grid(), &entities).unwrap();
        assert_eq!(simulation.field().unwrap(), &expected, "step {step}");
        assert!(simulation.summary().unwrap().amounts[0] > 0.0);
    }
    let gone = simulation.crowds()[0].presences().filter(|present| !present).count();
    assert!(gone > 0, "some have left at their goal");
}

#[test]
fn agents_ignore_the_field_that_they_carry() {
    // Each agent carries a peak of 1; the base attracts much less per cell, but from farther away.
    let text = r#"
model = "fields"
grid = { size = [40, 6], cell = 0.5 }
run = { steps = 80, time_step = 0.5 }
profiles.far = { form = "linear", radius = 60 }
profiles.own = { form = "linear", radius = 2 }
goals = [{ at = [37, 3], radius = 1.5 }]
entities = [{ at = [37, 3], profile = "far", charge = 0.5 }]
[[agents]]
name = "carriers"
count = 1
start = { at = [3.25, 3.25], radius = 0.1 }
speed = 1
follow = "FOLLOW"
profile = "own"
[output]
frame_every = 0
"#;
    for follow in ["field", "neighbour"] {
        // With bodies, a step has several parts.
        for radius in ["radius = 0", "radius = 0.1"] {
            let body = format!("speed = 1\n{radius}");
            let scenario = scenario(&text.replace("FOLLOW", follow), &[("speed = 1", &body)]);
            assert_eq!(counts(&after(&scenario, 80))[0].arrived, 1, "{follow}, {radius}");
        }
    }
    // A combination from which the agent's own contribution cannot be subtracted.
    let dir = TempDir::new().unwrap();
    let max = "combine = [{ operation = \"max\", layer = \"field\" }]\n";
    let path = saved(&dir, &text.replace("FOLLOW", "field").replace("grid = {", &format!("{max}grid = {{")));
    let error = Scenario::read(&path, &[]).unwrap_err().to_string();
    assert!(
        error.contains(
            "agents \"carriers\", layers: layer \"field\" is used or followed by operations other than add\n    \
             agents do not sense the field that they carry: after layer \"field\" is added, only add may follow"
        ),
        "{error}"
    );
}

#[test]
fn agents_enter_on_a_schedule_and_leave_at_goals() {
    let spawn = "spawn = { every = 5, count = 4, from = 2, until = 12 }\nat_goal = \"leave\"\n";
    let scenario = scenario(TEAMS, &[("count = 40\n", &format!("count = 0\n{spawn}"))]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut waiting = vec![counts(&simulation)[0].waiting];
    for _ in 0..100 {
        simulation.step().unwrap();
        waiting.push(counts(&simulation)[0].waiting);
    }
    // At times 2, 7 and 12: before steps 5, 15 and 25.
    let expected: Vec<usize> =
        (0..=100).map(|step| 12 - 4 * [5, 15, 25].iter().filter(|at| step >= **at).count()).collect();
    assert_eq!(waiting, expected);
    let reds = counts(&simulation)[0];
    assert_eq!((reds.agents, reds.arrived), (12, 12), "{reds:?}");
    assert!(simulation.crowds()[0].presences().all(|present| !present));
    assert!(simulation.crowds()[1].presences().all(|present| present), "blues stay");
}

#[test]
fn groups_do_not_depend_on_threads_and_devices() {
    let rules = "rules = [{ near = \"enemy\", within = 3, at_least = 2, goals = [\"west\"], keep = 2 }]\n";
    let replaced = [
        ("name = \"reds\"\n", format!("name = \"reds\"\nspawn = {{ every = 4, count = 5 }}\n{rules}")),
        ("owner = \"red\"\n", "owner = \"red\"\ncapture_time = 2\n".to_owned()),
    ];
    let replaced: Vec<(&str, &str)> = replaced.iter().map(|(from, to)| (*from, to.as_str())).collect();
    let hashes = |threads: usize, device: DeviceChoice| {
        let dir = TempDir::new().unwrap();
        let scenario = scenario(TEAMS, &replaced);
        let folder = Some(dir.path().join("out"));
        let run_it = FieldsRun { threads, folder, ..FieldsRun::new(scenario) };
        let done = run(run_it, &RunRequest { device, ..RunRequest::default() }, &NoProgress).unwrap();
        done.results.history.iter().map(|now| now.hash).collect::<Vec<_>>()
    };
    let expected = hashes(1, DeviceChoice::Cpu);
    assert_eq!(expected.len(), 101);
    for threads in [2, 3] {
        assert_eq!(hashes(threads, DeviceChoice::Cpu), expected, "{threads} threads");
    }
    for device in throng_testing_devices::devices() {
        let id = device.info().id;
        assert_eq!(hashes(1, DeviceChoice::Device(id)), expected, "{}", device.info().label());
    }
}

#[test]
fn progress_is_measured_along_the_followed_path() {
    // A maze of one long corridor: 10 units from start to goal in a straight line, more than 100 along the corridor.
    let wall = |i: u32| {
        let (from, to, y) = if i % 2 == 1 { (0, 18, 2 * i) } else { (2, 20, 2 * i) };
        format!("[[walls]]\nshape = \"line\"\npoints = [[{from}, {y}], [{to}, {y}]]\n")
    };
    let walls = (1..6).map(wall).collect::<Vec<_>>().concat();
    let text = format!(
        "model = \"fields\"\ngrid = {{ size = [20, 12], cell = 0.25 }}\n\
         run = {{ steps = 400, time_step = 0.5, stuck_after = 3 }}\n\
         profiles.p = {{ form = \"linear\", radius = 3 }}\n{walls}\
         [[entities]]\nat = [1, 9]\nprofile = \"p\"\ncharge = -1\npath = [[19, 9], [19, 5], [1, 5]]\nspeed = 2\n\
         [[goals]]\nat = [1, 11]\nradius = 0.5\n\
         [[agents]]\nname = \"a\"\ncount = 5\nstart = {{ at = [1, 1], radius = 0.6 }}\nspeed = 1\nfollow = \"flow\"\n\
         [flow]\nweight = 3\n[output]\nframe_every = 0\n"
    );
    let scenario = scenario(&text, &[]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    // The danger moves back and forth, and agents walk away from the goal half of the time; none is ever stuck.
    for step in 1..=400 {
        simulation.step().unwrap();
        assert_eq!(counts(&simulation)[0].stuck, 0, "step {step}");
    }
    let states = simulation.crowds()[0].states(3.0).unwrap().collect::<Vec<_>>();
    assert_eq!(states, [AgentState::Arrived; 5]);
}
