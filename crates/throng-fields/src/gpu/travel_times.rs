//! Travel times on a device.

use throng_device::cubecl::prelude::*;
use throng_device::{Device, KernelParameter};

use super::error::GpuError;
use super::kernels::{SIDE, TimeRaster, UNITS, lower_tiles};
use crate::grid::Grid;
use crate::routing::TravelTimes;

/// Rounds that are launched before the host checks whether anything is left to do.
const ROUNDS: u32 = 16;

/// The times of [`TravelTimes::to_goals`], bit for bit, computed on a device.
///
/// Cost: each round processes the neighbours of tiles whose times decreased; a straight path through 32 x 32 cells
/// takes one.
///
/// # Errors
/// As for [`TravelTimes::to_goals`], and when the device fails, or computes differently from the CPU.
///
/// ```
/// use throng_device::{DeviceId, open, with_device};
/// use throng_fields::gpu::{self, GpuError};
/// use throng_fields::{Grid, routing::TravelTimes};
///
/// # fn main() -> Result<(), GpuError> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 0.5, 100, 40)?;
/// let costs = vec![0.25; grid.cells()];
/// let there = with_device!(&device, |device| gpu::travel_times(device, &grid, &costs, &[(0, 10)]))?;
/// assert_eq!(there.field(), TravelTimes::to_goals(&grid, &costs, &[(0, 10)])?.field());
/// # Ok(())
/// # }
/// ```
pub fn travel_times<R: Runtime>(
    device: &Device<R>,
    grid: &Grid,
    costs: &[f32],
    goals: &[(u32, u32)],
) -> Result<TravelTimes, GpuError> {
    let mut times = TravelTimes::at_goals(grid, costs, goals)?;
    device.check_single_precision()?;
    let (columns, rows) = (grid.columns().div_ceil(SIDE), grid.rows().div_ceil(SIDE));
    let tiles = columns * rows;
    let mut active = vec![0u32; 2 * tiles as usize];
    for &(column, row) in goals {
        // The time of the goal itself does not decrease, but that of its neighbours, which may be in adjacent tiles.
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)] {
            if let Some(cell) = grid.find(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy)) {
                let (row, column) = (cell as u32 / grid.columns(), cell as u32 % grid.columns());
                active[(row / SIDE * columns + column / SIDE) as usize] = 1;
            }
        }
    }
    let steps = device.upload("travel times: steps", times.steps())?;
    let ticks = device.upload("travel times", times.ticks())?;
    let active = device.upload("travel times: tiles", &active)?;
    let unread = device.upload("travel times: news", &[0u32])?;
    loop {
        // The last of some rounds has its own flag, which shows whether anything is left to do.
        let last = device.upload("travel times: news", &[0u32])?;
        for round in 0..ROUNDS {
            let news = if round + 1 == ROUNDS { &last } else { &unread };
            let raster = TimeRaster {
                columns: grid.columns(),
                rows: grid.rows(),
                tile_columns: columns,
                tile_rows: rows,
                now: round % 2,
            };
            device.launch_cubes("travel times", tiles, UNITS, |client, cubes, dim| {
                lower_tiles::launch::<R>(
                    client,
                    cubes,
                    dim,
                    steps.arg(),
                    ticks.arg(),
                    active.arg(),
                    news.arg(),
                    raster.arg(),
                );
            })?;
        }
        if device.read(&last)?[0] == 0 {
            break;
        }
    }
    times.finish(device.read(&ticks)?)?;
    Ok(times)
}
