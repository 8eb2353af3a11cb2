//! Creation by tiles: each cube computes one tile of a field.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::{Place, Range, TILE_COLUMNS, UNIT_ROWS, sum_cells, unit_cell};
use super::world::{Entities, How, Lists, Raster};

/// Computes tiles of the field. The value of each cell is the sum of the contributions of entities, in entity order.
#[cube(launch_unchecked)]
pub fn gather_tiles(entities: &Entities, lists: &Lists, field: &mut Array<f32>, raster: &Raster, #[comptime] how: How) {
    let place = CUBE_POS as u32;
    // Cubes form a rectangle, so there may be more of them than tiles. The condition is the same for all units of a
    // cube.
    if place < raster.tiles {
        let tile = tile_of(lists, place, how);
        let range = range_of(entities, lists, tile, 0u32, how);
        let at = place_of(tile, raster, how);
        let sums = sum_cells(entities, &lists.members, &range, &at, raster.zero, how);
        let (column, row) = cell_of(tile, raster, how);
        if column < raster.columns {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if row + r < raster.rows {
                    // The number of cells may exceed 32 bits.
                    field[(row + r) as usize * raster.columns as usize + column as usize] = sums.value(raster, r, how);
                }
            }
        }
    }
}

/// The tile that a cube computes.
#[cube]
pub fn tile_of(lists: &Lists, place: u32, #[comptime] how: How) -> u32 {
    let mut tile = place;
    if comptime!(how.listed) {
        tile = lists.tiles[place as usize];
    }
    tile
}

/// The entities that a tile considers: all or, with bins, those in its list; with layers, only those in `layers`.
#[cube]
pub fn range_of(entities: &Entities, lists: &Lists, tile: u32, layers: u32, #[comptime] how: How) -> Range {
    let mut first: u32 = 0u32.runtime();
    let mut count = entities.count;
    if comptime!(how.binned) {
        first = lists.first[tile as usize];
        count = lists.first[tile as usize + 1] - first;
    }
    Range { first, count, layers }
}

/// The positions of the cells of a tile.
#[cube]
pub fn place_of(tile: u32, raster: &Raster, #[comptime] how: How) -> Place {
    let left = (tile % raster.tile_columns) * TILE_COLUMNS;
    let top = (tile / raster.tile_columns) * comptime!(UNIT_ROWS * how.rows);
    Place { x: f32::cast_from(left), y: f32::cast_from(top), step: 1.0f32 }
}

/// Column and row in the grid of the first cell of this unit.
#[cube]
pub fn cell_of(tile: u32, raster: &Raster, #[comptime] how: How) -> (u32, u32) {
    let own = unit_cell(how);
    let left = (tile % raster.tile_columns) * TILE_COLUMNS;
    let top = (tile / raster.tile_columns) * comptime!(UNIT_ROWS * how.rows);
    (left + own.0, top + own.1)
}
