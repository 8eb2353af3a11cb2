//! Travel times of first order by tiles: in each round, the neighbours of tiles whose times have changed are processed
//! again, until no time changes. The host has a queue of cells instead, so that only the rule for a cell is common.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::routing::NEVER;
use throng_fields_core::routing::rules::godunov;

use super::sums::UNITS;
use super::time_tiles::{
    OWN_CELLS, STRIDE, SWEEPS, SWEEPS_AT_ONCE, TimeRaster, activate, cell_around, cells_around, has_changed, is_active,
    note_change, own_cell, own_place, own_steps, place_around, places_around, start, sweeps_after,
};

/// Lowers the times of all active tiles. `active` has a flag per tile for this round, `next` one for the next round, and
/// `activated` counts the tiles that have been activated for it. `steps` are 0 in walls.
#[cube(launch_unchecked)]
pub fn lower_tiles(
    steps: &Array<u32>,
    ticks: &mut Array<u32>,
    active: &mut Array<u32>,
    next: &mut Array<Atomic<u32>>,
    activated: &mut Array<Atomic<u32>>,
    raster: &TimeRaster,
) {
    let mut times = SharedMemory::<u32>::new(comptime!(places_around(1)));
    // The same for all units of a cube.
    if is_active(active, raster) {
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
        let mut changes = start(active);

        // The lower neighbours from which the time of each cell was last computed.
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
                    let down = u32::min(times[(at - STRIDE) as usize], times[(at + STRIDE) as usize]);
                    lower[r as usize] = NEVER.runtime();
                    // Only neighbours that have changed can lower the time.
                    if across != across_before[r as usize] || down != down_before[r as usize] {
                        across_before[r as usize] = across;
                        down_before[r as usize] = down;
                        if own_steps[r as usize] != 0u32 {
                            lower[r as usize] = godunov(across, down, own_steps[r as usize]);
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
        activate(next, activated, &changes, sweep == SWEEPS, raster);
    }
}
