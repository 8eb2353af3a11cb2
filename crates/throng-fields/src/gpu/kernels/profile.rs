//! What is left of a charge at a distance: `crate::placed` on the device.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::charge::Figure;
use super::shape::{Way, times};
use super::world::Entities;

/// The charge at a distance within reach.
#[allow(clippy::disallowed_methods, reason = "a device has powers of its own")]
#[cube]
pub fn value(entities: &Entities, figure: &Figure, far: &Way, zero: f32) -> f32 {
    let mut value = figure.charge - times(figure.slope, far.distance, zero);
    if figure.fall == QUADRATIC {
        value = figure.charge - times(figure.slope, far.square, zero);
    } else if figure.fall == GAUSSIAN {
        value = times(figure.charge, (-times(figure.slope, far.square, zero)).exp(), zero);
    } else if figure.fall == PIECEWISE {
        value = times(figure.charge, piecewise(entities, figure, far.distance, zero), zero);
    } else if figure.fall == TABLE {
        value = times(figure.charge, tabled(entities, figure, far.distance, zero), zero);
    }
    value
}

/// At a knot itself the piece before it counts.
#[cube]
fn piecewise(entities: &Entities, figure: &Figure, cells: f32, zero: f32) -> f32 {
    let distance = times(cells, figure.slope, zero);
    let mut piece = figure.profile;
    for i in 1..figure.profile_count {
        let at = figure.profile + i * PIECE_REALS;
        if entities.entry(at) < distance {
            piece = at;
        }
    }
    let from = entities.entry(piece);
    entities.entry(piece + 1u32) + times(entities.entry(piece + 2u32), distance - from, zero)
}

/// Straight between values at equal distances, the last of which counts from there on.
#[cube]
fn tabled(entities: &Entities, figure: &Figure, distance: f32, zero: f32) -> f32 {
    let last = f32::cast_from(figure.profile_count - 1u32);
    let place = f32::min(times(distance, figure.slope, zero), last);
    let i = u32::min(u32::cast_from(place), figure.profile_count - 2u32);
    let at = figure.profile + i;
    let value = entities.entry(at);
    let rise = entities.entry(at + 1u32) - value;
    value + times(rise, place - f32::cast_from(i), zero)
}
