//! The kernels of a tick: decide, vote and move, and show the new state in the planes.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]
#![allow(clippy::too_many_arguments, reason = "each buffer of a kernel is an argument")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::neighbours::Boundary;
use throng_device::philox;

use super::super::cpu::Summing;
use super::super::planes::{ALL, BITS, ONCOMING, SAME};
use super::super::rules::decision::{NO_SCORE, along, key};
use super::super::rules::direction::turned;
use super::super::rules::grid::NOWHERE;
use super::super::rules::vote::{TICK, beats};
use super::super::scene::{EMPTY, WALL};
use super::state::{Config, FREE, NUMBER_BITS, Parameters, Periods, Planes, STILL, Tables};

/// Columns and rows of the tile of a cube that decides.
pub(super) const TILE_COLUMNS: u32 = 64;
pub(super) const TILE_ROWS: u32 = 16;
/// Units of that cube.
pub(super) const TILE_THREADS: u32 = 256;
const TILE_UNITS: u32 = TILE_COLUMNS * TILE_ROWS;
/// Space units of a tile for each unit of the cube.
const TURNS: u32 = TILE_UNITS / TILE_THREADS;

const HEADINGS: u32 = 8;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The words of the planes of headings at one place.
#[cube]
fn no_words() -> Array<u32> {
    let mut words = Array::<u32>::new(comptime!(HEADINGS as usize));
    #[unroll]
    for heading in 0..HEADINGS {
        words[heading as usize] = 0u32;
    }
    words
}

/// Sets the bit of an occupant in the word of its heading.
#[cube]
fn set_bit(words: &mut Array<u32>, occupant: u32, bit: u32) {
    if occupant < WALL {
        #[unroll]
        for heading in 0..HEADINGS {
            let is_here = select(occupant >> NUMBER_BITS == heading, 1u32, 0u32);
            words[heading as usize] |= is_here << bit;
        }
    }
}

/// Stores the words of all planes, of which one follows another after `plane` words.
#[cube]
fn store_words(planes: &mut Array<u32>, words: &Array<u32>, at: u32, plane: u32) {
    let mut all = 0u32;
    #[unroll]
    for heading in 0..HEADINGS {
        let own = words[heading as usize];
        all |= own;
        planes[(at + comptime!(SAME as u32 + heading) * plane) as usize] = own;
        let oncoming = words[comptime!(((heading + 3) % 8) as usize)]
            | words[comptime!(((heading + 4) % 8) as usize)]
            | words[comptime!(((heading + 5) % 8) as usize)];
        planes[(at + comptime!(ONCOMING as u32 + heading) * plane) as usize] = oncoming;
    }
    planes[(at + comptime!(ALL as u32) * plane) as usize] = all;
}

/// The column or row of the world that one of the planes shows; [`NOWHERE`] beyond a closed border.
#[cube]
fn shown(at: u32, radius: u32, side: u32, #[comptime] boundary: Boundary) -> u32 {
    let mut inside = at + side - radius;
    match boundary {
        Boundary::Closed => {
            inside = select(at >= radius && at < radius + side, at - radius, NOWHERE);
        }
        Boundary::Periodic => {
            inside = select(inside >= side, inside - side, inside);
            inside = select(inside >= side, inside - side, inside);
        }
    }
    inside
}

/// The bits of the planes by rows: a unit for each word of a row.
#[cube(launch)]
pub(super) fn show_rows(params: &Parameters, occupants: &Array<u32>, planes: &mut Array<u32>) {
    let i = ABSOLUTE_POS as u32;
    if i < params.rows * params.row_words {
        let row = shown(i / params.row_words, params.radius, params.grid.height, comptime!(params.grid.boundary));
        let first = (i % params.row_words) * BITS;
        let mut words = no_words();
        if row != NOWHERE {
            for bit in 0..BITS {
                if first + bit < params.columns {
                    let width = params.grid.width;
                    let column = shown(first + bit, params.radius, width, comptime!(params.grid.boundary));
                    if column != NOWHERE {
                        set_bit(&mut words, occupants[(row * width + column) as usize], bit);
                    }
                }
            }
        }
        store_words(planes, &words, i, params.rows * params.row_words);
    }
}

