//! The paper's five kernels. Arrays are laid out such that units side by side access words side by side: the last index
//! is that of the space unit.

// The macros of CubeCL make items without documentation.
#![allow(missing_docs)]
#![allow(clippy::collapsible_if, reason = "kernels evaluate both sides of `&&`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl, philox};
use throng_pedestrians::rules::decision::{Weights, key, pushed};
use throng_pedestrians::rules::diagonal::{beside, is_shut};
use throng_pedestrians::rules::direction::{DIRECTIONS, angle, turned, turns};
use throng_pedestrians::rules::grid::{Grid, NOWHERE};
use throng_pedestrians::rules::sums::zeros;
use throng_pedestrians::rules::vote::{TICK, beats, priority};
use throng_pedestrians::{EMPTY, WALL};

use super::numbers::{CROWD, NOT_STORED, Numbers, ONCOMING, SAME, turn_of_same};
use super::slots::SLOT_NUMBERS;
use super::sorting::{EXCHANGES, score_of, turns_of};

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub grid: Grid,
    pub weights: Weights,
    pub numbers: Numbers,
    pub pedestrians: u32,
    /// Slots of a sector.
    pub of_sector: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub tick: u32,
}

#[cube]
impl Parameters {
    fn units(&self) -> u32 {
        self.grid.width * self.grid.height
    }
}

/// The heading of a pedestrian in its word of traits; the walk period is above it.
pub const HEADING_BITS: u32 = 3;
const HEADING: u32 = (1 << HEADING_BITS) - 1;

/// In a word of changes, above the heading: whether the pedestrian has entered or left the space unit.
const ENTERED: u32 = 8;
const LEFT: u32 = 16;

/// No fields, before the first tick.
#[cube(launch)]
pub fn no_fields(fields: &mut Array<i32>) {
    if ABSOLUTE_POS < fields.len() {
        fields[ABSOLUTE_POS] = 0i32;
    }
}

/// k-1, for the stations.
#[cube(launch)]
pub fn initialize(params: &Parameters, stations: &mut Array<u32>, winners: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        winners[unit as usize] = EMPTY;
        for direction in 0..DIRECTIONS {
            stations[(direction * params.units() + unit) as usize] = EMPTY;
        }
    }
}

/// k-1, for the slots of a one-step cache.
#[cube(launch)]
pub fn initialize_slots(
    params: &Parameters,
    appear: &mut Array<i32>,
    disappear: &mut Array<i32>,
    same: &mut Array<i32>,
    oncoming: &mut Array<i32>,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        for slot in 0..DIRECTIONS * params.of_sector {
            let at = (slot * params.units() + unit) as usize;
            appear[at] = 0i32;
            disappear[at] = 0i32;
            same[at] = 0i32;
            oncoming[at] = 0i32;
        }
    }
}

/// k-1, for a multi-step cache, whose partial sums need no clearing, since k-4 sets them.
#[cube(launch)]
pub fn initialize_changes(params: &Parameters, changes: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        changes[unit as usize] = 0u32;
    }
}

/// k-2: a unit for each pedestrian.
#[cube(launch)]
pub fn decide(
    params: &Parameters,
    at: &Array<u32>,
    due: &Array<u32>,
    traits: &Array<u32>,
    occupants: &Array<u32>,
    fields: &Array<i32>,
    wanted: &mut Array<u32>,
    stations: &mut Array<u32>,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let mut target = EMPTY.runtime();
        if params.tick >= due[i as usize] {
            let unit = at[i as usize];
            let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
            let heading = traits[i as usize] & HEADING;
            let draw = philox::words(params.seed_low, params.seed_high, i, params.tick, TICK.runtime(), 0u32);
            let prefers_right = draw.second & 1u32;
            let keys = sorted_keys(params, fields, unit, heading, prefers_right);
            #[unroll]
            for place in 0..DIRECTIONS {
                let key = keys[place as usize];
                if target == EMPTY {
                    if score_of(key) > params.weights.threshold {
                        let direction = turned(heading, turns_of(key, prefers_right));
                        if is_possible(params, occupants, x, y, direction) {
                            target = params.grid.neighbour(x, y, direction);
                            stations[(direction * params.units() + target) as usize] = i;
                        }
                    }
                }
            }
        }
        wanted[i as usize] = target;
    }
}

