//! The paper's five kernels; this module contains the kernels that all caches share. The last index of arrays is the
//! space unit, so that adjacent units access adjacent words.

// CubeCL's macros generate items without documentation.
#![allow(missing_docs)]
#![allow(clippy::collapsible_if, reason = "kernels evaluate both sides of `&&`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]

mod sorted_keys;

pub mod atomic;
pub mod multi_step;
pub mod one_step;

use throng_device::cubecl::prelude::*;
use throng_device::{CUBE_UNITS, KernelArrays, KernelParameter, cubecl, philox};
use throng_pedestrians::rules::decision::Weights;
use throng_pedestrians::rules::diagonal::{is_shut, walls_beside};
use throng_pedestrians::rules::direction::{DIRECTIONS, turned};
use throng_pedestrians::rules::grid::{Grid, NOWHERE};
use throng_pedestrians::rules::vote::{TICK, beats, priority};
use throng_pedestrians::{EMPTY, WALL};

use super::numbers::{CROWD, Numbers, ONCOMING, SAME};
use super::sorting::{score_of, turns_of};
use super::techniques::{Technique, Techniques};
use sorted_keys::sort_keys;

/// The order of the numbers of space units in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// `[number][unit]`: adjacent work-items access adjacent words.
    ByNumber,
    /// `[unit][number]`: a record for each space unit.
    ByUnit,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy)]
pub struct Parameters {
    pub grid: Grid,
    pub weights: Weights,
    pub numbers: Numbers,
    pub pedestrians: u32,
    /// Number of slots per sector.
    pub of_sector: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub tick: u32,
    #[cube(comptime)]
    pub layout: Layout,
}

#[cube]
impl Parameters {
    fn units(&self) -> u32 {
        self.grid.width * self.grid.height
    }

    /// Number of stored numbers per space unit.
    fn stored(&self) -> u32 {
        CROWD + (SAME + ONCOMING) * self.numbers.headings
    }

    /// Index of one of the `count` numbers of a space unit.
    fn index(&self, number: u32, count: u32, unit: u32) -> usize {
        if comptime!(self.layout == Layout::ByNumber) {
            (number * self.units() + unit) as usize
        } else {
            (unit * count + number) as usize
        }
    }
}

/// A value by a condition, selected without a branch or by one.
#[allow(clippy::identity_op, reason = "in kernels, the sum is a variable of its own")]
#[cube]
fn choose(condition: bool, yes: i32, no: i32, #[comptime] branch_free: bool) -> i32 {
    if comptime!(branch_free) {
        select(condition, yes, no)
    } else {
        let mut chosen = no + 0i32;
        if condition {
            chosen = yes;
        }
        chosen
    }
}

/// Number of low bits of a pedestrian's word of traits that hold the heading; the walk period is above them.
pub const HEADING_BITS: u32 = 3;
const HEADING: u32 = (1 << HEADING_BITS) - 1;

/// Positions and next ticks of pedestrians, and the occupants of space units.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct Places {
    pub at: Array<u32>,
    pub due: Array<u32>,
    pub occupants: Array<u32>,
}

/// The surroundings of pedestrians that decide.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Seen {
    pub places: Places,
    pub traits: Array<u32>,
    pub fields: Array<i32>,
}

/// The space unit that each pedestrian wants, and the pedestrians that want a space unit.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Decided {
    pub wanted: Array<u32>,
    pub stations: Array<u32>,
}

/// The pedestrians that want a space unit, and the one that may enter it.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Ballots {
    pub stations: Array<u32>,
    pub winners: Array<u32>,
}

/// Inputs of a vote.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Enrolled {
    pub occupants: Array<u32>,
    pub stations: Array<u32>,
}

/// Inputs of moves.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Voted {
    pub traits: Array<u32>,
    pub wanted: Array<u32>,
    pub winners: Array<u32>,
}

/// Clears the fields before the first tick.
#[cube(launch)]
pub fn no_fields(fields: &mut Array<i32>) {
    if ABSOLUTE_POS < fields.len() {
        fields[ABSOLUTE_POS] = 0i32;
    }
}

/// k-1, for the stations.
#[cube(launch)]
pub fn initialize(params: &Parameters, ballots: &mut Ballots) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        ballots.winners[unit as usize] = EMPTY;
        for direction in 0..DIRECTIONS {
            ballots.stations[params.index(direction, DIRECTIONS.runtime(), unit)] = EMPTY;
        }
    }
}

