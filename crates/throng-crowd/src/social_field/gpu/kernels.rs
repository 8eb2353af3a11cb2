//! The kernels of a tick: decide, and vote and move.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;
use throng_device::philox;

use super::super::counting::{DEVICE_BITS, SIDES, Side, mask, rows_in_word, words_of_window};
use super::super::planes::{ALL, BITS, ONCOMING, SAME};
use super::super::rules::decision::{NO_SCORE, along, key};
use super::super::rules::direction::{angle, step_x, step_y, turned, turns};
use super::super::rules::directional::{Reading, around};
use super::super::rules::grid::NOWHERE;
use super::super::rules::vote::{TICK, beats, exchange, pause, priority};
use super::super::scene::{EMPTY, WALL};
use super::super::summing::Summing;
use super::state::{
    Config, EXCHANGE, FREE, INTENT_BITS, NUMBER, NUMBER_BITS, Parameters, Periods, Planes, STILL, Tables,
};
use super::unit_sums::unit_sums;

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
#[cube(launch)]
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
            intents[unit] = intent(params, occupants, planes, tables, x, y, heading, occupants[unit], config);
        }
    }
}

/// What a pedestrian wants: a direction and its priority, or [`STILL`].
#[cube]
fn intent(
    params: &Parameters,
    occupants: &Array<u32>,
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
    if comptime!(windows && config.side > 1 && !config.has_walls) {
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
            free |= select(there == EMPTY, 1u32, 0u32) << direction;
            walls |= select(there == WALL, 1u32, 0u32) << direction;
        }
    }
    let mut chosen = STILL.runtime();
    if comptime!(config.exchanges) || free != 0u32 {
        let draw =
            philox::words(params.seed_low, params.seed_high, occupant & NUMBER, params.tick, TICK.runtime(), 0u32);
        let mut crowd = no_sums();
        let mut same = no_sums();
        let mut oncoming = no_sums();
        if comptime!(config.summing == Summing::Units) {
            unit_sums(params, occupants, planes, tables, x, y, heading, &mut crowd, &mut same, &mut oncoming, config);
        } else {
            sums(params, planes, tables, x, y, heading, &mut window, &mut crowd, comptime!(Field::CROWD), config);
            if comptime!(config.reading == Reading::Heading) {
                sums(params, planes, tables, x, y, heading, &mut window, &mut same, comptime!(Field::SAME), config);
                let oncoming = &mut oncoming;
                sums(params, planes, tables, x, y, heading, &mut window, oncoming, comptime!(Field::ONCOMING), config);
            } else {
                cone_sums(params, planes, tables, x, y, heading, &mut window, &mut same, &mut oncoming, config);
            }
        }
        let mut best = NO_SCORE.runtime();
        #[unroll]
        for direction in 0..HEADINGS {
            let mut is_possible = (free >> direction) & 1u32 == 1u32;
            if comptime!(direction % 2 == 1) {
                let left = (walls >> comptime!((direction + 1) % 8)) & 1u32;
                let right = (walls >> comptime!((direction + 7) % 8)) & 1u32;
                is_possible = is_possible && left + right < 2u32;
            }
            if is_possible {
                let pushed = along(
                    crowd[direction as usize] - crowd[comptime!(((direction + 4) % 8) as usize)],
                    crowd[comptime!(((direction + 1) % 8) as usize)] - crowd[comptime!(((direction + 5) % 8) as usize)],
                    crowd[comptime!(((direction + 7) % 8) as usize)] - crowd[comptime!(((direction + 3) % 8) as usize)],
                );
                let apart = angle(heading, direction.runtime());
                let (same, oncoming) = (same[direction as usize], oncoming[direction as usize]);
                let mut fixed = 0i32;
                if comptime!(config.has_static_scores) {
                    fixed = tables.static_scores[((y * params.grid.width + x) * HEADINGS + direction) as usize];
                }
                let right = angle(turned(heading, 6u32), direction.runtime());
                let score = params.weights.score(apart, right, pushed, same, oncoming, fixed);
                let key = key(score, turns(heading, direction.runtime()), draw.second & 1u32);
                if score > params.weights.threshold && key > best {
                    best = key;
                    chosen = (priority(draw.first) << INTENT_BITS) | direction;
                }
            }
        }
        if comptime!(config.exchanges) {
            let beside = (walls >> turned(heading, 1u32)) & (walls >> turned(heading, 7u32)) & heading & 1u32;
            let ahead = ((free | walls) >> heading) & 1u32;
            if chosen == STILL && ahead == 0u32 && beside == 0u32 {
                chosen = (heading << INTENT_BITS) | EXCHANGE;
            }
        }
    }
    chosen
}

