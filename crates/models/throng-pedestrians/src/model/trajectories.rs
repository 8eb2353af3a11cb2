//! Trajectory files: one per connected part of the floor, since PedPy can open only connected areas.

use std::collections::BTreeSet;

use throng_model::Failure;
use throng_output::{
    ConnectedParts, GridArea, RunFolder, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WrittenFile, lattice_offset,
};

use super::super::rules::direction::{DIRECTIONS, STANDS, step_x, step_y};
use super::super::rules::grid::Grid;
use super::super::scene::{LEFT, World};
use super::crowd::Crowd;
use super::scenario::Scenario;
use throng_model::scenario_file::Border;

/// The file of a floor with one part, or with more parts than there are [`PART_FILES`].
pub const TRAJECTORIES: &str = "trajectories.sqlite";
/// The files of a floor with several parts, such as storeys side by side.
pub const PART_FILES: [&str; 16] = [
    "trajectories_1.sqlite",
    "trajectories_2.sqlite",
    "trajectories_3.sqlite",
    "trajectories_4.sqlite",
    "trajectories_5.sqlite",
    "trajectories_6.sqlite",
    "trajectories_7.sqlite",
    "trajectories_8.sqlite",
    "trajectories_9.sqlite",
    "trajectories_10.sqlite",
    "trajectories_11.sqlite",
    "trajectories_12.sqlite",
    "trajectories_13.sqlite",
    "trajectories_14.sqlite",
    "trajectories_15.sqlite",
    "trajectories_16.sqlite",
];

/// The files of a run while they are written.
pub struct Trajectories {
    every: u64,
    unit_m: f64,
    /// Part of each space unit; `None` if one file has all of them.
    parts: Option<ConnectedParts>,
    files: Vec<PartFile>,
}

struct PartFile {
    /// Index of the part.
    part: usize,
    file: TrajectoryFile,
    has_persons: bool,
}

impl Trajectories {
    /// Creates the files of the parts in which pedestrians are or may arrive, from a crowd before the first step.
    /// `None` if there is no floor.
    ///
    /// # Errors
    /// When a file cannot be created.
    pub fn begin(scenario: &Scenario, folder: &RunFolder, crowd: &Crowd) -> Result<Option<Self>, Failure> {
        let (world, unit_m, every) = (&crowd.prepared.world, scenario.space_unit_m, u64::from(scenario.frame_every));
        let (width, height) = (world.grid().width as usize, world.grid().height as usize);
        let is_wall = |column: usize, row: usize| world.is_wall((row * width + column) as u32);
        let grid = GridArea { width, height, cell_m: unit_m, is_wall };
        let parts = grid.connected_parts();
        let in_use = parts_in_use(&parts, scenario.border, crowd);
        let frames_per_second = 1.0 / (every as f64 * scenario.tick_s);
        let create = |name: &str, part: usize, walkable_area| -> Result<PartFile, Failure> {
            let info = TrajectoryInfo { frames_per_second, walkable_area };
            Ok(PartFile { part, file: TrajectoryFile::create(folder, name, &info)?, has_persons: false })
        };
        if in_use.len() <= 1 || in_use.len() > PART_FILES.len() {
            let only = in_use.first().filter(|_| in_use.len() == 1).map(|&part| parts.areas()[part].clone());
            let Some(area) = only.or_else(|| grid.walkable_area()) else { return Ok(None) };
            return Ok(Some(Self { every, unit_m, parts: None, files: vec![create(TRAJECTORIES, 0, area)?] }));
        }
        let areas = in_use.into_iter().map(|part| (part, parts.areas()[part].clone()));
        let files = areas.zip(PART_FILES).map(|((part, area), name)| create(name, part, area));
        let files = files.collect::<Result<_, _>>()?;
        Ok(Some(Self { every, unit_m, parts: Some(parts), files }))
    }

