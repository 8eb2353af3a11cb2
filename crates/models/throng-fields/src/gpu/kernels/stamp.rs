//! The value of a stamp at a point: the rules of `throng_fields_core::stamp` with numbers from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::between::{Corners, value_between};
use throng_fields_core::stamp::{framed_place, is_on, place_along, point_before};

use super::figure::Figure;
use super::world::Entities;

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
        let above = figure.profile + framed_place(column, row, columns);
        let below = above + columns + 2u32;
        let corners = Corners {
            a: entities.entry(above),
            b: entities.entry(above + 1u32),
            c: entities.entry(below),
            d: entities.entry(below + 1u32),
        };
        value = value_between(&corners, along - column as f32, aside - row as f32, zero);
    }
    value
}
