//! Influence maps on a device.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::not_negative;
use throng_device::{Buffer, Device, DeviceError, Error, KernelParameter};
use throng_fields_core::field::Field;
use throng_fields_core::influence::{InfluenceMap, Propagation, open_cell};
use throng_pictures::{Grid, Mask};

use super::framed::Framed;
use super::kernels::{
    InfluencesBuffers, LINE, SWEEP_ROWS, SourcesBuffers, Spread, TILE_LINES, UNITS, set_sources, spread_influence,
};

/// An influence map on a device. After the same number of sweeps, it equals the [`InfluenceMap`] it was copied from,
/// bit for bit.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::DeviceInfluenceMap;
/// use throng_fields::{Grid, influence::{InfluenceMap, Propagation}};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 90, 70)?;
/// let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.3 }, None)?;
/// map.set_source(40, 30, 5.0)?;
/// let mut on_device = DeviceInfluenceMap::new(&device, &map)?;
/// on_device.sweep(&device, 12)?;
/// map.sweep(12);
/// assert_eq!(on_device.read(&device)?, map.field());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceInfluenceMap {
    grid: Grid,
    propagation: Propagation,
    framed: Framed,
    /// One bit per cell, set if the cell is not simply computed from its neighbours: walls, sources and the frame.
    held: Buffer<u32>,
    /// The strengths of sources; 0 in other cells.
    strengths: Buffer<f32>,
    /// Four bits per cell for the diagonal steps that cut no corner of a wall; a single word if there are no walls.
    corners: Buffer<u32>,
    /// The open cells; `None` if all are open.
    open: Option<Mask>,
    values: Buffer<f32>,
    next: Buffer<f32>,
}

impl DeviceInfluenceMap {
    /// Maximum number of sweeps per call. Each sweep is a launch in the device's queue.
    pub const MAX_SWEEPS: u32 = 1 << 20;

    /// Copies a map to a device.
    ///
    /// Takes 12 bytes and one bit per cell, and four more bits if there are walls. This includes the cells of a frame:
    /// the number of columns is rounded up to the next larger multiple of 32, and there are three more rows.
    ///
    /// # Errors
    /// When the number of cells including the frame exceeds 32 bits, or host or device have too little memory.
    pub fn new(device: &Device, map: &InfluenceMap) -> Result<Self, Error> {
        let grid = *map.grid();
        let framed = Framed::new(&grid)?;
        check_allocation::<[f32; 3]>("cells of an influence map", framed.cells())?;
        let sources = map.sources().map(|(cell, _)| grid.place(cell));
        let held = framed.held(|column, row| map.open().is_some_and(|open| !open.allows(column, row)), sources);
        let corners =
            map.open().map_or_else(|| vec![0], |open| framed.free_corners(|column, row| open.allows(column, row)));
        let values = framed.frame(map.values());
        let mut strengths = vec![0.0; framed.cells()];
        for (cell, strength) in map.sources() {
            let (column, row) = grid.place(cell);
            strengths[framed.index(column, row) as usize] = strength;
        }
        Ok(Self {
            grid,
            propagation: map.propagation(),
            framed,
            held: device.upload("influence: held cells", &held)?,
            strengths: device.upload("influence: strengths", &strengths)?,
            corners: device.upload("influence: corners", &corners)?,
            open: map.open().cloned(),
            values: device.upload("influence", &values)?,
            // Also contains the zeros of the frame.
            next: device.upload("influence, next", &values)?,
        })
    }

    /// Sets the strengths of cells, given as column, row and strength, like [`InfluenceMap::set_source`]. A strength of
    /// 0 makes a cell an ordinary one.
    ///
    /// # Errors
    /// When a cell is outside the grid or a wall, or a strength is negative or not finite; then nothing is changed.
    /// Also when the device fails.
    pub fn set_sources(&mut self, device: &Device, sources: &[(u32, u32, f32)]) -> Result<(), Error> {
        // Per cell: the last strength, and the largest one, to which its influence is raised.
        let mut last = BTreeMap::new();
        for &(column, row, strength) in sources {
            not_negative("source, strength", strength)?;
            open_cell("source", &self.grid, self.open.as_ref(), (column, row))?;
            let (given, raised) = last.entry(self.framed.index(column, row)).or_insert((0.0f32, 0.0f32));
            (*given, *raised) = (strength, raised.max(strength));
        }
        let (cells, strengths): (Vec<u32>, Vec<(f32, f32)>) = last.into_iter().unzip();
        let (given, raised): (Vec<f32>, Vec<f32>) = strengths.into_iter().unzip();
        let indices = device.upload("sources", &cells)?;
        let (given, raised) = (device.upload("strengths", &given)?, device.upload("raised influence", &raised)?);
        let new = SourcesBuffers { cells: &indices, given: &given, raised: &raised };
        let map = InfluencesBuffers { values: &self.values, strengths: &self.strengths, held: &self.held };
        device.launch("influence: sources", cells.len(), |client, cubes, dim| {
            set_sources::launch(client, cubes, dim, new.arg(), cells.len() as u32, map.arg());
        })?;
        Ok(())
    }

    /// Lets influence spread by `sweeps` cells. Returns once the work is submitted.
    ///
    /// Cost: a launch for each sweep, which reads and writes every cell once.
    ///
    /// # Errors
    /// When there are more than [`DeviceInfluenceMap::MAX_SWEEPS`], or the device fails.
    pub fn sweep(&mut self, device: &Device, sweeps: u32) -> Result<(), Error> {
        if sweeps > Self::MAX_SWEEPS {
            let remedy = format!("expected at most {} at a time", Self::MAX_SWEEPS);
            return Err(InputError::one("sweeps", sweeps, remedy).into());
        }
        for _ in 0..sweeps {
            self.sweep_once(device)?;
            std::mem::swap(&mut self.values, &mut self.next);
        }
        Ok(())
    }

    #[allow(unsafe_code)]
    fn sweep_once(&self, device: &Device) -> Result<(), DeviceError> {
        let weights = self.propagation.weights(self.grid.cell());
        let (lines, rows) = (self.framed.lines(), self.grid.rows());
        let tile_columns = lines.div_ceil(TILE_LINES);
        let tiles = tile_columns * rows.div_ceil(SWEEP_ROWS);
        let by = Spread { lines, rows, tile_columns, tiles, weights };
        device.launch_cubes("influence: sweep", tiles, UNITS, |client, cubes, dim| {
            let (values, next, by) = (self.values.arg(), self.next.arg(), by.arg());
            let (held, strengths) = (self.held.arg(), self.strengths.arg());
            let (corners, walls) = (self.corners.arg(), self.open.is_some());
            let line = LINE as usize;
            // SAFETY: the kernel writes lines in rows of the grid, and reads these and the adjacent lines, which lie
            // within the frame or the padding. All arrays cover these lines; `corners` does only if there are walls,
            // and is not read otherwise.
            unsafe {
                spread_influence::launch_unchecked(
                    client, cubes, dim, line, values, held, strengths, corners, next, by, walls,
                );
            };
        })
    }

    /// Copies the influences from the device.
    ///
    /// # Errors
    /// When the device failed.
    pub fn read(&self, device: &Device) -> Result<Field, Error> {
        Ok(Field::new(self.grid, self.framed.unframe(&device.read(&self.values)?)))
    }
}
