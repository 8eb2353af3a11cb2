//! The kernels of openings: pedestrians leave, doors close, pedestrians enter, and they choose their exits. They do what
//! [`Phases`](super::super::openings) does on the host.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::philox;

use super::super::rules::entry::{FIRST_PLACE, first_place};
use super::super::rules::exit_choice::{
    BINS, CHOICE, NEVER, after_leaving, allows, bin, chooses, chosen, expected_time, nearest,
};
use super::super::scene::{EMPTY, WALL};
use super::state::{Config, NO_WAY, NUMBER, NUMBER_BITS, Parameters, Periods, Travellers, WAY_BITS};

/// Pedestrians that stand in an exit through which they may leave go to it, and step out as soon as they may make a step: a
/// unit for each space unit of an exit.
#[cube(launch)]
pub(super) fn leave(
    params: &Parameters,
    exit_units: &Array<u32>,
    exits: &Array<u32>,
    occupants: &mut Array<u32>,
    periods: &mut Periods,
    travellers: &mut Travellers,
    #[comptime] config: Config,
) {
    if ABSOLUTE_POS < exit_units.len() {
        let (unit, exit) = (exit_units[ABSOLUTE_POS] as usize, exits[ABSOLUTE_POS]);
        let occupant = copied(occupants[unit]);
        if occupant < WALL {
            let number = (occupant & NUMBER) as usize;
            if allows(travellers.exits[number], exit) {
                travellers.exit[number] = exit;
                if periods.due[number] < params.tick {
                    occupants[unit] = EMPTY;
                    periods.due[number] = params.tick;
                    if comptime!(config.has_free_from) {
                        periods.free_from[unit] = after_leaving(params.tick, periods.walk[number]);
                    }
                }
            }
        }
    }
}

/// Closed doors are walls where they are empty, open ones are not: a unit for each space unit of a door.
#[cube(launch)]
pub(super) fn set_doors(door_units: &Array<u32>, is_open: &Array<u32>, occupants: &mut Array<u32>) {
    if ABSOLUTE_POS < door_units.len() {
        let unit = door_units[ABSOLUTE_POS] as usize;
        let from = select(is_open[ABSOLUTE_POS] == 1u32, WALL, EMPTY);
        let to = select(is_open[ABSOLUTE_POS] == 1u32, EMPTY, WALL);
        if occupants[unit] == from {
            occupants[unit] = to;
        }
    }
}

/// Pedestrians that are due enter: a unit for each entry. Space units of entry `i` begin at `firsts[i]`; `next` is its next
/// pedestrian, `ends` the one after its last.
#[cube(launch)]
pub(super) fn enter(
    params: &Parameters,
    entry_units: &Array<u32>,
    firsts: &Array<u32>,
    ends: &Array<u32>,
    ways: &Array<u32>,
    next: &mut Array<u32>,
    occupants: &mut Array<u32>,
    periods: &mut Periods,
    travellers: &mut Travellers,
    #[comptime] exits: u32,
    #[comptime] config: Config,
) {
    if ABSOLUTE_POS < next.len() {
        let entry = ABSOLUTE_POS as u32;
        let first = firsts[ABSOLUTE_POS];
        let units = firsts[ABSOLUTE_POS + 1] - first;
        let drawn = philox::words(params.seed_low, params.seed_high, entry, params.tick, FIRST_PLACE.runtime(), 0u32);
        let begin = first_place(drawn.first, units);
        let end = ends[ABSOLUTE_POS];
        let mut pedestrian = copied(next[ABSOLUTE_POS]);
        for place in 0..units {
            let unit = entry_units[(first + (begin + place) % units) as usize];
            if pedestrian < end {
                if periods.due[pedestrian as usize] <= params.tick {
                    let mut is_free = occupants[unit as usize] == EMPTY;
                    if comptime!(config.has_free_from) {
                        is_free = is_free && periods.free_from[unit as usize] <= params.tick;
                    }
                    if is_free {
                        // Its heading follows when all are turned.
                        occupants[unit as usize] = pedestrian;
                        periods.due[pedestrian as usize] = params.tick;
                        let allowed = travellers.exits[pedestrian as usize];
                        let mut nearest = nearest();
                        for exit in 0..exits {
                            if allows(allowed, exit) {
                                nearest.consider(exit, ways[(exit * params.units() + unit) as usize] >> WAY_BITS);
                            }
                        }
                        travellers.exit[pedestrian as usize] = nearest.exit;
                        pedestrian += 1u32;
                    }
                }
            }
        }
        next[ABSOLUTE_POS] = pedestrian;
    }
}

