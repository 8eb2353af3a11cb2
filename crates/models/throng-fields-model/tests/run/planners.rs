//! Agents that choose among their goals by worth and travel time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tempfile::TempDir;
use throng_core::{NoProgress, Philox};
use throng_device::{CPU, DeviceChoice};
use throng_fields_model::{FieldsRun, Scenario, Simulation, run};
use throng_model::RunRequest;

use super::groups::{TEAMS, counts, scenario};
use super::{changed, saved};

/// The goals that the agents of a group have chosen.
fn choices(scenario: &Scenario, simulation: &Simulation<'_>, group: usize) -> Vec<Option<usize>> {
    let crowd = &simulation.crowds()[group];
    let courses = (0..).map_while(|agent| crowd.course(agent));
    courses.map(|course| scenario.groups[group].courses[usize::from(course)].action).collect()
}

/// The costs of the cells of a map, row by row; infinite in walls.
struct Costs<'c> {
    columns: i32,
    cells: &'c [f64],
    diagonal: bool,
}

impl Costs<'_> {
    /// The time from a cell to the nearest cell of a goal by A*. A step costs as much as the cell that it leaves,
    /// along a diagonal more by the square root of 2, and does not cut corners of walls. Infinite without a path.
    fn a_star(&self, from: usize, goal: &[usize]) -> f64 {
        let Self { columns, cells: costs, diagonal } = *self;
        let place = |cell: usize| (cell as i32 % columns, cell as i32 / columns);
        let find = |x: i32, y: i32| {
            let inside = (0..columns).contains(&x) && (0..costs.len() as i32 / columns).contains(&y);
            inside.then(|| (y * columns + x) as usize).filter(|&cell| costs[cell].is_finite())
        };
        let lowest = costs.iter().copied().fold(f64::INFINITY, f64::min);
        // The straight distance is never too long.
        let estimate = |cell: usize| {
            let (x, y) = place(cell);
            let distance = |&goal: &usize| {
                let (to_x, to_y) = place(goal);
                f64::from((to_x - x).pow(2) + (to_y - y).pow(2)).sqrt()
            };
            lowest * goal.iter().map(distance).fold(f64::INFINITY, f64::min)
        };
        let mut best = vec![f64::INFINITY; costs.len()];
        let mut queue = BinaryHeap::new();
        // Positive numbers are ordered as their bits.
        best[from] = 0.0;
        queue.push(Reverse((estimate(from).to_bits(), from)));
        while let Some(Reverse((_, cell))) = queue.pop() {
            if goal.contains(&cell) {
                return best[cell];
            }
            let (x, y) = place(cell);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let is_diagonal = dx != 0 && dy != 0;
                let Some(to) = find(x + dx, y + dy).filter(|_| diagonal || !is_diagonal) else { continue };
                if is_diagonal && (find(x + dx, y).is_none() || find(x, y + dy).is_none()) {
                    continue;
                }
                let time = best[cell] + costs[cell] * if is_diagonal { 2f64.sqrt() } else { 1.0 };
                if time < best[to] {
                    best[to] = time;
                    queue.push(Reverse(((time + estimate(to)).to_bits(), to)));
                }
            }
        }
        f64::INFINITY
    }
}