    /// Writes the state after a step, if it is one of the frames.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn see(&mut self, step: u64, crowd: &Crowd) -> Result<(), Failure> {
        if !step.is_multiple_of(self.every) {
            return Ok(());
        }
        let (world, pedestrians, unit_m) = (&crowd.prepared.world, &crowd.pedestrians, self.unit_m);
        let point = |id: usize| {
            let ([x, y], [columns, rows]) = (world.grid().place(pedestrians.at[id]), pedestrians.body(id));
            let [off_x, off_y] = lattice_offset(id as u64, unit_m);
            let centre = |at: i32, side: u8| (f64::from(at) + f64::from(side) / 2.0) * unit_m;
            let position = [centre(x, columns) + off_x, centre(y, rows) + off_y];
            TrajectoryPoint { id: id as u64, position, orientation: direction(pedestrians.heading[id]) }
        };
        let Self { parts, files, .. } = self;
        for PartFile { part, file, has_persons } in files {
            let is_here = |&id: &usize| {
                let at = pedestrians.at[id];
                at < LEFT && parts.as_ref().is_none_or(|parts| part_of(parts, world, at) == Some(*part))
            };
            let here = (0..pedestrians.len()).filter(is_here).inspect(|_| *has_persons = true).map(point);
            file.frame(step / self.every, here)?;
            if !pedestrians.limits.is_empty() {
                let changes = |&id: &usize| !pedestrians.limits(id).are_constant();
                let size = |id: usize| (id as u64, pedestrians.body(id).map(|side| f64::from(side) * unit_m));
                file.sizes((0..pedestrians.len()).filter(is_here).filter(changes).map(size))?;
            }
        }
        Ok(())
    }

    /// Completes the files. Files of parts that no pedestrian ever visited are left out, unless all are empty.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(self) -> Result<Vec<WrittenFile>, Failure> {
        let is_empty = self.files.iter().all(|file| !file.has_persons);
        let files = self.files.into_iter().filter(|file| is_empty || file.has_persons);
        files.map(|file| Ok(file.file.finish()?)).collect()
    }
}

/// Returns the parts of a floor that pedestrians may visit during a run, ascending: the parts of pedestrians and
/// entries, and those reachable from these over a periodic border.
fn parts_in_use(parts: &ConnectedParts, border: Border, crowd: &Crowd) -> Vec<usize> {
    let world = &crowd.prepared.world;
    let entries = world.openings().entries.iter().flat_map(|entry| &entry.units);
    let starts = crowd.pedestrians.at.iter().filter(|&&at| at < LEFT);
    let mut is_used = vec![false; parts.areas().len()];
    for part in entries.chain(starts).filter_map(|&unit| part_of(parts, world, unit)) {
        is_used[part] = true;
    }
    let joined = if border == Border::Periodic { joined_by_the_border(parts, world) } else { Vec::new() };
    while let Some([_, to]) = joined.iter().find(|[from, to]| is_used[*from] && !is_used[*to]) {
        is_used[*to] = true;
    }
    (0..is_used.len()).filter(|&part| is_used[part]).collect()
}

/// Returns the pairs of parts, in both orders, between which a step over the border of a periodic world may lead.
fn joined_by_the_border(parts: &ConnectedParts, world: &World) -> Vec<[usize; 2]> {
    let Grid { width, height, .. } = *world.grid();
    let columns = (0..width).flat_map(|column| [(column, 0), (column, height - 1)]);
    let rows = (0..height).flat_map(|row| [(0, row), (width - 1, row)]);
    let mut joined = BTreeSet::new();
    for (column, row) in columns.chain(rows) {
        let Some(part) = parts.of_cell(column as usize, row as usize) else { continue };
        for direction in 0..DIRECTIONS {
            let neighbour = world.grid().neighbour(column as i32, row as i32, direction);
            if let Some(other) = part_of(parts, world, neighbour).filter(|&other| other != part) {
                joined.extend([[part, other], [other, part]]);
            }
        }
    }
    joined.into_iter().collect()
}

fn part_of(parts: &ConnectedParts, world: &World, unit: u32) -> Option<usize> {
    let [column, row] = world.grid().place(unit);
    parts.of_cell(column as usize, row as usize)
}

/// Returns the unit vector of a heading; east for pedestrians without a heading.
fn direction(heading: u8) -> [f64; 2] {
    let heading = if heading == STANDS { 0 } else { u32::from(heading) };
    let [x, y] = [step_x(heading), step_y(heading)].map(f64::from);
    let length = libm::sqrt(x * x + y * y);
    [x / length, y / length]
}