/// A field, in terms of the planes and of the sectors that scores need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Field {
    /// Its number, in the table of strengths.
    number: u32,
    /// The plane of its sources; with `by_heading` the first of eight.
    plane: u32,
    by_heading: bool,
    /// The largest angle between the heading and a sector that scores need, in units of 45°.
    widest: u32,
}

impl Field {
    const CROWD: Self = Self { number: 0, plane: ALL as u32, by_heading: false, widest: 4 };
    const SAME: Self = Self { number: 1, plane: SAME as u32, by_heading: true, widest: 1 };
    const ONCOMING: Self = Self { number: 2, plane: ONCOMING as u32, by_heading: true, widest: 2 };
    /// Of [`Reading::Cone`]: those who come from a direction.
    const COMING: Self = Self { widest: 0, ..Self::ONCOMING };
}

/// Word and bit of a space unit next to the centre of a window.
fn beside_centre(side: u32, direction: u32) -> (u32, u32) {
    let [column, row] = [step_x(direction), step_y(direction)].map(|step| (side as i32 / 2 + step) as u32);
    (row / rows_in_word(side, DEVICE_BITS), row % rows_in_word(side, DEVICE_BITS) * side + column)
}

/// Sums by sector, or by direction, of a field without sources.
#[cube]
fn no_sums() -> Array<i32> {
    let mut sums = Array::<i32>::new(comptime!(HEADINGS as usize));
    #[unroll]
    for sector in 0..HEADINGS {
        sums[sector as usize] = 0i32;
    }
    sums
}

/// Adds up the directional fields of [`Reading::Cone`] for the directions whose scores need them.
#[cube]
fn cone_sums(
    params: &Parameters,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    heading: u32,
    window: &mut Array<u32>,
    same: &mut Array<i32>,
    oncoming: &mut Array<i32>,
    #[comptime] config: Config,
) {
    for turn in 0..5u32 {
        let direction = turned(heading, turn + 6u32);
        let mut from = no_sums();
        sums(params, planes, tables, x, y, direction, window, &mut from, comptime!(Field::COMING), config);
        oncoming[direction as usize] = from[direction as usize];
        if angle(direction, heading) <= 1u32 {
            let mut ahead = no_sums();
            sums(params, planes, tables, x, y, direction, window, &mut ahead, comptime!(Field::SAME), config);
            same[direction as usize] = ahead[around(direction, 0u32) as usize]
                + ahead[direction as usize]
                + ahead[around(direction, 2u32) as usize];
        }
    }
}

/// Adds up a field by sector; what those sectors have in the end that scores do not need is undefined. `window` has the
/// plane of all pedestrians; other planes are read into it.
#[cube]
fn sums(
    params: &Parameters,
    planes: &Planes,
    tables: &Tables,
    x: u32,
    y: u32,
    heading: u32,
    window: &mut Array<u32>,
    sums: &mut Array<i32>,
    #[comptime] field: Field,
    #[comptime] config: Config,
) {
    let mut plane = field.plane.runtime();
    if comptime!(field.by_heading) {
        plane += heading;
    }
    if comptime!(config.summing == Summing::Windows) {
        if comptime!(field.by_heading) {
            read_window(params, planes, plane, x, y, window, config);
        }
        #[unroll]
        for sector in 0..HEADINGS {
            if comptime!(field.widest == 4) || angle(heading, sector.runtime()) <= field.widest {
                sums[sector as usize] = sum_of_window(tables, window, sector, comptime!(field.number), config);
            }
        }
    } else {
        let strengths = comptime!(field.number * (config.side / 2 + 1));
        #[unroll]
        for number in 0..4u32 {
            let side = comptime!(SIDES[number as usize]);
            if angle(heading, comptime!(side.sectors[1]).runtime()) <= comptime!(field.widest + 1) {
                for ring in 1..comptime!(config.side / 2 + 1) {
                    let strength = tables.strengths[(strengths + ring) as usize];
                    let cut = (2u32 * (ring - 1u32)) as usize;
                    let (first, last) = (tables.cuts[cut], tables.cuts[cut + 1]);
                    add_side(params, planes, plane, x, y, ring as i32, first, last, strength, sums, side);
                }
            }
        }
    }
}