/// Sets the counts of pedestrians that go to an exit to 0.
#[cube(launch)]
pub(super) fn clear_counts(counts: &mut Array<u32>) {
    if ABSOLUTE_POS < counts.len() {
        counts[ABSOLUTE_POS] = 0u32;
    }
}

/// Counts the pedestrians that go to an exit, by the bin of their distance, `[exit][bin]`: a unit for each space unit.
#[cube(launch)]
pub(super) fn count_ahead(
    params: &Parameters,
    occupants: &Array<u32>,
    ways: &Array<u32>,
    travellers: &Travellers,
    counts: &mut Array<Atomic<u32>>,
) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = occupants[ABSOLUTE_POS];
        if occupant < WALL {
            let exit = travellers.exit[(occupant & NUMBER) as usize];
            let length = ways[exit as usize * params.units() as usize + ABSOLUTE_POS] >> WAY_BITS;
            if length != NO_WAY {
                // The order of additions does not matter.
                counts[(exit * BINS + bin(length)) as usize].fetch_add(1u32);
            }
        }
    }
}

/// Turns counts into the numbers of those in nearer bins: a unit for each exit.
#[cube(launch)]
pub(super) fn cumulate(counts: &mut Array<u32>) {
    let exit = ABSOLUTE_POS * BINS as usize;
    if exit < counts.len() {
        let mut before = 0u32;
        for place in 0..BINS {
            let count = copied(counts[exit + place as usize]);
            counts[exit + place as usize] = before;
            before += count;
        }
    }
}

/// Lets pedestrians choose their exits: a unit for each space unit. `queues`: ticks for each pedestrian ahead.
#[cube(launch)]
pub(super) fn choose(
    params: &Parameters,
    occupants: &Array<u32>,
    periods: &Array<u32>,
    ways: &Array<u32>,
    ahead: &Array<u32>,
    queues: &Array<i32>,
    all: u32,
    travellers: &mut Travellers,
    #[comptime] exits: u32,
) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = occupants[ABSOLUTE_POS];
        if occupant < WALL {
            let number = occupant & NUMBER;
            let drawn = philox::words(params.seed_low, params.seed_high, number, params.tick, CHOICE.runtime(), 0u32);
            if all == 1u32 || chooses(drawn.first) {
                let period = periods[number as usize];
                let unit = ABSOLUTE_POS as u32;
                let present = copied(travellers.exit[number as usize]);
                let allowed = travellers.exits[number as usize];
                let mut best = chosen(present, time_to(params, ways, ahead, queues, unit, period, present));
                for exit in 0..exits {
                    if exit != present {
                        if allows(allowed, exit) {
                            best.consider(exit, time_to(params, ways, ahead, queues, unit, period, exit));
                        }
                    }
                }
                travellers.exit[number as usize] = best.exit;
            }
        }
    }
}

/// The time that a pedestrian in a space unit expects until it has left through an exit.
#[cube]
fn time_to(
    params: &Parameters,
    ways: &Array<u32>,
    ahead: &Array<u32>,
    queues: &Array<i32>,
    unit: u32,
    period: u32,
    exit: u32,
) -> u32 {
    let length = ways[(exit * params.units() + unit) as usize] >> WAY_BITS;
    let mut time = NEVER.runtime();
    if length != NO_WAY {
        let before = ahead[(exit * BINS + bin(length)) as usize];
        time = expected_time(length, period, before, queues[exit as usize]);
    }
    time
}

/// Turns all pedestrians towards their exits: a unit for each space unit.
#[cube(launch)]
pub(super) fn turn(params: &Parameters, ways: &Array<u32>, travellers: &Travellers, occupants: &mut Array<u32>) {
    if ABSOLUTE_POS < params.units() as usize {
        let occupant = copied(occupants[ABSOLUTE_POS]);
        if occupant < WALL {
            let number = occupant & NUMBER;
            let exit = travellers.exit[number as usize];
            let way = ways[exit as usize * params.units() as usize + ABSOLUTE_POS];
            occupants[ABSOLUTE_POS] = ((way & comptime!((1u32 << WAY_BITS) - 1)) << NUMBER_BITS) | number;
        }
    }
}
