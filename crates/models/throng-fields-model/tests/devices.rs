//! Simulations on devices: their states equal those on the CPU, and little is copied from the device.

use tempfile::TempDir;
use throng_device::{CPU, Executor};
use throng_fields::Field;
use throng_fields_model::{Scenario, Simulation};

const SCENARIO: &str = r#"
model = "fields"
layers = ["good", "bad", "still"]
combine = [
    { operation = "add", layer = "good", weight = 0.3 },
    { operation = "max", layer = "bad", weight = -1.5 },
    { operation = "times", layer = "still" },
    { operation = "min", layer = "good", weight = 4 },
    { operation = "threshold", at = -0.5, below = -0.1, from = 0.7 },
    { operation = "add", layer = "still" },
]

[grid]
size = [150, 70]
cell = 0.5

[run]
steps = 12
time_step = 0.5

[profiles.wide]
form = "linear"
radius = 25

[[entities]]
at = [20, 20]
path = [[60, 50]]
speed = 3
profile = "wide"
layers = ["good"]

[[entities]]
at = [90, 30]
path = [[20, 30]]
speed = 2
profile = "wide"
charge = -2.5
layers = ["good", "bad"]

[[entities]]
at = [70, 40]
profile = "wide"
layers = ["still"]
"#;

const CELLS: u64 = 300 * 140;

fn scenario(more: &str) -> Scenario {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("scenario.toml");
    std::fs::write(&file, format!("{SCENARIO}{more}")).unwrap();
    Scenario::read(&file, &[]).unwrap()
}

/// All devices, opened for this test alone, so that their ledgers count nothing else.
fn devices() -> impl Iterator<Item = Executor> {
    throng_testing_devices::devices().into_iter().map(|device| device.info().open().unwrap().into())
}

fn copied(on: &Executor) -> u64 {
    on.device().unwrap().ledger().downloaded_bytes
}

/// Executes all steps on the CPU and on a device, and returns the number of bytes that each step copied from the
/// device.
fn same_states(scenario: &Scenario, on: &Executor) -> Vec<u64> {
    let mut expected = Simulation::new(scenario, &CPU).unwrap();
    let mut found = Simulation::new(scenario, on).unwrap();
    let mut bytes = Vec::new();
    for step in 0..12 {
        assert_eq!(found.hash(), expected.hash(), "step {step}");
        assert_eq!(found.summary().unwrap(), expected.summary().unwrap());
        let before = copied(on);
        found.step().unwrap();
        bytes.push(copied(on) - before);
        expected.step().unwrap();
    }
    bytes
}

/// Panics if the states on any device differ from those on the CPU, or its steps copy numbers of bytes other than
/// `bytes`.
fn check(agents: &str, bytes: [u64; 12]) {
    let scenario = scenario(agents);
    for on in devices() {
        assert_eq!(same_states(&scenario, &on), bytes, "{}", on.label());
    }
}

#[test]
fn only_hashes_are_copied_without_readers_of_the_field() {
    // Only hashes are copied, for each layer in which something moves.
    check("", [2 * 16; 12]);
}

#[test]
fn climbing_agents_copy_one_field_per_step() {
    let agents = r#"
[[agents]]
name = "climbers"
count = 40
start = { from = [10, 10], to = [140, 60] }
speed = 2
follow = "field"
"#;
    check(agents, [2 * 16 + 4 * CELLS; 12]);
}

#[test]
fn path_updates_copy_the_field_of_their_costs() {
    let agents = r#"
[flow]
danger = "bad"
every = 4

[[goals]]
at = [140, 60]
radius = 3

[[agents]]
name = "planners"
count = 10
start = { from = [10, 10], to = [20, 60] }
speed = 2
follow = "flow"
"#;
    check(agents, [0u64, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1].map(|due| 2 * 16 + due * 4 * CELLS));
}

