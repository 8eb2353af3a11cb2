//! The definition: every cell evaluates every entity. This is Elmir's algorithm 1, with its additions.

use throng_core::InputError;
use throng_pictures::Grid;

use crate::entities::{Entity, check_all};
use crate::field::{Field, check_memory_for_field};
use crate::placed::Placed;

/// Computes a field by evaluating every pair of cell and entity. Cost: cells x entities. This is the reference for all
/// other methods.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation::every_pair};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 8, 4)?;
/// let at = |x| Profile::linear(4.0).map(|profile| Entity::new([x, 2.5], profile));
/// let field = every_pair(&grid, &[at(2.5)?, at(6.5)?.with_charge(-0.5)])?;
/// // Two cells from both: half of 1, and half of -0.5.
/// assert_eq!((field.at(2, 2), field.at(4, 2)), (Some(1.0), Some(0.25)));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// When an entity has a number that is not finite, or the system has too little memory.
pub fn every_pair(grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
    check_all(grid, entities)?;
    check_memory_for_field(grid)?;
    let placed: Vec<Placed> = entities.iter().map(|entity| Placed::new(grid, entity)).collect();
    let mut values = Vec::with_capacity(grid.cells());
    for row in 0..grid.rows() {
        for column in 0..grid.columns() {
            values.push(placed.iter().fold(0.0, |sum, entity| sum + entity.charge(column, row)));
        }
    }
    Ok(Field::new(*grid, values))
}
