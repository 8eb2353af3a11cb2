//! Layers gathered and combined in a single pass.

use rayon::prelude::*;
use throng_core::InputError;
use throng_pictures::Grid;

use super::gathering::{Gathering, Tiles, items};
use super::sums::Floats;
use super::tiles::TILE;
use super::window::Window;
use crate::entities::{Entity, check_all};
use crate::field::{Field, check_memory_for_field};
use crate::layers::Combination;

const TILE_CELLS: usize = (TILE * TILE) as usize;

/// Computes the combination of the layers of some entities in parallel. The result equals
/// [`LayerStack::by_tiles`](crate::layers::LayerStack::by_tiles) followed by [`Combination::of`], bit for bit.
///
/// Each tile gathers its layers, combines them, and discards them: whole layers are never stored. Layers that the
/// combination does not use are not gathered. Cost: the cells that entities cover, once per used layer that they are
/// in, plus cells times steps.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation, layers::Combination};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let ours = Entity::new([20.5, 20.5], Profile::linear(10.0)?).in_layers(0b01);
/// let theirs = Entity::new([25.5, 20.5], Profile::linear(10.0)?).in_layers(0b10);
/// let tension = Combination::new().add(1.0, 0).times(1.0, 1);
/// let field = creation::combined(&grid, &[ours, theirs], &tension)?;
/// assert_eq!((field.at(20, 20), field.at(12, 20)), (Some(0.5), Some(0.0)));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// When an entity has a number that is not finite, or memory is short, or as for [`Combination::of`] with 32 layers.
pub fn combined(grid: &Grid, entities: &[Entity], combination: &Combination) -> Result<Field, InputError> {
    check_all(grid, entities)?;
    combination.check(grid)?;
    check_memory_for_field(grid)?;
    let used = combination.layers();
    let members: Vec<&Entity> = entities.iter().filter(|entity| entity.layers & used != 0).collect();
    let items = items(Floats, grid, &members);
    let gathering = Gathering::<Floats>::new(grid, &items, Tiles::of(grid, [TILE; 2]));
    // Offset of a used layer's tile among the tiles of all used layers.
    let place = |layer: u32| (used & ((1 << layer) - 1)).count_ones() as usize * TILE_CELLS;
    let tiles = || vec![0.0f32; used.count_ones() as usize * TILE_CELLS];
    let columns = grid.columns();
    let mut values = vec![0.0; grid.cells()];
    gathering.tiles.rows_of(&mut values).for_each_init(tiles, |tiles, (tile_row, values)| {
        for tile_column in 0..columns.div_ceil(TILE) {
            let (tile, first_column) = ((tile_column, tile_row), tile_column * TILE);
            tiles.fill(0.0);
            for &i in gathering.of(tile) {
                for layer in bits(members[i as usize].layers & used) {
                    let values = &mut tiles[place(layer)..][..TILE_CELLS];
                    let cells = gathering.tiles.cells(tile);
                    gathering.add(&[i], &mut Window { cells, stride: TILE as usize, values });
                }
            }
            let width = TILE.min(columns - first_column) as usize;
            for (row, values) in values.chunks_mut(columns as usize).enumerate() {
                let results = &mut values[first_column as usize..][..width];
                let of_layer = |layer| &tiles[place(layer) + row * TILE as usize..][..width];
                combination.apply(results, (first_column, tile_row * TILE + row as u32), of_layer);
            }
        }
    });
    Ok(Field::new(*grid, values))
}

/// The indices of the set bits.
fn bits(of: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |bit| of >> bit & 1 == 1)
}
