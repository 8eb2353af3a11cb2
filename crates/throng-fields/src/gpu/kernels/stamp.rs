//! The value of a stamp at a point: the rules of `crate::stamp` with numbers from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::figure::Figure;
use super::world::Entities;
use crate::between::{Corners, value_between};
use crate::stamp::{is_on, place_along, point_before};

/// The value at a point in the entity's coordinates.
#[cube]
pub fn stamped(entities: &Entities, figure: &Figure, x: f32, y: f32, zero: f32) -> f32 {
    let columns = figure.corner_count;
    let rows = figure.profile_count;
    let along = place_along(x, figure.extent, columns, zero);
    let aside = place_along(y, figure.extent, rows, zero);
    let mut value = 0.0f32;
    if is_on(along, columns) && is_on(aside, rows) {
        let column = point_before(along);
        let row = point_before(aside);
        // Indices before the first column or row become large numbers.
        let i = column as u32;
        let j = row as u32;
        let corners = Corners {
            a: point(entities, figure, i, j),
            b: point(entities, figure, i + 1u32, j),
            c: point(entities, figure, i, j + 1u32),
            d: point(entities, figure, i + 1u32, j + 1u32),
        };
        value = value_between(&corners, along - column as f32, aside - row as f32, zero);
    }
    value
}

/// The value of a point; 0 outside.
#[cube]
fn point(entities: &Entities, figure: &Figure, column: u32, row: u32) -> f32 {
    let mut value = 0.0f32;
    if column < figure.corner_count && row < figure.profile_count {
        value = entities.entry(figure.profile + row * figure.corner_count + column);
    }
    value
}
