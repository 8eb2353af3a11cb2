//! Many small fields at once, of which only the best cells leave the device.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::{Place, Range, UNITS, sum_cells, unit_cell};
use super::world::{Entities, How};

/// Reals of a tile: its first sampled point, and the way from one to the next.
pub const TILE_REALS: u32 = 3;
/// Words of a tile: the first of its cells in the window, and the size of the window.
pub const TILE_WORDS: u32 = 4;
/// Words of a best cell: the bits of its value, and its number in the window.
pub const BEST_WORDS: u32 = 2;
/// No cell.
pub const NONE: u32 = u32::MAX;

/// Finds the `wanted` best cells of each tile. Where a tile has fewer, [`NONE`] comes in their place.
#[cube(launch_unchecked)]
pub fn best_in_tiles(
    entities: &Entities,
    tile_reals: &Array<f32>,
    tile_words: &Array<u32>,
    best: &mut Array<u32>,
    tiles: u32,
    wanted: u32,
    #[comptime] how: How,
) {
    let mut values = SharedMemory::<f32>::new(comptime!(UNITS as usize));
    let mut cells = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let tile = CUBE_POS as u32;
    if tile < tiles {
        let reals = (tile * TILE_REALS) as usize;
        let words = (tile * TILE_WORDS) as usize;
        let at = Place { x: tile_reals[reals], y: tile_reals[reals + 1], step: tile_reals[reals + 2] };
        let all = Range { first: 0u32, count: entities.count, layers: 0u32 };
        // Windows have no lists; any array will do.
        let sums = sum_cells(entities, tile_words, &all, &at, 0.0f32, how);

        let own = unit_cell(how);
        let column = tile_words[words] + own.0;
        let row = tile_words[words + 1] + own.1;
        let columns = tile_words[words + 2];
        let rows = tile_words[words + 3];
        let mut last_value = 0.0f32;
        let mut last_cell = NONE.runtime();
        for i in 0..wanted {
            // The best of this unit's cells that come after the last one.
            let mut value = 0.0f32;
            let mut cell = NONE.runtime();
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if column < columns && row + r < rows {
                    let other = sums.floats[r as usize];
                    let number = (row + r) * columns + column;
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
}

/// Puts the better of two cells in the place of the first; of equal ones the one with the lower number.
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
