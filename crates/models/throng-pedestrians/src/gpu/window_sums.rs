//! Sums of field strengths from the bits of a window.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::counting::{DEVICE_BITS, mask, rows_in_word, words_of_window};
use super::super::planes::{BITS, ONCOMING, SAME};
use super::super::rules::direction::{DIRECTIONS, angle, step_x, step_y};
use super::super::rules::sums::Sums;
use super::field_selection::FieldSelection;
use super::state::{Config, Floor, Parameters, Planes, Spot, Tables};

/// Returns the word and the bit of a space unit next to the centre of a window.
pub(super) fn beside_centre(side: u32, direction: u32) -> (u32, u32) {
    let [column, row] = [step_x(direction), step_y(direction)].map(|step| (side as i32 / 2 + step) as u32);
    (row / rows_in_word(side, DEVICE_BITS), row % rows_in_word(side, DEVICE_BITS) * side + column)
}

/// Adds fields by sector. `window` holds the plane of all pedestrians; other planes are read into it.
#[cube]
pub(super) fn window_sums(
    params: &Parameters,
    floor: &Floor,
    spot: Spot,
    window: &mut Array<u32>,
    sums: &mut Sums,
    #[comptime] wanted: FieldSelection,
    #[comptime] config: Config,
) {
    if comptime!(wanted.crowd) {
        #[unroll]
        for sector in 0..DIRECTIONS {
            sums.crowd.set(sector, sum_of_window(&floor.tables, window, sector, 0u32, config));
        }
    }
    if comptime!(wanted.same.is_some()) {
        read_window(params, &floor.planes, comptime!(SAME as u32) + spot.direction, spot, window, config);
        #[unroll]
        for sector in 0..DIRECTIONS {
            if angle(spot.direction, sector.runtime()) <= comptime!(wanted.same.unwrap_or(0)) {
                sums.same.set(sector, sum_of_window(&floor.tables, window, sector, 1u32, config));
            }
        }
    }
    if comptime!(wanted.oncoming.is_some()) {
        read_window(params, &floor.planes, comptime!(ONCOMING as u32) + spot.direction, spot, window, config);
        #[unroll]
        for sector in 0..DIRECTIONS {
            if angle(spot.direction, sector.runtime()) <= comptime!(wanted.oncoming.unwrap_or(0)) {
                sums.oncoming.set(sector, sum_of_window(&floor.tables, window, sector, 2u32, config));
            }
        }
    }
}

/// Reads the bits of the window around a space unit.
#[cube]
pub(super) fn read_window(
    params: &Parameters,
    planes: &Planes,
    plane: u32,
    spot: Spot,
    window: &mut Array<u32>,
    #[comptime] config: Config,
) {
    #[unroll]
    for word in 0..comptime!(words_of_window(config.side, DEVICE_BITS)) {
        window[word as usize] = 0u32;
    }
    let first = (plane * params.rows + spot.y) * params.row_words + spot.x / BITS;
    let shift = spot.x % BITS;
    #[unroll]
    for row in 0..comptime!(config.side) {
        let bits =
            (planes.rows[(first + row * params.row_words) as usize] >> shift) & comptime!((1u32 << config.side) - 1);
        window[comptime!((row / rows_in_word(config.side, DEVICE_BITS)) as usize)] |=
            bits << comptime!(row % rows_in_word(config.side, DEVICE_BITS) * config.side);
    }
}

/// Returns the sum of the strengths of a sector.
#[cube]
fn sum_of_window(
    tables: &Tables,
    window: &Array<u32>,
    #[comptime] sector: u32,
    #[comptime] field: u32,
    #[comptime] config: Config,
) -> i32 {
    let rings = comptime!(config.side / 2);
    let mut sum = 0i32;
    #[unroll]
    for ring in 0..rings {
        let mut count = 0u32;
        #[unroll]
        for word in 0..comptime!(words_of_window(config.side, DEVICE_BITS)) {
            let mask = comptime!(mask(config.map, config.side, DEVICE_BITS, sector, ring + 1, word) as u32);
            if comptime!(mask != 0) {
                count += (window[word as usize] & mask).count_ones();
            }
        }
        sum += count as i32 * tables.strengths[comptime!((field * (rings + 1) + ring + 1) as usize)];
    }
    sum
}
