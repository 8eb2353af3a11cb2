//! How far a point is from a figure: the rules of `crate::distance` and `crate::ring` with numbers from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

use super::super::record::*;
use super::figure::Figure;
use super::world::{Entities, How};
use crate::distance::{Side, along_wall, beside_box, beside_line, is_in_cone, square_of};
use crate::fixed_point;
use crate::ring::Ring;

/// A distance and its square; profiles need one or the other. In fixed point the distance is in units.
#[derive(CubeType, Clone, Copy)]
pub struct Way {
    /// Whether it is within reach.
    pub felt: bool,
    pub distance: f32,
    pub square: f32,
}

/// The distance of a point from a figure, in the figure's coordinates; and, for rings in fixed point, in cells of the
/// grid.
#[cube]
pub fn distance(
    entities: &Entities,
    figure: &Figure,
    x: f32,
    y: f32,
    column: f32,
    row: f32,
    zero: f32,
    #[comptime] how: How,
) -> Way {
    let mut dx = x;
    let mut dy = y;
    let mut felt = true;
    if figure.shape == CAPSULE {
        dx = along_wall(x, figure.extent);
    } else if figure.shape == BOX {
        dx = beside_box(x, figure.extent);
        dy = beside_box(y, figure.width);
    } else if figure.shape == CONE {
        felt = is_in_cone(x, y, figure.extent, figure.width, zero);
    }
    let mut square = square_of(dx, dy, zero);
    if figure.shape == POLYGON {
        square = square_to_polygon(entities, figure, x, y, zero);
    }
    let mut distance = 0.0f32;
    if figure.shape == RING {
        if comptime!(how.fixed) {
            let ring = ring(entities, figure);
            let units = ring.distance(column as u32, row as u32);
            felt = units < ring.reach;
            distance = units as f32;
            let cells = distance * figure.cells;
            square = rounded_product(cells, cells, zero);
        } else {
            distance = beside_line(square, figure.extent);
            felt = distance < figure.reach;
            square = rounded_product(distance, distance, zero);
        }
    } else {
        felt = felt && square < rounded_product(figure.reach, figure.reach, zero);
        if felt && figure.fall != QUADRATIC && figure.fall != GAUSSIAN {
            distance = root(figure, square, how);
        }
    }
    Way { felt, distance, square }
}

#[cube]
fn root(figure: &Figure, square: f32, #[comptime] how: How) -> f32 {
    if comptime!(how.fixed) { fixed_point::root(square, figure.units) } else { square.sqrt() }
}

/// A circle line in fixed point.
#[cube]
fn ring(entities: &Entities, figure: &Figure) -> Ring {
    Ring {
        column: entities.word(RING_COLUMN, figure.entity),
        row: entities.word(RING_ROW, figure.entity),
        rest_x: entities.word(RING_X, figure.entity),
        rest_y: entities.word(RING_Y, figure.entity),
        units: figure.units as u32,
        radius: entities.word(RING_RADIUS, figure.entity),
        reach: entities.word(RING_REACH, figure.entity),
        cells: entities.word(RING_CELLS, figure.entity),
    }
}

/// Square of the distance to a polygon, 0 inside (by the even-odd rule).
#[cube]
fn square_to_polygon(entities: &Entities, figure: &Figure, x: f32, y: f32, zero: f32) -> f32 {
    // Larger than the square of any distance within reach.
    let mut nearest = f32::cast_from(f32::MAX);
    let mut inside: u32 = 0u32.runtime();
    for i in 0..figure.corner_count {
        let at = figure.corners + i * SIDE_REALS;
        let side = Side {
            from_x: entities.entry(at),
            from_y: entities.entry(at + 1u32),
            along_x: entities.entry(at + 2u32),
            along_y: entities.entry(at + 3u32),
            inverse: entities.entry(at + 4u32),
            to_y: entities.entry(at + 6u32),
        };
        nearest = f32::min(nearest, side.square_to(x, y, zero));
        if side.is_at_height(y) && side.is_to_the_right(x, y, entities.entry(at + 5u32), zero) {
            inside ^= 1u32;
        }
    }
    if inside == 1u32 {
        nearest = 0.0f32;
    }
    nearest
}
