//! The kernels of a tick: decide, and vote and move.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::collapsible_if, reason = "in a kernel the right side of `&&` always runs")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::copied;

use super::super::counting::{DEVICE_BITS, words_of_window};
use super::super::planes::ALL;
use super::super::rules::decision::{self as rules, PedestrianView, PedestrianViewExpand};
use super::super::rules::direction::{DIRECTIONS, NONE};
use super::super::rules::draws::Drawn;
use super::super::rules::floor::{Around, EMPTY, WALL, around};
use super::super::rules::grid::NOWHERE;
use super::super::rules::sums::Sums;
use super::super::rules::vote::{ANY, CandidatesView, CandidatesViewExpand, Winner, due_after, exchange, winner};
use super::super::summing::Summing;
use super::field_sums::field_sums;
use super::floor::FloorOnDevice;
use super::state::{
    Config, EXCHANGE, FREE, Floor, INTENT, INTENT_BITS, NUMBER, NUMBER_BITS, Parameters, Periods, STILL, Spot,
    exchange_of,
};
use super::window_sums::{beside_centre, read_window};

/// Columns and rows of a cube's tile in `decide`.
pub(super) const TILE_COLUMNS: u32 = 64;
pub(super) const TILE_ROWS: u32 = 16;
/// Units per cube in `decide`.
pub(super) const TILE_THREADS: u32 = 256;
const TILE_UNITS: u32 = TILE_COLUMNS * TILE_ROWS;
/// Space units of a tile per unit of the cube.
const TURNS: u32 = TILE_UNITS / TILE_THREADS;

/// Alignment of the pedestrians of one heading in the sorted list, so that units that run together on most GPUs have
/// one heading.
const PLANE: u32 = 32;
/// Entries of the sorted list per unit of the cube.
const LIST_TURNS: u32 = TURNS + 1;

/// Lets the pedestrians decide: one cube per tile of the world. The cube sorts its pedestrians by heading, so that
/// neighbouring units read the same planes and sectors. The order within a heading does not matter.
#[cube(launch_unchecked)]
pub(super) fn decide(params: &Parameters, floor: &Floor, intents: &mut Array<u32>, #[comptime] config: Config) {
    let counts = SharedMemory::<Atomic<u32>>::new(comptime!(DIRECTIONS as usize));
    let mut firsts = SharedMemory::<u32>::new(comptime!(DIRECTIONS as usize + 1));
    let mut list = SharedMemory::<u32>::new(comptime!((LIST_TURNS * TILE_THREADS) as usize));
    let (width, height) = (params.grid.width, params.grid.height);
    let tile_columns = width.div_ceil(TILE_COLUMNS);
    let left = (CUBE_POS as u32 % tile_columns) * TILE_COLUMNS;
    let bottom = (CUBE_POS as u32 / tile_columns) * TILE_ROWS;
    if UNIT_POS < DIRECTIONS {
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
            let occupant = floor.occupants[unit as usize];
            let mut is_due = occupant < WALL;
            if is_due {
                if comptime!(config.has_periods) {
                    is_due = params.tick >= floor.periods.due[(occupant & NUMBER) as usize];
                }
                if comptime!(config.some_stand) {
                    is_due = is_due && occupant >> NUMBER_BITS < DIRECTIONS;
                }
            }
            // Each intent has one writer: the intent of a due pedestrian is written by the unit that computes it.
            if is_due {
                let heading = occupant >> NUMBER_BITS;
                own[turn as usize] = (heading << 16u32) | counts[heading as usize].fetch_add(1u32);
            } else {
                intents[unit as usize] = select(occupant == EMPTY, FREE, STILL);
            }
        }
    }
    sync_cube();
    if UNIT_POS <= DIRECTIONS {
        let mut first = 0u32;
        #[unroll]
        for heading in 0..DIRECTIONS {
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
    let count = firsts[comptime!(DIRECTIONS as usize)];
    for turn in 0..LIST_TURNS {
        let i = turn * TILE_THREADS + UNIT_POS;
        if i < count && list[i as usize] != NOWHERE {
            let (heading, place) = (list[i as usize] >> 16u32, list[i as usize] & 0xFFFFu32);
            let (x, y) = (left + place % TILE_COLUMNS, bottom + place / TILE_COLUMNS);
            let unit = (y * width + x) as usize;
            let spot = Spot { x, y, direction: heading };
            intents[unit] = intent(params, floor, spot, floor.occupants[unit], config);
        }
    }
}

/// Computes a pedestrian's intent: a direction and its priority, an exchange, or [`STILL`].
#[cube]
fn intent<'w>(params: &'w Parameters, floor: &'w Floor, spot: Spot, occupant: u32, #[comptime] config: Config) -> u32 {
    let windows = comptime!(config.summing == Summing::Windows);
    // The other methods need no window.
    let words = comptime!(if windows { words_of_window(config.side, DEVICE_BITS) as usize } else { 1 });
    let mut window = Array::<u32>::new(words);
    if windows {
        read_window(params, &floor.planes, comptime!(ALL as u32).runtime(), spot, &mut window, config);
    }
    let heading = spot.direction;
    let floor = FloorOnDevice::<'w> { floor, side: comptime!(config.side) };
    let pedestrian = occupant & NUMBER;
    let mut deciding = DecisionContext::<'w> { params, floor, spot, pedestrian, window, config };
    let exchanges = comptime!(config.exchanges);
    let decision = rules::decide::<DecisionContext<'w>>(&mut deciding, &params.weights, heading, exchanges);
    let mut intent = STILL.runtime();
    if decision.direction != NONE {
        intent = (decision.priority << INTENT_BITS) | decision.direction;
    }
    if exchanges {
        if decision.exchanges {
            intent = (heading << INTENT_BITS) | EXCHANGE;
        }
    }
    intent
}

