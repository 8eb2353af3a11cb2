//! The multi-step cache: partial sums of the changes of a stored number.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_pedestrians::EMPTY;
use throng_pedestrians::rules::direction::{DIRECTIONS, angle, turned};
use throng_pedestrians::rules::grid::NOWHERE;

use super::{HEADING, Parameters, Places, Voted, choose, move_to, won};
use crate::yu::numbers::{CROWD, NOT_STORED, ONCOMING, SAME, turn_of_same};
use crate::yu::slots::SLOT_NUMBERS;
use crate::yu::techniques::{Technique, Techniques};

/// The bit above the heading in a word of changes: set if the pedestrian has entered the space unit, clear if it has
/// left.
const ENTERED: u32 = 8;
const LEFT: u32 = 16;

/// Columns and rows of the space units that a cube sums together.
pub const TILE: u32 = 16;

/// How sums are computed; compiled into their kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Summing {
    /// Number of partial sums.
    pub count: u32,
    /// Number of partial sums per chunk, `N` in kernels.
    pub wide: u32,
    pub techniques: Techniques,
    /// Radius of fields, which is the margin of a tile in local memory; 0 without local memory.
    pub radius: u32,
}

/// Columns and rows of a tile with its margin.
pub fn side(radius: u32) -> u32 {
    TILE + 2 * radius
}

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
/// is indexed by number, chunk of `N` sums and space unit; the eight numbers of RR for disappearing strengths follow
/// all others. With local memory, a cube has a unit for each space unit of a tile.
#[allow(clippy::identity_op, reason = "in kernels, the sum is a variable of its own")]
#[cube(launch)]
pub fn sum_in_steps<N: Size>(
    params: &Parameters,
    changes: &Array<u32>,
    slots: &Array<i32>,
    sums: &mut Array<Vector<i32, N>>,
    #[comptime] summing: Summing,
) {
    let (width, height) = (params.grid.width as i32, params.grid.height as i32);
    if comptime!(summing.techniques.has(Technique::DataBandwidth)) {
        let (side, radius) = comptime!((side(summing.radius), summing.radius as i32));
        let mut tile = SharedMemory::<u32>::new(comptime!((side * side) as usize));
        let tiles = params.grid.width.div_ceil(TILE);
        let left = (CUBE_POS as u32 % tiles * TILE) as i32 - radius;
        let bottom = (CUBE_POS as u32 / tiles * TILE) as i32 - radius;
        let mut at = UNIT_POS + 0u32;
        while at < side * side {
            let (x, y) = (left + (at % side) as i32, bottom + (at / side) as i32);
            let mut change = 0u32.runtime();
            // Beyond the margin around the world there is nothing to read.
            if x < width + radius && y < height + radius {
                let centre = params.grid.unit_at(x, y);
                if centre != NOWHERE {
                    change = changes[centre as usize];
                }
            }
            tile[at as usize] = change;
            at += comptime!(TILE * TILE);
        }
        sync_cube();
        let (column, row) = ((UNIT_POS % TILE) as i32 + radius, (UNIT_POS / TILE) as i32 + radius);
        let (x, y) = (left + column, bottom + row);
        if x < width && y < height {
            let place = Place { unit: (y * width + x) as u32, x: column, y: row };
            sums_of_unit::<N>(params, &tile.to_slice(), slots, sums, &place, summing);
        }
    } else {
        let unit = ABSOLUTE_POS as u32;
        if unit < params.units() {
            let place = Place { unit, x: unit as i32 % width, y: unit as i32 / width };
            sums_of_unit::<N>(params, &changes.to_slice(), slots, sums, &place, summing);
        }
    }
}

/// The change at `x`, `y`, in a tile in local memory or in the world; 0 if there is none.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "a slice of the kernel's memory")]
#[cube]
fn change_at(params: &Parameters, changes: &Slice<u32>, x: i32, y: i32, #[comptime] summing: Summing) -> u32 {
    if comptime!(summing.techniques.has(Technique::DataBandwidth)) {
        changes[(y as u32 * comptime!(side(summing.radius)) + x as u32) as usize]
    } else {
        let centre = params.grid.unit_at(x, y);
        let mut change = 0u32.runtime();
        if centre != NOWHERE {
            change = changes[centre as usize];
        }
        change
    }
}

/// A space unit, and its column and row in the changes.
#[derive(CubeType)]
struct Place {
    unit: u32,
    x: i32,
    y: i32,
}

