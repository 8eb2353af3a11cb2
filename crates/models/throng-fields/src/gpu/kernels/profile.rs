//! The charges at known distances: the rules of `throng_fields_core::rules::fall` with data from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;
use throng_fields_core::rules::fall::{bell, entry_before, falling};
use throng_fields_core::rules::fixed_point;
use throng_fields_core::rules::interpolation::lerp;
use throng_fields_core::rules::pieces::{Piece, has_begun, slot_at};

use super::super::record::*;
use super::entity_record::EntityRecord;
use super::shape::{CellDistances, NOWHERE};
use super::sums::Sums;
use super::world::{Entities, How};

/// Adds the charges at distances within reach. Branches are the same for all cells of a unit, and lie outside the loops
/// over its cells.
#[cube]
pub fn add_charges(
    entities: &Entities,
    figure: &EntityRecord,
    measured: &mut CellDistances,
    sums: &mut Sums,
    zero: f32,
    #[comptime] how: How,
) {
    // Around a ring, squares beyond the reach have already been replaced by [`NOWHERE`].
    let mut limit = rounded_product(figure.reach, figure.reach, zero);
    if comptime!(how.may_have_shape(RING)) {
        if figure.shape == RING {
            limit = NOWHERE;
        }
    }
    if comptime!(how.may_need_distance()) {
        if figure.shape != RING && figure.fall != QUADRATIC && figure.fall != GAUSSIAN {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let square = measured.squares[r as usize];
                if square < limit {
                    measured.distances[r as usize] = root(figure, square, how);
                }
            }
        }
    }
    if comptime!(how.may_have_fall(LINEAR)) {
        if figure.fall == LINEAR {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if measured.squares[r as usize] < limit {
                    let charge = falling(figure.charge, figure.slope, measured.distances[r as usize], zero);
                    sums.add(r, charge, how);
                }
            }
        }
    }
    if comptime!(how.may_have_fall(QUADRATIC)) {
        if figure.fall == QUADRATIC {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let square = measured.squares[r as usize];
                if square < limit {
                    sums.add(r, falling(figure.charge, figure.slope, square, zero), how);
                }
            }
        }
    }
    if comptime!(how.may_have_fall(GAUSSIAN)) {
        if figure.fall == GAUSSIAN {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let square = measured.squares[r as usize];
                if square < limit {
                    sums.add(r, power(figure, square, zero, how), how);
                }
            }
        }
    }
    if comptime!(how.may_have_fall(PIECEWISE)) {
        if figure.fall == PIECEWISE {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if measured.squares[r as usize] < limit {
                    let value = piecewise(entities, figure, measured.distances[r as usize], zero);
                    sums.add(r, rounded_product(figure.charge, value, zero), how);
                }
            }
        }
    }
    if comptime!(how.may_have_fall(TABLE)) {
        if figure.fall == TABLE {
            #[unroll]
            for r in 0..comptime!(how.rows) {
                if measured.squares[r as usize] < limit {
                    let value = tabled(entities, figure, measured.distances[r as usize], zero);
                    sums.add(r, rounded_product(figure.charge, value, zero), how);
                }
            }
        }
    }
}

/// The distance for a squared distance; in fixed point, in units.
#[cube]
fn root(figure: &EntityRecord, square: f32, #[comptime] how: How) -> f32 {
    if comptime!(how.fixed) { fixed_point::root(square, figure.units) } else { square.sqrt() }
}

/// The charge of a bell profile.
#[allow(clippy::disallowed_methods, reason = "devices have their own power functions")]
#[cube]
fn power(figure: &EntityRecord, square: f32, zero: f32, #[comptime] how: How) -> f32 {
    if comptime!(how.fixed) {
        bell(figure.charge, figure.slope, square, zero)
    } else {
        rounded_product(figure.charge, (-rounded_product(figure.slope, square, zero)).exp(), zero)
    }
}

/// The value of a piecewise linear profile: [`Pieces::value`](throng_fields_core::rules::pieces::Pieces::value). The
/// host searches in lists of pieces and slots instead; with a table like this one, fields of such profiles take up to a
/// tenth longer there.
#[cube]
fn piecewise(entities: &Entities, figure: &EntityRecord, cells: f32, zero: f32) -> f32 {
    let distance = rounded_product(cells, figure.slope, zero);
    let slots = figure.profile + 1u32;
    let slot = slot_at(distance, entities.entry(figure.profile), figure.profile_count, zero);
    let mut at = slots + figure.profile_count + u32::cast_from(entities.entry(slots + slot)) * PIECE_REALS;
    while has_begun(entities.entry(at + 3u32), distance) {
        at += PIECE_REALS;
    }
    let piece = Piece { from: entities.entry(at), value: entities.entry(at + 1u32), slope: entities.entry(at + 2u32) };
    piece.value_at(distance, zero)
}

/// The value of a tabulated profile.
#[cube]
fn tabled(entities: &Entities, figure: &EntityRecord, cells: f32, zero: f32) -> f32 {
    let entry = entry_before(rounded_product(cells, figure.slope, zero), figure.profile_count);
    let at = figure.profile + entry.before;
    lerp(entities.entry(at), entities.entry(at + 1u32), entry.share, zero)
}
