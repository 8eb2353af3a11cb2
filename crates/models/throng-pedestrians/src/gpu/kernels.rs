//! The kernels of a tick: decide, and vote and move.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::philox;

use super::super::counting::{DEVICE_BITS, words_of_window};
use super::super::planes::ALL;
use super::super::rules::diagonal::shut;
use super::super::rules::grid::NOWHERE;
use super::super::rules::vote::{TICK, asks_exchange, beats, exchange, pause, priority};
use super::super::scene::{EMPTY, WALL};
use super::super::summing::Summing;
use super::best_direction::best_direction;
use super::field_sums::field_sums;
use super::state::{
    Config, EXCHANGE, FREE, INTENT_BITS, NUMBER, NUMBER_BITS, Parameters, Periods, Planes, STILL, Tables,
};
use super::window_sums::{beside_centre, read_window};

/// Columns and rows of the tile of a cube that decides.
pub(super) const TILE_COLUMNS: u32 = 64;
pub(super) const TILE_ROWS: u32 = 16;
/// Units of that cube.
pub(super) const TILE_THREADS: u32 = 256;
const TILE_UNITS: u32 = TILE_COLUMNS * TILE_ROWS;
/// Space units of a tile for each unit of the cube.
const TURNS: u32 = TILE_UNITS / TILE_THREADS;

/// Pedestrians with one heading begin at a multiple of this: units that run together on most GPUs have one heading.
const PLANE: u32 = 32;
/// Places of the sorted list for each unit of the cube.
const LIST_TURNS: u32 = TURNS + 1;
const HEADINGS: u32 = 8;