/// The bits of the planes by columns: a unit for each word of a column.
#[cube(launch)]
pub(super) fn show_columns(params: &Parameters, occupants: &Array<u32>, planes: &mut Array<u32>) {
    let i = ABSOLUTE_POS as u32;
    if i < params.columns * params.column_words {
        let width = params.grid.width;
        let column = shown(i % params.columns, params.radius, width, comptime!(params.grid.boundary));
        let first = (i / params.columns) * BITS;
        let mut words = no_words();
        if column != NOWHERE {
            for bit in 0..BITS {
                if first + bit < params.rows {
                    let height = params.grid.height;
                    let row = shown(first + bit, params.radius, height, comptime!(params.grid.boundary));
                    if row != NOWHERE {
                        set_bit(&mut words, occupants[(row * width + column) as usize], bit);
                    }
                }
            }
        }
        store_words(planes, &words, i, params.columns * params.column_words);
    }
}

/// Adds to each word of a line of a plane how many bits the line has before it. A unit for each line; `next`: from one
/// word of a line to the next; `lines`: the lines of all planes, of which `of_plane` are in one.
#[cube(launch)]
pub(super) fn count(planes: &mut Array<u32>, lines: u32, of_plane: u32, words: u32, next: u32, line: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < lines {
        let first = (i / of_plane) * of_plane * words + (i % of_plane) * line;
        let mut before = 0u32;
        for word in 0..words {
            let at = (first + word * next) as usize;
            let bits = planes[at];
            planes[at] = bits | (before << BITS);
            before += bits.count_ones();
        }
    }
}

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
    let mut list = SharedMemory::<u32>::new(comptime!(TILE_UNITS as usize));
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
                first += counts[heading as usize].load();
            }
        }
        firsts[UNIT_POS as usize] = first;
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
    for turn in 0..TURNS {
        let i = turn * TILE_THREADS + UNIT_POS;
        if i < count {
            let (heading, place) = (list[i as usize] >> 16u32, list[i as usize] & 0xFFFFu32);
            let (x, y) = (left + place % TILE_COLUMNS, bottom + place / TILE_COLUMNS);
            let unit = (y * width + x) as usize;
            intents[unit] = intent(params, occupants, planes, tables, x, y, heading, occupants[unit], config);
        }
    }
}

/// The direction in which a pedestrian wants to go, or [`STILL`].
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
    // Bit `i`: of the direction after `i` turns to the left from the heading.
    let mut free = 0u32;
    let mut walls = 0u32;
    #[unroll]
    for turn in 0..HEADINGS {
        let unit = params.grid.neighbour(x as i32, y as i32, turned(heading, turn));
        let mut there = WALL.runtime();
        if unit != NOWHERE {
            there = occupants[unit as usize];
        }
        free |= select(there == EMPTY, 1u32, 0u32) << turn;
        walls |= select(there == WALL, 1u32, 0u32) << turn;
    }
    let mut chosen = STILL.runtime();
    if free != 0u32 {
        let draw =
            philox::words(params.seed_low, params.seed_high, occupant & NUMBER, params.tick, TICK.runtime(), 0u32);
        let all = ALL.runtime() as u32;
        let crowd = sums(
            params,
            planes,
            tables,
            all,
            x,
            y,
            heading,
            0u32,
            comptime!([0, 1, 2, 3, 4, 5, 6, 7].to_vec()),
            config,
        );
        let plane = SAME as u32 + heading;
        let same = sums(params, planes, tables, plane, x, y, heading, 1u32, comptime!([0, 1, 7].to_vec()), config);
        let plane = ONCOMING as u32 + heading;
        let oncoming =
            sums(params, planes, tables, plane, x, y, heading, 2u32, comptime!([0, 1, 2, 6, 7].to_vec()), config);
        let mut best = NO_SCORE.runtime();
        #[unroll]
        for turn in 0..HEADINGS {
            let is_diagonal = (heading + turn) & 1u32 == 1u32;
            let left = (walls >> comptime!((turn + 1) % 8)) & 1u32;
            let right = (walls >> comptime!((turn + 7) % 8)) & 1u32;
            let is_between_walls = is_diagonal && left + right == 2u32;
            if (free >> turn) & 1u32 == 1u32 && !is_between_walls {
                let pushed = along(
                    crowd[turn as usize] - crowd[comptime!(((turn + 4) % 8) as usize)],
                    crowd[comptime!(((turn + 1) % 8) as usize)] - crowd[comptime!(((turn + 5) % 8) as usize)],
                    crowd[comptime!(((turn + 7) % 8) as usize)] - crowd[comptime!(((turn + 3) % 8) as usize)],
                );
                let angle = comptime!(if turn > 4 { 8 - turn } else { turn }).runtime();
                let score = params.weights.score(angle, pushed, same[turn as usize], oncoming[turn as usize], 0i32);
                let key = key(score, turn, draw.second & 1u32);
                if score > params.weights.threshold && key > best {
                    best = key;
                    chosen = turned(heading, turn);
                }
            }
        }
    }
    chosen
}

