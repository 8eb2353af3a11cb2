//! Many small fields in one launch; only their best cells are copied from the device.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::sums::{Place, Range, UNITS, sum_cells, unit_cell};
use super::world::{Entities, How, Raster};

/// Reals per tile: the first sampled point, and the step from one cell to the next.
pub const TILE_REALS: u32 = 3;
/// Words per tile: its first cell in the window, and the size of the window.
pub const TILE_WORDS: u32 = 4;
/// Words per block of a field: its first cell, the ends of its columns and rows, whether it is restricted to layers,
/// and to which ones.
pub const BLOCK_WORDS: u32 = 6;
/// Words per best cell: the bits of its value, and its index in the window.
pub const BEST_WORDS: u32 = 2;
/// Sentinel for "no cell".
pub const NONE: u32 = u32::MAX;

/// Parameters of a search for best cells.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct WindowNumbers {
    pub tiles: u32,
    /// Number of best cells to find per tile.
    pub wanted: u32,
    /// The layers of entities that count, one bit each, if restricted to layers.
    pub layers: u32,
    /// The `zero` of `throng_device::exact::rounded_product`.
    pub zero: f32,
}

/// [`TILE_REALS`] and [`TILE_WORDS`] of each tile.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct WindowTiles {
    pub reals: Array<f32>,
    pub words: Array<u32>,
}

/// A field, and [`BLOCK_WORDS`] of each block of it.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct FieldBlocks {
    pub field: Array<f32>,
    pub words: Array<u32>,
}

/// Finds the `wanted` best cells of each tile. If a tile has fewer cells, the remaining entries are [`NONE`].
#[cube(launch_unchecked)]
pub fn best_in_tiles(
    entities: &Entities,
    windows: &WindowTiles,
    best: &mut Array<u32>,
    numbers: &WindowNumbers,
    #[comptime] how: How,
) {
    let tile = CUBE_POS as u32;
    if tile < numbers.tiles {
        let reals = (tile * TILE_REALS) as usize;
        let words = (tile * TILE_WORDS) as usize;
        let at = Place { x: windows.reals[reals], y: windows.reals[reals + 1], step: windows.reals[reals + 2] };
        let all = Range { first: 0u32, count: entities.count, layers: numbers.layers };
        // Windows have no lists, so this array is not read.
        let sums = sum_cells(entities, &windows.words, &all, &at, numbers.zero, how);

        let own = unit_cell(how);
        let block = Block {
            column: windows.words[words] + own.0,
            row: windows.words[words + 1] + own.1,
            right: windows.words[words + 2],
            bottom: windows.words[words + 3],
            columns: windows.words[words + 2],
        };
        write_best(&sums.floats, &block, best, tile, numbers.wanted, how);
    }
}

/// Finds the `wanted` best cells of each block of cells of a field: of the field itself, or, with layers, of the field
/// of the entities in these layers. If a block has fewer cells, the remaining entries are [`NONE`].
#[cube(launch_unchecked)]
pub fn best_in_blocks(
    entities: &Entities,
    blocks: &FieldBlocks,
    best: &mut Array<u32>,
    raster: &Raster,
    wanted: u32,
    #[comptime] how: How,
) {
    let tile = CUBE_POS as u32;
    if tile < raster.tiles {
        let words = (tile * BLOCK_WORDS) as usize;
        let left = blocks.words[words];
        let top = blocks.words[words + 1];
        let own = unit_cell(how);
        let block = Block {
            column: left + own.0,
            row: top + own.1,
            right: blocks.words[words + 2],
            bottom: blocks.words[words + 3],
            columns: raster.columns,
        };
        let mut values = Array::<f32>::new(comptime!(how.rows as usize));
        let mut of_layers = false;
        if comptime!(how.layered) {
            of_layers = blocks.words[words + 4] != 0u32;
        }
        // This condition is the same for all units of a cube.
        if of_layers {
            if comptime!(how.layered) {
                let all = Range { first: 0u32, count: entities.count, layers: blocks.words[words + 5] };
                let at = Place { x: f32::cast_from(left), y: f32::cast_from(top), step: 1.0f32 };
                let sums = sum_cells(entities, &blocks.words, &all, &at, raster.zero, how);
                #[unroll]
                for r in 0..comptime!(how.rows) {
                    values[r as usize] = sums.value(raster, r, how);
                }
            }
        } else {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let mut value = 0.0f32;
                if block.column < block.right && block.row + r < block.bottom {
                    // The number of cells may exceed 32 bits.
                    value = blocks.field[(block.row + r) as usize * raster.columns as usize + block.column as usize];
                }
                values[r as usize] = value;
            }
        }
        write_best(&values, &block, best, tile, wanted, how);
    }
}

/// The cells of a unit: the first one, the ends of the columns and rows to search, and the row stride of cell indices.
#[derive(CubeType, Clone, Copy)]
struct Block {
    column: u32,
    row: u32,
    right: u32,
    bottom: u32,
    columns: u32,
}

/// Writes the best cells of a tile, given the values of each unit's cells. All units of a cube must call this.
#[cube]
fn write_best(
    own_values: &Array<f32>,
    block: &Block,
    best: &mut Array<u32>,
    tile: u32,
    wanted: u32,
    #[comptime] how: How,
) {
    let mut values = SharedMemory::<f32>::new(comptime!(UNITS as usize));
    let mut cells = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let mut last_value = 0.0f32;
    let mut last_cell = NONE.runtime();
    for i in 0..wanted {
        // The best of this unit's cells that rank below the last one found.
        let mut value = 0.0f32;
        let mut cell = NONE.runtime();
        #[unroll]
        for r in 0..comptime!(how.rows) {
            if block.column < block.right && block.row + r < block.bottom {
                let other = own_values[r as usize];
                let number = (block.row + r) * block.columns + block.column;
                let after = other < last_value || (other == last_value && number > last_cell);
                let after = i == 0u32 || (last_cell != NONE && after);
                if after && (cell == NONE || other > value) {
                    value = other;
                    cell = number;
                }
            }
        }
        values[UNIT_POS as usize] = value;
        cells[UNIT_POS as usize] = cell;
        sync_cube();
        let mut half = comptime!(UNITS / 2).runtime();
        while half > 0u32 {
            if UNIT_POS < half {
                keep_better(&mut values, &mut cells, UNIT_POS, UNIT_POS + half);
            }
            sync_cube();
            half /= 2u32;
        }
        last_value = values[0];
        last_cell = cells[0];
        if UNIT_POS == 0u32 {
            let at = ((tile * wanted + i) * BEST_WORDS) as usize;
            best[at] = u32::reinterpret(last_value);
            best[at + 1] = last_cell;
        }
        sync_cube();
    }
}

/// Replaces the first cell by the second if that is better; ties go to the lower index.
#[cube]
fn keep_better(values: &mut SharedMemory<f32>, cells: &mut SharedMemory<u32>, first: u32, second: u32) {
    let value = values[second as usize];
    let cell = cells[second as usize];
    let than = values[first as usize];
    let than_cell = cells[first as usize];
    let equal_but_before = value == than && cell < than_cell;
    if cell != NONE && (than_cell == NONE || value > than || equal_but_before) {
        values[first as usize] = value;
        cells[first as usize] = cell;
    }
}
