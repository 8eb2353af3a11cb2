//! Scenarios with Manhattan and Chebyshev distances: fields, travel times, directions, queries and agents of whole
//! runs.

use std::fs;

use tempfile::TempDir;
use throng_device::CPU;
use throng_fields_model::{Scenario, Simulation};

use super::arrays::{run_in, stack, with};
use super::saved;

/// 30 x 20 cells with a wall, a door in it that opens at time 10, and an area and a cell as goals.
const MAP: &str = r#"
model = "fields"
grid = { size = [30, 20], cell = 1 }
run = { steps = 120, time_step = 0.5 }
profiles.near = { form = "linear", radius = 8 }

[[walls]]
shape = "box"
at = [12.5, 7]
size = [0.9, 13.9]

[[walls]]
shape = "box"
at = [12.5, 17]
size = [0.9, 5.9]
present = [[0, 10]]

[[walls]]
shape = "box"
at = [20.5, 10.5]
size = [0.9, 0.9]

[[goals]]
from = [25, 2]
to = [27, 4]

[[goals]]
at = [28.5, 18.5]
radius = 0.1

[[agents]]
name = "walkers"
count = 12
start = { from = [1, 1], to = [9, 18] }
speed = 1.2
follow = "flow"

[output]
frame_every = 0
first_and_last = false
npy = false
agents_every = 0

[[output.arrays]]
quantity = "travel_times"

[[output.arrays]]
quantity = "flow"

[[output.queries]]
quantity = "travel_times"
name = "gate"
points = [[18.5, 3.5]]
"#;

/// Distances from the goals by breadth-first search, in steps; the walls are those at the end of the run.
fn steps_to_goals(diagonal: bool) -> Vec<Option<u32>> {
    let is_open =
        |x: i32, y: i32| (0..30).contains(&x) && (0..20).contains(&y) && !(x == 12 && y < 14) && (x, y) != (20, 10);
    let mut steps = vec![None; 600];
    let mut cells: Vec<(i32, i32)> = (2..4).flat_map(|y| (25..27).map(move |x| (x, y))).chain([(28, 18)]).collect();
    for count in 0.. {
        let mut next = Vec::new();
        for (x, y) in cells {
            let found = &mut steps[(30 * y + x) as usize];
            if found.is_some() {
                continue;
            }
            *found = Some(count);
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let is_free =
                    if dx != 0 && dy != 0 { diagonal && is_open(x + dx, y) && is_open(x, y + dy) } else { true };
                if is_free && is_open(x + dx, y + dy) {
                    next.push((x + dx, y + dy));
                }
            }
        }
        if next.is_empty() {
            return steps;
        }
        cells = next;
    }
    steps
}

#[test]
fn times_directions_and_queries_follow_the_metric() {
    let dir = TempDir::new().unwrap();
    for (metric, diagonal) in [("manhattan", false), ("chebyshev", true)] {
        run_in(&dir, &with(MAP, &format!("[flow]\nmetric = \"{metric}\"\nbase = 0.5")), 2, None).unwrap();
        let out = dir.path().join("out");
        let (_, times) = stack(&out.join("travel_times.npy"));
        let expected = steps_to_goals(diagonal);
        let expected = expected.iter().map(|steps| steps.map_or(f32::INFINITY, |steps| 0.5 * steps as f32));
        assert_eq!(times, expected.collect::<Vec<f32>>(), "{metric}");
        let (_, flow) = stack(&out.join("flow.npy"));
        let turns = flow.iter().filter(|angle| !angle.is_nan()).map(|angle| angle.to_degrees() / 45.0);
        let turns: Vec<f32> = turns.collect();
        assert!(turns.iter().all(|turn| (turn - turn.round()).abs() < 1e-5), "{metric}");
        let diagonals = turns.iter().filter(|turn| turn.round() as i32 % 2 != 0).count();
        assert!(turns.len() > 550 && (diagonals > 30) == diagonal && (diagonals == 0) != diagonal, "{diagonals}");
        let table = fs::read_to_string(out.join("queries.csv")).unwrap();
        // Seven columns from the area of the first goal, at the same height.
        let row: Vec<&str> = table.lines().find(|line| line.contains("gate")).unwrap().split(';').collect();
        assert_eq!((row[2], row[9]), ("gate", "3.5"), "{metric}: {table}");
    }
}