/// View of a deciding pedestrian.
#[derive(CubeType)]
pub struct DecisionContext<'w> {
    params: &'w Parameters,
    floor: FloorOnDevice<'w>,
    /// Position and heading of the pedestrian.
    spot: Spot,
    pedestrian: u32,
    /// The window of the plane of all pedestrians, for [`Summing::Windows`].
    window: Array<u32>,
    #[cube(comptime)]
    config: Config,
}

#[cube]
impl PedestrianView for DecisionContext<'_> {
    fn around(&self) -> Around {
        let config = comptime!(self.config);
        let is_in_window = comptime!(config.summing == Summing::Windows && config.side > 1);
        if comptime!(is_in_window && !config.has_walls && !config.has_free_from) {
            let mut free = 0u32;
            #[unroll]
            for direction in 0..DIRECTIONS {
                let (word, bit) = comptime!(beside_centre(config.side, direction));
                free |= ((!self.window[word as usize] >> bit) & 1u32) << direction;
            }
            Around { free, walls: 0u32.runtime() }
        } else {
            let (x, y, tick) = (self.spot.x as i32, self.spot.y as i32, self.params.tick);
            around::<FloorOnDevice<'_>>(&self.floor, &self.params.grid, x, y, tick, config.has_free_from)
        }
    }

    fn drawn(&self) -> Drawn {
        self.params.seed.of_tick(self.pedestrian, self.params.tick)
    }

    fn sums(&mut self) -> Sums {
        let config = comptime!(self.config);
        field_sums(self.params, &self.floor, self.spot, &mut self.window, config)
    }

    fn static_score(&self, #[comptime] direction: u32) -> i32 {
        let mut score = 0i32;
        if comptime!(self.config.has_static_scores) {
            let unit = self.spot.y * self.params.grid.width + self.spot.x;
            score = self.floor.floor.tables.static_scores[(unit * DIRECTIONS + direction) as usize];
        }
        score
    }
}

/// Lets pedestrians enter empty space units or exchange places: one unit per space unit. A unit reads only the
/// occupants of its candidates, and each of these is a candidate for one space unit only, so no unit reads data that
/// another one writes.
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
            let winner = winner_of(params, intents, occupants, x, y);
            if winner.pedestrian != EMPTY {
                occupants[unit as usize] = winner.pedestrian;
                occupants[winner.from as usize] = EMPTY;
                if comptime!(config.has_periods) {
                    set_next_due(params, periods, winner.pedestrian, winner.direction, 1u32, config);
                }
                if comptime!(config.has_free_from) {
                    let number = (winner.pedestrian & NUMBER) as usize;
                    periods.free_from[winner.from as usize] = periods.due[number];
                }
            }
        } else if comptime!(config.exchanges) {
            let direction = exchange_of(own_intent);
            if direction != NONE {
                let beside = params.grid.neighbour(x, y, direction);
                // The unit with the lower index carries out the exchange.
                if unit < beside {
                    if exchange(direction, exchange_of(intents[beside as usize])) {
                        let goes = copied(occupants[unit as usize]);
                        let comes = copied(occupants[beside as usize]);
                        occupants[unit as usize] = comes;
                        occupants[beside as usize] = goes;
                        if comptime!(config.has_periods) {
                            set_next_due(params, periods, goes, direction, params.exchange_ticks, config);
                            set_next_due(params, periods, comes, direction, params.exchange_ticks, config);
                        }
                    }
                }
            }
        }
    }
}

#[cube]
fn winner_of<'w>(params: &Parameters, intents: &'w Array<u32>, occupants: &'w Array<u32>, x: i32, y: i32) -> Winner {
    let mut candidates = Candidates::<'w> { intents, occupants, priority: 0u32.runtime() };
    winner::<Candidates<'w>>(&mut candidates, &params.grid, x, y, ANY.runtime(), true)
}

/// View of the candidates for space units.
#[derive(CubeType)]
pub struct Candidates<'w> {
    intents: &'w Array<u32>,
    occupants: &'w Array<u32>,
    /// Priority of the last candidate, taken from its intent.
    priority: u32,
}

#[cube]
impl CandidatesView for Candidates<'_> {
    fn candidate(&mut self, from: u32, direction: u32) -> u32 {
        let mut candidate = EMPTY.runtime();
        if from != NOWHERE {
            let intent = self.intents[from as usize];
            if intent & INTENT == direction {
                candidate = self.occupants[from as usize];
                self.priority = intent >> INTENT_BITS;
            }
        }
        candidate
    }

    fn number(&self, candidate: u32) -> u32 {
        candidate & NUMBER
    }

    fn priority(&self, _candidate: u32) -> u32 {
        copied(self.priority)
    }
}

/// Stores when a pedestrian that made a step is due again.
#[cube]
fn set_next_due(
    params: &Parameters,
    periods: &mut Periods,
    occupant: u32,
    direction: u32,
    times: u32,
    #[comptime] config: Config,
) {
    let number = (occupant & NUMBER) as usize;
    periods.due[number] = due_after(params.tick, periods.walk[number], direction, times, config.equal_speeds);
}
