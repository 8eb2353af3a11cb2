//! Tiles of travel times: which tiles are active in a round, and which cells each unit of a cube computes.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};
use throng_fields_core::routing::NEVER;

use super::sums::UNITS;

/// Side length of a tile, in cells.
pub const SIDE: u32 = 32;
/// Number of cells of a tile that each unit computes.
pub(super) const OWN_CELLS: u32 = SIDE * SIDE / UNITS;
/// Columns per block. A plane of 32 units computes one cell per unit in each of [`OWN_CELLS`] blocks of 8 x 4 cells. A
/// front that crosses the tile is in few of these blocks at a time, and the plane skips the others.
const BLOCK: u32 = SIDE / OWN_CELLS;
/// Row stride in shared memory. As an odd multiple of 8, it puts the four rows of a block into different banks.
pub(super) const STRIDE: u32 = 40;
/// Sweeps over the cells of a tile per round: enough for times to propagate through the tile along a straight path. A
/// path with more cells in the tile takes several rounds.
pub(super) const SWEEPS: u32 = 2 * SIDE;
/// Number of sweeps between checks for changes.
pub(super) const SWEEPS_AT_ONCE: u32 = 4;
/// Flags per tile: whether any unit was busy in the latest sweeps, and whether cells in the first column, last column,
/// first row and last row have changed.
const FLAGS: u32 = 5;

/// The size of a grid in cells and tiles.
#[derive(Debug, CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct TimeRaster {
    pub columns: u32,
    pub rows: u32,
    pub tile_columns: u32,
    pub tile_rows: u32,
}

/// Sets all words to a value.
#[cube(launch)]
pub fn fill_words(words: &mut Array<u32>, value: u32, count: u32) {
    let word = ABSOLUTE_POS as u32;
    if word < count {
        words[word as usize] = value;
    }
}

/// Sets the words at the given indices to a value.
#[cube(launch)]
pub fn set_words(words: &mut Array<u32>, places: &Array<u32>, value: u32, count: u32) {
    let number = ABSOLUTE_POS as u32;
    if number < count {
        let place = places[number as usize];
        words[place as usize] = value;
    }
}

/// The index of a cell of the grid; [`NEVER`] outside. Coordinates before the first column or row wrap to large values.
#[cube]
fn cell_at(column: u32, row: u32, raster: &TimeRaster) -> u32 {
    let mut cell = NEVER.runtime();
    if column < raster.columns && row < raster.rows {
        cell = row * raster.columns + column;
    }
    cell
}

/// Number of cells of a tile with a margin of `margin` cells on each side.
pub(super) const fn cells_around(margin: u32) -> u32 {
    (SIDE + 2 * margin) * (SIDE + 2 * margin)
}

/// Number of words in shared memory for a tile with a margin of `margin` cells on each side.
pub(super) const fn places_around(margin: u32) -> usize {
    (STRIDE * (SIDE + 2 * margin)) as usize
}

/// The index in shared memory of cell `i`, row by row, of this cube's tile with a margin of `margin` cells on each
/// side.
#[cube]
pub(super) fn place_around(i: u32, #[comptime] margin: u32) -> u32 {
    let side = comptime!(SIDE + 2 * margin);
    i / side * STRIDE + i % side
}

/// The index in the grid of the cell of [`place_around`]; [`NEVER`] outside the grid.
#[cube]
pub(super) fn cell_around(i: u32, raster: &TimeRaster, #[comptime] margin: u32) -> u32 {
    let tile = CUBE_POS as u32;
    let side = comptime!(SIDE + 2 * margin);
    let column = tile % raster.tile_columns * SIDE + i % side - margin;
    let row = tile / raster.tile_columns * SIDE + i / side - margin;
    cell_at(column, row, raster)
}

/// The column within the tile of one of this unit's cells, of which there is one in each block.
#[cube]
fn own_column(number: u32) -> u32 {
    number * BLOCK + UNIT_POS % BLOCK
}

/// The row within the tile of this unit's cells.
#[cube]
fn own_row() -> u32 {
    UNIT_POS / BLOCK
}

/// The index in shared memory of one of this unit's cells, for a tile with a margin of `margin` cells on each side.
#[cube]
pub(super) fn own_place(number: u32, #[comptime] margin: u32) -> u32 {
    (own_row() + margin) * STRIDE + own_column(number) + margin
}

/// The index in the grid of one of this unit's cells; [`NEVER`] outside the grid.
#[cube]
pub(super) fn own_cell(number: u32, raster: &TimeRaster) -> u32 {
    let tile = CUBE_POS as u32;
    let column = tile % raster.tile_columns * SIDE + own_column(number);
    let row = tile / raster.tile_columns * SIDE + own_row();
    cell_at(column, row, raster)
}

/// The travel time across each of this unit's cells, in ticks; 0 in walls and outside the grid.
#[cube]
pub(super) fn own_steps(steps: &Array<u32>, raster: &TimeRaster) -> Array<u32> {
    let mut own = Array::<u32>::new(comptime!(OWN_CELLS as usize));
    #[unroll]
    for r in 0..OWN_CELLS {
        let cell = own_cell(r, raster);
        let mut step = 0u32.runtime();
        if cell != NEVER {
            step = steps[cell as usize];
        }
        own[r as usize] = step;
    }
    own
}

