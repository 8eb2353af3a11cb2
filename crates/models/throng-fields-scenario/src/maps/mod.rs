//! Maps in files: text, PNG, PGM, BMP, NPY, and robot maps. Each has a value per block of cells.

mod readers;

use std::path::{Path, PathBuf};

use throng_core::Problems;
use throng_core::allocation::check_allocation;
use throng_model::scenario_file::At;
use throng_nav2::{LETHAL_OBSTACLE, NO_INFORMATION, RosDistro};
use throng_pictures::{Grid, Mask};

use crate::grid::GridTable;
use crate::inputs::shown;
use crate::value_checks::{TOLERANCE, accept};

/// A map as read from its file, before the grid is known.
#[derive(Debug)]
pub struct Map {
    /// The name of the file, as shown in messages.
    name: String,
    /// The name of a block in the file, such as `pixels`.
    blocks: &'static str,
    columns: u32,
    rows: u32,
    /// Nav2's cost of each block, the lowest row first: 254 for walls, 255 for unknown cells, less for open ones.
    costs: Vec<u8>,
    /// Resolution and location of a robot map.
    place: Option<PlaceOfRobotMap>,
    /// Files that were read, and their sizes in bytes.
    pub inputs: Vec<(PathBuf, u64)>,
}

/// Side length of a cell and origin, metres, and rotation, radians.
#[derive(Debug, Clone, Copy)]
struct PlaceOfRobotMap {
    resolution: f64,
    origin: [f64; 2],
    yaw: f64,
}

impl Map {
    /// Reads the map of a scenario. The format follows from the file extension; unknown extensions are text. The ROS 2
    /// distribution determines the rules for robot maps.
    pub fn read(path: &Path, distro: RosDistro, problems: &mut Problems) -> Option<Self> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("png" | "pgm" | "bmp") => readers::image(path, problems),
            Some("npy") => readers::npy(path, problems),
            Some("yaml" | "yml") => readers::robot_map(path, distro, problems),
            Some(other) if OTHER_IMAGES.contains(&other) => {
                problems.push(shown(path), format!("the format {other}"), format!("expected {FORMATS}"));
                None
            }
            _ => readers::text(path, problems),
        }
    }

    /// Whether it is a robot map.
    pub fn is_of_robot(&self) -> bool {
        self.place.is_some()
    }

    /// The side length of a robot map's cells, metres, as Nav2 receives it in messages: in single precision.
    pub fn resolution_in_nav2(&self) -> Option<f64> {
        self.place.map(|place| f64::from(place.resolution as f32))
    }

    /// A description of a robot map's rotation, which is ignored.
    pub fn ignored_yaw(&self) -> Option<String> {
        let yaw = self.place.map(|place| place.yaw).filter(|yaw| *yaw != 0.0)?;
        Some(format!("{yaw} in {}", self.name))
    }

    /// Sets size, cell side and origin of the grid to those of a robot map; rejects other values. Other kinds of maps
    /// have none.
    pub fn complete(&self, grid: &mut At<GridTable>, problems: &mut Problems) {
        let Some(PlaceOfRobotMap { resolution, origin, .. }) = self.place else { return };
        let size = [self.columns, self.rows].map(|count| f64::from(count) * resolution);
        let is_near = |a: f64, b: f64| (a - b).abs() < TOLERANCE * resolution;
        let are_near = |a: [f64; 2], b: [f64; 2]| is_near(a[0], b[0]) && is_near(a[1], b[1]);
        let remedy = |value: &str| format!("{} has {value}: leave the key out, or write this", self.name);
        let given = &grid.value;
        if let Some(cell) = given.cell.filter(|&cell| !is_near(cell, resolution)) {
            problems.push(grid.part("cell"), cell.to_string(), remedy(&resolution.to_string()));
        }
        for (key, given, expected) in [("size", given.size, size), ("origin", given.origin, origin)] {
            if let Some(given) = given.filter(|&given| !are_near(given, expected)) {
                problems.push(grid.part(key), format!("{given:?}"), remedy(&format!("{expected:?}")));
            }
        }
        let given = &mut grid.value;
        given.cell.get_or_insert(resolution);
        given.size.get_or_insert(size);
        given.origin.get_or_insert(origin);
    }

    /// Returns the cost of each cell of the grid, row by row; adds a problem if blocks do not cover the grid.
    pub fn costs_on(&self, grid: &Grid, problems: &mut Problems) -> Option<Vec<u8>> {
        let Self { columns, rows, .. } = *self;
        let blocks = |cells: u32, blocks: u32| (blocks > 0 && cells.is_multiple_of(blocks)).then(|| cells / blocks);
        let (Some(wide), Some(high)) = (blocks(grid.columns(), columns), blocks(grid.rows(), rows)) else {
            let remedy = format!(
                "the grid has {} x {} cells: each of the {} stands for a block of cells, and the map must cover the whole \
                 grid",
                grid.columns(),
                grid.rows(),
                self.blocks
            );
            problems.push(&self.name, format!("{columns} x {rows} {}", self.blocks), remedy);
            return None;
        };
        accept("grid", check_allocation::<u8>("cells of a map", grid.cells()), problems)?;
        let block =
            |column: u32, row: u32| self.costs[(row / high) as usize * columns as usize + (column / wide) as usize];
        // A growing list would take twice the memory.
        let mut costs = Vec::with_capacity(grid.cells());
        costs.extend((0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| block(column, row))));
        Some(costs)
    }
}

/// Returns the open cells of a map with these costs: those that are neither occupied nor, unless `unknown_is_open`,
/// unknown.
pub(crate) fn open_cells(grid: &Grid, costs: &[u8], unknown_is_open: bool) -> Mask {
    Mask::new(grid, |column, row| match costs[grid.index(column, row)] {
        LETHAL_OBSTACLE => false,
        NO_INFORMATION => unknown_is_open,
        _ => true,
    })
}

/// The formats of maps, for messages.
const FORMATS: &str =
    "a map in text, PNG (.png), PGM (.pgm), BMP (.bmp) or NPY (.npy), or the YAML file of a robot's map (.yaml)";
/// File extensions of unsupported image formats.
const OTHER_IMAGES: [&str; 11] = ["avif", "gif", "heic", "jpeg", "jpg", "pbm", "ppm", "svg", "tif", "tiff", "webp"];

/// The remedy if the file of `grid.map` cannot be read.
const CHECK_MAP: &str = "check grid.map; its path is relative to the scenario file";

#[cfg(test)]
mod tests;
