//! Travel times of first order by tiles: in each round, the neighbours of tiles whose times have changed are processed
//! again, until no time changes.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::UNITS;
use super::time_tiles::{
    ROWS, SIDE, SWEEPS, SWEEPS_AT_ONCE, TimeRaster, activate, cell_around, is_active, no_changes, note_change,
    own_cell, own_place, own_steps, start, sweeps_after,
};
use crate::routing::NEVER;
use crate::routing::rules::godunov;

/// The side of a tile with one more cell at each end.
const BESIDE: u32 = SIDE + 2;

/// Lowers the times of all active tiles. `active` has a flag per tile for this round, then one for the next;
/// `activated` counts the tiles that have been activated for the next round. `steps` are 0 in walls.
#[cube(launch_unchecked)]
pub fn lower_tiles(
    steps: &Array<u32>,
    ticks: &mut Array<u32>,
    active: &mut Array<Atomic<u32>>,
    activated: &mut Array<Atomic<u32>>,
    raster: &TimeRaster,
) {
    let mut times = SharedMemory::<u32>::new(comptime!((BESIDE * BESIDE) as usize));
    let mut lower = Array::<u32>::new(comptime!(ROWS as usize));
    // The same for all units of a cube.
    if is_active(active, raster) {
        let mut i = UNIT_POS;
        while i < comptime!(BESIDE * BESIDE) {
            let cell = cell_around(i, raster, 1u32);
            let mut time = NEVER.runtime();
            if cell != NEVER {
                time = ticks[cell as usize];
            }
            times[i as usize] = time;
            i += UNITS;
        }
        let own_steps = own_steps(steps, raster);
        let changed = no_changes();
        start(active, raster);

        let mut sweep = 0u32;
        while sweep < SWEEPS {
            #[unroll]
            for _ in 0..SWEEPS_AT_ONCE {
                #[unroll]
                for r in 0..ROWS {
                    lower[r as usize] = lowered(&times, own_place(r, 1u32), own_steps[r as usize]);
                }
                sync_cube();
                #[unroll]
                for r in 0..ROWS {
                    let at = own_place(r, 1u32);
                    if lower[r as usize] < times[at as usize] {
                        times[at as usize] = lower[r as usize];
                        note_change(&changed, r, sweep);
                    }
                }
                sync_cube();
            }
            sweep = sweeps_after(&changed, sweep);
        }

        if changed[0].load() > 0u32 {
            #[unroll]
            for r in 0..ROWS {
                let cell = own_cell(r, raster);
                if cell != NEVER {
                    ticks[cell as usize] = times[own_place(r, 1u32) as usize];
                }
            }
        }
        activate(active, activated, &changed, sweep == SWEEPS, raster);
    }
}

/// The time of a cell that follows from its neighbours.
#[cube]
fn lowered(times: &SharedMemory<u32>, at: u32, step: u32) -> u32 {
    let mut time = NEVER.runtime();
    if step != 0u32 {
        let across = u32::min(times[(at - 1u32) as usize], times[(at + 1u32) as usize]);
        let down = u32::min(times[(at - BESIDE) as usize], times[(at + BESIDE) as usize]);
        time = godunov(across, down, step);
    }
    time
}