/// The sums of a field, by turns to the left from `heading`: those in `needed`, and zeros.
#[cube]
fn sums(
    params: &Parameters,
    planes: &Planes,
    tables: &Tables,
    plane: u32,
    x: u32,
    y: u32,
    heading: u32,
    field: u32,
    #[comptime] needed: Vec<u32>,
    #[comptime] config: Config,
) -> Array<i32> {
    let mut sums = Array::<i32>::new(comptime!(HEADINGS as usize));
    let mut window = Array::<u32>::new(comptime!(config.window_words as usize));
    if comptime!(config.summing == Summing::Windows) {
        read_window(params, planes, plane, x, y, &mut window, config);
    }
    #[unroll]
    for turn in 0..HEADINGS {
        sums[turn as usize] = 0i32;
        if comptime!(needed.contains(&turn)) {
            let sector = turned(heading, turn);
            if comptime!(config.summing == Summing::Windows) {
                sums[turn as usize] = sum_of_window(tables, &window, sector, field, config);
            } else {
                sums[turn as usize] = sum_of_runs(params, planes, tables, plane, x, y, sector, field, config);
            }
        }
    }
    sums
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
    for word in 0..comptime!(config.window_words) {
        window[word as usize] = 0u32;
    }
    let first = (plane * params.rows + y) * params.row_words + x / BITS;
    let shift = x % BITS;
    #[unroll]
    for row in 0..comptime!(config.side) {
        let at = (first + row * params.row_words) as usize;
        let both = (planes.rows[at] & 0xFFFFu32) | (planes.rows[at + 1] << BITS);
        let bits = (both >> shift) & comptime!((1u32 << config.side) - 1);
        window[comptime!((row / config.rows_in_word) as usize)] |=
            bits << comptime!(row % config.rows_in_word * config.side);
    }
}

/// The sum of the strengths of a sector.
#[cube]
fn sum_of_window(tables: &Tables, window: &Array<u32>, sector: u32, field: u32, #[comptime] config: Config) -> i32 {
    let rings = comptime!(config.side / 2);
    let first = sector * comptime!(rings * config.window_words);
    let strengths = field * comptime!(rings + 1);
    let mut sum = 0i32;
    #[unroll]
    for ring in 0..rings {
        let mut count = 0u32;
        #[unroll]
        for word in 0..comptime!(config.window_words) {
            let mask = tables.masks[(first + comptime!(ring * config.window_words + word)) as usize];
            count += (window[word as usize] & mask).count_ones();
        }
        sum += count as i32 * tables.strengths[(strengths + comptime!(ring + 1)) as usize];
    }
    sum
}

