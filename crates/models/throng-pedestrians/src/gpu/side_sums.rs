//! Sums of field strengths from counts along the sides of rings.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::planes::{ALL, BITS, ONCOMING, SAME};
use super::super::rules::direction::angle;
use super::super::rules::ring_side::{SIDES, Side, ends};
use super::super::rules::sums::{ByDirection, Sums};
use super::field_selection::FieldSelection;
use super::state::{Config, Floor, Parameters, Planes, Spot};

/// The starts of the three parts of a side and the end of the last one, in a plane: word indices, and masks of the bits
/// before them.
#[derive(CubeType)]
struct PlaneEnds {
    words: Array<u32>,
    masks: Array<u32>,
}

/// Adds fields by sector, ring by ring: all fields count at the same positions, each in its own plane.
#[cube]
pub(super) fn side_sums(
    params: &Parameters,
    floor: &Floor,
    spot: Spot,
    sums: &mut Sums,
    #[comptime] wanted: FieldSelection,
    #[comptime] config: Config,
) {
    let rings = comptime!(config.side / 2 + 1);
    for ring in 1..rings {
        let cut = (2u32 * (ring - 1u32)) as usize;
        let (first, last) = (floor.tables.cuts[cut], floor.tables.cuts[cut + 1]);
        #[unroll]
        for number in 0..4u32 {
            let side = comptime!(SIDES[number as usize]);
            let ends = plane_ends(params, spot, ring as i32, first, last, side);
            if comptime!(wanted.crowd) {
                let strength = floor.tables.strengths[ring as usize];
                add_side(
                    params,
                    &floor.planes,
                    comptime!(ALL as u32).runtime(),
                    &ends,
                    strength,
                    &mut sums.crowd,
                    side,
                );
            }
            let apart = angle(spot.direction, comptime!(side.sectors[1]).runtime());
            if comptime!(wanted.same.is_some()) {
                if apart <= comptime!(wanted.same.unwrap_or(0) + 1) {
                    let strength = floor.tables.strengths[(rings + ring) as usize];
                    let plane = comptime!(SAME as u32) + spot.direction;
                    add_side(params, &floor.planes, plane, &ends, strength, &mut sums.same, side);
                }
            }
            if comptime!(wanted.oncoming.is_some()) {
                if apart <= comptime!(wanted.oncoming.unwrap_or(0) + 1) {
                    let strength = floor.tables.strengths[(2 * rings + ring) as usize];
                    let plane = comptime!(ONCOMING as u32) + spot.direction;
                    add_side(params, &floor.planes, plane, &ends, strength, &mut sums.oncoming, side);
                }
            }
        }
    }
}

/// Returns the [`ends()`] of a side of a ring as positions in a plane.
#[cube]
fn plane_ends(params: &Parameters, spot: Spot, ring: i32, first: i32, last: i32, #[comptime] side: Side) -> PlaneEnds {
    let radius = params.radius as i32;
    let (column, row) = (spot.x as i32 + radius, spot.y as i32 + radius);
    let at = select(comptime!(side.is_after).runtime(), ring, -ring);
    let ends = ends(ring, first, last, side);
    let (along, line) = if comptime!(side.is_column) { (row, column + at) } else { (column, row + at) };
    let lines = if comptime!(side.is_column) { params.columns } else { params.rows };
    let mut words = Array::<u32>::new(4usize);
    let mut masks = Array::<u32>::new(4usize);
    let mut places = Array::<i32>::new(4usize);
    places[0] = along + ends.first;
    places[1] = along + ends.middle;
    places[2] = along + ends.last;
    places[3] = along + ends.end;
    #[unroll]
    for end in 0..4usize {
        let place = places[end] as u32;
        words[end] = place / BITS * lines + line as u32;
        masks[end] = (1u32 << (place % BITS)) - 1u32;
    }
    PlaneEnds { words, masks }
}

/// Adds the counts of the three parts of a side in a plane, times their strength.
#[cube]
fn add_side(
    params: &Parameters,
    planes: &Planes,
    plane: u32,
    ends: &PlaneEnds,
    strength: i32,
    sums: &mut ByDirection,
    #[comptime] side: Side,
) {
    let mut before = Array::<u32>::new(4usize);
    #[unroll]
    for end in 0..4usize {
        let word = if comptime!(side.is_column) {
            planes.columns[(plane * params.column_words * params.columns + ends.words[end]) as usize]
        } else {
            planes.rows[(plane * params.row_words * params.rows + ends.words[end]) as usize]
        };
        before[end] = (word >> BITS) + (word & ends.masks[end]).count_ones();
    }
    #[unroll]
    for part in 0..3usize {
        let sector = comptime!(side.sectors[part]);
        sums.set(sector, sums.at(sector) + (before[part + 1] - before[part]) as i32 * strength);
    }
}
