//! The contributions of an entity to the cells of a unit.

use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;
use throng_device::{cubecl, quick_roots};
use throng_fields_core::rules::fall::falling;
use throng_fields_core::rules::fixed_point::{nearest, offset, root};

use super::super::record::*;
use super::entity_record::EntityRecord;
use super::polygon::{Sieve, measure_polygon};
use super::profile::add_charges;
use super::shape::{CellDistances, measure, own};
use super::stamp::stamped;
use super::sums::{Place, Sums, UnitCells};
use super::world::{Entities, Figures, How};

/// Adds the charge of an entity other than a polygon to the cells of a unit, which form a column that starts at `at`.
#[cube]
pub fn add_entity(entities: &Entities, entity: u32, at: &Place, sums: &mut Sums, zero: f32, #[comptime] how: How) {
    if comptime!(how.figures == Figures::LINEAR_DISCS) {
        add_disc(entities, entity, at, sums, zero, true, how);
    } else if comptime!(how.figures == Figures::QUADRATIC_DISCS) {
        add_disc(entities, entity, at, sums, zero, false, how);
    } else if comptime!(how.figures == Figures::Any) {
        let fall = entities.word(FALL, entity);
        let disc = entities.word(SHAPE, entity) == DISC;
        if disc && fall == LINEAR {
            add_disc(entities, entity, at, sums, zero, true, how);
        } else if disc && fall == QUADRATIC {
            add_disc(entities, entity, at, sums, zero, false, how);
        } else {
            add_other_entity(entities, entity, at, sums, zero, how);
        }
    } else {
        add_other_entity(entities, entity, at, sums, zero, how);
    }
}

/// Adds the charge of a disc to the cells of a unit, which form a column that starts at `at`. If `linear`, the charge
/// falls with the distance, else with its square. All kernels use this function, so the result of a tile does not
/// depend on the kinds of entities elsewhere.
#[cube]
pub fn add_disc(
    entities: &Entities,
    entity: u32,
    at: &Place,
    sums: &mut Sums,
    zero: f32,
    #[comptime] linear: bool,
    #[comptime] how: How,
) {
    let column = entities.real(X, entity);
    let middle = entities.real(Y, entity);
    let charge = entities.real(CHARGE, entity);
    if comptime!(how.fixed) {
        let slope = entities.real(SLOPE, entity);
        let reach = entities.real(REACH, entity);
        let units = entities.real(UNITS, entity);
        let across = offset(at.x, column, entities.real(X_LOW, entity));
        let low = entities.real(Y_LOW, entity);
        let across_square = rounded_product(across, across, zero);
        let reach_square = rounded_product(reach, reach, zero);
        #[unroll]
        for r in 0..comptime!(how.rows) {
            let down = offset(at.y + comptime!(r as f32) * at.step, middle, low);
            let square = across_square + rounded_product(down, down, zero);
            if square < reach_square {
                let mut length = square;
                if comptime!(linear) {
                    length = root(square, units);
                }
                sums.steps[r as usize] += nearest(falling(charge, slope, length, zero));
            }
        }
    } else {
        // Differs from the rule of the CPU, but fast roots and fused operations change only the rounding.
        let across = at.x - column;
        let inverse = entities.real(INVERSE, entity);
        // Makes the root of 0 equal to 0, instead of 0 times infinity.
        let across_square = fma(across, across, 1e-30f32);
        if comptime!(linear && how.cuda) {
            quick_roots();
        }
        #[unroll]
        for r in 0..comptime!(how.rows) {
            let down = at.y + comptime!(r as f32) * at.step - middle;
            let square = fma(down, down, across_square);
            let mut length = square;
            let mut slope = inverse * inverse;
            if comptime!(linear) {
                length = square * square.inverse_sqrt();
                slope = inverse;
            }
            // The upper bound is never exceeded, but devices clamp to both bounds in one instruction.
            let share = f32::min(f32::max(fma(-length, slope, 1.0f32), 0.0f32), 1.0f32);
            sums.floats[r as usize] = fma(charge, share, sums.floats[r as usize]);
        }
    }
}

/// Adds the charge of a polygon to the cells of a unit, if it reaches their block. All units of a cube must call this.
#[cube]
pub fn add_polygon(
    entities: &Entities,
    entity: u32,
    here: &UnitCells,
    sieve: &mut Sieve,
    sums: &mut Sums,
    zero: f32,
    #[comptime] how: How,
) {
    let figure = EntityRecord::read(entities, entity);
    let mut measured = CellDistances {
        squares: Array::<f32>::new(comptime!(how.rows as usize)),
        distances: Array::<f32>::new(comptime!(how.rows as usize)),
    };
    measure_polygon(entities, &figure, here, sieve, &mut measured, zero, how);
    if here.reached {
        add_charges(entities, &figure, &mut measured, sums, zero, how);
    }
}

/// Adds the charge of an entity of any kind but a polygon to the cells of a unit.
#[cube]
fn add_other_entity(entities: &Entities, entity: u32, at: &Place, sums: &mut Sums, zero: f32, #[comptime] how: How) {
    let figure = EntityRecord::read(entities, entity);
    if comptime!(how.may_have_shape(STAMP)) {
        if figure.shape == STAMP {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (along, aside) = own(&figure, at, comptime!(r as f32), zero);
                let value = stamped(entities, &figure, along, aside, zero);
                sums.add(r, rounded_product(figure.charge, value, zero), how);
            }
        }
    }
    if comptime!(how.figures.may_have_profile()) {
        if figure.shape != STAMP {
            let mut measured = CellDistances {
                squares: Array::<f32>::new(comptime!(how.rows as usize)),
                distances: Array::<f32>::new(comptime!(how.rows as usize)),
            };
            measure(entities, &figure, at, &mut measured, zero, how);
            add_charges(entities, &figure, &mut measured, sums, zero, how);
        }
    }
}