/// Whether this cube's tile must be processed in this round.
#[cube]
pub(super) fn is_active(active: &Array<u32>, raster: &TimeRaster) -> bool {
    let tile = CUBE_POS as u32;
    let mut to_do = 0u32.runtime();
    if tile < raster.tile_columns * raster.tile_rows {
        to_do = active[tile as usize];
    }
    to_do != 0u32
}

/// Two flags per tile: whether it is active in this round, and whether it will be in the next.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct TileFlags {
    pub active: Array<u32>,
    pub next: Array<Atomic<u32>>,
    /// Counts the activations for the next round.
    pub activated: Array<Atomic<u32>>,
}

/// Changes in a cube's tile.
#[derive(CubeType)]
pub(super) struct Changes {
    /// Whether each of this unit's cells has changed.
    own: Array<bool>,
    flags: SharedMemory<Atomic<u32>>,
    /// Copy of the first flag for all units to read: 256 atomic reads of one word would be serialised.
    any: SharedMemory<u32>,
}

/// Waits until the tile is loaded, deactivates it, and returns an empty set of changes.
#[cube]
pub(super) fn start(active: &mut Array<u32>) -> Changes {
    let flags = SharedMemory::<Atomic<u32>>::new(comptime!(FLAGS as usize));
    let any = SharedMemory::<u32>::new(1usize);
    let mut own = Array::<bool>::new(comptime!(OWN_CELLS as usize));
    #[unroll]
    for r in 0..OWN_CELLS {
        own[r as usize] = false.runtime();
    }
    if UNIT_POS < FLAGS {
        flags[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        active[CUBE_POS] = 0u32;
    }
    Changes { own, flags, any }
}

/// Records that one of this unit's cells has changed.
#[cube]
pub(super) fn note_change(changes: &mut Changes, number: u32) {
    #[unroll]
    for r in 0..OWN_CELLS {
        changes.own[r as usize] = changes.own[r as usize] || number == r;
    }
}

/// Whether cell `number` of this unit has changed.
#[cube]
pub(super) fn has_changed(changes: &Changes, #[comptime] number: u32) -> bool {
    changes.own[number as usize]
}

/// The value of one of this unit's cells.
#[cube]
pub(super) fn value_of(values: &Array<u32>, number: u32) -> u32 {
    let mut value = values[0];
    #[unroll]
    for r in 1..OWN_CELLS {
        value = select(number == r, values[r as usize], value);
    }
    value
}

/// The index of the next sweep after a batch that started at `sweep`; more than [`SWEEPS`] if no unit was `busy` in it.
#[cube]
pub(super) fn sweeps_after(changes: &mut Changes, busy: bool, sweep: u32) -> u32 {
    if busy {
        changes.flags[0].store(1u32);
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        changes.any[0] = changes.flags[0].load();
        changes.flags[0].store(0u32);
    }
    sync_cube();
    select(changes.any[0] == 0u32, comptime!(SWEEPS + 1).runtime(), sweep + SWEEPS_AT_ONCE)
}

/// Activates, for the next round, the neighbours of this cube's tile at borders that have changed, and the tile itself
/// if `more` work is left; with `diagonals`, also the diagonal neighbours between two such borders.
#[cube]
pub(super) fn activate(
    flags: &mut TileFlags,
    changes: &Changes,
    more: bool,
    raster: &TimeRaster,
    #[comptime] diagonals: bool,
) {
    #[unroll]
    for r in 0..OWN_CELLS {
        if has_changed(changes, r) {
            flag_border(changes, own_column(r), 1u32);
            flag_border(changes, own_row(), 3u32);
        }
    }
    sync_cube();
    if UNIT_POS == 0u32 {
        let tile = CUBE_POS as u32;
        let column = tile % raster.tile_columns;
        let row = tile / raster.tile_columns;
        if more {
            activate_tile(flags, tile);
        }
        let left = changes.flags[1].load() == 1u32 && column > 0u32;
        let right = changes.flags[2].load() == 1u32 && column + 1u32 < raster.tile_columns;
        let below = changes.flags[3].load() == 1u32 && row > 0u32;
        let above = changes.flags[4].load() == 1u32 && row + 1u32 < raster.tile_rows;
        activate_if(flags, left, tile - 1u32);
        activate_if(flags, right, tile + 1u32);
        activate_if(flags, below, tile - raster.tile_columns);
        activate_if(flags, above, tile + raster.tile_columns);
        if comptime!(diagonals) {
            activate_if(flags, left && below, tile - raster.tile_columns - 1u32);
            activate_if(flags, right && below, tile - raster.tile_columns + 1u32);
            activate_if(flags, left && above, tile + raster.tile_columns - 1u32);
            activate_if(flags, right && above, tile + raster.tile_columns + 1u32);
        }
    }
}

/// Flags a change at a coordinate along an axis if it is at a border; `flag` is the index of the flag of the lower
/// border.
#[cube]
fn flag_border(changes: &Changes, at: u32, flag: u32) {
    if at == 0u32 {
        changes.flags[flag as usize].store(1u32);
    }
    if at == comptime!(SIDE - 1) {
        changes.flags[(flag + 1u32) as usize].store(1u32);
    }
}

#[cube]
fn activate_if(flags: &mut TileFlags, changed: bool, tile: u32) {
    if changed {
        activate_tile(flags, tile);
    }
}

#[cube]
fn activate_tile(flags: &mut TileFlags, tile: u32) {
    flags.next[tile as usize].store(1u32);
    flags.activated[0].fetch_add(1u32);
}