/// k-2: one unit per pedestrian.
#[cube(launch)]
pub fn decide(params: &Parameters, seen: &Seen, decided: &mut Decided, #[comptime] techniques: Techniques) {
    if comptime!(techniques.has(Technique::DataBandwidth)) {
        let words = comptime!(techniques.record_words() as usize);
        let mut records = SharedMemory::<i32>::new(comptime!(words * CUBE_UNITS as usize));
        let first = UNIT_POS as usize * words;
        let mut keys = records.slice_mut(first, first + comptime!(DIRECTIONS as usize));
        decide_with(params, seen, decided, &mut keys, techniques);
    } else {
        let mut private = Array::<i32>::new(comptime!(DIRECTIONS as usize));
        let mut keys = private.slice_mut(0usize, comptime!(DIRECTIONS as usize));
        decide_with(params, seen, decided, &mut keys, techniques);
    }
}

/// Decides for the pedestrian of this unit; `keys` is its temporary storage.
#[cube]
fn decide_with(
    params: &Parameters,
    seen: &Seen,
    decided: &mut Decided,
    keys: &mut SliceMut<i32>,
    #[comptime] techniques: Techniques,
) {
    let i = ABSOLUTE_POS as u32;
    if i < params.pedestrians {
        let mut target = EMPTY.runtime();
        if params.tick >= seen.places.due[i as usize] {
            let unit = seen.places.at[i as usize];
            let (x, y) = ((unit % params.grid.width) as i32, (unit / params.grid.width) as i32);
            let heading = seen.traits[i as usize] & HEADING;
            let draw = philox::words(params.seed_low, params.seed_high, i, params.tick, TICK.runtime(), 0u32);
            let prefers_right = draw.second & 1u32;
            sort_keys(params, &seen.fields, keys, unit, heading, prefers_right, techniques);
            #[unroll]
            for rank in 0..DIRECTIONS {
                let key = keys[rank as usize];
                if target == EMPTY {
                    if score_of(key) > params.weights.threshold {
                        let direction = turned(heading, turns_of(key, prefers_right));
                        if is_possible(params, &seen.places.occupants, x, y, direction) {
                            target = params.grid.neighbour(x, y, direction);
                            decided.stations[params.index(direction, DIRECTIONS.runtime(), target)] = i;
                        }
                    }
                }
            }
        }
        decided.wanted[i as usize] = target;
    }
}

/// Whether the neighbour in a direction is empty and not cut off diagonally by two walls.
#[cube]
fn is_possible(params: &Parameters, occupants: &Array<u32>, x: i32, y: i32, direction: u32) -> bool {
    let mut possible = occupant(params, occupants, x, y, direction) == EMPTY;
    if possible {
        if direction % 2u32 == 1u32 {
            let left = occupant(params, occupants, x, y, turned(direction, 1u32));
            let right = occupant(params, occupants, x, y, turned(direction, 7u32));
            possible = !is_shut(direction, walls_beside(direction, left == WALL, right == WALL));
        }
    }
    possible
}

#[cube]
fn occupant(params: &Parameters, occupants: &Array<u32>, x: i32, y: i32, direction: u32) -> u32 {
    let unit = params.grid.neighbour(x, y, direction);
    let mut found = WALL.runtime();
    if unit != NOWHERE {
        found = occupants[unit as usize];
    }
    found
}

/// k-3: one unit per space unit.
#[cube(launch)]
pub fn vote(params: &Parameters, enrolled: &Enrolled, winners: &mut Array<u32>) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        if enrolled.occupants[unit as usize] == EMPTY {
            let mut best = EMPTY.runtime();
            let mut best_priority = 0u32.runtime();
            for direction in 0..DIRECTIONS {
                let candidate = enrolled.stations[params.index(direction, DIRECTIONS.runtime(), unit)];
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

/// The space unit that a pedestrian wants and may enter, or [`EMPTY`].
#[cube]
fn won(voted: &Voted, pedestrian: u32) -> u32 {
    let mut to = voted.wanted[pedestrian as usize];
    if to != EMPTY {
        to = select(voted.winners[to as usize] == pedestrian, to, EMPTY);
    }
    to
}

#[cube]
fn move_to(params: &Parameters, places: &mut Places, traits: &Array<u32>, pedestrian: u32, to: u32) {
    let i = pedestrian as usize;
    let from = places.at[i];
    places.occupants[from as usize] = EMPTY;
    places.occupants[to as usize] = pedestrian;
    places.at[i] = to;
    places.due[i] = params.tick + (traits[i] >> HEADING_BITS);
}
