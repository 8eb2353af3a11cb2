//! Travel times on a device.

use throng_device::{Buffer, Device, DeviceError, Error, KernelParameter};
use throng_fields_core::routing::rules::{DISTANCE_CORRECTIONS, GOAL, spare_bits};
use throng_fields_core::routing::{NEVER, Order, Scheme, Task, TravelTimes};
use throng_pictures::Grid;
use throng_pictures::grid::NEIGHBOURS;

use super::kernels::{
    FirstOrderBuffers, SIDE, SecondOrderBuffers, TileFlagsBuffers, TimeRaster, UNITS, fill_words, lower_tiles,
    refine_tiles, set_words,
};

/// Rounds that are launched before the host checks for termination.
const ROUNDS: u32 = 16;
/// Numbers of buffers that the kernels for first-order and second-order times use.
const BUFFERS: [u32; 2] = [5, 8];

/// Computes the times of [`TravelTimes::to_goals`] on a device, with the same bits.
///
/// # Errors
/// As for [`TravelTimes::to_goals`]; when the device fails, has too few buffers or computes differently from the CPU.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu;
/// use throng_fields::{Grid, routing::TravelTimes};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 0.5, 100, 40)?;
/// let costs = vec![0.25; grid.cells()];
/// let on_device = gpu::travel_times(&device, &grid, &costs, &[(0, 10)])?;
/// assert_eq!(on_device.field(), TravelTimes::to_goals(&grid, &costs, &[(0, 10)])?.field());
/// # Ok(())
/// # }
/// ```
pub fn travel_times(device: &Device, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<TravelTimes, Error> {
    travel_times_by_scheme(device, Scheme::default(), grid, costs, goals)
}

/// Computes the times of [`TravelTimes::by_scheme`] on a device, with the same bits.
pub fn travel_times_by_scheme(
    device: &Device,
    scheme: Scheme,
    grid: &Grid,
    costs: &[f32],
    goals: &[(u32, u32)],
) -> Result<TravelTimes, Error> {
    let on_device = DeviceTravelTimes::new(device, scheme, grid, costs, goals)?;
    on_device.compute(device)?;
    on_device.read(device)
}

/// Whether a device can compute travel times by all schemes: some devices support too few buffers.
pub fn has_travel_times(device: &Device) -> bool {
    device.check_buffers(BUFFERS[1]).is_ok()
}

/// Travel times that are computed and kept on a device until they are read. They equal [`TravelTimes::by_scheme`]
/// bit for bit.
#[derive(Debug)]
pub struct DeviceTravelTimes {
    task: Task,
    scheme: Scheme,
    raster: TimeRaster,
    steps: Buffer<u32>,
    goals: Buffer<u32>,
    first: Buffer<u32>,
    second: Option<Second>,
}

/// The buffers that only second-order times need.
#[derive(Debug)]
struct Second {
    times: Buffer<u32>,
    sources: Buffer<u32>,
    bends: Buffer<u32>,
    bits: u32,
}

impl DeviceTravelTimes {
    /// Copies costs and goals to a device. Takes 8 bytes per cell, and 16 for second-order times.
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`], except for paths that are too long; when the device fails, has too few
    /// buffers, or its arithmetic differs from the CPU's.
    pub fn new(
        device: &Device,
        scheme: impl Into<Scheme>,
        grid: &Grid,
        costs: &[f32],
        goals: &[(u32, u32)],
    ) -> Result<Self, Error> {
        let scheme = scheme.into();
        let is_second = scheme == Scheme::Euclidean(Order::Second);
        let task = Task::new(grid, costs, goals)?;
        device.check_single_precision()?;
        let [of_first, of_second] = BUFFERS;
        device.check_buffers(if is_second { of_second } else { of_first })?;
        let raster = TimeRaster {
            columns: grid.columns(),
            rows: grid.rows(),
            tile_columns: grid.columns().div_ceil(SIDE),
            tile_rows: grid.rows().div_ceil(SIDE),
        };
        let steps: Vec<u32> = task.steps.iter().map(|&step| u32::from(step)).collect();
        let highest = steps.iter().max().copied().unwrap_or(0);
        let second = || -> Result<Second, DeviceError> {
            Ok(Second {
                times: device.empty("travel times, second order", grid.cells())?,
                sources: device.empty("travel times: sources", grid.cells())?,
                bends: device.upload("travel times: bends", &DISTANCE_CORRECTIONS)?,
                bits: spare_bits(highest),
            })
        };
        let goals: &[u32] = if task.goals.is_empty() { &[0] } else { &task.goals };
        Ok(Self {
            raster,
            steps: device.upload("travel times: steps", &steps)?,
            goals: device.upload("travel times: goals", goals)?,
            first: device.empty("travel times", grid.cells())?,
            second: is_second.then(second).transpose()?,
            task,
            scheme,
        })
    }

    /// Computes the times. Returns once the device has finished.
    ///
    /// Cost: for each order of the scheme, each round processes the tiles of 32 x 32 cells whose neighbours' times have
    /// changed. A straight path crosses a tile in one round.
    ///
    /// # Errors
    /// When the device fails.
    #[allow(unsafe_code)]
    pub fn compute(&self, device: &Device) -> Result<(), Error> {
        self.start(device, &self.first, 0)?;
        self.until_settled(device, |device, tiles, flags| {
            device.launch_cubes("travel times", tiles, UNITS, |client, cubes, dim| {
                let (steps, first) = (self.steps.arg(), self.first.arg());
                let (flags, raster) = (flags.arg(), self.raster.arg());
                // SAFETY: cells within the raster are in the buffers of steps and times, tiles are in the buffers of
                // their flags, and the cells around a tile are in shared memory. The kernel writes only the times of
                // cells that changed: these have a non-zero step, and steps outside the raster are 0.
                unsafe {
                    lower_tiles::launch_unchecked(
                        client,
                        cubes,
                        dim,
                        steps,
                        first,
                        flags,
                        raster,
                        self.scheme.metric(),
                    );
                }
            })
        })?;
        let Some(second) = &self.second else { return Ok(()) };
        self.start(device, &second.times, 0)?;
        self.start(device, &second.sources, GOAL)?;
        let known = FirstOrderBuffers { steps: &self.steps, first: &self.first, bends: &second.bends };
        let found = SecondOrderBuffers { times: &second.times, sources: &second.sources };
        self.until_settled(device, |device, tiles, flags| {
            device.launch_cubes("travel times, second order", tiles, UNITS, |client, cubes, dim| {
                let (known, found) = (known.arg(), found.arg());
                let (flags, raster) = (flags.arg(), self.raster.arg());
                // SAFETY: as above. Cells that change have a first-order time, which no cell outside the raster has.
                // These times are final, so each of these cells has a lower neighbour with a source. The source is at
                // most 63 cells away along each axis, so its index is within `bends`.
                unsafe {
                    refine_tiles::launch_unchecked(client, cubes, dim, known, found, flags, raster, second.bits);
                }
            })
        })
    }

    /// Sets all cells to [`NEVER`], and goals to `value`.
    fn start(&self, device: &Device, words: &Buffer<u32>, value: u32) -> Result<(), DeviceError> {
        let cells = self.task.grid.cells();
        device.launch("travel times: start", cells, |client, cubes, dim| {
            fill_words::launch(client, cubes, dim, words.arg(), NEVER, cells as u32);
        })?;
        let goals = self.task.goals.len();
        device.launch("travel times: goals", goals, |client, cubes, dim| {
            set_words::launch(client, cubes, dim, words.arg(), self.goals.arg(), value, goals as u32);
        })
    }

    /// Launches rounds until no tile is active.
    fn until_settled(
        &self,
        device: &Device,
        round: impl Fn(&Device, u32, TileFlagsBuffers<'_>) -> Result<(), DeviceError>,
    ) -> Result<(), Error> {
        let first = self.first_tiles();
        let one = device.upload("travel times: tiles", &first)?;
        let other = device.upload("travel times: tiles", &vec![0u32; first.len()])?;
        let unread = device.upload("travel times: activated", &[0u32])?;
        let tiles = self.raster.tile_columns * self.raster.tile_rows;
        loop {
            // The last round of a batch has its own counter, which shows whether any work is left.
            let last = device.upload("travel times: activated", &[0u32])?;
            for number in 0..ROUNDS {
                let activated = if number + 1 == ROUNDS { &last } else { &unread };
                let (active, next) = if number.is_multiple_of(2) { (&one, &other) } else { (&other, &one) };
                round(device, tiles, TileFlagsBuffers { active, next, activated })?;
            }
            if device.read(&last)?[0] == 0 {
                return Ok(());
            }
        }
    }

    /// The tile flags of the first round.
    fn first_tiles(&self) -> Vec<u32> {
        let (grid, columns) = (&self.task.grid, self.raster.tile_columns);
        let mut active = vec![0u32; (columns * self.raster.tile_rows) as usize];
        for &goal in &self.task.goals {
            let (column, row) = grid.place(goal as usize);
            // The goal's own time does not change, but the times of its neighbours do, and these may be in adjacent
            // tiles.
            for (dx, dy) in [(0, 0)].into_iter().chain(NEIGHBOURS) {
                let (column, row) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
                if grid.find(column, row).is_some() {
                    active[(row / SIDE * columns + column / SIDE) as usize] = 1;
                }
            }
        }
        active
    }

    /// Copies the times from the device.
    ///
    /// # Errors
    /// When a path takes 2^32 ticks, or the device fails.
    pub fn read(&self, device: &Device) -> Result<TravelTimes, Error> {
        let times = self.second.as_ref().map_or(&self.first, |second| &second.times);
        Ok(TravelTimes::new(self.task.clone(), self.scheme, device.read(times)?)?)
    }
}
