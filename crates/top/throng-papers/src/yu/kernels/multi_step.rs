//! The multi-step cache: partial sums of the changes of a stored number.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pedestrians::EMPTY;
use throng_pedestrians::rules::direction::{DIRECTIONS, angle, turned};
use throng_pedestrians::rules::grid::NOWHERE;

use super::{HEADING, Parameters, Places, Voted, move_to, won};
use crate::yu::numbers::{CROWD, NOT_STORED, ONCOMING, SAME, turn_of_same};
use crate::yu::slots::SLOT_NUMBERS;

/// The bit above the heading in a word of changes: set if the pedestrian has entered the space unit, clear if it has
/// left.
const ENTERED: u32 = 8;
const LEFT: u32 = 16;

/// k-1, for a multi-step cache. Its partial sums need no clearing, because k-4 overwrites them.
#[cube(launch)]
pub fn initialize_changes(params: &Parameters, changes: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        changes[unit as usize] = 0u32;
    }
}

/// k-4 with a multi-step cache, first part: one unit per pedestrian.
#[cube(launch)]
pub fn move_and_note(
    params: &Parameters,
    voted: &Voted,
    places: &mut Places,
    changes: &mut Array<u32>,
    #[comptime] start: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let heading = voted.traits[i as usize] & HEADING;
        let unit = places.at[i as usize];
        if comptime!(start) {
            changes[unit as usize] = ENTERED | heading;
        } else {
            let to = won(voted, i);
            if to != EMPTY {
                move_to(params, places, &voted.traits, i, to);
                changes[unit as usize] = LEFT | heading;
                changes[to as usize] = ENTERED | heading;
            }
        }
    }
}

/// k-4, second part: the outer steps of sums, one unit per space unit. Term `sum * steps + step` is in `sum`. `sums`
/// is indexed by `[number][sum][unit]`; the eight numbers of RR for disappearing strengths follow all others.
#[cube(launch)]
pub fn sum_in_steps(
    params: &Parameters,
    changes: &Array<u32>,
    slots: &Array<i32>,
    sums: &mut Array<i32>,
    #[comptime] count: u32,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
        let steps = params.of_sector / count;
        let stored = CROWD + (SAME + ONCOMING) * params.numbers.headings;
        for sector in 0..DIRECTIONS {
            let mut appear = zeros(count);
            let mut disappear = zeros(count);
            let mut same = zeros(comptime!(SAME * count));
            let mut oncoming = zeros(comptime!(ONCOMING * count));
            for step in 0..steps {
                #[unroll]
                for sum in 0..count {
                    let of_slot = ((sector * params.of_sector + sum * steps + step) * SLOT_NUMBERS) as usize;
                    let (dx, dy) = (slots[of_slot], slots[of_slot + 1]);
                    let mut change = 0u32.runtime();
                    if dx != 0 || dy != 0 {
                        let centre = params.grid.unit_at(x + dx, y + dy);
                        if centre != NOWHERE {
                            change = changes[centre as usize];
                        }
                    }
                    if change != 0u32 {
                        let heading = change & HEADING;
                        let strength = slots[of_slot + 2];
                        let entered = change & ENTERED == ENTERED;
                        appear[sum as usize] += select(entered, strength, 0i32);
                        disappear[sum as usize] += select(entered, 0i32, strength);
                        let of_same = select(entered, slots[of_slot + 3], -slots[of_slot + 3]);
                        #[unroll]
                        for turn in 0..SAME {
                            let is_read = turn_of_same(heading, sector) == turn;
                            same[comptime!((turn * count + sum) as usize)] += select(is_read, of_same, 0i32);
                        }
                        let of_oncoming = select(entered, slots[of_slot + 4], -slots[of_slot + 4]);
                        #[unroll]
                        for turn in 0..ONCOMING {
                            // The heading of the readers that see this sector at that turn.
                            let reader = turned(sector, comptime!((8 + 2 - turn) % 8).runtime());
                            let is_read = angle(reader, heading) >= 3u32;
                            oncoming[comptime!((turn * count + sum) as usize)] += select(is_read, of_oncoming, 0i32);
                        }
                    }
                }
            }
            store_sums(params, sums, &appear, unit, sector, 0u32, count);
            store_sums(params, sums, &disappear, unit, stored + sector, 0u32, count);
            #[unroll]
            for turn in 0..SAME {
                let heading = turned(sector, comptime!((8 + 1 - turn) % 8).runtime());
                let number = params.numbers.same(heading, sector);
                if number != NOT_STORED {
                    store_sums(params, sums, &same, unit, number, turn, count);
                }
            }
            #[unroll]
            for turn in 0..ONCOMING {
                let reader = turned(sector, comptime!((8 + 2 - turn) % 8).runtime());
                let number = params.numbers.oncoming(reader, sector);
                if number != NOT_STORED {
                    store_sums(params, sums, &oncoming, unit, number, turn, count);
                }
            }
        }
    }
}

#[cube]
fn zeros(#[comptime] count: u32) -> Array<i32> {
    let mut zeros = Array::<i32>::new(comptime!(count as usize));
    #[unroll]
    for i in 0..count {
        zeros[i as usize] = 0i32;
    }
    zeros
}

/// Stores the partial sums of a number, from the chunk `part` of `found`.
#[cube]
fn store_sums(
    params: &Parameters,
    sums: &mut Array<i32>,
    found: &Array<i32>,
    unit: u32,
    number: u32,
    #[comptime] part: u32,
    #[comptime] count: u32,
) {
    #[unroll]
    for sum in 0..count {
        let value = found[comptime!((part * count + sum) as usize)];
        sums[((number * count + sum) * params.units() + unit) as usize] = value;
    }
}

/// k-5 with a multi-step cache: one unit per space unit.
#[cube(launch)]
pub fn write_back_sums(params: &Parameters, sums: &Array<i32>, fields: &mut Array<i32>, #[comptime] count: u32) {
    let unit = ABSOLUTE_POS as u32;
    let units = params.units();
    if unit < units {
        let stored = CROWD + (SAME + ONCOMING) * params.numbers.headings;
        for number in 0..stored {
            let mut total = 0i32;
            #[unroll]
            for sum in 0..count {
                total += sums[((number * count + sum) * units + unit) as usize];
                if number < CROWD {
                    total -= sums[(((stored + number) * count + sum) * units + unit) as usize];
                }
            }
            fields[(number * units + unit) as usize] += total;
        }
    }
}