#[test]
fn agents_arrive_through_doors_in_every_metric() {
    for (metric, is_straight) in [("euclidean", false), ("manhattan", true), ("chebyshev", true)] {
        let dir = TempDir::new().unwrap();
        let path = saved(&dir, &with(MAP, &format!("[flow]\nmetric = \"{metric}\"")));
        let scenario = Scenario::read(&path, &[]).unwrap();
        let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
        let mut off_lines = 0;
        for step in 0..120 {
            simulation.step().unwrap();
            if step == 18 {
                assert_eq!(simulation.summary().unwrap().groups[0].arrived, 0, "the door is still closed");
            }
            for [x, y] in simulation.crowds()[0].positions().filter(|_| step > 24) {
                let [x, y] = [x.fract() - 0.5, y.fract() - 0.5].map(f32::abs);
                off_lines += usize::from(x > 1e-4 && y > 1e-4 && (metric != "chebyshev" || (x - y).abs() > 1e-4));
            }
        }
        assert_eq!(off_lines == 0, is_straight, "{metric}: {off_lines}");
        assert_eq!(simulation.summary().unwrap().groups[0].arrived, 12, "{metric}");
    }
}

#[test]
fn fields_of_entities_and_agents_have_their_metric() {
    const FIELDS: &str = r#"
        model = "fields"
        grid = { size = [40, 30], cell = 1 }
        run = { steps = 1, time_step = 1 }
        profiles.near = { form = "linear", radius = 8 }
        goals = [{ at = [38.5, 28.5], radius = 0.1 }]
        [[entities]]
        at = [10.5, 10.5]
        profile = "near"
        metric = "manhattan"
        charge = 8
        [[entities]]
        at = [30.5, 10.5]
        profile = "near"
        shape = "ring"
        radius = 5
        metric = "chebyshev"
        charge = 8
        [[agents]]
        name = "carriers"
        count = 1
        start = { from = [10, 25], to = [11, 26] }
        speed = 1
        follow = "flow"
        profile = "near"
        metric = "chebyshev"
        charge = 8
    "#;
    let dir = TempDir::new().unwrap();
    let scenario = Scenario::read(&saved(&dir, FIELDS), &[]).unwrap();
    let simulation = Simulation::new(&scenario, &CPU).unwrap();
    let field = simulation.field().unwrap().clone();
    let at = |column, row| field.at(column, row).unwrap();
    // 8 minus the distance, in steps of a unit of distance.
    for (column, row, expected) in [(13, 12, 3.0), (17, 10, 1.0), (15, 13, 0.0), (35, 12, 8.0), (37, 17, 6.0)] {
        assert!((at(column, row) - expected).abs() < 1e-2, "{column} {row}: {}", at(column, row));
    }
    // The agent is somewhere in the cell (10, 25).
    assert!((at(16, 29) - 2.0).abs() < 0.6, "{}", at(16, 29));
}

#[test]
fn a_metric_without_use_is_refused() {
    let dir = TempDir::new().unwrap();
    let error = |text: &str| Scenario::read(&saved(&dir, text), &[]).unwrap_err().to_string();
    let found = error(&with(MAP, "[flow]\nmetric = \"manhattan\"\norder = \"second\""));
    assert!(found.contains("flow, order: \"second\"\n    omit it: metric = \"manhattan\" has no order"), "{found}");
    let found = error(&with(MAP, "[flows.fast]\nmetric = \"taxi\""));
    assert!(found.contains("\"taxi\"\n    known: euclidean, manhattan, chebyshev"), "{found}");
    let entity = "[[entities]]\nat = [5, 5]\nprofile = \"near\"\nmetric = \"chebyshev\"\nshape = ";
    let found = error(&with(MAP, &format!("{entity}\"cone\"\nopening = 40")));
    let remedy = "shape = \"cone\" has Euclidean distances: only disc and ring have other metrics";
    assert!(found.contains(&format!("entities 1, metric: \"chebyshev\"\n    {remedy}")), "{found}");
    let found = error(&with(MAP, "[[entities]]\nat = [5, 5]\nteam = \"us\"\nmetric = \"chebyshev\""));
    assert!(found.contains("metric is given\n    an entity without a profile has no metric"), "{found}");
    let found = error(&MAP.replace("speed = 1.2", "speed = 1.2\nmetric = \"manhattan\""));
    assert!(found.contains("metric is given\n    a group without a profile has no metric"), "{found}");
    // The default is no problem anywhere.
    let plain = format!("{entity}\"box\"\nsize = [2, 1]").replace("chebyshev", "euclidean");
    Scenario::read(&saved(&dir, &with(MAP, &format!("[flow]\norder = \"first\"\n{plain}"))), &[]).unwrap();
}
