//! How far the cells of a unit are from a polygon. The units of a block of cells choose together the sides that matter
//! to it, each unit looking at some of them; then each unit measures its cells from these only.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::rules::distance::Side;
use throng_fields_core::rules::fixed_point::offset;
use throng_fields_core::rules::sides::{Ends, Patch};

use super::super::record::*;
use super::entity_record::EntityRecord;
use super::shape::{CellDistances, NOWHERE, own};
use super::sums::{Here, PLANE, UNITS};
use super::world::{Entities, How};

/// Words of a block: the nearest side, see [`KEY`]; [`DIVIDED`] and the number of sides that a ray from the middle
/// crosses; and of up to 32 sides those that may be the nearest to some cell, and those that may be passed, one bit
/// each.
const WORDS: u32 = 4;
const KEYS: u32 = 0;
const STATE: u32 = 1;
const NEAR: u32 = 2;
const PASSED: u32 = 3;
/// The nearest side has the lowest key: the upper bits of a square and the number of the side, at most this one. A side
/// that is hardly farther than the nearest serves as well.
const KEY: u32 = 0xFFFF;
const NO_KEY: u32 = u32::MAX;
/// Points on both sides of the polygon may be in the block. The other bits count.
const DIVIDED: u32 = 1;
const CROSSED: u32 = 2;
/// A bit for each cell of a unit.
const ALL: u32 = u32::MAX;

/// What the units of each block found.
#[derive(CubeType)]
pub struct Sieve {
    shared: SharedMemory<Atomic<u32>>,
    /// The same for reading, because reads of an atomic are serialised.
    words: SharedMemory<u32>,
}

#[cube]
impl Sieve {
    /// All units of a cube have to call it, and to meet before they use it.
    pub fn new(#[comptime] how: How) -> Sieve {
        let mut sieve = Sieve {
            shared: SharedMemory::<Atomic<u32>>::new(comptime!((UNITS / PLANE * WORDS) as usize)),
            words: SharedMemory::<u32>::new(comptime!((UNITS / PLANE * WORDS) as usize)),
        };
        if comptime!(how.may_have_shape(POLYGON)) {
            // Units may still read what an earlier one holds in the same memory.
            sync_cube();
            let unit = UNIT_POS % PLANE;
            if unit == 0u32 {
                sieve.take(KEYS, NO_KEY);
                sieve.take(STATE, 0u32);
                sieve.take(NEAR, 0u32);
                sieve.take(PASSED, 0u32);
            }
        }
        sieve
    }

    /// Makes a word of this block readable, and what was shared empty.
    fn take(&mut self, word: u32, empty: u32) {
        let place = (UNIT_POS / PLANE * WORDS + word) as usize;
        self.words[place] = self.shared[place].load();
        self.shared[place].store(empty);
    }

    fn word(&self, word: u32) -> u32 {
        self.words[(UNIT_POS / PLANE * WORDS + word) as usize]
    }
}

