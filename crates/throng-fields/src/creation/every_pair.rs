//! The definition: every cell asks every entity. Elmir's algorithm 1, with its additions.

use crate::entities::{Entity, check_all};
use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;
use crate::placed::Placed;

/// The field of some entities, from every pair of cell and entity. Cost: cells x entities; what all other ways are
/// compared with.
///
/// # Errors
/// When an entity has a number that is none.
pub fn every_pair(grid: &Grid, entities: &[Entity]) -> Result<Field, FieldError> {
    check_all(grid, entities)?;
    let placed: Vec<Placed> = entities.iter().map(|entity| Placed::new(grid, entity)).collect();
    let mut values = Vec::with_capacity(grid.cells());
    for row in 0..grid.rows() {
        for column in 0..grid.columns() {
            values.push(placed.iter().fold(0.0, |sum, entity| sum + entity.charge(column, row)));
        }
    }
    Ok(Field::new(*grid, values))
}
