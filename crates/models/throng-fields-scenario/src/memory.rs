//! The memory that a scenario needs, checked before anything is allocated.

use std::collections::{BTreeMap, BTreeSet};

use throng_core::{InputError, Problems, check_memory_within};
use throng_fields_core::routing::{Crowd, Formation};
use throng_model::scenario_file::At;
use throng_pictures::Grid;

use crate::agents::{AgentsTable, Follow};
use crate::goals::GoalTable;
use crate::tables::Tables;

/// Memory per agent in lists of agents that sense each other, bytes.
const SENSED_BYTES: u64 = 140;
/// Memory per entity carried by an agent: in the simulation, in its layer, and prepared for evaluation, bytes.
const CARRIED_BYTES: u64 = 600;

/// Memory per agent that sees cells, in each layer: as a viewer, on the map and on the grid of its layer, bytes.
const VIEWER_BYTES: u64 = 250;

/// The contents of the map that take memory.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    /// Number of layers, of diffusing layers, of layers of lines of sight, and of teams.
    pub layers: usize,
    pub diffusing: usize,
    pub sights: usize,
    pub teams: usize,
    /// Number of combinations of layers.
    pub combinations: usize,
    /// Number of grounds besides the first, of radii of bodies, and of goals that teams may own.
    pub other_grounds: usize,
    pub radii: usize,
    pub owned_goals: usize,
    /// Number of sets of goals, and of flow fields to them.
    pub goals: usize,
    pub flows: usize,
    /// Whether arrays or query results are extracted, and whether obstacles are inflated.
    pub extracts: bool,
    pub costmap: bool,
}

impl Load {
    /// Returns the load of a file with this many layers, teams, and distinct sets of walls.
    pub fn of(tables: &Tables, layers: usize, (teams, sets_of_walls): (usize, usize)) -> Self {
        let radii = tables.agents.iter().map(|group| group.value.radius.to_bits());
        let owned = |goal: &&At<GoalTable>| goal.value.owner.is_some() || goal.value.capture_time.is_some();
        let follows = tables.agents.iter().flat_map(|group| group.value.follows());
        let actions = tables.agents.iter().map(|group| group.value.actions(tables.goals.len())).sum::<usize>();
        Self {
            layers,
            diffusing: tables.diffusion.len(),
            sights: tables.sight.len(),
            teams: if tables.influence.is_some() { teams } else { 0 },
            combinations: 1 + tables.combinations.len(),
            // One more is open wherever the others are.
            other_grounds: if sets_of_walls > 1 { sets_of_walls } else { 0 },
            radii: radii.filter(|bits| *bits != 0).collect::<BTreeSet<_>>().len(),
            owned_goals: tables.goals.iter().filter(owned).count(),
            goals: actions + tables.agents.iter().map(|group| 1 + group.value.rules.len()).sum::<usize>(),
            flows: actions + follows.filter(|follow| *follow == Follow::Flow).count(),
            extracts: tables
                .output
                .as_ref()
                .is_some_and(|output| !output.value.arrays.is_empty() || !output.value.queries.is_empty()),
            costmap: tables.nav2.is_some(),
        }
    }

    /// Peak number of bytes per cell.
    fn bytes_per_cell(self) -> u64 {
        let Self { layers, diffusing, sights, teams, combinations, goals, flows, extracts, costmap, .. } = self;
        // Masks and distances; for images, masks of goals.
        let of_grounds = (2 + 6 + self.radii + self.owned_goals) * self.other_grounds;
        // Masks of open cells and goals, distances to walls, and the lengths of paths.
        let always = 3 + 6;
        // Costs, ticks and intermediate data of paths that are being computed, each by one thread.
        let paths = (4 + 6 + 12) * flows.clamp(1, rayon::current_num_threads());
        // Previous flow fields; masks, distances to walls and lengths of paths of sets of goals.
        let of_agents = 6 * flows + 9 * goals;
        // Costs, travel times and intermediate data, their field, and a part of it; costs, and distances to obstacles.
        let extracted = if extracts { 4 + 6 + 12 + 4 + 4 } else { 0 };
        let inflated = if costmap { 1 + 4 } else { 0 };
        // Lines of sight: sums, open cells before and after a change of walls, bits of the cells that viewers see, at
        // least those of a viewer per thread, and a field that replaces the previous one.
        let of_sight = 4 + 2 + rayon::current_num_threads().div_ceil(8) + 4;
        let of_layers = 4 * (layers + combinations) + 13 * diffusing + of_sight * sights + 8 * teams;
        (always + of_grounds + paths + of_agents + extracted + inflated + of_layers) as u64
    }
}

/// Rejects a map or agents that exceed the memory: `available` bytes, if known. `entering` has the number of agents of
/// each group that enter later. Returns whether they fit.
pub(crate) fn check(
    (grid, place): (&Grid, &str),
    load: Load,
    agents: &[At<AgentsTable>],
    (available, entering): (Option<u64>, &[u32]),
    problems: &mut Problems,
) -> bool {
    let Err(InputError(shortage)) = check_all((grid, place), load, agents, available, entering) else { return true };
    problems.append(shortage);
    false
}