/// The bits of the window about a space unit.
#[cube]
fn read_window(
    params: &Parameters,
    planes: &Planes,
    plane: u32,
    x: u32,
    y: u32,
    window: &mut Array<u32>,
    #[comptime] config: Config,
) {
    #[unroll]
    for word in 0..comptime!(words_of_window(config.side, DEVICE_BITS)) {
        window[word as usize] = 0u32;
    }
    let first = (plane * params.row_words + x / BITS) * params.rows + y;
    let shift = x % BITS;
    #[unroll]
    for row in 0..comptime!(config.side) {
        let bits = (planes.rows[(first + row) as usize] >> shift) & comptime!((1u32 << config.side) - 1);
        window[comptime!((row / rows_in_word(config.side, DEVICE_BITS)) as usize)] |=
            bits << comptime!(row % rows_in_word(config.side, DEVICE_BITS) * config.side);
    }
}

/// The sum of the strengths of a sector.
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

/// Adds the counts of the three parts of a side of a ring, times its strength; as [`Side::ends`].
#[cube]
fn add_side(
    params: &Parameters,
    planes: &Planes,
    plane: u32,
    x: u32,
    y: u32,
    ring: i32,
    first: i32,
    last: i32,
    strength: i32,
    sums: &mut Array<i32>,
    #[comptime] side: Side,
) {
    let radius = params.radius as i32;
    let (column, row) = (x as i32 + radius, y as i32 + radius);
    let at = select(comptime!(side.is_after).runtime(), ring, -ring);
    let from = select(comptime!(side.is_flipped).runtime(), -last, first);
    let to = select(comptime!(side.is_flipped).runtime(), -first, last) + 1;
    let (low, axis, high) = comptime!((side.sectors[0] as usize, side.sectors[1] as usize, side.sectors[2] as usize));
    if comptime!(side.is_column) {
        let line = plane * params.column_words * params.columns + (column + at) as u32;
        let begin = before(&planes.columns, line, params.columns, (row - ring) as u32);
        let from = before(&planes.columns, line, params.columns, (row + from) as u32);
        let to = before(&planes.columns, line, params.columns, (row + to) as u32);
        let end = before(&planes.columns, line, params.columns, (row + ring + 1) as u32);
        sums[low] += (from - begin) as i32 * strength;
        sums[axis] += (to - from) as i32 * strength;
        sums[high] += (end - to) as i32 * strength;
    } else {
        let line = plane * params.row_words * params.rows + (row + at) as u32;
        let begin = before(&planes.rows, line, params.rows, (column - ring + 1) as u32);
        let from = before(&planes.rows, line, params.rows, (column + from) as u32);
        let to = before(&planes.rows, line, params.rows, (column + to) as u32);
        let end = before(&planes.rows, line, params.rows, (column + ring) as u32);
        sums[low] += (from - begin) as i32 * strength;
        sums[axis] += (to - from) as i32 * strength;
        sums[high] += (end - to) as i32 * strength;
    }
}

/// How many pedestrians a line has before a place; `line` is its first word, and a plane has so many `lines`.
#[cube]
fn before(words: &Array<u32>, line: u32, lines: u32, along: u32) -> u32 {
    count_before(words[(line + along / BITS * lines) as usize], along % BITS)
}

/// The count of a word and of its first bits.
#[cube]
fn count_before(word: u32, bits: u32) -> u32 {
    (word >> BITS) + (word & ((1u32 << bits) - 1u32)).count_ones()
}

/// Lets pedestrians enter empty space units or exchange places: a unit for each space unit. It reads the occupants of no
/// others than those of its candidates, and each of these is a candidate once, so no unit reads what another one writes.
#[cube(launch)]
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
    let ticks = pause(periods.periods[number], direction, comptime!(config.equal_speeds)) * times;
    periods.due[number] = params.tick + ticks;
}
