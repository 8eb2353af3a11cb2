//! The alternative that the paper rejects: no cache, and atomic operations on the stored fields.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pedestrians::EMPTY;
use throng_pedestrians::rules::direction::{DIRECTIONS, turned};
use throng_pedestrians::rules::grid::NOWHERE;

use super::{HEADING, Parameters, Places, Voted, move_to, won};
use crate::yu::numbers::NOT_STORED;
use crate::yu::slots::SLOT_NUMBERS;

/// k-4 without a cache: one unit per pedestrian. Stored numbers are integers, so that the order of additions does not
/// matter. At the `start`, all pedestrians enter the space units that they occupy.
#[cube(launch)]
pub fn move_and_add(
    params: &Parameters,
    voted: &Voted,
    places: &mut Places,
    slots: &Array<i32>,
    fields: &mut Array<Atomic<i32>>,
    #[comptime] start: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let heading = voted.traits[i as usize] & HEADING;
        let unit = places.at[i as usize];
        if comptime!(start) {
            add_field(params, slots, fields, unit, heading, 1i32);
        } else {
            let to = won(voted, i);
            if to != EMPTY {
                move_to(params, places, &voted.traits, i, to);
                add_field(params, slots, fields, unit, heading, -1i32);
                add_field(params, slots, fields, to, heading, 1i32);
            }
        }
    }
}

/// Adds the field around a space unit, times `sign`, to the stored numbers.
#[cube]
fn add_field(
    params: &Parameters,
    slots: &Array<i32>,
    fields: &mut Array<Atomic<i32>>,
    unit: u32,
    heading: u32,
    #[comptime] sign: i32,
) {
    let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
    let stored = params.stored();
    for sector in 0..DIRECTIONS {
        for index in 0..params.of_sector {
            let of_slot = ((sector * params.of_sector + index) * SLOT_NUMBERS) as usize;
            let (dx, dy) = (slots[of_slot], slots[of_slot + 1]);
            if dx != 0 || dy != 0 {
                let reader = params.grid.unit_at(x - dx, y - dy);
                if reader != NOWHERE {
                    fields[params.index(sector, stored, reader)].fetch_add(sign * slots[of_slot + 2]);
                    let number = params.numbers.same(heading, sector);
                    if number != NOT_STORED {
                        fields[params.index(number, stored, reader)].fetch_add(sign * slots[of_slot + 3]);
                    }
                    #[unroll]
                    for turn in 3..6u32 {
                        let number = params.numbers.oncoming(turned(heading, turn.runtime()), sector);
                        if number != NOT_STORED {
                            fields[params.index(number, stored, reader)].fetch_add(sign * slots[of_slot + 4]);
                        }
                    }
                }
            }
        }
    }
}
