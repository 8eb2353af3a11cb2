//! Travel times on a device.

use throng_device::{Buffer, Device, DeviceError, Error, KernelParameter};
use throng_fields_core::routing::rules::{BENDS, GOAL, spare_bits};
use throng_fields_core::routing::{NEVER, Order, Task, TravelTimes};
use throng_pictures::Grid;

use super::kernels::{SIDE, TimeRaster, UNITS, fill_words, lower_tiles, refine_tiles, set_words};

/// Rounds that are launched before the host checks whether anything is left to do.
const ROUNDS: u32 = 16;
/// Buffers of the kernels for times of first and of second order.
const BUFFERS: [u32; 2] = [5, 8];

/// The times of [`TravelTimes::to_goals`], bit for bit, computed on a device.
///
/// # Errors
/// As for [`TravelTimes::to_goals`], and when the device fails, or computes differently from the CPU.
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
/// let there = gpu::travel_times(&device, &grid, &costs, &[(0, 10)])?;
/// assert_eq!(there.field(), TravelTimes::to_goals(&grid, &costs, &[(0, 10)])?.field());
/// # Ok(())
/// # }
/// ```
pub fn travel_times(device: &Device, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<TravelTimes, Error> {
    travel_times_of_order(device, Order::default(), grid, costs, goals)
}

/// The times of [`TravelTimes::of_order`], bit for bit, computed on a device.
pub fn travel_times_of_order(
    device: &Device,
    order: Order,
    grid: &Grid,
    costs: &[f32],
    goals: &[(u32, u32)],
) -> Result<TravelTimes, Error> {
    let there = DeviceTravelTimes::new(device, order, grid, costs, goals)?;
    there.compute(device)?;
    there.read(device)
}

/// Whether a device can compute travel times of both orders: not all have as many buffers.
pub fn has_travel_times(device: &Device) -> bool {
    device.check_buffers(BUFFERS[1]).is_ok()
}

/// Travel times that are computed and stay on a device until they are read: those of [`TravelTimes::of_order`], bit for
/// bit.
#[derive(Debug)]
pub struct DeviceTravelTimes {
    task: Task,
    raster: TimeRaster,
    steps: Buffer<u32>,
    goals: Buffer<u32>,
    first: Buffer<u32>,
    second: Option<Second>,
}

/// The buffers of times of second order.
#[derive(Debug)]
struct Second {
    times: Buffer<u32>,
    sources: Buffer<u32>,
    bends: Buffer<u32>,
    bits: u32,
}

impl DeviceTravelTimes {
    /// Copies costs and goals to a device. Takes 8 bytes for each cell, and 16 for times of second order.
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`], except for paths that are too long; when the device fails, or computes
    /// differently from the CPU.
    pub fn new(device: &Device, order: Order, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, Error> {
        let task = Task::new(grid, costs, goals)?;
        device.check_single_precision()?;
        let [of_first, of_second] = BUFFERS;
        device.check_buffers(if order == Order::Second { of_second } else { of_first })?;
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
                bends: device.upload("travel times: bends", &BENDS)?,
                bits: spare_bits(highest),
            })
        };
        let goals: &[u32] = if task.goals.is_empty() { &[0] } else { &task.goals };
        Ok(Self {
            raster,
            steps: device.upload("travel times: steps", &steps)?,
            goals: device.upload("travel times: goals", goals)?,
            first: device.empty("travel times", grid.cells())?,
            second: (order == Order::Second).then(second).transpose()?,
            task,
        })
    }

    /// Computes the times. Returns once the device has finished.
    ///
    /// Cost: for each order, a round processes the neighbours of tiles of 32 x 32 cells whose times have changed; a
    /// straight path through a tile takes one.
    ///
    /// # Errors
    /// When the device fails.
    #[allow(unsafe_code)]
    pub fn compute(&self, device: &Device) -> Result<(), Error> {
        self.start(device, &self.first, 0)?;
        self.until_settled(device, |device, tiles, [active, next], activated| {
            device.launch_cubes("travel times", tiles, UNITS, |client, cubes, dim| {
                let (steps, first) = (self.steps.arg(), self.first.arg());
                let (active, next, activated) = (active.arg(), next.arg(), activated.arg());
                // SAFETY: cells within the raster are in the buffers of steps and times, tiles in the buffers of
                // their flags, and places around a tile in shared memory. The kernel writes the times of cells that
                // changed: these have a step, which is 0 outside the raster.
                unsafe {
                    lower_tiles::launch_unchecked(
                        client,
                        cubes,
                        dim,
                        steps,
                        first,
                        active,
                        next,
                        activated,
                        self.raster.arg(),
                    );
                }
            })
        })?;
        let Some(second) = &self.second else { return Ok(()) };
        self.start(device, &second.times, 0)?;
        self.start(device, &second.sources, GOAL)?;
        self.until_settled(device, |device, tiles, [active, next], activated| {
            device.launch_cubes("travel times, second order", tiles, UNITS, |client, cubes, dim| {
                let (steps, first) = (self.steps.arg(), self.first.arg());
                let (bends, times, sources) = (second.bends.arg(), second.times.arg(), second.sources.arg());
                let (active, next, activated) = (active.arg(), next.arg(), activated.arg());
                // SAFETY: as above. Cells that change have a time of first order, as there are none outside the raster.
                // These times are final, so each of these cells has a lower neighbour with a source; it is at most 63
                // cells away along each axis, and so its place is in `bends`.
                unsafe {
                    refine_tiles::launch_unchecked(
                        client,
                        cubes,
                        dim,
                        steps,
                        first,
                        bends,
                        times,
                        sources,
                        active,
                        next,
                        activated,
                        self.raster.arg(),
                        second.bits,
                    );
                }
            })
        })
    }

    /// Sets all cells to [`NEVER`], and goals to a value.
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

    /// Launches rounds, with buffers for the flags of tiles in this and the next round, and for the number of those that
    /// are active in the next one, until there are none.
    fn until_settled(
        &self,
        device: &Device,
        round: impl Fn(&Device, u32, [&Buffer<u32>; 2], &Buffer<u32>) -> Result<(), DeviceError>,
    ) -> Result<(), Error> {
        let first = self.first_tiles();
        let one = device.upload("travel times: tiles", &first)?;
        let other = device.upload("travel times: tiles", &vec![0u32; first.len()])?;
        let unread = device.upload("travel times: activated", &[0u32])?;
        let tiles = self.raster.tile_columns * self.raster.tile_rows;
        loop {
            // The last of some rounds has its own flag, which shows whether anything is left to do.
            let last = device.upload("travel times: activated", &[0u32])?;
            for number in 0..ROUNDS {
                let activated = if number + 1 == ROUNDS { &last } else { &unread };
                let flags = if number.is_multiple_of(2) { [&one, &other] } else { [&other, &one] };
                round(device, tiles, flags, activated)?;
            }
            if device.read(&last)?[0] == 0 {
                return Ok(());
            }
        }
    }

    /// A flag for each tile in the first round.
    fn first_tiles(&self) -> Vec<u32> {
        let (grid, columns) = (&self.task.grid, self.raster.tile_columns);
        let mut active = vec![0u32; (columns * self.raster.tile_rows) as usize];
        for &goal in &self.task.goals {
            let (column, row) = grid.place(goal as usize);
            // The time of the goal itself does not change, but that of its neighbours, which may be in adjacent tiles.
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)] {
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
        Ok(TravelTimes::new(self.task.clone(), device.read(times)?)?)
    }
}
