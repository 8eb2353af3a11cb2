//! Second-order travel times by tiles, computed from first-order times: a cell is computed once its neighbours with
//! lower first-order times are known. The host uses the same rules, except that the lookup of surrounding cells is
//! written twice: with one source that uses a common view, the host took 2 to 6 % longer.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};
use throng_fields_core::routing::NEVER;
use throng_fields_core::routing::rules::{
    Along, NO_SOURCE, correction_from, distance_from, is_of_second_order, source_beyond, time_beyond, time_from,
};

use super::sums::UNITS;
use super::time_tiles::{
    OWN_CELLS, STRIDE, SWEEPS, SWEEPS_AT_ONCE, TileFlags, TimeRaster, activate, cell_around, cells_around, has_changed,
    is_active, note_change, own_cell, own_place, own_steps, place_around, places_around, start, sweeps_after, value_of,
};

/// The cells of a tile, with a margin of two cells.
#[derive(CubeType)]
struct Around {
    first: SharedMemory<u32>,
    second: SharedMemory<u32>,
    /// [`NEVER`] if not known yet.
    sources: SharedMemory<u32>,
}

/// Inputs of second-order travel times.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct FirstOrder {
    pub steps: Array<u32>,
    /// First-order times.
    pub first: Array<u32>,
    pub bends: Array<u32>,
}

/// Second-order times and their sources; [`NEVER`] where not known yet.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct SecondOrder {
    pub times: Array<u32>,
    pub sources: Array<u32>,
}

/// A cell and its upwind neighbour along each axis, or the cell itself.
#[derive(CubeType, Clone, Copy)]
struct Upwind {
    at: u32,
    across: u32,
    down: u32,
}

/// Computes the times of all active tiles, as far as the times on which they depend are known. Steps are scaled by
/// 2^`bits`.
#[cube(launch_unchecked)]
pub fn refine_tiles(
    known: &FirstOrder,
    found: &mut SecondOrder,
    flags: &mut TileFlags,
    raster: &TimeRaster,
    bits: u32,
) {
    let mut around = Around {
        first: SharedMemory::<u32>::new(comptime!(places_around(2))),
        second: SharedMemory::<u32>::new(comptime!(places_around(2))),
        sources: SharedMemory::<u32>::new(comptime!(places_around(2))),
    };
    // This condition is the same for all units of a cube.
    if is_active(&flags.active, raster) {
        let mut i = UNIT_POS;
        while i < comptime!(cells_around(2)) {
            let cell = cell_around(i, raster, 2u32);
            let mut time = NEVER.runtime();
            let mut second = NEVER.runtime();
            let mut source = NEVER.runtime();
            if cell != NEVER {
                time = known.first[cell as usize];
                second = found.times[cell as usize];
                source = found.sources[cell as usize];
            }
            let place = place_around(i, 2u32) as usize;
            around.first[place] = time;
            around.second[place] = second;
            around.sources[place] = source;
            i += UNITS;
        }
        let own_steps = own_steps(&known.steps, raster);
        let mut changes = start(&mut flags.active);
        // First-order times do not change here.
        let mut is_open = Array::<bool>::new(comptime!(OWN_CELLS as usize));
        let mut across = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        let mut down = Array::<u32>::new(comptime!(OWN_CELLS as usize));
        #[unroll]
        for r in 0..OWN_CELLS {
            let at = own_place(r, 2u32);
            is_open[r as usize] = around.second[at as usize] == NEVER && around.first[at as usize] != NEVER;
            across[r as usize] = upwind(&around, at, 1u32);
            down[r as usize] = upwind(&around, at, STRIDE.runtime());
        }

        let mut sweep = 0u32;
        while sweep < SWEEPS {
            let mut busy = false.runtime();
            for _ in 0..SWEEPS_AT_ONCE {
                // Index of a cell of this unit that can be computed. If the units of a plane have different indices,
                // they still compute in parallel. Further cells of a unit wait for the next sweep.
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
                    let cells =
                        Upwind { at: own_place(due, 2u32), across: value_of(&across, due), down: value_of(&down, due) };
                    let step = value_of(&own_steps, due);
                    source = source_of(&around, &known.bends, cells, step);
                    time = time_of(&around, &known.bends, cells, source, step << bits, bits);
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
                found.times[cell] = around.second[at];
                found.sources[cell] = around.sources[at];
            }
        }
        activate(flags, &changes, sweep == SWEEPS, raster, false);
    }
}

/// The lower neighbour along an axis, or the cell itself if none is lower.
#[cube]
fn upwind(around: &Around, at: u32, apart: u32) -> u32 {
    let up = around.first[(at + apart) as usize] < around.first[(at - apart) as usize];
    let near = select(up, at + apart, at - apart);
    select(around.first[near as usize] < around.first[at as usize], near, at)
}

/// Whether time and source of an upwind neighbour are known, and the time of the cell beyond if that is lower. Another
/// cube may be writing them, so one may become visible before the other.
#[cube]
fn is_known(around: &Around, at: u32, near: u32) -> bool {
    let beyond = near + near - at;
    let lower = around.first[beyond as usize] < around.first[near as usize];
    let unknown = around.second[near as usize] == NEVER
        || around.sources[near as usize] == NEVER
        || (lower && around.second[beyond as usize] == NEVER);
    near == at || !unknown
}

/// The source of a cell: that of the neighbour with the lowest time, provided that the path from there is straight and
/// not too long.
#[cube]
fn source_of(around: &Around, bends: &Array<u32>, cells: Upwind, step: u32) -> u32 {
    let (at, across, down) = (cells.at, cells.across, cells.down);
    let by_x = select(across == at, NEVER, around.first[across as usize]);
    let by_y = select(down == at, NEVER, around.first[down as usize]);
    let along_y = by_y < by_x;
    let near = select(along_y, down, across);
    let mut source = around.sources[near as usize];
    if source != NO_SOURCE {
        let distance = bends[distance_from(source) as usize];
        source = source_beyond(source, distance, around.second[near as usize], step, along_y, near > at);
    }
    source
}

/// The time of a cell whose upwind neighbours are known.
#[cube]
fn time_of(around: &Around, bends: &Array<u32>, cells: Upwind, source: u32, scaled: u32, bits: u32) -> u32 {
    let (at, across, down) = (cells.at, cells.across, cells.down);
    let x = select(across == at, NEVER, around.second[across as usize]);
    let y = select(down == at, NEVER, around.second[down as usize]);
    let beyond_x = beyond(around, at, across);
    let beyond_y = beyond(around, at, down);
    let second = is_of_second_order(x, beyond_x, y, beyond_y);
    let bend_x = bends[correction_from(source, false, across > at, second) as usize];
    let bend_y = bends[correction_from(source, true, down > at, second) as usize];
    let along_x = Along { time: x, beyond: beyond_x, bend: bend_x };
    let along_y = Along { time: y, beyond: beyond_y, bend: bend_y };
    time_from(&along_x, &along_y, scaled, bits, second)
}

/// The second-order time of the cell beyond an upwind neighbour; [`NEVER`] unless it is lower, or if the neighbour is
/// the cell itself.
#[cube]
fn beyond(around: &Around, at: u32, near: u32) -> u32 {
    let beyond = (near + near - at) as usize;
    time_beyond(around.first[near as usize], around.second[near as usize], around.first[beyond], around.second[beyond])
}
