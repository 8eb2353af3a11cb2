//! Travel times of second order by tiles, from those of first order: a cell is computed once its neighbours with lower
//! times of first order are known.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::UNITS;
use super::travel_times::{ROWS, SIDE, TimeRaster, is_active, note_border, wake_tiles};
use crate::routing::NEVER;
use crate::routing::rules::{FAR, STRAIGHT, argument, bend_at, distance_at, is_straight, second_order_time};

/// The side of a tile with two more cells at each end.
const AROUND: u32 = SIDE + 4;
/// How often a tile updates its cells in a round. A path through a tile may have more cells, and then takes several
/// rounds.
const LOOKS: u32 = 2 * SIDE;
/// How often it does so before it checks whether anything has changed.
const LOOKS_AT_ONCE: u32 = 4;

/// The source of a goal: offsets from 64 on, along x in the lower eight bits, along y in the next ones.
pub const GOAL: u32 = NO_OFFSET | NO_OFFSET << 8;
const NO_OFFSET: u32 = 64;
/// No source, but known.
const NO_SOURCE: u32 = 0;

/// What a tile knows of its cells and those around.
#[derive(CubeType)]
struct Around {
    first: SharedMemory<u32>,
    second: SharedMemory<u32>,
    /// [`NEVER`] if not known yet.
    sources: SharedMemory<u32>,
}

/// Computes the times of all active tiles as far as those on which they depend are known. `first` are those of first
/// order, `times` and `sources` are [`NEVER`] where they are not known; `bits` are those by which steps are extended, and
/// `active` and `news` are as for [`lower_tiles`](super::lower_tiles).
#[cube(launch)]
pub fn refine_tiles(
    steps: &Array<u32>,
    first: &Array<u32>,
    bends: &Array<u32>,
    times: &mut Array<u32>,
    sources: &mut Array<u32>,
    active: &mut Array<Atomic<u32>>,
    news: &mut Array<Atomic<u32>>,
    raster: &TimeRaster,
    bits: u32,
) {
    let mut around = Around {
        first: SharedMemory::<u32>::new(comptime!((AROUND * AROUND) as usize)),
        second: SharedMemory::<u32>::new(comptime!((AROUND * AROUND) as usize)),
        sources: SharedMemory::<u32>::new(comptime!((AROUND * AROUND) as usize)),
    };
    let changed = SharedMemory::<Atomic<u32>>::new(6usize);
    let mut own_steps = Array::<u32>::new(comptime!(ROWS as usize));
    let mut new_times = Array::<u32>::new(comptime!(ROWS as usize));
    let mut new_sources = Array::<u32>::new(comptime!(ROWS as usize));
    let tile = CUBE_POS as u32;
    // The same for all units of a cube.
    if is_active(active, tile, raster) {
        let left = tile % raster.tile_columns * SIDE;
        let top = tile / raster.tile_columns * SIDE;
        let mut i = UNIT_POS;
        while i < comptime!(AROUND * AROUND) {
            // The numbers of cells before the first one wrap to large numbers.
            let column = left + i % AROUND - 2u32;
            let row = top + i / AROUND - 2u32;
            let mut time = NEVER.runtime();
            let mut known = NEVER.runtime();
            let mut source = NEVER.runtime();
            if column < raster.columns && row < raster.rows {
                let cell = (row * raster.columns + column) as usize;
                time = first[cell];
                known = times[cell];
                source = sources[cell];
            }
            around.first[i as usize] = time;
            around.second[i as usize] = known;
            around.sources[i as usize] = source;
            i += UNITS;
        }
        if UNIT_POS < 6u32 {
            changed[UNIT_POS as usize].store(0u32);
        }
        let x = UNIT_POS % SIDE;
        #[unroll]
        for r in 0..ROWS {
            let y = UNIT_POS / SIDE + r * comptime!(UNITS / SIDE);
            let mut step = 0u32.runtime();
            if left + x < raster.columns && top + y < raster.rows {
                step = steps[((top + y) * raster.columns + left + x) as usize];
            }
            own_steps[r as usize] = step;
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            active[(raster.now * raster.tile_columns * raster.tile_rows + tile) as usize].store(0u32);
        }

        let mut looks = 0u32;
        while looks < LOOKS {
            #[unroll]
            for _ in 0..LOOKS_AT_ONCE {
                #[unroll]
                for r in 0..ROWS {
                    let at = (UNIT_POS / SIDE + r * comptime!(UNITS / SIDE) + 2u32) * AROUND + x + 2u32;
                    new_times[r as usize] = NEVER.runtime();
                    new_sources[r as usize] = NEVER.runtime();
                    if around.second[at as usize] == NEVER && around.first[at as usize] != NEVER {
                        let across = upwind(&around, at, 1u32);
                        let down = upwind(&around, at, AROUND.runtime());
                        if is_known(&around, at, across) && is_known(&around, at, down) {
                            let step = own_steps[r as usize];
                            let source = source_of(&around, bends, at, across, down, step);
                            new_sources[r as usize] = source;
                            new_times[r as usize] =
                                time_of(&around, bends, at, across, down, source, step << bits, bits);
                        }
                    }
                }
                sync_cube();
                #[unroll]
                for r in 0..ROWS {
                    let y = UNIT_POS / SIDE + r * comptime!(UNITS / SIDE);
                    let at = (y + 2u32) * AROUND + x + 2u32;
                    if new_times[r as usize] != NEVER {
                        around.second[at as usize] = new_times[r as usize];
                        around.sources[at as usize] = new_sources[r as usize];
                        // Whether any cell, and any cell beside each neighbour, is new.
                        changed[0].store(looks + 1u32);
                        note_border(&changed, x, y);
                    }
                }
                sync_cube();
            }
            looks += LOOKS_AT_ONCE;
            if changed[0].load() + comptime!(LOOKS_AT_ONCE - 1) < looks {
                // Nothing is new.
                looks = comptime!(LOOKS + 1).runtime();
            }
            sync_cube();
        }

        if changed[0].load() > 0u32 {
            #[unroll]
            for r in 0..ROWS {
                let y = UNIT_POS / SIDE + r * comptime!(UNITS / SIDE);
                if left + x < raster.columns && top + y < raster.rows {
                    let cell = ((top + y) * raster.columns + left + x) as usize;
                    let at = ((y + 2u32) * AROUND + x + 2u32) as usize;
                    times[cell] = around.second[at];
                    sources[cell] = around.sources[at];
                }
            }
        }
        if UNIT_POS == 0u32 {
            wake_tiles(active, news, &changed, looks == LOOKS, tile, raster);
        }
    }
}