/// The same by the runs of the sector.
#[cube]
fn sum_of_runs(
    params: &Parameters,
    planes: &Planes,
    tables: &Tables,
    plane: u32,
    x: u32,
    y: u32,
    sector: u32,
    field: u32,
    #[comptime] config: Config,
) -> i32 {
    // In coordinates of the planes, and moved by what makes the ends of runs positive.
    let (column, row) = (x + params.radius - RUN_BIAS, y + params.radius - RUN_BIAS);
    let strengths = field * comptime!(config.side / 2 + 1);
    let mut sum = 0i32;
    for i in tables.first_runs[sector as usize]..tables.first_runs[sector as usize + 1] {
        let run = tables.runs[i as usize];
        let (at, from, to) = (run & 0x1FFu32, (run >> 9u32) & 0x1FFu32, (run >> 18u32) & 0x1FFu32);
        let ring = select(at > RUN_BIAS, at - RUN_BIAS, RUN_BIAS - at);
        let strength = tables.strengths[(strengths + ring) as usize];
        if run >> 27u32 == 1u32 {
            let first = plane * params.column_words * params.columns + column + at;
            let (end, begin) = (row + to, row + from);
            let count = count_before(planes.columns[(first + end / BITS * params.columns) as usize], end % BITS)
                - count_before(planes.columns[(first + begin / BITS * params.columns) as usize], begin % BITS);
            sum += count as i32 * strength;
        } else {
            let first = (plane * params.rows + row + at) * params.row_words;
            let (end, begin) = (column + to, column + from);
            let count = count_before(planes.rows[(first + end / BITS) as usize], end % BITS)
                - count_before(planes.rows[(first + begin / BITS) as usize], begin % BITS);
            sum += count as i32 * strength;
        }
    }
    sum
}

/// Added to the numbers of a run, which are then positive and have 9 bits.
pub(super) const RUN_BIAS: u32 = 256;

/// The count of a word and of its first bits.
#[cube]
fn count_before(word: u32, bits: u32) -> u32 {
    (word >> BITS) + (word & ((1u32 << bits) - 1u32)).count_ones()
}

/// Lets pedestrians enter empty space units: a unit for each space unit. It reads the occupants of no others than those
/// of its candidates, and each of these is a candidate once, so no unit reads what another one writes.
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
        if intents[unit as usize] == FREE {
            let (x, y) = ((unit % width) as i32, (unit / width) as i32);
            let mut best = EMPTY.runtime();
            let mut from = NOWHERE.runtime();
            let mut best_priority = 0u32.runtime();
            let mut candidates = 0u32.runtime();
            #[unroll]
            for direction in 0..HEADINGS {
                let behind = params.grid.neighbour(x, y, comptime!((direction + 4) % 8).runtime());
                if behind != NOWHERE {
                    if intents[behind as usize] == direction {
                        let candidate = occupants[behind as usize];
                        if candidates == 1u32 {
                            best_priority = priority(params, best);
                        }
                        let mut is_best = true;
                        let mut own = 0u32.runtime();
                        if candidates > 0u32 {
                            own = priority(params, candidate);
                            is_best = beats(own, candidate & NUMBER, best_priority, best & NUMBER);
                        }
                        if is_best {
                            best = candidate;
                            from = behind;
                            best_priority = own;
                        }
                        candidates += 1u32;
                    }
                }
            }
            if candidates > 0u32 {
                occupants[unit as usize] = best;
                occupants[from as usize] = EMPTY;
                if comptime!(config.has_periods) {
                    let number = (best & NUMBER) as usize;
                    periods.due[number] = params.tick + periods.periods[number];
                }
            }
        }
    }
}

#[cube]
fn priority(params: &Parameters, occupant: u32) -> u32 {
    philox::words(params.seed_low, params.seed_high, occupant & NUMBER, params.tick, TICK.runtime(), 0u32.runtime())
        .first
}
