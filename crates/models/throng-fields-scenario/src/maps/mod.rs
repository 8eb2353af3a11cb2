//! Maps in files: text, PNG, PGM, NPY, and maps of robots. Each has a value per block of cells.

mod readers;

use std::path::{Path, PathBuf};

use throng_core::Problems;
use throng_core::room::room;
use throng_model::At;
use throng_nav2::{LETHAL_OBSTACLE, NO_INFORMATION, RosDistro};
use throng_pictures::{Grid, Mask};

use crate::grid::GridTable;
use crate::inputs::shown;
use crate::value_checks::{TOLERANCE, accept};

/// A map as it was read, before the grid is known.
#[derive(Debug)]
pub struct Map {
    /// The name of the file in messages.
    name: String,
    /// What a block is in the file, such as `pixels`.
    blocks: &'static str,
    columns: u32,
    rows: u32,
    /// Nav2's cost of each block, the lowest row first: 254 for walls, 255 for unknown cells, 0 for open ones.
    costs: Vec<u8>,
    /// Where a robot's map is.
    place: Option<PlaceOfRobotMap>,
    /// Files that were read, and their sizes in bytes.
    pub inputs: Vec<(PathBuf, u64)>,
}

/// Side of a cell and origin, metres, and rotation, radians.
#[derive(Debug, Clone, Copy)]
struct PlaceOfRobotMap {
    resolution: f64,
    origin: [f64; 2],
    yaw: f64,
}

impl Map {
    /// Reads the map of a scenario. Its ending tells the format; all unknown ones are text. The distribution of ROS 2 has
    /// the rules for maps of robots.
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

    /// Whether it is the map of a robot.
    pub fn is_of_robot(&self) -> bool {
        self.place.is_some()
    }

    /// The side of a cell of a robot's map, metres, as it passes to Nav2: messages have it in single precision.
    pub fn resolution_in_nav2(&self) -> Option<f64> {
        self.place.map(|place| f64::from(place.resolution as f32))
    }

    /// A rotation of a robot's map, which is ignored, in words.
    pub fn ignored_yaw(&self) -> Option<String> {
        let yaw = self.place.map(|place| place.yaw).filter(|yaw| *yaw != 0.0)?;
        Some(format!("{yaw} in {}", self.name))
    }

    /// Gives the grid the size, side and origin of a robot's map; refuses others. Maps of other kinds have none.
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

    /// The cost of each cell of the grid, row by row; a problem if blocks do not cover the grid.
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
        accept("grid", room::<u8>("cells of a map", grid.cells()), problems)?;
        let block =
            |column: u32, row: u32| self.costs[(row / high) as usize * columns as usize + (column / wide) as usize];
        // A list that grows would take twice the memory.
        let mut costs = Vec::with_capacity(grid.cells());
        costs.extend((0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| block(column, row))));
        Some(costs)
    }
}

/// The cells that are open on a map with these costs: those that are neither occupied nor, unless `unknown_is_open`,
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
/// Endings of images of other formats.
const OTHER_IMAGES: [&str; 11] = ["avif", "gif", "heic", "jpeg", "jpg", "pbm", "ppm", "svg", "tif", "tiff", "webp"];

/// What to do if the file of `grid.map` cannot be read.
const CHECK_MAP: &str = "check grid.map; its path is relative to the scenario file";

#[cfg(test)]
mod tests;
