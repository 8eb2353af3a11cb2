//! The value of a stamp at a point: `crate::stamp` on the device.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::charge::Figure;
use super::shape::times;
use super::world::Entities;

/// The value at a point in the entity's coordinates.
#[cube]
pub fn stamped(entities: &Entities, figure: &Figure, x: f32, y: f32, zero: f32) -> f32 {
    let columns = figure.corner_count;
    let rows = figure.profile_count;
    let across = times(x, figure.extent, zero) + f32::cast_from(columns - 1u32) / 2.0f32;
    let down = times(y, figure.extent, zero) + f32::cast_from(rows - 1u32) / 2.0f32;
    let mut value = 0.0f32;
    let inside_columns = across > -1.0f32 && across < f32::cast_from(columns);
    if inside_columns && down > -1.0f32 && down < f32::cast_from(rows) {
        let column = across.floor();
        let row = down.floor();
        let fx = across - column;
        // Below the first column or row is a large number.
        let i = u32::cast_from(i32::cast_from(column));
        let j = u32::cast_from(i32::cast_from(row));
        let a = point(entities, figure, i, j);
        let b = point(entities, figure, i + 1u32, j);
        let c = point(entities, figure, i, j + 1u32);
        let d = point(entities, figure, i + 1u32, j + 1u32);
        let low = a + times(b - a, fx, zero);
        let high = c + times(d - c, fx, zero);
        value = low + times(high - low, down - row, zero);
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