/// A scenario on a map of `#` and `.`, the upper row first, with goals of one cell and this many agents anywhere.
fn on_map(map: &[String], goals: &[(u32, u32, f64)], agents: u32, more: &str) -> Scenario {
    let (columns, rows) = (map[0].len(), map.len());
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("map.txt"), map.join("\n")).unwrap();
    let goals: Vec<String> = goals
        .iter()
        .map(|(column, row, worth)| format!("{{ at = [{column}.5, {row}.5], radius = 0.1, worth = {worth:?} }}"))
        .collect();
    let text = format!(
        "model = \"fields\"\nlayers = [\"danger\"]\n\
         grid = {{ size = [{columns}, {rows}], cell = 1, map = \"map.txt\" }}\n\
         run = {{ steps = 100, time_step = 0.5 }}\ngoals = [{}]\n\
         profiles.p = {{ form = \"linear\", radius = 9 }}\n\
         agents = [{{ name = \"a\", count = {agents}, start = {{ from = [0, 0], to = [{columns}, {rows}] }}, speed = 1, \
         follow = \"flow\", planner = \"actions\" }}]\n{more}\n[output]\nframe_every = 0\n",
        goals.join(", ")
    );
    Scenario::read(&saved(&dir, &text), &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Compares the choices of all agents at the start with those by A*, whose times are too long by at most `error`.
/// Returns the number of agents whose choice is certain in spite of this error, and of those that have none.
fn compare(scenario: &Scenario, (diagonal, error): (bool, f64)) -> (usize, usize) {
    let simulation = Simulation::new(scenario, &CPU).unwrap();
    let (grid, open) = (scenario.grid(), scenario.ground_after(0).open());
    let field = simulation.field().unwrap();
    let danger = scenario.flows[0].danger;
    let cost = |cell: usize| {
        let (column, row) = grid.place(cell);
        let cost = danger.base + danger.weight * (-field.values()[cell]).max(0.0);
        if open.allows(column, row) { f64::from(cost) } else { f64::INFINITY }
    };
    let costs: Vec<f64> = (0..grid.cells()).map(cost).collect();
    let costs = Costs { columns: grid.columns() as i32, cells: &costs, diagonal };
    let goals: Vec<Vec<usize>> = scenario
        .goals
        .iter()
        .map(|goal| goal.area.cells().map(|(column, row)| grid.index(column, row)).collect())
        .collect();
    let (mut certain, mut without) = (0, 0);
    for (choice, (column, row)) in choices(scenario, &simulation, 0).into_iter().zip(simulation.crowds()[0].cells()) {
        let of_goal = |(goal, cells): (&_, &Vec<usize>)| {
            let (goal, time): (&throng_fields_scenario::goals::Goal, f64) =
                (goal, costs.a_star(grid.index(column, row), cells));
            (goal.worth.constant - time, time)
        };
        let utilities: Vec<(f64, f64)> = scenario.goals.iter().zip(&goals).map(of_goal).collect();
        let Some(choice) = choice else {
            assert!(utilities.iter().all(|(utility, _)| *utility == f64::NEG_INFINITY), "{utilities:?}");
            without += 1;
            continue;
        };
        let (chosen, time) = utilities[choice];
        assert!(time.is_finite(), "a path leads to goal {choice}");
        let others = utilities.iter().enumerate().filter(|(goal, _)| *goal != choice);
        for (goal, (utility, of_other)) in others {
            assert!(*utility <= chosen + error * time, "{goal} instead of {choice}: {utilities:?}");
            // Whether A* alone decides against the other goal, however long its own paths really are.
            certain += usize::from(*utility + error * of_other < chosen || utility.is_infinite());
        }
    }
    (certain, without)
}

#[test]
fn choices_in_a_maze_are_those_by_a_star() {
    // In the corridors of a maze without loops, there is one path, and first-order times are sums over its cells.
    let draws = Philox::new(4711);
    for case in 0..4u32 {
        let side = 31usize;
        let mut map = vec![vec!['#'; side]; side];
        let (mut stack, mut turn) = (vec![(1usize, 1usize)], 0);
        map[1][1] = '.';
        while let Some(&(x, y)) = stack.last() {
            let beyond = [(2i32, 0i32), (-2, 0), (0, 2), (0, -2)].map(|(dx, dy)| (x as i32 + dx, y as i32 + dy));
            let is_new = |&(x, y): &(i32, i32)| {
                (0..side as i32).contains(&x) && (0..side as i32).contains(&y) && map[y as usize][x as usize] == '#'
            };
            let beyond: Vec<(i32, i32)> = beyond.into_iter().filter(is_new).collect();
            if beyond.is_empty() {
                stack.pop();
                continue;
            }
            turn += 1;
            let (to_x, to_y) = beyond[draws.below(beyond.len() as u32, case, turn, 0, 0) as usize];
            let (to_x, to_y) = (to_x as usize, to_y as usize);
            map[to_y][to_x] = '.';
            map[usize::midpoint(y, to_y)][usize::midpoint(x, to_x)] = '.';
            stack.push((to_x, to_y));
        }
        let map: Vec<String> = map.into_iter().map(|row| row.into_iter().collect()).collect();
        let goals: Vec<(u32, u32, f64)> = (0..5u32)
            .map(|goal| {
                let at = |axis| 1 + 2 * draws.below(15, case, goal, 1, axis);
                (at(0), at(1), 250.0 * draws.unit(case, goal, 2, 0))
            })
            .collect();
        let danger = "entities = [{ at = [10, 10], profile = \"p\", charge = -3 }]\nflow = { order = \"first\", \
                      danger = \"danger\" }";
        // Costs are rounded to ticks: by less than a thousandth.
        let (certain, without) = compare(&on_map(&map, &goals, 300, danger), (false, 1e-3));
        assert!(certain > 1100 && without == 0, "{case}: {certain} of 1200 comparisons, {without}");
    }
}

#[test]
fn choices_on_open_ground_with_traps_are_those_by_a_star_up_to_its_detours() {
    let map = [
        "........................................",
        "........................................",
        "......##################................",
        ".......................#................",
        ".......................#........#####...",
        ".......................#........#...#...",
        ".......................#........#...#...",
        ".......................#........#####...",
        "......##################................",
        "........................................",
        "........................................",
        "...........#............................",
        "...........#............................",
        "...........#............................",
        "...........#............................",
    ]
    .map(str::to_owned);
    // The third goal is beyond the trap, and the fourth one shut in.
    for (case, worths) in [[0.0; 4], [0.0, 10.0, 20.0, 900.0], [-3.0, 17.0, 14.0, 1e9]].into_iter().enumerate() {
        let goals = [(2, 12, worths[0]), (20, 8, worths[1]), (30, 9, worths[2]), (34, 8, worths[3])];
        // Paths from cell to cell are up to 8.3 % longer than paths at any angle.
        let (certain, without) = compare(&on_map(&map, &goals, 400, ""), (true, 0.083));
        // Those that start in the box choose its goal: no path leads to another one.
        assert!(certain > 900 && without == 0, "{case}: {certain} of 1200 comparisons, {without}");
    }
    let only_shut_in = on_map(&map, &[(34, 8, 9.0)], 400, "");
    let (_, without) = compare(&only_shut_in, (true, 0.083));
    assert!((380..400).contains(&without), "all outside the box stand still: {without}");
}

/// A corridor of 41 cells, with a goal at each end and agents in the middle.
const CORRIDOR: &str = r#"
model = "fields"
layers = ["interest"]
grid = { size = [41, 1], cell = 1 }
run = { steps = 200, time_step = 1 }

[[goals]]
name = "west"
from = [0, 0]
to = [1, 1]

[[goals]]
name = "east"
from = [40, 0]
to = [41, 1]

[[agents]]
name = "a"
count = 3
start = { from = [20, 0], to = [21, 1] }
speed = 1
follow = "flow"
planner = "actions"

[output]
frame_every = 0
"#;

/// The goals of the agents after some steps, with the numbers of walking, arrived and stuck agents.
fn course_of(replaced: &[(&str, &str)], steps: &[u32]) -> Vec<(Vec<Option<usize>>, [usize; 3])> {
    let scenario = scenario(CORRIDOR, replaced);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    let mut at = 0;
    let mut after = |&step: &u32| {
        while at < step {
            simulation.step().unwrap();
            at += 1;
        }
        let now = counts(&simulation)[0];
        (choices(&scenario, &simulation, 0), [now.walking, now.arrived, now.stuck])
    };
    steps.iter().map(&mut after).collect()
}

#[test]
fn ties_go_to_the_first_goal_and_worth_decides() {
    // The middle cell is at a distance of 20 from both ends.
    let [(goals, end)] = &course_of(&[], &[30])[..] else { panic!() };
    assert_eq!((goals.as_slice(), *end), (&[Some(0); 3][..], [0, 3, 0]));
    let worth = ("to = [41, 1]", "to = [41, 1]\nworth = 0.5");
    assert_eq!(course_of(&[worth], &[30])[0], (vec![Some(1); 3], [0, 3, 0]));
    // A utility of 0.5 - 20 is not above the limit; the other one is lower.
    let limit = |least: &str| ("planner = \"actions\"", format!("planner = \"actions\"\nleast_utility = {least}"));
    let (key, limited) = limit("-19.5");
    assert_eq!(course_of(&[worth, (key, &limited)], &[5, 30])[1], (vec![None; 3], [0, 0, 3]));
    let (key, limited) = limit("-19.6");
    assert_eq!(course_of(&[worth, (key, &limited)], &[30])[0], (vec![Some(1); 3], [0, 3, 0]));
}

#[test]
fn agents_turn_when_a_door_opens_and_when_a_goal_is_shut_in() {
    let door = |present: &str| {
        format!(
            "[[walls]]\nshape = \"box\"\nat = [30.5, 0.5]\nsize = [0.8, 0.8]\npresent = {present}\n\n[[goals]]\nname = \"west\""
        )
    };
    let worth = ("to = [41, 1]", "to = [41, 1]\nworth = 100");
    let opens = door("[[0, 10]]");
    let with = [("[[goals]]\nname = \"west\"", opens.as_str()), worth];
    // Closed until time 10; then 30 cells back.
    let steps = course_of(&with, &[10, 11, 60]);
    let goals: Vec<_> = steps.iter().map(|(goals, _)| goals[0]).collect();
    assert_eq!(goals, [Some(0), Some(1), Some(1)]);
    assert_eq!(steps[2].1, [0, 3, 0]);
    // It opens when all have arrived in the west: agents at their goal stay there.
    let late = door("[[0, 40]]");
    assert_eq!(course_of(&[("[[goals]]\nname = \"west\"", &late), worth], &[60])[0], (vec![Some(0); 3], [0, 3, 0]));
    // It closes before they are through, and opens again; agents that get stuck are on their way again.
    let closes = door("[[5, 50]]");
    let rest = ("goals]]\nname = \"east\"", "goals]]\nname = \"east\"\nworth = 1000");
    let west = ("planner = \"actions\"", "planner = \"actions\"\ngoals = [\"east\"]");
    let steps = course_of(&[("[[goals]]\nname = \"west\"", &closes), rest, west], &[4, 6, 20, 51, 90]);
    let goals: Vec<_> = steps.iter().map(|(goals, _)| goals[0]).collect();
    assert_eq!(goals, [Some(1), None, None, Some(1), Some(1)]);
    assert_eq!((steps[2].1, steps[3].1, steps[4].1), ([0, 0, 3], [3, 0, 0], [0, 3, 0]));
}

#[test]
fn worths_follow_a_field_and_gains_keep_agents_from_turning() {
    // An entity moves from the western goal to the eastern one: from time 10 to 30.
    let interest = "[profiles.p]\nform = \"linear\"\nradius = 5\n[[entities]]\nat = [0.5, 0.5]\nprofile = \"p\"\n\
                    charge = 30\npath = [[0.6, 0.5], [40.5, 0.5]]\nspeed = 2\nthen = \"stop\"\n[flow]\nweight = 0\n\
                    [[goals]]\nname = \"west\"\nvalue = \"interest\"\n";
    let west = ("[[goals]]\nname = \"west\"\n", interest);
    let east = ("name = \"east\"\n", "name = \"east\"\nvalue = \"interest\"\nweight = 2\n");
    // Each goal is one cell, so its worth is the value in it: 30 at first in the west, at the end 60 in the east.
    let goals = |with: &[(&str, &str)]| -> Vec<Option<usize>> {
        course_of(&[&[west, east], with].concat(), &[0, 5, 17, 19, 21]).into_iter().map(|(goals, _)| goals[0]).collect()
    };
    let turned = goals(&[]);
    assert_eq!((turned[0], turned[1], turned[4]), (Some(0), Some(0), Some(1)), "{turned:?}");
    // Those that turn at about time 18 have walked 18 units, so the east is farther by 36.
    let kept = ("planner = \"actions\"", "planner = \"actions\"\nswitch_gain = 30");
    assert_eq!(goals(&[kept])[4], Some(0));
    let little = ("planner = \"actions\"", "planner = \"actions\"\nswitch_gain = 15");
    assert_eq!(goals(&[little])[4], Some(1));
    // With costs that are computed every 50 steps, agents reconsider as rarely.
    let rarely = ("weight = 0", "weight = 0\nevery = 50");
    assert_eq!(goals(&[rarely])[4], Some(0));
    assert_eq!(course_of(&[west, east, rarely, ("speed = 1\n", "speed = 0.2\n")], &[49, 50])[1].0, [Some(1); 3]);
}

#[test]
fn rules_change_the_planner_and_goals_and_keep_actions() {
    let rules = "planner = \"actions\"\ngoals = [\"east\"]\nrules = [\n\
                 { after = 4, before = 8, planner = \"nearest\", goals = [\"all\"] },\n\
                 { after = 8, before = 12, goals = [\"all\"], pace = 2 },\n\
                 { after = 12, goals = [\"all\"], planner = \"actions\" },\n]";
    // 20 units to the east at first; 24 at time 8, from where the east is worth the way.
    let worth = ("to = [41, 1]", "to = [41, 1]\nworth = 10");
    let steps = course_of(&[("planner = \"actions\"", rules), worth], &[4, 6, 9, 13, 40]);
    let goals: Vec<_> = steps.iter().map(|(goals, _)| goals[0]).collect();
    // 4 units to the east, 4 back to the nearest of both: from the middle the east is nearer by then.
    assert_eq!(goals, [Some(1), None, Some(1), Some(1), Some(1)]);
    assert_eq!(steps[4].1, [0, 3, 0]);
    assert_eq!(steps[1].1, [3, 0, 0], "the nearest goal is no action");
}

#[test]
fn agents_go_on_to_the_next_goal_when_their_team_has_captured_one() {
    let replaced = [
        ("owner = \"red\"", "worth = 1\ncapture_time = 1"),
        ("owner = \"blue\"", "worth = 60\ncapture_time = 1"),
        // None of them starts in the west.
        ("start = { from = [1, 2]", "planner = \"actions\"\nstart = { from = [4, 2]"),
        ("name = \"blues\"\n", "name = \"blues\"\nrules = [{ after = 0, leave = true }]\n"),
    ];
    let text = changed(TEAMS, &replaced);
    let scenario = scenario(&text, &[]);
    assert_eq!(scenario.groups[0].planned_goals().into_iter().collect::<Vec<_>>(), [0, 1]);
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    assert!(choices(&scenario, &simulation, 0).iter().all(|choice| *choice == Some(1)), "the east is worth more");
    assert_eq!(simulation.summary().unwrap().pursuing, [vec![0, 40], vec![]]);
    let (mut turned, mut went_back) = (0, false);
    for _ in 0..100 {
        simulation.step().unwrap();
        let owners = simulation.summary().unwrap().owners;
        let choices = choices(&scenario, &simulation, 0);
        // Owners change at the end of a step, and agents turn in the next one.
        if turned > 0 {
            assert!(choices.iter().all(|choice| *choice != Some(1)), "{choices:?}");
        }
        turned += u32::from(owners[1] == Some(0));
        went_back |= simulation.summary().unwrap().pursuing[0] == [40, 0];
    }
    assert!(turned > 10 && went_back, "{turned}");
    // The team owns both goals in the end: there is no action left, and no agent is stuck.
    let now = simulation.summary().unwrap();
    assert_eq!((now.pursuing[0].as_slice(), now.owners), (&[0, 0][..], vec![Some(0), Some(0)]));
    assert_eq!((now.groups[0].walking, now.groups[0].stuck), (40, 0));
}

#[test]
fn plans_do_not_depend_on_threads_and_are_counted_in_the_measures() {
    let text = changed(
        TEAMS,
        &[
            ("name = \"west\"\n", "name = \"west\"\nworth = 25\nvalue = \"blue presence\"\nweight = 0.3\n"),
            ("owner = \"red\"", "capture_time = 2"),
            ("owner = \"blue\"", "capture_time = 2"),
            ("name = \"reds\"\n", "name = \"reds\"\nplanner = \"actions\"\nswitch_gain = 0.5\n"),
            ("name = \"blues\"\n", "name = \"blues\"\nplanner = \"actions\"\nleast_utility = -30\n"),
        ],
    );
    let dir = TempDir::new().unwrap();
    let run_on = |threads: usize, folder: &str| {
        let scenario = Scenario::read(&saved(&dir, &text), &[]).unwrap();
        let folder = Some(dir.path().join(folder));
        let request = RunRequest { device: DeviceChoice::Cpu, ..RunRequest::default() };
        run(FieldsRun { threads, folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap().results
    };
    let one = run_on(1, "1");
    for threads in [2, 3] {
        let more = run_on(threads, &threads.to_string());
        assert!(one.history == more.history, "{threads} threads");
    }
    let table = std::fs::read_to_string(dir.path().join("1/measures.csv")).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split(';').collect();
    let columns: Vec<usize> = ["reds: to west", "reds: to east", "blues: to west", "blues: to east"]
        .iter()
        .map(|name| header.iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}: {header:?}")))
        .collect();
    for (line, now) in table.lines().skip(1).zip(&one.history) {
        let cells: Vec<usize> =
            columns.iter().map(|&column| line.split(';').nth(column).unwrap().parse().unwrap()).collect();
        assert_eq!(cells, now.pursuing.concat(), "{line}");
        assert!(cells[0] + cells[1] <= 40 && cells[2] + cells[3] <= 30, "{line}");
    }
    let pursued: Vec<usize> =
        (0..2).map(|goal| one.history.iter().map(|now| now.pursuing[0][goal]).max().unwrap()).collect();
    assert!(pursued.iter().all(|most| *most > 0), "{pursued:?}");
    assert!(std::fs::read_to_string(dir.path().join("1/report.html")).unwrap().contains("Chosen goal"));
}

#[test]
fn rules_along_flow_fields_have_the_planner_of_their_group() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"
model = "fields"
grid = { size = [20, 10], cell = 1 }
run = { steps = 40, time_step = 0.5 }
goals = [{ at = [5.5, 5.5], radius = 0.5 }, { at = [15.5, 5.5], radius = 0.5, worth = 100 }]
profiles.p = { form = "linear", radius = 3 }
entities = [{ at = [1, 1], profile = "p" }]

[[agents]]
name = "a"
count = 3
start = { from = [2, 2], to = [4, 8] }
speed = 1
follow = "field"
planner = "actions"
rules = [{ after = 1, follow = "flow" }]
"#;
    let scenario = Scenario::read(&saved(&dir, text), &[]).unwrap();
    let mut simulation = Simulation::new(&scenario, &CPU).unwrap();
    for _ in 0..10 {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.summary().unwrap().pursuing[0], [0, 3]);
}