/// The worths of goals are read from layers on the device; another group walks in formation.
#[test]
fn goals_chosen_by_worth_and_formations_match_the_cpu() {
    let agents = r#"
[[goals]]
name = "east"
at = [140, 60]
radius = 3
worth = 60
value = "good"
weight = 30

[[goals]]
name = "south"
at = [60, 5]
radius = 3
value = "bad"
weight = 20

[[agents]]
name = "planners"
count = 12
start = { from = [10, 10], to = [20, 60] }
speed = 2
follow = "flow"
planner = "actions"

[[agents]]
name = "squad"
count = 12
start = { from = [10, 10], to = [20, 60] }
speed = 2
follow = "flow"
goals = ["east"]
formation = { shape = "line", spacing = 1.5, subgroups = 2 }
"#;
    let scenario = scenario(agents);
    for on in devices() {
        assert!(same_states(&scenario, &on).iter().all(|&bytes| bytes > 2 * 16), "{}", on.label());
    }
    let simulation = Simulation::new(&scenario, &CPU).unwrap();
    assert!(simulation.formations()[1].is_some());
    assert_eq!(simulation.summary().unwrap().groups.iter().map(|group| group.walking).collect::<Vec<_>>(), [12, 12]);
}

#[test]
fn requested_fields_match_the_cpu() {
    let scenario = scenario("");
    for on in devices() {
        let mut expected = Simulation::new(&scenario, &CPU).unwrap();
        let mut found = Simulation::new(&scenario, &on).unwrap();
        for _ in 0..3 {
            let bits = |field: &Field| field.values().iter().map(|value| value.to_bits()).collect::<Vec<u32>>();
            let (on_device, on_cpu) = (bits(found.field().unwrap()), bits(expected.field().unwrap()));
            assert!(on_device == on_cpu, "{}", on.label());
            // Reading the field a second time copies nothing.
            let before = copied(&on);
            found.field().unwrap();
            assert_eq!(copied(&on), before);
            found.step().unwrap();
            expected.step().unwrap();
        }
        assert!(expected.field().unwrap().values().iter().any(|&value| value < 0.0));
    }
}

#[test]
fn paths_of_large_maps_are_computed_on_the_device_and_match_the_cpu() {
    let text = "model = \"fields\"\ngrid = { size = [400, 340], cell = 1 }\nrun = { steps = 3, time_step = 1 }\n\
                profiles.p = { form = \"linear\", radius = 60 }\n\
                entities = [{ at = [180, 160], profile = \"p\", charge = -2, path = [[260, 200]], speed = 9 }]\n\
                walls = [{ shape = \"line\", points = [[100, 20], [300, 300]], \
                present = [[0, 1], [2, inf]] }]\n\
                goals = [{ name = \"a\", at = [390, 30], radius = 3 }, { name = \"b\", at = [20, 320], radius = 3 }]\n\
                flow = { weight = 4 }\n\
                [[agents]]\nname = \"x\"\ncount = 40\nstart = { from = [120, 100], to = [250, 250] }\nspeed = 4\n\
                follow = \"flow\"\ngoals = [\"a\"]\n\
                [[agents]]\nname = \"y\"\ncount = 40\nstart = { from = [120, 100], to = [250, 250] }\nspeed = 4\n\
                follow = \"flow\"\ngoals = [\"b\"]\nradius = 0.8\n";
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("scenario.toml");
    std::fs::write(&file, text).unwrap();
    let scenario = Scenario::read(&file, &[]).unwrap();
    let hashes = |on: &Executor| {
        // With a single CPU thread, two sets of travel times are computed on a device.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::new(&scenario, on).unwrap();
            let mut step = || {
                simulation.step().unwrap();
                simulation.hash()
            };
            [(); 3].map(|()| step())
        })
    };
    let expected = hashes(&CPU);
    for on in devices() {
        let before = copied(&on);
        assert_eq!(hashes(&on), expected, "{}", on.label());
        // The travel times of both groups, with and without the wall, at the start and in each step.
        assert!(copied(&on) - before > 4 * 2 * 4 * 400 * 340, "{}", on.label());
    }
}