/// Measures from a polygon, 0 inside (by the even-odd rule). All units of a cube have to call it; only those of blocks
/// that it reaches measure.
#[cube]
pub fn measure_polygon(
    entities: &Entities,
    figure: &EntityRecord,
    here: &Here,
    sieve: &mut Sieve,
    measured: &mut CellDistances,
    zero: f32,
    #[comptime] how: How,
) {
    let ends = Ends {
        left: offset(here.cells.left, figure.x, figure.x_low),
        right: offset(here.cells.right, figure.x, figure.x_low),
        top: offset(here.cells.top, figure.y, figure.y_low),
        bottom: offset(here.cells.bottom, figure.y, figure.y_low),
    };
    let patch = Patch::new(&ends, figure.sin, figure.cos, figure.extent, figure.reach, zero);
    let unit = UNIT_POS % PLANE;
    let word = UNIT_POS / PLANE * WORDS;
    if here.reached {
        look(entities, figure, &patch, sieve, zero);
    }
    sync_cube();
    if unit == 0u32 {
        sieve.take(KEYS, NO_KEY);
        sieve.take(STATE, 0u32);
    }
    sync_cube();
    let nearest = side(entities, figure, u32::min(sieve.word(KEYS) & KEY, figure.corner_count - 1u32));
    let corners = patch.corners(&nearest, zero);
    let state = sieve.word(STATE);
    let is_divided = state & DIVIDED != 0u32;
    let starts_inside = state / CROSSED % 2u32 == 1u32;
    let is_measured = here.reached && (is_divided || !starts_inside);

    // Whether each cell is inside, one bit each.
    let mut inside: u32 = 0u32.runtime();
    #[unroll]
    for r in 0..comptime!(how.rows) {
        measured.squares[r as usize] = NOWHERE;
    }
    let mut first = 0u32;
    while first < figure.corner_count {
        let own_side = first + unit;
        if is_measured && own_side < figure.corner_count {
            let side = side(entities, figure, own_side);
            if patch.may_be_nearest(&side, &corners, zero) {
                sieve.shared[(word + NEAR) as usize].fetch_or(1u32 << unit);
            }
            if is_divided && patch.may_be_passed(&side, x_per_y(entities, figure, own_side)) {
                sieve.shared[(word + PASSED) as usize].fetch_or(1u32 << unit);
            }
        }
        sync_cube();
        if unit == 0u32 {
            sieve.take(NEAR, 0u32);
            sieve.take(PASSED, 0u32);
        }
        sync_cube();
        let mut near = sieve.word(NEAR);
        while near != 0u32 {
            let side = side(entities, figure, first + near.find_first_set() - 1u32);
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (x, y) = own(figure, &here.at, comptime!(r as f32), zero);
                measured.squares[r as usize] = f32::min(measured.squares[r as usize], side.square_to(x, y, zero));
            }
            near &= near - 1u32;
        }
        let mut passed = sieve.word(PASSED);
        while passed != 0u32 {
            let place = first + passed.find_first_set() - 1u32;
            let side = side(entities, figure, place);
            let x_per_y = x_per_y(entities, figure, place);
            #[unroll]
            for r in 0..comptime!(how.rows) {
                let (x, y) = own(figure, &here.at, comptime!(r as f32), zero);
                if side.is_at_height(y) && side.is_to_the_right(x, y, x_per_y, zero) {
                    inside ^= comptime!(1u32 << r);
                }
            }
            passed &= passed - 1u32;
        }
        first += PLANE;
    }
    if starts_inside && !is_divided {
        inside = ALL;
    }
    #[unroll]
    for r in 0..comptime!(how.rows) {
        let is_inside = inside & comptime!(1u32 << r) != 0u32;
        measured.squares[r as usize] = select(is_inside, 0.0f32, measured.squares[r as usize]);
    }
}

/// Finds the nearest of the sides that this unit looks at, how many of them a ray from the middle crosses, and whether
/// one of them may divide the block.
#[cube]
fn look(entities: &Entities, figure: &EntityRecord, patch: &Patch, sieve: &mut Sieve, zero: f32) {
    let mut key: u32 = NO_KEY.runtime();
    let mut crossed: u32 = 0u32.runtime();
    let mut divided: u32 = 0u32.runtime();
    let mut i = UNIT_POS % PLANE;
    while i < figure.corner_count {
        let side = side(entities, figure, i);
        let x_per_y = x_per_y(entities, figure, i);
        let square = u32::reinterpret(side.square_to(patch.x, patch.y, zero));
        key = u32::min(key, square / (KEY + 1u32) * (KEY + 1u32) + u32::min(i, KEY));
        if side.is_at_height(patch.y) && side.is_to_the_right(patch.x, patch.y, x_per_y, zero) {
            crossed += CROSSED;
        }
        if patch.may_be_divided(&side, x_per_y, zero) {
            divided = DIVIDED;
        }
        i += PLANE;
    }
    let word = UNIT_POS / PLANE * WORDS;
    if key != NO_KEY {
        sieve.shared[(word + KEYS) as usize].fetch_min(key);
    }
    if crossed != 0u32 {
        sieve.shared[(word + STATE) as usize].fetch_add(crossed);
    }
    if divided != 0u32 {
        sieve.shared[(word + STATE) as usize].fetch_or(divided);
    }
}

/// A side.
#[cube]
fn side(entities: &Entities, figure: &EntityRecord, i: u32) -> Side {
    let place = figure.corners + i * SIDE_REALS;
    Side {
        from_x: entities.entry(place),
        from_y: entities.entry(place + 1u32),
        along_x: entities.entry(place + 2u32),
        along_y: entities.entry(place + 3u32),
        inverse: entities.entry(place + 4u32),
        to_y: entities.entry(place + 6u32),
    }
}

/// How far a side extends along x per unit along y.
#[cube]
fn x_per_y(entities: &Entities, figure: &EntityRecord, i: u32) -> f32 {
    entities.entry(figure.corners + i * SIDE_REALS + 5u32)
}
