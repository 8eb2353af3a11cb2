//! Bodies and walls: agents do not pass gaps that are too narrow for them.

use std::path::Path;

use tempfile::TempDir;
use throng_core::NoProgress;
use throng_device::CPU;
use throng_device::DeviceChoice;
use throng_fields_model::{Change, FieldsRun, Scenario, Simulation, run};
use throng_model::RunRequest;
use throng_testing::outside_cases;

use super::saved;

/// Observations during a simulation.
struct Observed {
    /// The largest overlap of a body with a wall, in cells.
    overlap: f64,
    /// The positions of the first agent after each step.
    path: Vec<[f32; 2]>,
    arrived: usize,
    agents: usize,
}

/// Simulates a scenario with bodies of a given radius; `open` has the cells of its map, starting with the lowest row.
/// The overlap is computed from its definition: the distance of the centre to the square of each wall.
fn observed(scenario: &Scenario, open: &[bool], radius: f64) -> Observed {
    let grid = *scenario.grid();
    let (columns, side) = (grid.columns() as usize, f64::from(grid.cell()));
    let walls: Vec<[f64; 2]> = (0..open.len())
        .filter(|&cell| !open[cell])
        .map(|cell| [(cell % columns) as f64 * side, (cell / columns) as f64 * side])
        .collect();
    let mut simulation = Simulation::new(scenario, &CPU).unwrap();
    let mut seen = Observed { overlap: 0.0, path: Vec::new(), arrived: 0, agents: 0 };
    for step in 0..=scenario.steps() {
        if step > 0 {
            simulation.step().unwrap();
        }
        for crowd in simulation.crowds() {
            for (at, _) in crowd.positions().zip(crowd.presences()).filter(|(_, is_present)| *is_present) {
                let at = [0, 1].map(|axis: usize| f64::from(at[axis]) - grid.origin()[axis]);
                for wall in &walls {
                    let [x, y] =
                        [0, 1].map(|axis: usize| (at[axis] - at[axis].clamp(wall[axis], wall[axis] + side)).abs());
                    seen.overlap = seen.overlap.max((radius - libm::hypot(x, y)) / side);
                }
            }
        }
        seen.path.extend(simulation.crowds()[0].positions().next());
    }
    let groups = simulation.summary().unwrap().groups;
    seen.arrived = groups.iter().map(|group| group.arrived).sum();
    seen.agents = groups.iter().map(|group| group.agents).sum();
    seen
}

/// A room of 24 x 12 divided by a wall; agents walk through the gap in it from left to right.
fn divided(wall: &str, agents: &str) -> String {
    format!(
        "model = \"fields\"\ngrid = {{ size = [24, 12], cell = 0.5 }}\nrun = {{ steps = 160, time_step = 0.5 }}\n\
         {wall}\ngoals = [{{ from = [21, 4], to = [23, 8] }}]\n\
         [[agents]]\nname = \"a\"\ncount = 6\nstart = {{ from = [2, 2], to = [6, 10] }}\nspeed = 1\n{agents}\n\
         [output]\nframe_every = 0\n"
    )
}

/// The warnings of a one-step run, and the open cells that it writes.
fn warnings_and_open_cells(file: &Path) -> (Vec<(String, u64, String)>, Vec<bool>) {
    let dir = TempDir::new().unwrap();
    let changes = ["output.frame_every=0", "output.arrays=[{ quantity = \"open\" }]"].map(Change::typed);
    let scenario = Scenario::read(file, &changes).unwrap();
    let cells = scenario.grid().cells();
    let folder = Some(dir.path().join("out"));
    let request = RunRequest { device: DeviceChoice::Cpu, steps: Some(1), ..RunRequest::default() };
    let done = run(FieldsRun { folder, ..FieldsRun::new(scenario) }, &request, &NoProgress).unwrap();
    let warnings = done.warnings.iter();
    let warnings = warnings.map(|(kind, warning)| (kind.to_owned(), warning.count, warning.example.clone()));
    // A byte for each cell, after the header.
    let bytes = std::fs::read(done.folder.join("open.npy")).unwrap();
    let open: Vec<bool> = bytes[bytes.len() - cells..].iter().map(|open| *open == 1).collect();
    (warnings.collect(), open)
}

/// Simulates a room, and returns the observations and the warnings of the run.
fn in_room(wall: &str, agents: &str, radius: f64) -> (Observed, Vec<(String, u64, String)>) {
    let dir = TempDir::new().unwrap();
    let file = saved(&dir, &divided(wall, &format!("{agents}\nradius = {radius}")));
    let (warnings, open) = warnings_and_open_cells(&file);
    (observed(&Scenario::read(&file, &[]).unwrap(), &open, radius), warnings)
}

/// A wall of two boxes with a gap of 2 units, from 5 to 7.
const GAP: &str = "walls = [{ shape = \"box\", at = [12, 2.5], size = [1, 5] }, \
                   { shape = \"box\", at = [12, 9.5], size = [1, 5] }]\n";

