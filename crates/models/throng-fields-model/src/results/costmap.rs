//! The costmap of a scenario as files: `costmap.npy` with all costs, and a map that ROS 2's map server reads.

use std::io::BufWriter;

use throng_fields_core::Field;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::{COSTMAP_IMAGE, COSTMAP_KEYS, COSTS};
use throng_model::Failure;
use throng_nav2::NO_INFORMATION;
use throng_nav2::robot_map::{Mode, RobotMap, occupancy_of};
use throng_output::{ClosedFile, RunFolder};
use throng_pictures::Mask;
use throng_pictures::files::{npy, pgm};

use crate::results::{write_bytes, write_file};

/// The costs as a field: infinite where they are unknown.
pub(crate) fn field(scenario: &Scenario) -> Field {
    let cost = |&cost: &u8| if cost == NO_INFORMATION { f32::INFINITY } else { cost.into() };
    let costs = scenario.costmap.iter().flat_map(|costmap| &costmap.costs);
    Field::new(*scenario.grid(), costs.map(cost).collect())
}

/// The cells that are not drawn as walls in an image of the costs, which are those of the start. They include unknown
/// cells, whether these are open
/// or not.
pub(crate) fn open_or_unknown(scenario: &Scenario) -> Mask {
    let (grid, open) = (scenario.grid(), scenario.ground_after(0).open());
    let costs = scenario.costmap.as_ref().map_or(&[][..], |costmap| &costmap.costs);
    Mask::new(grid, |column, row| {
        open.allows(column, row) || costs.get(grid.index(column, row)).is_some_and(|&cost| cost == NO_INFORMATION)
    })
}

/// Writes the files of the costmap, if the scenario has one. They do not have their final names yet.
///
/// The mode of the map is `raw`, in which a pixel is an occupancy from 0 to 100, or 255 for unknown. The map server
/// then gives exactly the occupancies with which Nav2 publishes these costs. The other modes compare brightness with
/// thresholds.
pub(crate) fn write(scenario: &Scenario, folder: &RunFolder) -> Result<Vec<ClosedFile>, Failure> {
    let Some(costmap) = scenario.costmap.as_ref().filter(|_| scenario.extracts.costmap) else { return Ok(Vec::new()) };
    let grid = scenario.grid();
    let mut costs = Vec::new();
    npy::write_u8(grid, &costmap.costs, &mut costs)?;
    let occupancies = |row: &[u8]| row.iter().map(|&cost| occupancy_of(cost)).collect();
    let rows = costmap.costs.chunks(grid.columns() as usize).rev().map(occupancies);
    let described = RobotMap {
        image: COSTMAP_IMAGE.into(),
        resolution: costmap.cell,
        origin: grid.origin(),
        yaw: 0.0,
        negate: false,
        occupied_thresh: 0.65,
        free_thresh: 0.25,
        mode: Mode::Raw,
    };
    Ok(vec![
        write_bytes(folder, COSTS, &costs)?,
        write_file(folder, COSTMAP_IMAGE, |file| {
            pgm::write(grid.columns(), grid.rows(), rows, &mut BufWriter::new(file))
        })?,
        write_bytes(folder, COSTMAP_KEYS, described.text().as_bytes())?,
    ])
}