/// The keys of the eight directions, the greatest first.
#[cube]
fn sorted_keys(params: &Parameters, fields: &Array<i32>, unit: u32, heading: u32, prefers_right: u32) -> Array<i32> {
    let units = params.units();
    let mut crowd = zeros();
    #[unroll]
    for direction in 0..DIRECTIONS {
        crowd.set(direction, fields[(direction * units + unit) as usize]);
    }
    let mut keys = Array::<i32>::new(comptime!(DIRECTIONS as usize));
    #[unroll]
    for direction in 0..DIRECTIONS {
        let pushed = pushed(&crowd, direction);
        let mut same = 0i32;
        let number = params.numbers.same(heading, direction.runtime());
        if number != NOT_STORED {
            same = fields[(number * units + unit) as usize];
        }
        let mut oncoming = 0i32;
        let number = params.numbers.oncoming(heading, direction.runtime());
        if number != NOT_STORED {
            oncoming = fields[(number * units + unit) as usize];
        }
        let score = params.weights.score_towards(direction.runtime(), heading, pushed, same, oncoming, 0i32);
        keys[direction as usize] = key(score, turns(heading, direction.runtime()), prefers_right);
    }
    #[unroll]
    for exchange in 0..comptime!(EXCHANGES.len() as u32) {
        let (first, second) = comptime!((EXCHANGES[exchange as usize][0], EXCHANGES[exchange as usize][1]));
        let (a, b) = (keys[first], keys[second]);
        keys[first] = max(a, b);
        keys[second] = min(a, b);
    }
    keys
}

/// Whether the neighbour in a direction is empty, and not behind two walls.
#[cube]
fn is_possible(params: &Parameters, occupants: &Array<u32>, x: i32, y: i32, direction: u32) -> bool {
    let mut possible = occupant(params, occupants, x, y, direction) == EMPTY;
    if possible {
        if direction % 2u32 == 1u32 {
            let left = occupant(params, occupants, x, y, turned(direction, 1u32));
            let right = occupant(params, occupants, x, y, turned(direction, 7u32));
            possible = !is_shut(direction, beside(direction, left == WALL, right == WALL));
        }
    }
    possible
}

#[cube]
fn occupant(params: &Parameters, occupants: &Array<u32>, x: i32, y: i32, direction: u32) -> u32 {
    let unit = params.grid.neighbour(x, y, direction);
    let mut there = WALL.runtime();
    if unit != NOWHERE {
        there = occupants[unit as usize];
    }
    there
}

/// k-3: a unit for each space unit.
#[cube(launch)]
pub fn vote(params: &Parameters, occupants: &Array<u32>, stations: &Array<u32>, winners: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        if occupants[unit as usize] == EMPTY {
            let mut best = EMPTY.runtime();
            let mut best_priority = 0u32.runtime();
            for direction in 0..DIRECTIONS {
                let candidate = stations[(direction * params.units() + unit) as usize];
                if candidate != EMPTY {
                    let (low, high) = (params.seed_low, params.seed_high);
                    let draw = philox::words(low, high, candidate, params.tick, TICK.runtime(), 0u32.runtime());
                    let own = priority(draw.first);
                    if best == EMPTY || beats(own, candidate, best_priority, best) {
                        best = candidate;
                        best_priority = own;
                    }
                }
            }
            winners[unit as usize] = best;
        }
    }
}

/// k-4 with a one-step cache: a unit for each pedestrian. At the `start` all enter the space units where they are.
#[cube(launch)]
pub fn move_and_fill_slots(
    params: &Parameters,
    at: &mut Array<u32>,
    due: &mut Array<u32>,
    traits: &Array<u32>,
    wanted: &Array<u32>,
    winners: &Array<u32>,
    occupants: &mut Array<u32>,
    slots: &Array<i32>,
    appear: &mut Array<i32>,
    disappear: &mut Array<i32>,
    same: &mut Array<i32>,
    oncoming: &mut Array<i32>,
    #[comptime] start: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let heading = traits[i as usize] & HEADING;
        let unit = at[i as usize];
        if comptime!(start) {
            fill_slots(params, slots, appear, same, oncoming, unit, heading, 1i32);
        } else {
            let to = won(wanted, winners, i);
            if to != EMPTY {
                move_to(params, at, due, traits, occupants, i, to);
                fill_slots(params, slots, disappear, same, oncoming, unit, heading, -1i32);
                fill_slots(params, slots, appear, same, oncoming, to, heading, 1i32);
            }
        }
    }
}

