//! The map of a scenario: open cells, goals, and costs around obstacles.

use throng_core::Problems;
use throng_fields_core::routing::Ground;
use throng_model::At;
use throng_pictures::Grid;

use crate::costmap::Costmap;
use crate::given::accept;
use crate::goals::Goal;
use crate::maps::Map;
use crate::tables::Tables;
use crate::{costmap, goals, ground, maps, walls, written};

/// What agents walk on, and what is in their way.
pub struct Terrain {
    pub ground: Ground,
    pub goals: Vec<Goal>,
    /// Places of walls that cover no cell.
    pub idle_walls: Vec<String>,
    pub costmap: Option<Costmap>,
}

impl Terrain {
    /// Reads walls, goals and costs on a grid. `None` only with problems.
    pub fn read(
        tables: &Tables,
        (written, grid): (&At<written::Grid>, &Grid),
        map: Option<&Map>,
        teams: &[String],
        problems: &mut Problems,
    ) -> Option<Self> {
        let costs = map.and_then(|map| map.costs_on(grid, problems));
        let open_on_map = costs.as_ref().map(|costs| maps::open_cells(grid, costs, written.value.unknown_is_open));
        let (open, idle_walls) = walls::open_cells(grid, &tables.walls, open_on_map.as_ref(), problems);
        let costmap = tables.nav2.as_ref().and_then(|nav2| {
            let cell = written.value.cell.unwrap_or_else(|| grid.cell().into());
            let ground = costmap::Cells {
                grid,
                cell,
                resolution: map.and_then(Map::resolution_in_nav2).unwrap_or(cell),
                ros_distro: written.value.ros_distro.unwrap_or_default(),
            };
            costmap::read(nav2, &ground, &open, costs.as_deref(), problems)
        });
        let goals = goals::goals(&tables.goals, grid, &open, teams, problems);
        let ground = ground::ground(grid, &open, None, &goals.iter().collect::<Vec<_>>());
        let ground = accept(&written.place, ground, problems)?;
        Some(Self { ground, goals, idle_walls, costmap })
    }
}
