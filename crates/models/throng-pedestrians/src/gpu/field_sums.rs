//! Sums of field strengths at a space unit, by any of the summing methods.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::rules::direction::{angle, turned};
use super::super::rules::directional::{Reading, adjacent_direction};
use super::super::rules::sources::sums_of_units;
use super::super::rules::sums::{Sums, no_sums};
use super::super::summing::Summing;
use super::field_selection::FieldSelection;
use super::floor::FloorOnDevice;
use super::side_sums::side_sums;
use super::state::{Config, Parameters, Spot};
use super::transforms::transform_sums;
use super::window_sums::window_sums;

/// Computes the sums for a pedestrian with a heading. `window`: the window of the plane of all pedestrians, for
/// [`Summing::Windows`].
///
/// The choice of planes is written twice, here and for the CPU, because each version is faster on its side. The CPU
/// goes plane by plane and skips fields that no score needs; a kernel reads all fields of a direction together, ring by
/// ring, and branches less.
#[cube]
pub(super) fn field_sums(
    params: &Parameters,
    floor: &FloorOnDevice<'_>,
    spot: Spot,
    window: &mut Array<u32>,
    #[comptime] config: Config,
) -> Sums {
    let heading = spot.direction;
    if comptime!(config.summing == Summing::Units) {
        let (unit, offsets) = (spot.y * params.grid.width + spot.x, comptime!(config.side * config.side - 1));
        let has_traces = comptime!(config.trace_decay > 0);
        sums_of_units::<FloorOnDevice<'_>>(floor, &params.grid, unit, heading, offsets, config.reading, has_traces)
    } else {
        let mut sums = no_sums();
        if comptime!(config.summing == Summing::Transforms) {
            transform_sums(params, &floor.floor.planes, spot, &mut sums);
        } else if comptime!(config.reading == Reading::Heading) {
            plane_sums(params, floor, spot, window, &mut sums, comptime!(FieldSelection::ALL), config);
        } else {
            plane_sums(params, floor, spot, window, &mut sums, comptime!(FieldSelection::CROWD), config);
            for turn in 0..5u32 {
                let direction = turned(heading, turn + 6u32);
                let mut cone = no_sums();
                let ahead = Spot { x: spot.x, y: spot.y, direction };
                plane_sums(params, floor, ahead, window, &mut cone, comptime!(FieldSelection::CONE), config);
                sums.oncoming.add(direction, cone.oncoming.get(direction));
                if angle(direction, heading) <= 1u32 {
                    let beside = cone.same.get(adjacent_direction(direction, 0u32))
                        + cone.same.get(adjacent_direction(direction, 2u32));
                    sums.same.add(direction, cone.same.get(direction) + beside);
                }
            }
        }
        sums
    }
}

/// Adds the `wanted` fields from the planes of a direction.
#[cube]
fn plane_sums(
    params: &Parameters,
    floor: &FloorOnDevice<'_>,
    spot: Spot,
    window: &mut Array<u32>,
    sums: &mut Sums,
    #[comptime] wanted: FieldSelection,
    #[comptime] config: Config,
) {
    if comptime!(config.summing == Summing::Windows) {
        window_sums(params, floor.floor, spot, window, sums, wanted, config);
    } else {
        side_sums(params, floor.floor, spot, sums, wanted, config);
    }
}
