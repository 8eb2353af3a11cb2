//! The charge at a distance: the rules of `crate::fall` with numbers from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

use super::super::record::*;
use super::figure::Figure;
use super::shape::Way;
use super::world::Entities;
use crate::between::on_the_way;
use crate::fall::{Piece, entry_before, falling, has_begun};

/// The charge at a distance within reach.
#[allow(clippy::disallowed_methods, reason = "a device has powers of its own")]
#[cube]
pub fn value(entities: &Entities, figure: &Figure, far: &Way, zero: f32) -> f32 {
    let mut value = falling(figure.charge, figure.slope, far.distance, zero);
    if figure.fall == QUADRATIC {
        value = falling(figure.charge, figure.slope, far.square, zero);
    } else if figure.fall == GAUSSIAN {
        value = rounded_product(figure.charge, (-rounded_product(figure.slope, far.square, zero)).exp(), zero);
    } else if figure.fall == PIECEWISE {
        value = rounded_product(figure.charge, piecewise(entities, figure, far.distance, zero), zero);
    } else if figure.fall == TABLE {
        value = rounded_product(figure.charge, tabled(entities, figure, far.distance, zero), zero);
    }
    value
}

/// The value of a piecewise linear profile. All pieces are tested, because there are few.
#[cube]
fn piecewise(entities: &Entities, figure: &Figure, cells: f32, zero: f32) -> f32 {
    let distance = rounded_product(cells, figure.slope, zero);
    let mut at = figure.profile;
    for i in 1..figure.profile_count {
        let later = figure.profile + i * PIECE_REALS;
        if has_begun(entities.entry(later), distance) {
            at = later;
        }
    }
    let piece = Piece { from: entities.entry(at), value: entities.entry(at + 1u32), slope: entities.entry(at + 2u32) };
    piece.value_at(distance, zero)
}

/// The value of a table.
#[cube]
fn tabled(entities: &Entities, figure: &Figure, cells: f32, zero: f32) -> f32 {
    let entry = entry_before(rounded_product(cells, figure.slope, zero), figure.profile_count);
    let at = figure.profile + entry.before;
    on_the_way(entities.entry(at), entities.entry(at + 1u32), entry.share, zero)
}
