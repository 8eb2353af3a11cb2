//! Travel times of first order, and of steps from cell to cell, by tiles: each round processes the tiles next to
//! changes of the previous round again, until no time changes. The host uses a queue of cells instead, so the two share
//! only the rule for a cell.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::Metric;
use throng_fields_core::routing::NEVER;
use throng_fields_core::routing::rules::{diagonal_time, godunov, time_beside};

use super::sums::UNITS;
use super::time_tiles::{
    OWN_CELLS, STRIDE, SWEEPS, SWEEPS_AT_ONCE, TileFlags, TimeRaster, activate, cell_around, cells_around, has_changed,
    is_active, note_change, own_cell, own_place, own_steps, place_around, places_around, start, sweeps_after,
};

/// Lowers the times of all active tiles. `steps` are 0 in walls.
#[cube(launch_unchecked)]
pub fn lower_tiles(
    steps: &Array<u32>,
    ticks: &mut Array<u32>,
    flags: &mut TileFlags,
    raster: &TimeRaster,
    #[comptime] metric: Metric,
) {
    let mut times = SharedMemory::<u32>::new(comptime!(places_around(1)));
    // This condition is the same for all units of a cube.
    if is_active(&flags.active, raster) {
        let mut i = UNIT_POS;
        while i < comptime!(cells_around(1)) {
            let cell = cell_around(i, raster, 1u32);
            let mut time = NEVER.runtime();
            if cell != NEVER {
                time = ticks[cell as usize];
            }
            times[place_around(i, 1u32) as usize] = time;
            i += UNITS;
        }
        let own_steps = own_steps(steps, raster);
        let mut changes = start(&mut flags.active);

        // The smaller neighbour's time along each axis from which the time of each cell was last computed.
        let mut across_before = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        let mut down_before = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        #[unroll]
        for r in 0..OWN_CELLS {
            across_before[r as usize] = NEVER.runtime();
            down_before[r as usize] = NEVER.runtime();
        }
        let mut lower = Array::<u32>::new(comptime!(OWN_CELLS as usize));

        let mut sweep = 0u32;
        while sweep < SWEEPS {
            let mut busy = false.runtime();
            for _ in 0..SWEEPS_AT_ONCE {
                #[unroll]
                for r in 0..OWN_CELLS {
                    let at = own_place(r, 1u32);
                    let across = u32::min(times[(at - 1u32) as usize], times[(at + 1u32) as usize]);
                    let mut down = u32::min(times[(at - STRIDE) as usize], times[(at + STRIDE) as usize]);
                    if comptime!(metric == Metric::Chebyshev) {
                        down = u32::min(down, lowest_diagonal(&times, at));
                    }
                    lower[r as usize] = NEVER.runtime();
                    // A cell's time can only fall if one of these has changed.
                    if across != across_before[r as usize] || down != down_before[r as usize] {
                        across_before[r as usize] = across;
                        down_before[r as usize] = down;
                        if own_steps[r as usize] != 0u32 {
                            if comptime!(metric == Metric::Euclidean) {
                                lower[r as usize] = godunov(across, down, own_steps[r as usize]);
                            } else {
                                lower[r as usize] = time_beside(u32::min(across, down), own_steps[r as usize]);
                            }
                        }
                    }
                }
                sync_cube();
                #[unroll]
                for r in 0..OWN_CELLS {
                    let at = own_place(r, 1u32) as usize;
                    if lower[r as usize] < times[at] {
                        times[at] = lower[r as usize];
                        note_change(&mut changes, r);
                        busy = true.runtime();
                    }
                }
                sync_cube();
            }
            sweep = sweeps_after(&mut changes, busy, sweep);
        }

        #[unroll]
        for r in 0..OWN_CELLS {
            if has_changed(&changes, r) {
                ticks[own_cell(r, raster) as usize] = times[own_place(r, 1u32) as usize];
            }
        }
        activate(flags, &changes, sweep == SWEEPS, raster, metric == Metric::Chebyshev);
    }
}

/// The lowest time of the diagonal neighbours to which a step from a cell is possible.
#[cube]
fn lowest_diagonal(times: &SharedMemory<u32>, at: u32) -> u32 {
    let left = times[(at - 1u32) as usize] != NEVER;
    let right = times[(at + 1u32) as usize] != NEVER;
    let below = times[(at - STRIDE) as usize] != NEVER;
    let above = times[(at + STRIDE) as usize] != NEVER;
    let lower = u32::min(
        diagonal_time(times[(at - STRIDE - 1u32) as usize], left, below),
        diagonal_time(times[(at - STRIDE + 1u32) as usize], right, below),
    );
    let upper = u32::min(
        diagonal_time(times[(at + STRIDE - 1u32) as usize], left, above),
        diagonal_time(times[(at + STRIDE + 1u32) as usize], right, above),
    );
    u32::min(lower, upper)
}
