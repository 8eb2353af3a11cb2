//! The cells of the map: `[grid]`.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_model::scenario_file::{At, word_of};
use throng_nav2::RosDistro;
use throng_pictures::{Grid, Sample};

use crate::maps::Map;
use crate::value_checks::TOLERANCE;

/// `[grid]`: the cells of the map.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Grid")]
pub struct GridTable {
    /// The lowest coordinates of the map, units of length; by default those of a robot map, else [0, 0].
    pub origin: Option<[f64; 2]>,
    /// Width and height of the map, units of length: integer multiples of `cell`. Needed without a robot map.
    pub size: Option<[f64; 2]>,
    /// Side length of a cell, units of length. Needed without a robot map.
    pub cell: Option<f64>,
    /// The point of a cell at which fields are computed: its centre, or the corner with the lowest coordinates.
    #[serde(default)]
    pub sample: Sample,
    /// A file of walls, relative to the scenario file, in blocks of cells: text (`#` is a wall, `.` or a space is open,
    /// the upper row first), PNG, PGM or BMP (dark pixels are walls), NPY (numbers other than 0 are walls, the lowest
    /// row first), or the YAML file of a robot map.
    pub map: Option<PathBuf>,
    /// Whether cells that are unknown in a robot map are open; by default they are walls.
    #[serde(default)]
    pub unknown_is_open: bool,
    /// The ROS 2 distribution whose Nav2 is reproduced for a robot map and for `[nav2]`; by default lyrical.
    pub ros_distro: Option<RosDistro>,
    /// The unit of lengths, for the axes of images.
    #[serde(default)]
    pub unit: String,
}

/// Reads the map of a grid, which takes size, cell side and origin from a robot map, and rejects `unknown_is_open` and
/// `ros_distro` if they have no effect.
pub(crate) fn read_map(
    grid: &mut At<GridTable>,
    folder: &Path,
    has_nav2: bool,
    problems: &mut Problems,
) -> Option<Map> {
    let distro = grid.value.ros_distro.unwrap_or_default();
    let is_empty = grid.value.map.as_ref().is_some_and(|file| file.as_os_str().is_empty());
    if is_empty {
        problems.push(grid.part("map"), "\"\"", "name the file of a map, or leave the key out");
    }
    let named = grid.value.map.as_ref().filter(|_| !is_empty);
    let map = named.and_then(|file| Map::read(&folder.join(file), distro, problems));
    if let Some(map) = &map {
        map.complete(grid, problems);
    }
    // The type of an unreadable map is unknown.
    let is_of_robot = map.as_ref().map_or(grid.value.map.is_some(), Map::is_of_robot);
    if grid.value.unknown_is_open && !is_of_robot {
        let remedy = "only the map of a robot (.yaml) has unknown cells: leave the key out, or give one as map";
        problems.push(grid.part("unknown_is_open"), "true", remedy);
    }
    grid.value.origin.get_or_insert_default();
    if is_of_robot || has_nav2 {
        grid.value.ros_distro.get_or_insert_default();
    } else if let Some(distro) = grid.value.ros_distro {
        let remedy = "only the map of a robot (.yaml) and [nav2] follow it: leave the key out, or give one of them";
        problems.push(grid.part("ros_distro"), word_of(&distro), remedy);
    }
    map
}

/// Creates the grid; if there is a map that could not be read, missing keys are not a problem.
pub(crate) fn grid(written: &At<GridTable>, has_unread_map: bool, problems: &mut Problems) -> Option<Grid> {
    let GridTable { size, cell, sample, .. } = &written.value;
    for (key, is_given) in [("size", size.is_some()), ("cell", cell.is_some())] {
        // The map that could not be read might define it.
        if !is_given && !has_unread_map {
            problems.push(
                &written.place,
                format!("{key} is missing"),
                "add it, or the YAML file of a robot's map as map",
            );
        }
    }
    let (size, cell) = ((*size)?, (*cell)?);
    if !((cell as f32).is_finite() && (cell as f32) > 0.0) {
        problems.push(written.part("cell"), format!("{cell:?}"), "expected a finite number above 0");
        return None;
    }
    let mut cells = [0u32; 2];
    for (axis, count) in cells.iter_mut().enumerate() {
        let exact = size[axis] / cell;
        if !(exact > 0.0 && exact < 1e9 && (exact - exact.round()).abs() < TOLERANCE) {
            let remedy = format!("expected sizes above 0 that are multiples of the cell side, {cell}");
            problems.push(written.part("size"), format!("{} x {}", size[0], size[1]), remedy);
            return None;
        }
        *count = exact.round() as u32;
    }
    let origin = written.value.origin.unwrap_or_default();
    // Places of its errors begin with `grid`.
    let made = Grid::new(origin, cell as f32, cells[0], cells[1]);
    let made = made.map_err(|error| {
        let part = error.place().strip_prefix("grid, ").unwrap_or(error.place());
        problems.push(written.part(part), error.message(), error.remedy());
    });
    Some(made.ok()?.sampled_at(*sample))
}
