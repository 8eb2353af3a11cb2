//! Travel times of second order by tiles, from those of first order: a cell is computed once its neighbours with lower
//! times of first order are known.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::routing::NEVER;
use throng_fields_core::routing::rules::{SharedTimes, arrival, beyond, lower_neighbour, upwind};

use super::sums::UNITS;
use super::time_tiles::{
    OWN_CELLS, STRIDE, SWEEPS, SWEEPS_AT_ONCE, TimeRaster, activate, cell_around, cells_around, has_changed, is_active,
    note_change, own_cell, own_place, own_steps, place_around, places_around, start, sweeps_after, value_of,
};

/// Computes the times of all active tiles as far as those on which they depend are known. `first` are those of first
/// order, `times` and `sources` are [`NEVER`] where they are not known; `bits` are those by which steps are extended, and
/// `active`, `next` and `activated` are as for [`lower_tiles`](super::lower_tiles).
#[cube(launch_unchecked)]
pub fn refine_tiles(
    steps: &Array<u32>,
    first: &Array<u32>,
    bends: &Array<u32>,
    times: &mut Array<u32>,
    sources: &mut Array<u32>,
    active: &mut Array<u32>,
    next: &mut Array<Atomic<u32>>,
    activated: &mut Array<Atomic<u32>>,
    raster: &TimeRaster,
    bits: u32,
) {
    let mut around = empty_tile(bends);
    // The same for all units of a cube.
    if is_active(active, raster) {
        let mut i = UNIT_POS;
        while i < comptime!(cells_around(2)) {
            let cell = cell_around(i, raster, 2u32);
            let mut time = NEVER.runtime();
            let mut known = NEVER.runtime();
            let mut source = NEVER.runtime();
            if cell != NEVER {
                time = first[cell as usize];
                known = times[cell as usize];
                source = sources[cell as usize];
            }
            let place = place_around(i, 2u32) as usize;
            around.first[place] = time;
            around.second[place] = known;
            around.sources[place] = source;
            i += UNITS;
        }
        let own_steps = own_steps(steps, raster);
        let mut changes = start(active);
        // Times of first order do not change here.
        let mut is_open = Array::<bool>::new(comptime!(OWN_CELLS as usize));
        let mut across = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        let mut down = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        #[unroll]
        for r in 0..OWN_CELLS {
            let at = own_place(r, 2u32);
            is_open[r as usize] = around.second[at as usize] == NEVER && around.first[at as usize] != NEVER;
            across[r as usize] = lower(&around, at, 1u32);
            down[r as usize] = lower(&around, at, STRIDE.runtime());
        }

        let mut sweep = 0u32;
        while sweep < SWEEPS {
            let mut busy = false.runtime();
            for _ in 0..SWEEPS_AT_ONCE {
                // One of this unit's cells that can be computed. A plane whose units have different ones computes all of
                // them at once; others wait for the next sweep.
                let mut due = OWN_CELLS.runtime();
                #[unroll]
                for r in 0..OWN_CELLS {
                    if is_open[r as usize] && due == OWN_CELLS {
                        let at = own_place(r, 2u32);
                        if is_known(&around, at, across[r as usize]) {
                            if is_known(&around, at, down[r as usize]) {
                                due = r.runtime();
                                is_open[r as usize] = false.runtime();
                            }
                        }
                    }
                }
                let mut time = NEVER.runtime();
                let mut source = NEVER.runtime();
                if due < OWN_CELLS {
                    busy = true.runtime();
                    let at = own_place(due, 2u32);
                    let x = upwind::<SharedTimes<'_>>(&around, at as usize, value_of(&across, due) as usize);
                    let y = upwind::<SharedTimes<'_>>(&around, at as usize, value_of(&down, due) as usize);
                    let step = value_of(&own_steps, due);
                    let new = arrival::<SharedTimes<'_>>(&around, at as usize, &x, &y, step, bits);
                    time = new.time;
                    source = new.source;
                }
                sync_cube();
                if time != NEVER {
                    let at = own_place(due, 2u32) as usize;
                    around.second[at] = time;
                    around.sources[at] = source;
                    note_change(&mut changes, due);
                }
                sync_cube();
            }
            sweep = sweeps_after(&mut changes, busy, sweep);
        }

        #[unroll]
        for r in 0..OWN_CELLS {
            if has_changed(&changes, r) {
                let cell = own_cell(r, raster) as usize;
                let at = own_place(r, 2u32) as usize;
                times[cell] = around.second[at];
                sources[cell] = around.sources[at];
            }
        }
        activate(next, activated, &changes, sweep == SWEEPS, raster);
    }
}

/// Room for the cells of a tile and those around. Sources are [`NEVER`] if not known yet.
#[cube]
fn empty_tile<'b>(bends: &'b Array<u32>) -> SharedTimes<'b> {
    SharedTimes::<'b> {
        first: SharedMemory::<u32>::new(comptime!(places_around(2))),
        second: SharedMemory::<u32>::new(comptime!(places_around(2))),
        sources: SharedMemory::<u32>::new(comptime!(places_around(2))),
        bends,
    }
}

/// The lower neighbour along an axis, or the cell itself if none is lower.
#[cube]
fn lower(around: &SharedTimes<'_>, at: u32, apart: u32) -> u32 {
    let near = lower_neighbour::<SharedTimes<'_>>(around, at as usize, apart as usize);
    select(around.first[near] < around.first[at as usize], near as u32, at)
}

/// Whether all is known of an upwind neighbour, and of the cell beyond if that is lower. Another cube may be writing
/// them, so one may be known before the other.
#[cube]
fn is_known(around: &SharedTimes<'_>, at: u32, near: u32) -> bool {
    let beyond = beyond(at as usize, near as usize);
    let lower = around.first[beyond] < around.first[near as usize];
    let unknown = around.second[near as usize] == NEVER
        || around.sources[near as usize] == NEVER
        || (lower && around.second[beyond] == NEVER);
    near == at || !unknown
}
