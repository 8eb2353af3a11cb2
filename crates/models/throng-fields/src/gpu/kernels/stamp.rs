//! The value of a stamp at a point: the rules of `throng_fields_core::stamp` with data from the columns.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::rules::interpolation::{Corners, bilinear};
use throng_fields_core::stamp::on_stamp;

use super::entity_record::EntityRecord;
use super::world::Entities;

/// The value of a stamp at a point in the entity's coordinates.
#[cube]
pub fn stamped(entities: &Entities, figure: &EntityRecord, x: f32, y: f32, zero: f32) -> f32 {
    let columns = figure.corner_count;
    let on = on_stamp(x, y, figure.extent, columns, figure.profile_count, zero);
    let mut value = 0.0f32;
    if on.is_there {
        let above = figure.profile + on.first;
        let below = above + columns + 2u32;
        let corners = Corners {
            a: entities.entry(above),
            b: entities.entry(above + 1u32),
            c: entities.entry(below),
            d: entities.entry(below + 1u32),
        };
        value = bilinear(&corners, on.across, on.down, zero);
    }
    value
}