/// The partial sums of the numbers of a space unit.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "a slice of the kernel's memory")]
#[cube]
fn sums_of_unit<N: Size>(
    params: &Parameters,
    changes: &Slice<u32>,
    slots: &Array<i32>,
    sums: &mut Array<Vector<i32, N>>,
    place: &Place,
    #[comptime] summing: Summing,
) {
    let unit = place.unit;
    let count = comptime!(summing.count);
    let branch_free = comptime!(summing.techniques.has(Technique::Divergence));
    let steps = params.of_sector / count;
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
                // Padding has no strengths, so that the change at its place, the space unit itself, does not matter.
                let change = change_at(params, changes, place.x + dx, place.y + dy, summing);
                if comptime!(branch_free) || change != 0u32 {
                    let heading = change & HEADING;
                    let entered = change & ENTERED == ENTERED;
                    let left = change & LEFT == LEFT;
                    let strength = slots[of_slot + 2];
                    appear[sum as usize] += choose(entered, strength, 0i32, branch_free);
                    disappear[sum as usize] += choose(left, strength, 0i32, branch_free);
                    let sign = choose(entered, 1i32, choose(left, -1i32, 0i32, branch_free), branch_free);
                    let of_same = sign * slots[of_slot + 3];
                    #[unroll]
                    for turn in 0..SAME {
                        let is_read = turn_of_same(heading, sector) == turn;
                        let index = comptime!((turn * count + sum) as usize);
                        same[index] += choose(is_read, of_same, 0i32, branch_free);
                    }
                    let of_oncoming = sign * slots[of_slot + 4];
                    #[unroll]
                    for turn in 0..ONCOMING {
                        // The heading of the readers that see this sector at that turn.
                        let reader = turned(sector, comptime!((8 + 2 - turn) % 8).runtime());
                        let is_read = angle(reader, heading) >= 3u32;
                        let index = comptime!((turn * count + sum) as usize);
                        oncoming[index] += choose(is_read, of_oncoming, 0i32, branch_free);
                    }
                }
            }
        }
        store_sums::<N>(params, sums, &appear, unit, sector, 0u32, summing);
        store_sums::<N>(params, sums, &disappear, unit, params.stored() + sector, 0u32, summing);
        #[unroll]
        for turn in 0..SAME {
            let heading = turned(sector, comptime!((8 + 1 - turn) % 8).runtime());
            let number = params.numbers.same(heading, sector);
            if number != NOT_STORED {
                store_sums::<N>(params, sums, &same, unit, number, turn, summing);
            }
        }
        #[unroll]
        for turn in 0..ONCOMING {
            let reader = turned(sector, comptime!((8 + 2 - turn) % 8).runtime());
            let number = params.numbers.oncoming(reader, sector);
            if number != NOT_STORED {
                store_sums::<N>(params, sums, &oncoming, unit, number, turn, summing);
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

/// Index of a chunk of partial sums of a number of a space unit.
#[cube]
fn chunk_index(params: &Parameters, number: u32, chunk: u32, unit: u32, #[comptime] chunks: u32) -> usize {
    params.index(number * chunks + chunk, (params.stored() + CROWD) * chunks, unit)
}

/// Stores the partial sums of a number, from the chunk `part` of `found`.
#[cube]
fn store_sums<N: Size>(
    params: &Parameters,
    sums: &mut Array<Vector<i32, N>>,
    found: &Array<i32>,
    unit: u32,
    number: u32,
    #[comptime] part: u32,
    #[comptime] summing: Summing,
) {
    let (count, wide) = comptime!((summing.count, summing.wide));
    let chunks = comptime!(count / wide);
    #[unroll]
    for chunk in 0..chunks {
        // Chunks of one sum are scalars, whose elements have no index.
        let mut values = Vector::<i32, N>::new(found[comptime!((part * count + chunk * wide) as usize)]);
        #[unroll]
        for sum in 1..wide {
            values[sum as usize] = found[comptime!((part * count + chunk * wide + sum) as usize)];
        }
        sums[chunk_index(params, number, chunk.runtime(), unit, chunks)] = values;
    }
}

/// k-5 with a multi-step cache: one unit per space unit.
#[cube(launch)]
pub fn write_back_sums<N: Size>(
    params: &Parameters,
    sums: &Array<Vector<i32, N>>,
    fields: &mut Array<i32>,
    #[comptime] count: u32,
    #[comptime] wide: u32,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < params.units() {
        let chunks = comptime!(count / wide);
        let stored = params.stored();
        for number in 0..stored {
            let mut total = 0i32;
            #[unroll]
            for chunk in 0..chunks {
                total += added::<N>(sums[chunk_index(params, number, chunk.runtime(), unit, chunks)]);
                if number < CROWD {
                    total -= added::<N>(sums[chunk_index(params, stored + number, chunk.runtime(), unit, chunks)]);
                }
            }
            fields[params.index(number, stored, unit)] += total;
        }
    }
}

/// The sum of the elements, as a dot product; of a single element it is a product with 1.
#[cube]
fn added<N: Size>(chunk: Vector<i32, N>) -> i32 {
    chunk.dot(Vector::<i32, N>::new(1i32))
}
