//! How far a point is from a figure: `crate::shape` on the device.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::charge::{Figure, root_in_units};
use super::ring::from_ring;
use super::world::{Entities, How};
use crate::figure::CONE_EDGE;

/// A distance and its square; profiles need one or the other. In fixed point the distance is in units.
#[derive(CubeType, Clone, Copy)]
pub struct Way {
    /// Whether it is within reach.
    pub felt: bool,
    pub distance: f32,
    pub square: f32,
}

/// A product that is rounded by itself, whatever is done with it: in fixed point every compiler has to come to the same, and
/// otherwise at least every kernel of one compiler.
#[cube]
pub fn times(a: f32, b: f32, zero: f32) -> f32 {
    fma(a, b, zero)
}

/// The distance of a point from a figure, in the figure's coordinates; and, for rings in fixed point, in cells of the grid.
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
        dx = x - f32::min(f32::max(x, 0.0f32), figure.extent);
    } else if figure.shape == BOX {
        dx = f32::max(f32::abs(x) - figure.extent, 0.0f32);
        dy = f32::max(f32::abs(y) - figure.width, 0.0f32);
    } else if figure.shape == CONE {
        let edge = (f32::abs(x) + f32::abs(y)) * CONE_EDGE;
        felt = times(figure.extent, x, zero) + edge >= times(figure.width, f32::abs(y), zero);
    }
    let mut square = times(dx, dx, zero) + times(dy, dy, zero);
    if figure.shape == POLYGON {
        square = square_to_polygon(entities, figure, x, y, zero);
    }
    let mut distance = 0.0f32;
    if figure.shape == RING {
        if comptime!(how.fixed) {
            distance = from_ring(entities, figure, column, row);
            felt = distance < f32::cast_from(entities.word(RING_REACH, figure.entity));
            let cells = distance * figure.cells;
            square = times(cells, cells, zero);
        } else {
            distance = f32::abs(square.sqrt() - figure.extent);
            felt = distance < figure.reach;
            square = times(distance, distance, zero);
        }
    } else {
        felt = felt && square < times(figure.reach, figure.reach, zero);
        if felt && figure.fall != QUADRATIC && figure.fall != GAUSSIAN {
            distance = root(figure, square, how);
        }
    }
    Way { felt, distance, square }
}

#[cube]
fn root(figure: &Figure, square: f32, #[comptime] how: How) -> f32 {
    if comptime!(how.fixed) { root_in_units(square, figure.units) } else { square.sqrt() }
}

/// Square of the distance to a polygon, 0 inside (by the even-odd rule).
#[cube]
fn square_to_polygon(entities: &Entities, figure: &Figure, x: f32, y: f32, zero: f32) -> f32 {
    // Larger than any square that counts.
    let mut nearest = f32::cast_from(f32::MAX);
    let mut inside: u32 = 0u32.runtime();
    for side in 0..figure.corner_count {
        let at = figure.corners + side * SIDE_REALS;
        let from_x = entities.entry(at);
        let from_y = entities.entry(at + 1u32);
        let along_x = entities.entry(at + 2u32);
        let along_y = entities.entry(at + 3u32);
        let dx = x - from_x;
        let dy = y - from_y;
        let across = times(dx, along_x, zero) + times(dy, along_y, zero);
        let share = f32::min(f32::max(times(across, entities.entry(at + 4u32), zero), 0.0f32), 1.0f32);
        let ax = dx - times(share, along_x, zero);
        let ay = dy - times(share, along_y, zero);
        nearest = f32::min(nearest, times(ax, ax, zero) + times(ay, ay, zero));
        // Whether a ray to the right crosses this side.
        let above = from_y > y;
        let next_above = entities.entry(at + 6u32) > y;
        if above != next_above && dx < times(dy, entities.entry(at + 5u32), zero) {
            inside ^= 1u32;
        }
    }
    if inside == 1u32 {
        nearest = 0.0f32;
    }
    nearest
}
