//! The map of a scenario: open cells, goals, and costs around obstacles.

use throng_core::{InputError, Problems};
use throng_fields_core::routing::Ground;
use throng_model::scenario_file::At;
use throng_pictures::{Grid, Mask};

use crate::costmap::Costmap;
use crate::goals::Goal;
use crate::grid::GridTable;
use crate::maps::Map;
use crate::names::Known;
use crate::nav2::Nav2Table;
use crate::value_checks::accept;
use crate::wall_times::WallTimes;
use crate::walls::WallTable;
use crate::{goals, maps, nav2, walls};

/// The open cells, the goals and the obstacles of the map.
pub(crate) struct Terrain {
    pub terrains: Terrains,
    pub goals: Vec<Goal>,
    /// Locations, in the scenario file, of walls that cover no cell.
    pub idle_walls: Vec<String>,
    pub costmap: Option<Costmap>,
}

/// The grounds of a run, which change when walls appear or vanish.
#[derive(Debug, Clone)]
pub struct Terrains {
    /// The distinct grounds, with the cells of all goals.
    grounds: Vec<Ground>,
    /// The index of a ground that is open wherever one of the others is.
    ever_open: usize,
    /// The steps after which the ground changes, ascending, and the index of the new ground. The first change is at
    /// step 0.
    changes: Vec<(u32, usize)>,
}

impl Terrains {
    /// Creates the grounds for each mask of open cells, and for the mask of the cells that are open at some time.
    fn new(
        grid: &Grid,
        (mut open, union): (Vec<Mask>, Mask),
        changes: Vec<(u32, usize)>,
        goals: &[Goal],
    ) -> Result<Self, InputError> {
        let ever_open = open.iter().position(|open| *open == union).unwrap_or(open.len());
        if ever_open == open.len() {
            open.push(union);
        }
        let goals: Vec<&Goal> = goals.iter().collect();
        let grounds = open.iter().map(|open| ground(grid, open, None, &goals)).collect::<Result<_, _>>()?;
        Ok(Self { grounds, ever_open, changes })
    }

    /// The index of the ground on which agents walk after a step, until it changes again.
    pub fn after(&self, step: u32) -> usize {
        let next = self.changes.partition_point(|(from, _)| *from <= step);
        self.changes[next.saturating_sub(1)].1
    }

    /// The ground with an index.
    pub fn ground(&self, terrain: usize) -> &Ground {
        &self.grounds[terrain]
    }

    /// All distinct grounds.
    pub fn grounds(&self) -> &[Ground] {
        &self.grounds
    }

    /// The step after which walls appear or vanish for the first time; `None` if they never change.
    pub fn first_change(&self) -> Option<u32> {
        self.changes.get(1).map(|(step, _)| *step)
    }

    /// The index of a ground that is open wherever the map is open at some time.
    pub fn ever_open(&self) -> usize {
        self.ever_open
    }
}

impl Terrain {
    /// Reads walls, goals and costs on a grid. `None` only with problems.
    pub(crate) fn read(
        (map, grid): (Option<&Map>, &Grid),
        written: &At<GridTable>,
        (walls, times): (&mut [At<WallTable>], WallTimes),
        nav2: Option<&mut At<Nav2Table>>,
        known: &Known<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let costs = map.and_then(|map| map.costs_on(grid, problems));
        let open_on_map = costs.as_ref().map(|costs| maps::open_cells(grid, costs, written.value.unknown_is_open));
        let (open, idle_walls) = walls::open_cells(grid, walls, &times.sets, open_on_map.as_ref(), problems);
        let costmap = nav2.and_then(|nav2| {
            let cell = written.value.cell.unwrap_or_else(|| grid.cell().into());
            let cells = nav2::Cells {
                grid,
                cell,
                resolution: map.and_then(Map::resolution_in_nav2).unwrap_or(cell),
                ros_distro: written.value.ros_distro.unwrap_or_default(),
            };
            nav2::read(nav2, &cells, open.first()?, costs.as_deref(), problems)
        });
        let union = Mask::new(grid, |column, row| open.iter().any(|open| open.allows(column, row)));
        let goals = goals::goals(known.goals, grid, &union, known, problems);
        let terrains = Terrains::new(grid, (open, union), times.changes, &goals);
        let terrains = accept(&written.place, terrains, problems)?;
        Some(Self { terrains, goals, idle_walls, costmap })
    }
}

/// Returns the ground for agents with certain goals, whose cells are the open cells of the goals' areas. `walkable` are
/// the cells on which their bodies can walk, unless these are all open cells.
pub fn ground(grid: &Grid, open: &Mask, walkable: Option<&Mask>, goals: &[&Goal]) -> Result<Ground, InputError> {
    let is_goal = |column, row| goals.iter().any(|goal| goal.area.allows(column, row));
    let cells = Mask::new(grid, |column, row| open.allows(column, row) && is_goal(column, row));
    let ground = Ground::on(grid, open.clone(), walkable.cloned(), cells)?;
    Ok(if goals.is_empty() { ground } else { ground.with_covered_goals() })
}
