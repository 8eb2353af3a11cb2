//! Distances of the cells of a unit from a shape: the rules of `throng_fields_core::rules::distance` and
//! `throng_fields_core::rules::ring` with data from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;
use throng_fields_core::rules::distance::{
    box_axis_distance, capsule_axis_distance, circle_line_distance, contour_square, is_in_cone, square_of, turned,
};
use throng_fields_core::rules::fixed_point::offset;
use throng_fields_core::rules::ring::Ring;

use super::super::record::*;
use super::entity_record::EntityRecord;
use super::sums::Place;
use super::world::{Entities, How};

/// The squared distance of each cell of a unit; it may be [`NOWHERE`] out of reach. Around rings also the distance,
/// in units in fixed point.
#[derive(CubeType)]
pub struct CellDistances {
    pub squares: Array<f32>,
    pub distances: Array<f32>,
}

/// Sentinel for "out of reach", larger than any squared distance within reach.
pub const NOWHERE: f32 = f32::MAX;

/// Measures distances from any shape but a stamp or a polygon. Branches are the same for all cells of a unit, and lie
/// outside the loops over its cells.
#[cube]
pub fn measure(
    entities: &Entities,
    figure: &EntityRecord,
    at: &Place,
    measured: &mut CellDistances,
    zero: f32,
    #[comptime] how: How,
) {
    if comptime!(how.may_have_shape(DISC)) {
        if figure.shape == DISC {
            let across = offset(at.x, figure.x, figure.x_low);
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let down = offset(at.y + comptime!(r as f32) * at.step, figure.y, figure.y_low);
                measured.squares[r as usize] = square_of(across, down, zero);
            }
        }
    }
    if comptime!(how.may_have_shape(RING)) {
        if figure.shape == RING {
            measure_ring(entities, figure, at, measured, zero, how);
        }
    }
    if comptime!(how.may_have_shape(DIAMOND) || how.may_have_shape(SQUARE)) {
        if figure.shape == DIAMOND || figure.shape == SQUARE {
            let across = offset(at.x, figure.x, figure.x_low);
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let down = offset(at.y + comptime!(r as f32) * at.step, figure.y, figure.y_low);
                let is_square = figure.shape == SQUARE;
                measured.squares[r as usize] = contour_square(across, down, figure.extent, is_square, zero);
            }
        }
    }
    if comptime!(how.may_have_shape(CAPSULE)) {
        if figure.shape == CAPSULE {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (along, aside) = own(figure, at, comptime!(r as f32), zero);
                measured.squares[r as usize] = square_of(capsule_axis_distance(along, figure.extent), aside, zero);
            }
        }
    }
    if comptime!(how.may_have_shape(BOX)) {
        if figure.shape == BOX {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (along, aside) = own(figure, at, comptime!(r as f32), zero);
                let dx = box_axis_distance(along, figure.extent);
                measured.squares[r as usize] = square_of(dx, box_axis_distance(aside, figure.width), zero);
            }
        }
    }
    if comptime!(how.may_have_shape(CONE)) {
        if figure.shape == CONE {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (along, aside) = own(figure, at, comptime!(r as f32), zero);
                let inside = is_in_cone(along, aside, figure.extent, figure.width, zero);
                measured.squares[r as usize] = select(inside, square_of(along, aside, zero), NOWHERE);
            }
        }
    }
}

/// The position of this unit's cell in the given row, in the entity's coordinates.
#[cube]
pub fn own(figure: &EntityRecord, at: &Place, row: f32, zero: f32) -> (f32, f32) {
    // In floating point the remainders of the position are 0.
    let across = offset(at.x, figure.x, figure.x_low);
    let down = offset(at.y + row * at.step, figure.y, figure.y_low);
    turned(across, down, figure.sin, figure.cos, zero)
}

/// Measures distances from the circumference of a circle. In fixed point, the step from cell to cell is 1.
#[cube]
fn measure_ring(
    entities: &Entities,
    figure: &EntityRecord,
    at: &Place,
    measured: &mut CellDistances,
    zero: f32,
    #[comptime] how: How,
) {
    if comptime!(how.fixed) {
        let ring = ring(entities, figure);
        #[unroll]
        for r in 0..comptime!(how.rows) {
            let units = ring.distance(at.x as u32, at.y as u32 + r);
            let distance = units as f32;
            let cells = distance * figure.cells;
            measured.distances[r as usize] = distance;
            measured.squares[r as usize] = select(units < ring.reach, rounded_product(cells, cells, zero), NOWHERE);
        }
    } else {
        let across = offset(at.x, figure.x, figure.x_low);
        #[unroll]
        for r in 0..comptime!(how.rows) {
            let down = offset(at.y + comptime!(r as f32) * at.step, figure.y, figure.y_low);
            let distance = circle_line_distance(square_of(across, down, zero), figure.extent);
            measured.distances[r as usize] = distance;
            let felt = distance < figure.reach;
            measured.squares[r as usize] = select(felt, rounded_product(distance, distance, zero), NOWHERE);
        }
    }
}

/// The parameters of a ring in fixed point.
#[cube]
fn ring(entities: &Entities, figure: &EntityRecord) -> Ring {
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