/// The space unit that a pedestrian wants and may enter, or [`EMPTY`].
#[cube]
fn won(wanted: &Array<u32>, winners: &Array<u32>, pedestrian: u32) -> u32 {
    let mut to = wanted[pedestrian as usize];
    if to != EMPTY {
        to = select(winners[to as usize] == pedestrian, to, EMPTY);
    }
    to
}

#[cube]
fn move_to(
    params: &Parameters,
    at: &mut Array<u32>,
    due: &mut Array<u32>,
    traits: &Array<u32>,
    occupants: &mut Array<u32>,
    pedestrian: u32,
    to: u32,
) {
    let i = pedestrian as usize;
    occupants[at[i] as usize] = EMPTY;
    occupants[to as usize] = pedestrian;
    at[i] = to;
    due[i] = params.tick + (traits[i] >> HEADING_BITS);
}

/// Writes the strengths of the field about a space unit into its slots.
#[cube]
fn fill_slots(
    params: &Parameters,
    slots: &Array<i32>,
    crowd: &mut Array<i32>,
    same: &mut Array<i32>,
    oncoming: &mut Array<i32>,
    unit: u32,
    heading: u32,
    sign: i32,
) {
    let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
    for slot in 0..DIRECTIONS * params.of_sector {
        let of_slot = (slot * SLOT_NUMBERS) as usize;
        let (dx, dy) = (slots[of_slot], slots[of_slot + 1]);
        if dx != 0 || dy != 0 {
            let reader = params.grid.unit_at(x - dx, y - dy);
            if reader != NOWHERE {
                let place = (slot * params.units() + reader) as usize;
                crowd[place] = slots[of_slot + 2];
                same[place] = sign * slots[of_slot + 3] * 8 + heading as i32;
                oncoming[place] = sign * slots[of_slot + 4] * 8 + heading as i32;
            }
        }
    }
}

/// k-4 with a multi-step cache, first part: a unit for each pedestrian.
#[cube(launch)]
pub fn move_and_note(
    params: &Parameters,
    at: &mut Array<u32>,
    due: &mut Array<u32>,
    traits: &Array<u32>,
    wanted: &Array<u32>,
    winners: &Array<u32>,
    occupants: &mut Array<u32>,
    changes: &mut Array<u32>,
    #[comptime] start: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let heading = traits[i as usize] & HEADING;
        let unit = at[i as usize];
        if comptime!(start) {
            changes[unit as usize] = ENTERED | heading;
        } else {
            let to = won(wanted, winners, i);
            if to != EMPTY {
                move_to(params, at, due, traits, occupants, i, to);
                changes[unit as usize] = LEFT | heading;
                changes[to as usize] = ENTERED | heading;
            }
        }
    }
}

/// k-4, second part: the outer steps of the sums, a unit for each space unit. Term `j * m + i` belongs to sum `j`.
/// `sums`: `[number][sum][unit]`, and after all numbers the eight of RR for what disappears.
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
                            // The reader to which this sector has that turn.
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

/// Stores the partial sums of a number, the part `part` of an array.
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

/// k-5 with a one-step cache: a unit for each space unit.
#[cube(launch)]
pub fn write_back_slots(
    params: &Parameters,
    appear: &Array<i32>,
    disappear: &Array<i32>,
    same: &Array<i32>,
    oncoming: &Array<i32>,
    fields: &mut Array<i32>,
) {
    let unit = ABSOLUTE_POS as u32;
    let units = params.units();
    if unit < units {
        for sector in 0..DIRECTIONS {
            let mut crowd = 0i32;
            for place in 0..params.of_sector {
                let at = ((sector * params.of_sector + place) * units + unit) as usize;
                crowd += appear[at] - disappear[at];
                let of_same = same[at];
                if of_same != 0 {
                    let number = params.numbers.same(of_same as u32 & HEADING, sector);
                    if number != NOT_STORED {
                        fields[(number * units + unit) as usize] += of_same >> 3i32;
                    }
                }
                let of_oncoming = oncoming[at];
                if of_oncoming != 0 {
                    #[unroll]
                    for turn in 3..6u32 {
                        let reader = turned(of_oncoming as u32 & HEADING, turn.runtime());
                        let number = params.numbers.oncoming(reader, sector);
                        if number != NOT_STORED {
                            fields[(number * units + unit) as usize] += of_oncoming >> 3i32;
                        }
                    }
                }
            }
            fields[(sector * units + unit) as usize] += crowd;
        }
    }
}

/// k-5 with a multi-step cache: a unit for each space unit.
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
