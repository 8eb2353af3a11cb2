//! Creation by tiles: a cube makes a tile of a field.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::sums::{Place, Range, TILE_COLUMNS, UNIT_ROWS, sum_cells, unit_cell};
use super::world::{Entities, How, Lists, Raster};

/// Makes tiles of the field: the value of each cell is the sum of what entities add there, in their order.
#[cube(launch_unchecked)]
pub fn gather_tiles(entities: &Entities, lists: &Lists, field: &mut Array<f32>, raster: &Raster, #[comptime] how: How) {
    let place = CUBE_POS as u32;
    // Cubes may be more than tiles where they fill a rectangle; all units of one agree.
    if place < raster.tiles {
        let mut tile = place;
        if comptime!(how.listed) {
            tile = lists.tiles[place as usize];
        }
        let left = (tile % raster.tile_columns) * TILE_COLUMNS;
        let top = (tile / raster.tile_columns) * comptime!(UNIT_ROWS * how.rows);
        let mut first = 0u32;
        let mut count = entities.count;
        if comptime!(how.binned) {
            first = lists.first[tile as usize];
            count = lists.first[tile as usize + 1] - first;
        }
        let at = Place { x: f32::cast_from(left), y: f32::cast_from(top), step: 1.0f32 };
        let sums = sum_cells(entities, &lists.members, &Range { first, count }, &at, raster.zero, how);

        let own = unit_cell(how);
        let column = left + own.0;
        let row = top + own.1;
        if column < raster.columns {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if row + r < raster.rows {
                    let mut value = sums.floats[r as usize];
                    if comptime!(how.fixed) {
                        value = f32::cast_from(sums.steps[r as usize]) * raster.step;
                    }
                    // Cells may be more than 32 bits count.
                    field[(row + r) as usize * raster.columns as usize + column as usize] = value;
                }
            }
        }
    }
}
