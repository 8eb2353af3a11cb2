//! The map of a scenario: open cells, goals, and costs around obstacles.

use throng_core::{InputError, Problems};
use throng_fields_core::routing::Ground;
use throng_model::scenario_file::At;
use throng_pictures::{Grid, Mask};

use crate::costmap::Costmap;
use crate::goals::{Goal, GoalTable};
use crate::grid::GridTable;
use crate::maps::Map;
use crate::nav2::Nav2Table;
use crate::value_checks::accept;
use crate::walls::WallTable;
use crate::{goals, maps, nav2, walls};

/// The open cells, the goals and the obstacles of the map.
pub(crate) struct Terrain {
    pub ground: Ground,
    pub goals: Vec<Goal>,
    /// Places of walls that cover no cell.
    pub idle_walls: Vec<String>,
    pub costmap: Option<Costmap>,
}

impl Terrain {
    /// Reads walls, goals and costs on a grid. `None` only with problems.
    pub(crate) fn read(
        (map, grid): (Option<&Map>, &Grid),
        written: &At<GridTable>,
        walls: &mut [At<WallTable>],
        nav2: Option<&mut At<Nav2Table>>,
        (goals, teams): (&[At<GoalTable>], &[String]),
        problems: &mut Problems,
    ) -> Option<Self> {
        let costs = map.and_then(|map| map.costs_on(grid, problems));
        let open_on_map = costs.as_ref().map(|costs| maps::open_cells(grid, costs, written.value.unknown_is_open));
        let (open, idle_walls) = walls::open_cells(grid, walls, open_on_map.as_ref(), problems);
        let costmap = nav2.and_then(|nav2| {
            let cell = written.value.cell.unwrap_or_else(|| grid.cell().into());
            let cells = nav2::Cells {
                grid,
                cell,
                resolution: map.and_then(Map::resolution_in_nav2).unwrap_or(cell),
                ros_distro: written.value.ros_distro.unwrap_or_default(),
            };
            nav2::read(nav2, &cells, &open, costs.as_deref(), problems)
        });
        let goals = goals::goals(goals, grid, &open, teams, problems);
        let ground = ground(grid, &open, None, &goals.iter().collect::<Vec<_>>());
        let ground = accept(&written.place, ground, problems)?;
        Some(Self { ground, goals, idle_walls, costmap })
    }
}

/// Returns the ground for agents with certain goals, whose cells are the open cells of the goals' areas. `walkable` are
/// the cells on which their bodies can walk, unless these are all open cells.
pub fn ground(grid: &Grid, open: &Mask, walkable: Option<&Mask>, goals: &[&Goal]) -> Result<Ground, InputError> {
    let is_goal = |column, row| goals.iter().any(|goal| goal.area.allows(column, row));
    let goals = Mask::new(grid, |column, row| open.allows(column, row) && is_goal(column, row));
    Ground::on(grid, open.clone(), walkable.cloned(), goals)
}