/// Lets the pedestrians decide: a cube for each tile of the world. It sorts its pedestrians by heading, because units side
/// by side then read the same planes and sectors. In which order those with one heading are does not matter.
#[cube(launch_unchecked)]
pub(super) fn decide(
    params: &Parameters,
    occupants: &Array<u32>,
    periods: &Periods,
    planes: &Planes,
    tables: &Tables,
    intents: &mut Array<u32>,
    #[comptime] config: Config,
) {
    let counts = SharedMemory::<Atomic<u32>>::new(comptime!(HEADINGS as usize));
    let mut firsts = SharedMemory::<u32>::new(comptime!(HEADINGS as usize + 1));
    let mut list = SharedMemory::<u32>::new(comptime!((LIST_TURNS * TILE_THREADS) as usize));
    let (width, height) = (params.grid.width, params.grid.height);
    let tile_columns = width.div_ceil(TILE_COLUMNS);
    let left = (CUBE_POS as u32 % tile_columns) * TILE_COLUMNS;
    let bottom = (CUBE_POS as u32 / tile_columns) * TILE_ROWS;
    if UNIT_POS < HEADINGS {
        counts[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut own = Array::<u32>::new(comptime!(TURNS as usize));
    #[unroll]
    for turn in 0..TURNS {
        let place = turn * TILE_THREADS + UNIT_POS;
        let (x, y) = (left + place % TILE_COLUMNS, bottom + place / TILE_COLUMNS);
        own[turn as usize] = NOWHERE;
        if x < width && y < height {
            let unit = y * width + x;
            let occupant = occupants[unit as usize];
            intents[unit as usize] = select(occupant == EMPTY, FREE, STILL);
            if occupant < WALL {
                let mut is_due = true;
                if comptime!(config.has_periods) {
                    is_due = params.tick >= periods.due[(occupant & NUMBER) as usize];
                }
                if comptime!(config.some_stand) {
                    is_due = is_due && occupant >> NUMBER_BITS < HEADINGS;
                }
                if is_due {
                    let heading = occupant >> NUMBER_BITS;
                    own[turn as usize] = (heading << 16u32) | counts[heading as usize].fetch_add(1u32);
                }
            }
        }
    }
    sync_cube();
    if UNIT_POS <= HEADINGS {
        let mut first = 0u32;
        #[unroll]
        for heading in 0..HEADINGS {
            if heading < UNIT_POS {
                first += counts[heading as usize].load().div_ceil(PLANE) * PLANE;
            }
        }
        firsts[UNIT_POS as usize] = first;
    }
    #[unroll]
    for turn in 0..LIST_TURNS {
        list[(turn * TILE_THREADS + UNIT_POS) as usize] = NOWHERE;
    }
    sync_cube();
    #[unroll]
    for turn in 0..TURNS {
        let found = own[turn as usize];
        if found != NOWHERE {
            let heading = found >> 16u32;
            list[(firsts[heading as usize] + (found & 0xFFFFu32)) as usize] =
                (heading << 16u32) | (turn * TILE_THREADS + UNIT_POS);
        }
    }
    sync_cube();
    let count = firsts[comptime!(HEADINGS as usize)];
    for turn in 0..LIST_TURNS {
        let i = turn * TILE_THREADS + UNIT_POS;
        if i < count && list[i as usize] != NOWHERE {
            let (heading, place) = (list[i as usize] >> 16u32, list[i as usize] & 0xFFFFu32);
            let (x, y) = (left + place % TILE_COLUMNS, bottom + place / TILE_COLUMNS);
            let unit = (y * width + x) as usize;
            intents[unit] = intent(params, occupants, periods, planes, tables, x, y, heading, occupants[unit], config);
        }
    }
}

/// What a pedestrian wants: a direction and its priority, or [`STILL`].
#[cube]
fn intent(
    params: &Parameters,
    occupants: &Array<u32>,
    periods: &Periods,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    heading: u32,
    occupant: u32,
    #[comptime] config: Config,
) -> u32 {
    let windows = comptime!(config.summing == Summing::Windows);
    // Larger fields have no window.
    let words = comptime!(if windows { words_of_window(config.side, DEVICE_BITS) as usize } else { 1 });
    let mut window = Array::<u32>::new(words);
    if windows {
        read_window(params, planes, comptime!(ALL as u32).runtime(), x, y, &mut window, config);
    }
    // A bit for each direction.
    let mut free = 0u32;
    let mut walls = 0u32;
    if comptime!(windows && config.side > 1 && !config.has_walls && !config.has_free_from) {
        #[unroll]
        for direction in 0..HEADINGS {
            let (word, bit) = comptime!(beside_centre(config.side, direction));
            free |= ((!window[word as usize] >> bit) & 1u32) << direction;
        }
    } else {
        #[unroll]
        for direction in 0..HEADINGS {
            let unit = params.grid.neighbour(x as i32, y as i32, direction.runtime());
            let mut there = WALL.runtime();
            if unit != NOWHERE {
                there = occupants[unit as usize];
            }
            let mut is_free = there == EMPTY;
            if comptime!(config.has_free_from) {
                if is_free {
                    is_free = periods.free_from[unit as usize] <= params.tick;
                }
            }
            free |= select(is_free, 1u32, 0u32) << direction;
            walls |= select(there == WALL, 1u32, 0u32) << direction;
        }
    }
    let mut chosen = STILL.runtime();
    if comptime!(config.exchanges) || free != 0u32 {
        let draw =
            philox::words(params.seed_low, params.seed_high, occupant & NUMBER, params.tick, TICK.runtime(), 0u32);
        let sums = field_sums(params, occupants, planes, tables, x, y, heading, &mut window, config);
        let possible = free & !shut(walls);
        let unit = y * params.grid.width + x;
        let (scores, has_scores) = (&tables.static_scores, comptime!(config.has_static_scores));
        let prefers_right = draw.second & 1u32;
        let best = best_direction(&params.weights, scores, unit, heading, possible, prefers_right, &sums, has_scores);
        if best != STILL {
            chosen = (priority(draw.first) << INTENT_BITS) | best;
        }
        if comptime!(config.exchanges) {
            if chosen == STILL && asks_exchange(heading, free, walls) {
                chosen = (heading << INTENT_BITS) | EXCHANGE;
            }
        }
    }
    chosen
}

/// Lets pedestrians enter empty space units or exchange places: a unit for each space unit. It reads the occupants of no
/// others than those of its candidates, and each of these is a candidate once, so no unit reads what another one writes.
#[cube(launch_unchecked)]
pub(super) fn vote(
    params: &Parameters,
    intents: &Array<u32>,
    occupants: &mut Array<u32>,
    periods: &mut Periods,
    #[comptime] config: Config,
) {
    let unit = ABSOLUTE_POS as u32;
    let width = params.grid.width;
    if unit < width * params.grid.height {
        let own_intent = intents[unit as usize];
        let (x, y) = ((unit % width) as i32, (unit / width) as i32);
        if own_intent == FREE {
            let mut best = EMPTY.runtime();
            let mut from = NOWHERE.runtime();
            let mut best_priority = 0u32.runtime();
            let mut best_direction = 0u32.runtime();
            #[unroll]
            for direction in 0..HEADINGS {
                let behind = params.grid.neighbour(x, y, comptime!((direction + 4) % 8).runtime());
                if behind != NOWHERE {
                    let intent = intents[behind as usize];
                    if intent & comptime!((1u32 << INTENT_BITS) - 1) == direction {
                        let own = intent >> INTENT_BITS;
                        let candidate = occupants[behind as usize];
                        if from == NOWHERE || beats(own, candidate & NUMBER, best_priority, best & NUMBER) {
                            best = candidate;
                            from = behind;
                            best_priority = own;
                            best_direction = direction.runtime();
                        }
                    }
                }
            }
            if from != NOWHERE {
                occupants[unit as usize] = best;
                occupants[from as usize] = EMPTY;
                if comptime!(config.has_periods) {
                    rest(params, periods, best, best_direction, 1u32, config);
                }
                if comptime!(config.has_free_from) {
                    periods.free_from[from as usize] = periods.due[(best & NUMBER) as usize];
                }
            }
        } else if comptime!(config.exchanges) {
            if own_intent & comptime!((1u32 << INTENT_BITS) - 1) == EXCHANGE {
                let direction = own_intent >> INTENT_BITS;
                let beside = params.grid.neighbour(x, y, direction);
                // One of the two makes the exchange.
                if unit < beside {
                    let other = intents[beside as usize];
                    if other & comptime!((1u32 << INTENT_BITS) - 1) == EXCHANGE {
                        if exchange(direction, other >> INTENT_BITS) {
                            let goes = copied(occupants[unit as usize]);
                            let comes = copied(occupants[beside as usize]);
                            occupants[unit as usize] = comes;
                            occupants[beside as usize] = goes;
                            if comptime!(config.has_periods) {
                                rest(params, periods, goes, direction, params.exchange_ticks, config);
                                rest(params, periods, comes, direction, params.exchange_ticks, config);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Stores when a pedestrian that has made a step is due again. Opposite directions take equally long.
#[cube]
fn rest(
    params: &Parameters,
    periods: &mut Periods,
    occupant: u32,
    direction: u32,
    times: u32,
    #[comptime] config: Config,
) {
    let number = (occupant & NUMBER) as usize;
    let ticks = pause(periods.walk[number], direction, comptime!(config.equal_speeds)) * times;
    periods.due[number] = params.tick + ticks;
}
