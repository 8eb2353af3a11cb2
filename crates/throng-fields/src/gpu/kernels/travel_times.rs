//! Travel times by tiles: in each round, the neighbours of tiles whose times have changed are processed again, until no
//! time changes.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl};

use super::sums::UNITS;
use crate::routing::NEVER;
use crate::routing::rules::godunov;

/// Cells along the side of a tile.
pub const SIDE: u32 = 32;
/// The side of a tile with one more cell at each end.
const BESIDE: u32 = SIDE + 2;
/// Rows of a tile in which a unit has a cell.
pub(super) const ROWS: u32 = SIDE * SIDE / UNITS;
/// How often a tile updates its cells in a round: enough for a time to cross the tile in a straight line.
const LOOKS: u32 = 2 * SIDE;
/// How often it does so before it checks whether anything has changed.
const LOOKS_AT_ONCE: u32 = 4;

/// The size of a grid in cells and tiles.
#[derive(Debug, CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct TimeRaster {
    pub columns: u32,
    pub rows: u32,
    pub tile_columns: u32,
    pub tile_rows: u32,
    /// The half of `active` for this round; the other half is for the next one.
    pub now: u32,
}

/// Sets all words to a value.
#[cube(launch)]
pub fn fill_words(words: &mut Array<u32>, value: u32, count: u32) {
    let word = ABSOLUTE_POS as u32;
    if word < count {
        words[word as usize] = value;
    }
}

/// Sets the words at some places to a value.
#[cube(launch)]
pub fn set_words(words: &mut Array<u32>, places: &Array<u32>, value: u32, count: u32) {
    let number = ABSOLUTE_POS as u32;
    if number < count {
        let place = places[number as usize];
        words[place as usize] = value;
    }
}

/// Lowers the times of all active tiles. `active` has a flag per tile for this round, then one for the next; `news`
/// counts the tiles that have been activated for the next round. `steps` are 0 in walls.
#[cube(launch)]
pub fn lower_tiles(
    steps: &Array<u32>,
    ticks: &mut Array<u32>,
    active: &mut Array<Atomic<u32>>,
    news: &mut Array<Atomic<u32>>,
    raster: &TimeRaster,
) {
    let mut times = SharedMemory::<u32>::new(comptime!((BESIDE * BESIDE) as usize));
    let changed = SharedMemory::<Atomic<u32>>::new(6usize);
    let mut own_steps = Array::<u32>::new(comptime!(ROWS as usize));
    let mut lower = Array::<u32>::new(comptime!(ROWS as usize));
    let tile = CUBE_POS as u32;
    // The same for all units of a cube.
    if is_active(active, tile, raster) {
        let left = tile % raster.tile_columns * SIDE;
        let top = tile / raster.tile_columns * SIDE;
        let mut i = UNIT_POS;
        while i < comptime!(BESIDE * BESIDE) {
            // The numbers of cells before the first one wrap to large numbers.
            let column = left + i % BESIDE - 1u32;
            let row = top + i / BESIDE - 1u32;
            let mut time = NEVER.runtime();
            if column < raster.columns && row < raster.rows {
                time = ticks[(row * raster.columns + column) as usize];
            }
            times[i as usize] = time;
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
                    let at = (UNIT_POS / SIDE + r * comptime!(UNITS / SIDE) + 1u32) * BESIDE + x + 1u32;
                    lower[r as usize] = lowered(&times, at, own_steps[r as usize]);
                }
                sync_cube();
                #[unroll]
                for r in 0..ROWS {
                    let y = UNIT_POS / SIDE + r * comptime!(UNITS / SIDE);
                    let at = (y + 1u32) * BESIDE + x + 1u32;
                    if lower[r as usize] < times[at as usize] {
                        times[at as usize] = lower[r as usize];
                        // Whether any cell, and any cell beside each neighbour, has decreased.
                        changed[0].store(looks + 1u32);
                        note_border(&changed, x, y);
                    }
                }
                sync_cube();
            }
            looks += LOOKS_AT_ONCE;
            if changed[0].load() + comptime!(LOOKS_AT_ONCE - 1) < looks {
                // Nothing has decreased.
                looks = comptime!(LOOKS + 1).runtime();
            }
            sync_cube();
        }

        if changed[0].load() > 0u32 {
            #[unroll]
            for r in 0..ROWS {
                let y = UNIT_POS / SIDE + r * comptime!(UNITS / SIDE);
                if left + x < raster.columns && top + y < raster.rows {
                    ticks[((top + y) * raster.columns + left + x) as usize] =
                        times[((y + 1u32) * BESIDE + x + 1u32) as usize];
                }
            }
        }
        if UNIT_POS == 0u32 {
            // There may be more to do within the tile.
            wake_tiles(active, news, &changed, looks == LOOKS, tile, raster);
        }
    }
}

/// Whether a tile has to be processed in this round.
#[cube]
pub(super) fn is_active(active: &Array<Atomic<u32>>, tile: u32, raster: &TimeRaster) -> bool {
    let tiles = raster.tile_columns * raster.tile_rows;
    let mut to_do = 0u32;
    if tile < tiles {
        to_do = active[(raster.now * tiles + tile) as usize].load();
    }
    to_do != 0u32
}

/// Records that a cell has changed, if it is at the border of its tile.
#[cube]
pub(super) fn note_border(changed: &SharedMemory<Atomic<u32>>, x: u32, y: u32) {
    if x == 0u32 {
        changed[1].store(1u32);
    }
    if x == comptime!(SIDE - 1) {
        changed[2].store(1u32);
    }
    if y == 0u32 {
        changed[3].store(1u32);
    }
    if y == comptime!(SIDE - 1) {
        changed[4].store(1u32);
    }
}

/// Activates, for the next round, the tiles beside borders that have changed, and the tile itself if it has `more` to do.
#[cube]
pub(super) fn wake_tiles(
    active: &mut Array<Atomic<u32>>,
    news: &mut Array<Atomic<u32>>,
    changed: &SharedMemory<Atomic<u32>>,
    more: bool,
    tile: u32,
    raster: &TimeRaster,
) {
    let next = (1u32 - raster.now) * raster.tile_columns * raster.tile_rows + tile;
    let column = tile % raster.tile_columns;
    let row = tile / raster.tile_columns;
    if more {
        wake(active, news, next);
    }
    if changed[1].load() == 1u32 && column > 0u32 {
        wake(active, news, next - 1u32);
    }
    if changed[2].load() == 1u32 && column + 1u32 < raster.tile_columns {
        wake(active, news, next + 1u32);
    }
    if changed[3].load() == 1u32 && row > 0u32 {
        wake(active, news, next - raster.tile_columns);
    }
    if changed[4].load() == 1u32 && row + 1u32 < raster.tile_rows {
        wake(active, news, next + raster.tile_columns);
    }
}

#[cube]
fn wake(active: &mut Array<Atomic<u32>>, news: &mut Array<Atomic<u32>>, flag: u32) {
    active[flag as usize].store(1u32);
    news[0].fetch_add(1u32);
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
