//! Tiles of travel times: which of them are active in a round, and which cells the units of a cube compute.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl};

use super::sums::UNITS;
use crate::routing::NEVER;

/// Cells along the side of a tile.
pub const SIDE: u32 = 32;
/// Rows of a tile in which a unit has a cell.
pub(super) const ROWS: u32 = SIDE * SIDE / UNITS;
/// Sweeps over the cells of a tile in a round: enough for a time to cross the tile in a straight line. A path through
/// a tile may have more cells, and then takes several rounds.
pub(super) const SWEEPS: u32 = 2 * SIDE;
/// Sweeps before a tile checks whether anything has changed.
pub(super) const SWEEPS_AT_ONCE: u32 = 4;
/// Flags of the cells that have changed: any, then those at the left, right, lower and upper border.
const FLAGS: u32 = 5;

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

/// The index of a cell of the grid; [`NEVER`] outside. The numbers of cells before the first one wrap to large numbers.
#[cube]
fn cell_at(column: u32, row: u32, raster: &TimeRaster) -> u32 {
    let mut cell = NEVER.runtime();
    if column < raster.columns && row < raster.rows {
        cell = row * raster.columns + column;
    }
    cell
}

/// The index of a cell of this cube's tile with `margin` more cells on each side, of which `i` is the number, row by
/// row; [`NEVER`] outside the grid.
#[cube]
pub(super) fn cell_around(i: u32, raster: &TimeRaster, #[comptime] margin: u32) -> u32 {
    let tile = CUBE_POS as u32;
    let side = comptime!(SIDE + 2 * margin);
    let column = tile % raster.tile_columns * SIDE + i % side - margin;
    let row = tile / raster.tile_columns * SIDE + i / side - margin;
    cell_at(column, row, raster)
}

/// The column of this unit's cells in the tile.
#[cube]
pub(super) fn own_column() -> u32 {
    UNIT_POS % SIDE
}

/// The row, in the tile, of one of this unit's cells.
#[cube]
pub(super) fn own_row(number: u32) -> u32 {
    UNIT_POS / SIDE + number * comptime!(UNITS / SIDE)
}

/// The number of one of this unit's cells in the tile with `margin` more cells on each side.
#[cube]
pub(super) fn own_place(number: u32, #[comptime] margin: u32) -> u32 {
    (own_row(number) + margin) * comptime!(SIDE + 2 * margin) + own_column() + margin
}

/// The index of one of this unit's cells; [`NEVER`] outside the grid.
#[cube]
pub(super) fn own_cell(number: u32, raster: &TimeRaster) -> u32 {
    let tile = CUBE_POS as u32;
    let column = tile % raster.tile_columns * SIDE + own_column();
    let row = tile / raster.tile_columns * SIDE + own_row(number);
    cell_at(column, row, raster)
}

/// The steps of this unit's cells; 0 outside the grid, as in walls.
#[cube]
pub(super) fn own_steps(steps: &Array<u32>, raster: &TimeRaster) -> Array<u32> {
    let mut own = Array::<u32>::new(comptime!(ROWS as usize));
    #[unroll]
    for r in 0..ROWS {
        let cell = own_cell(r, raster);
        let mut step = 0u32.runtime();
        if cell != NEVER {
            step = steps[cell as usize];
        }
        own[r as usize] = step;
    }
    own
}

/// Whether this cube's tile has to be processed in this round.
#[cube]
pub(super) fn is_active(active: &Array<Atomic<u32>>, raster: &TimeRaster) -> bool {
    let tile = CUBE_POS as u32;
    let tiles = raster.tile_columns * raster.tile_rows;
    let mut to_do = 0u32;
    if tile < tiles {
        to_do = active[(raster.now * tiles + tile) as usize].load();
    }
    to_do != 0u32
}

/// The flags of cells that have changed, cleared.
#[cube]
pub(super) fn no_changes() -> SharedMemory<Atomic<u32>> {
    let changed = SharedMemory::<Atomic<u32>>::new(comptime!(FLAGS as usize));
    if UNIT_POS < FLAGS {
        changed[UNIT_POS as usize].store(0u32);
    }
    changed
}

/// Waits until the tile is loaded, and deactivates it.
#[cube]
pub(super) fn start(active: &mut Array<Atomic<u32>>, raster: &TimeRaster) {
    sync_cube();
    if UNIT_POS == 0u32 {
        let tile = CUBE_POS as u32;
        let tiles = raster.tile_columns * raster.tile_rows;
        active[(raster.now * tiles + tile) as usize].store(0u32);
    }
}

/// Records that one of this unit's cells has changed in a sweep.
#[cube]
pub(super) fn note_change(changed: &SharedMemory<Atomic<u32>>, number: u32, sweep: u32) {
    let x = own_column();
    let y = own_row(number);
    changed[0].store(sweep + 1u32);
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

/// The number of sweeps after those from `sweep` on; more than [`SWEEPS`] if none of them changed anything.
#[cube]
pub(super) fn sweeps_after(changed: &SharedMemory<Atomic<u32>>, sweep: u32) -> u32 {
    let done = sweep + SWEEPS_AT_ONCE;
    let next = select(changed[0].load() <= sweep, comptime!(SWEEPS + 1).runtime(), done);
    sync_cube();
    next
}

/// Activates, for the next round, the tiles beside borders that have changed, and this cube's tile if it has `more` to
/// do. `activated` counts them.
#[cube]
pub(super) fn activate(
    active: &mut Array<Atomic<u32>>,
    activated: &mut Array<Atomic<u32>>,
    changed: &SharedMemory<Atomic<u32>>,
    more: bool,
    raster: &TimeRaster,
) {
    if UNIT_POS == 0u32 {
        let tile = CUBE_POS as u32;
        let next = (1u32 - raster.now) * raster.tile_columns * raster.tile_rows + tile;
        let column = tile % raster.tile_columns;
        let row = tile / raster.tile_columns;
        if more {
            activate_tile(active, activated, next);
        }
        if changed[1].load() == 1u32 && column > 0u32 {
            activate_tile(active, activated, next - 1u32);
        }
        if changed[2].load() == 1u32 && column + 1u32 < raster.tile_columns {
            activate_tile(active, activated, next + 1u32);
        }
        if changed[3].load() == 1u32 && row > 0u32 {
            activate_tile(active, activated, next - raster.tile_columns);
        }
        if changed[4].load() == 1u32 && row + 1u32 < raster.tile_rows {
            activate_tile(active, activated, next + raster.tile_columns);
        }
    }
}

#[cube]
fn activate_tile(active: &mut Array<Atomic<u32>>, activated: &mut Array<Atomic<u32>>, flag: u32) {
    active[flag as usize].store(1u32);
    activated[0].fetch_add(1u32);
}