#[test]
fn agents_pass_only_gaps_of_their_width_and_others_cause_a_warning() {
    for follow in ["flow", "field", "neighbour"] {
        let agents = format!("follow = \"{follow}\"");
        let attraction = "profiles.far = { form = \"linear\", radius = 60 }\n\
                          entities = [{ at = [22, 6], profile = \"far\" }]\n";
        let wall = format!("{attraction}{GAP}");
        for radius in [0.2, 0.25, 0.6, 1.0] {
            let (seen, warnings) = in_room(&wall, &agents, radius);
            assert!(seen.overlap < 1.12, "{follow} {radius}: {}", seen.overlap);
            assert!(warnings.is_empty(), "{follow} {radius}: {warnings:?}");
            // Agents that climb a field stop at walls beside the gap. The widest agents hardly pass each other.
            let expected = if radius < 1.0 { seen.agents } else { 1 };
            assert!(follow != "flow" || seen.arrived >= expected, "{radius}: {} arrived", seen.arrived);
        }
        let (seen, warnings) = in_room(&wall, &agents, 1.05);
        assert!(seen.overlap < 1.12 && seen.arrived == 0, "{follow}: {} {}", seen.overlap, seen.arrived);
        let [(kind, count, example)] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(kind.starts_with("an agent is too wide for every path to a goal: give a smaller radius"), "{kind}");
        assert!(*count == 6 && example.starts_with("one of \"a\", radius 1.05 at ("), "{count} {example}");
    }
}

#[test]
fn map_borders_do_not_act_as_walls() {
    let wall = "walls = [{ shape = \"box\", at = [12, 6.5], size = [1, 11] }]\n";
    let (seen, warnings) = in_room(wall, "follow = \"flow\"", 0.9);
    assert!(warnings.is_empty() && seen.arrived == seen.agents && seen.overlap < 1.12, "{}", seen.overlap);
}

#[test]
fn bodies_start_beside_walls_and_starts_without_space_are_refused() {
    // The start area is the gap itself.
    let start = ["from = [2, 2], to = [6, 10]", "from = [11.6, 5.1], to = [12.4, 6.9]"];
    let text = |radius: f64| {
        let text = divided(GAP, &format!("follow = \"flow\"\nradius = {radius}")).replace(start[0], start[1]);
        text.replace("count = 6", "count = 60").replace("steps = 160", "steps = 1")
    };
    let dir = TempDir::new().unwrap();
    let file = saved(&dir, &text(0.8));
    let (_, open) = warnings_and_open_cells(&file);
    let seen = observed(&Scenario::read(&file, &[]).unwrap(), &open, 0.8);
    assert!(seen.overlap < 1.12 && seen.agents == 60, "{}", seen.overlap);
    let refused = Scenario::read(&saved(&dir, &text(1.05)), &[]).unwrap_err().to_string();
    let expected =
        "agents \"a\", start: no cell in which a body with a radius of 1.05 fits between walls\n    give a smaller";
    assert!(refused.contains(expected), "{refused}");
}

#[test]
fn groups_with_different_radii_have_different_paths() {
    // The direct path is 1 unit wide, the detour 4.
    let walls = "walls = [{ shape = \"box\", at = [12, 2.75], size = [1, 5.5] }, \
                 { shape = \"box\", at = [12, 7.25], size = [1, 1.5] }]\n";
    let crossing = |radius: f64| {
        let (seen, warnings) = in_room(walls, "follow = \"flow\"", radius);
        assert!(warnings.is_empty() && seen.overlap < 1.12 && seen.arrived == seen.agents, "{radius}");
        seen.path.iter().find(|at| at[0] > 12.0).unwrap()[1]
    };
    assert!(crossing(0.4) < 7.0 && crossing(0.7) > 8.0);
}

#[test]
fn bodies_in_external_cases_find_wide_paths() {
    // A slanted alley less than a cell wider than the bodies.
    let Some(alley) = outside_cases("fields_cases", "g/slanted-alley/scenario.toml") else { return };
    let refused = Scenario::read(&alley, &[]).unwrap_err().to_string();
    assert!(refused.contains("start: no cell in which a body with a radius of 0.3 fits between walls"), "{refused}");
    for (name, radius, arrive) in [
        ("clearance", 1.2, true),
        ("channel-corner", 0.25, true),
        ("standing-crowd", 0.3, false),
        ("diagonal-wall", 0.0, false),
    ] {
        let Some(file) = outside_cases("fields_cases", &format!("g/{name}/scenario.toml")) else { return };
        let (warnings, open) = warnings_and_open_cells(&file);
        let seen = observed(&Scenario::read(&file, &[]).unwrap(), &open, radius);
        assert!(seen.overlap < 1.12, "{name}: a body overlaps a wall by {} cells", seen.overlap);
        assert!(!arrive || seen.arrived == seen.agents, "{name}: {} of {} arrived", seen.arrived, seen.agents);
        match name {
            // Agents avoid the gap of 1 at y = 10, and take the gap of 4 in the north.
            "clearance" => {
                let crossing = seen.path.iter().find(|at| at[0] > 15.0).unwrap();
                assert!(crossing[1] > 16.0, "{crossing:?}");
            }
            // Walls that touch only at corners are impassable.
            "diagonal-wall" => {
                assert_eq!((seen.arrived, warnings.len(), warnings[0].1), (0, 1, 5), "{warnings:?}");
            }
            _ => assert!(warnings.is_empty(), "{name}: {warnings:?}"),
        }
    }
}