fn check_all(
    (grid, place): (&Grid, &str),
    load: Load,
    agents: &[At<AgentsTable>],
    available: Option<u64>,
    entering: &[u32],
) -> Result<(), InputError> {
    let cells = grid.cells() as u64 * load.bytes_per_cell();
    let size = format_args!("{} x {} cells", grid.columns(), grid.rows());
    check_memory_within(available, cells, place, size, "use larger cells")?;
    let mut left = available.map(|available| available - cells);
    for (group, &entering) in agents.iter().zip(entering) {
        let count = u64::from(group.value.count) + u64::from(entering);
        let carried = if group.value.profile.is_some() { CARRIED_BYTES } else { 0 };
        let has_trail = group.value.follows().any(|follow| follow == Follow::Neighbour);
        let trail = if has_trail { 4 * u64::from(group.value.trail_cells) } else { 0 };
        let seen = VIEWER_BYTES * group.value.sees.as_ref().map_or(0, BTreeMap::len) as u64;
        let kept = 8 * group.value.kept_rules() as u64;
        // The formation is stored as the scenario and as the simulation have it.
        let formed = if group.value.formation.is_some() { 2 * Formation::AGENT_BYTES as u64 } else { 0 };
        // Their starts and speeds are stored, too.
        let state = Crowd::AGENT_BYTES as u64 + 12 + trail + kept + formed;
        let subgroups = group.value.formation.as_ref().map_or(0, |formation| u64::from(formation.subgroups).min(count));
        let of_subgroups = subgroups * 2 * Formation::SUBGROUP_BYTES as u64;
        let bytes = count.saturating_mul(state + carried + seen + SENSED_BYTES).saturating_add(of_subgroups);
        let place = group.part(if entering > group.value.count { "spawn, every" } else { "count" });
        let data = format_args!("{count} agents, besides the map,");
        check_memory_within(left, bytes, &place, data, "use fewer agents")?;
        left = left.map(|left| left - bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_and_agents_beyond_memory_are_refused_with_their_size() {
        let group = |count: u32, trail: u32| {
            let text = format!(
                "name = \"a\"\ncount = {count}\nspeed = 1\nfollow = \"neighbour\"\ntrail_cells = {trail}\n\
                 start = {{ at = [0, 0], radius = 1 }}"
            );
            At { value: toml::from_str(&text).unwrap(), place: "agents \"a\"".to_owned() }
        };
        let message = |side: u32, agents: &[At<AgentsTable>], available: u64| {
            let grid = Grid::new([0.0, 0.0], 1.0, side, side).unwrap();
            let (load, mut problems) =
                (Load { layers: 1, teams: 2, combinations: 1, ..Load::default() }, Problems::new());
            let fits = check((&grid, "grid"), load, agents, (Some(available), &vec![0; agents.len()]), &mut problems);
            assert_eq!(fits, problems.is_empty());
            problems.into_result().err().map_or_else(String::new, |error| error.to_string())
        };
        assert_eq!(message(1000, &[group(1000, 0)], 1 << 30), "");
        let large = message(46_000, &[group(1000, 0)], 16 << 30);
        assert!(large.contains("grid: 46000 x 46000 cells take 116380000000 bytes (108.4 GiB)"), "{large}");
        assert!(large.contains("17179869184 bytes (16.0 GiB) are available: use larger cells"), "{large}");
        let many = message(100, &[group(1000, 0), group(100_000_000, 0)], 8 << 30);
        assert!(
            many.contains("agents \"a\", count: 100000000 agents, besides the map, take")
                && many.contains("use fewer agents"),
            "{many}"
        );
        assert_ne!(message(100, &[group(1_000_000, 4096)], 8 << 30), "");
        assert_eq!(message(100, &[group(1_000_000, 0)], 8 << 30), "");
        // Trails of rules count, too.
        let with_rule = |follow: &str| {
            let mut group = group(1_000_000, 4096);
            group.value.follow = Follow::Field;
            group.value.rules.push(toml::from_str(&format!("after = 1\nfollow = \"{follow}\"")).unwrap());
            message(100, &[group], 8 << 30)
        };
        assert_ne!(with_rule("neighbour"), "");
        assert_eq!(with_rule("flow"), "");
        // Agents that enter later are reported by their schedule.
        let mut later = group(10, 0);
        later.value.spawn = Some(toml::from_str("every = 0.001").unwrap());
        let mut problems = Problems::new();
        let grid = Grid::new([0.0, 0.0], 1.0, 10, 10).unwrap();
        check((&grid, "grid"), Load::default(), &[later], (Some(1 << 30), &[90_000_000]), &mut problems);
        let error = problems.into_result().unwrap_err().to_string();
        assert!(error.starts_with("agents \"a\", spawn, every: 90000010 agents, besides the map, take"), "{error}");
    }
}