/// The lower neighbour along an axis, or the cell itself if none is lower.
#[cube]
fn upwind(around: &Around, at: u32, apart: u32) -> u32 {
    let up = around.first[(at + apart) as usize] < around.first[(at - apart) as usize];
    let near = select(up, at + apart, at - apart);
    select(around.first[near as usize] < around.first[at as usize], near, at)
}

/// Whether all is known of an upwind neighbour, and of the cell beyond if that is lower. Another cube may be writing
/// them, so one may be known before the other.
#[cube]
fn is_known(around: &Around, at: u32, near: u32) -> bool {
    let beyond = near + near - at;
    let lower = around.first[beyond as usize] < around.first[near as usize];
    let unknown = around.second[near as usize] == NEVER
        || around.sources[near as usize] == NEVER
        || (lower && around.second[beyond as usize] == NEVER);
    near == at || !unknown
}

/// The time of second order beyond an upwind neighbour; [`NEVER`] unless it is lower.
#[cube]
fn beyond_of(around: &Around, at: u32, near: u32) -> u32 {
    let beyond = near + near - at;
    let lower = near != at
        && around.first[beyond as usize] < around.first[near as usize]
        && around.second[beyond as usize] < around.second[near as usize];
    select(lower, around.second[beyond as usize], NEVER)
}

/// How many cells an offset is.
#[cube]
fn cells_of(offset: u32) -> u32 {
    u32::max(offset, NO_OFFSET) - u32::min(offset, NO_OFFSET)
}

/// The source of a cell: that of the neighbour with the lowest time, as long as the way from there is straight and not
/// too long.
#[cube]
fn source_of(around: &Around, bends: &Array<u32>, at: u32, across: u32, down: u32, step: u32) -> u32 {
    let by_x = select(across == at, NEVER, around.first[across as usize]);
    let by_y = select(down == at, NEVER, around.first[down as usize]);
    let near = select(by_y < by_x, down, across);
    let mut source = around.sources[near as usize];
    if source != NO_SOURCE {
        let mut x = source & 255u32;
        let mut y = source >> 8u32;
        let distance = bends[distance_at(cells_of(x), cells_of(y)) as usize];
        source = NO_SOURCE.runtime();
        if is_straight(around.second[near as usize], step, distance) {
            // One cell more in the direction of the neighbour.
            let more = select(near > at, 2u32, 0u32);
            if by_y < by_x {
                y = y + more - 1u32;
            } else {
                x = x + more - 1u32;
            }
            if cells_of(x) <= FAR && cells_of(y) <= FAR {
                source = x | y << 8u32;
            }
        }
    }
    source
}

/// The time of a cell whose neighbours are known.
#[cube]
fn time_of(
    around: &Around,
    bends: &Array<u32>,
    at: u32,
    across: u32,
    down: u32,
    source: u32,
    scaled: u32,
    bits: u32,
) -> u32 {
    let a = select(across == at, NEVER, around.second[across as usize]);
    let b = select(down == at, NEVER, around.second[down as usize]);
    let beyond_a = beyond_of(around, at, across);
    let beyond_b = beyond_of(around, at, down);
    let second = (across == at || beyond_a != NEVER) && (down == at || beyond_b != NEVER);
    let mut bend_x = STRAIGHT.runtime();
    let mut bend_y = STRAIGHT.runtime();
    if source != NO_SOURCE {
        let x = source & 255u32;
        let y = source >> 8u32;
        // The neighbour is nearer to the goal.
        if x != NO_OFFSET && (across > at) == (x > NO_OFFSET) {
            bend_x = bends[bend_at(cells_of(x), cells_of(y), second) as usize];
        }
        if y != NO_OFFSET && (down > at) == (y > NO_OFFSET) {
            bend_y = bends[bend_at(cells_of(y), cells_of(x), second) as usize];
        }
    }
    let low = u32::min(a, b);
    let x = argument(a, beyond_a, low, bend_x, scaled, bits, second);
    let y = argument(b, beyond_b, low, bend_y, scaled, bits, second);
    second_order_time(x, y, low, scaled, bits, second)
}
