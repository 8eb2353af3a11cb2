//! The one-step cache: a slot for each change of a stored number.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, cubecl};
use throng_pedestrians::EMPTY;
use throng_pedestrians::rules::direction::{DIRECTIONS, turned};
use throng_pedestrians::rules::grid::NOWHERE;

use super::{HEADING, Parameters, Places, Voted, move_to, won};
use crate::yu::numbers::NOT_STORED;
use crate::yu::slots::SLOT_NUMBERS;

/// A one-step cache, indexed by `[sector][slot]` and the space unit.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct SlotCache {
    pub appear: Array<i32>,
    pub disappear: Array<i32>,
    pub same: Array<i32>,
    pub oncoming: Array<i32>,
}

/// k-1, for the slots of a one-step cache.
#[cube(launch)]
pub fn initialize_slots(params: &Parameters, cache: &mut SlotCache) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        let count = DIRECTIONS * params.of_sector;
        for slot in 0..count {
            let at = params.index(slot, count, unit);
            cache.appear[at] = 0i32;
            cache.disappear[at] = 0i32;
            cache.same[at] = 0i32;
            cache.oncoming[at] = 0i32;
        }
    }
}

/// k-4 with a one-step cache: one unit per pedestrian. At the `start`, all pedestrians enter the space units that they
/// occupy.
#[cube(launch)]
pub fn move_and_fill_slots(
    params: &Parameters,
    voted: &Voted,
    places: &mut Places,
    slots: &Array<i32>,
    cache: &mut SlotCache,
    #[comptime] start: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let heading = voted.traits[i as usize] & HEADING;
        let unit = places.at[i as usize];
        if comptime!(start) {
            fill_slots(params, slots, cache, unit, heading, true);
        } else {
            let to = won(voted, i);
            if to != EMPTY {
                move_to(params, places, &voted.traits, i, to);
                fill_slots(params, slots, cache, unit, heading, false);
                fill_slots(params, slots, cache, to, heading, true);
            }
        }
    }
}

/// Writes the strengths of the field around a space unit into its slots, as those of a pedestrian that `enters` it or
/// leaves it.
#[cube]
fn fill_slots(
    params: &Parameters,
    slots: &Array<i32>,
    cache: &mut SlotCache,
    unit: u32,
    heading: u32,
    #[comptime] enters: bool,
) {
    let sign = comptime!(if enters { 1i32 } else { -1i32 }).runtime();
    let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
    let count = DIRECTIONS * params.of_sector;
    for slot in 0..count {
        let of_slot = (slot * SLOT_NUMBERS) as usize;
        let (dx, dy) = (slots[of_slot], slots[of_slot + 1]);
        if dx != 0 || dy != 0 {
            let reader = params.grid.unit_at(x - dx, y - dy);
            if reader != NOWHERE {
                let index = params.index(slot, count, reader);
                if comptime!(enters) {
                    cache.appear[index] = slots[of_slot + 2];
                } else {
                    cache.disappear[index] = slots[of_slot + 2];
                }
                cache.same[index] = sign * slots[of_slot + 3] * 8 + heading as i32;
                cache.oncoming[index] = sign * slots[of_slot + 4] * 8 + heading as i32;
            }
        }
    }
}

/// k-5 with a one-step cache: one unit per space unit.
#[cube(launch)]
pub fn write_back_slots(params: &Parameters, cache: &SlotCache, fields: &mut Array<i32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        let (count, stored) = (DIRECTIONS * params.of_sector, params.stored());
        for sector in 0..DIRECTIONS {
            let mut crowd = 0i32;
            for index in 0..params.of_sector {
                let at = params.index(sector * params.of_sector + index, count, unit);
                crowd += cache.appear[at] - cache.disappear[at];
                let of_same = cache.same[at];
                if of_same != 0 {
                    let number = params.numbers.same(of_same as u32 & HEADING, sector);
                    if number != NOT_STORED {
                        fields[params.index(number, stored, unit)] += of_same >> 3i32;
                    }
                }
                let of_oncoming = cache.oncoming[at];
                if of_oncoming != 0 {
                    #[unroll]
                    for turn in 3..6u32 {
                        let reader = turned(of_oncoming as u32 & HEADING, turn.runtime());
                        let number = params.numbers.oncoming(reader, sector);
                        if number != NOT_STORED {
                            fields[params.index(number, stored, unit)] += of_oncoming >> 3i32;
                        }
                    }
                }
            }
            fields[params.index(sector, stored, unit)] += crowd;
        }
    }
}
