//! Distances of the cells of a unit from a polygon. The units of a block of cells jointly select the sides that matter
//! to the block, each unit testing some of them. Then each unit measures its cells from the selected sides only.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::rules::distance::Side;
use throng_fields_core::rules::fixed_point::offset;
use throng_fields_core::rules::sides::{Ends, Patch};

use super::super::record::*;
use super::entity_record::EntityRecord;
use super::shape::{CellDistances, NOWHERE, own};
use super::sums::{PLANE, UNITS, UnitCells};
use super::world::{Entities, How};

/// Words per block: the nearest side, see [`KEY`]; [`DIVIDED`] and the number of sides that a ray from the middle
/// crosses; and for up to 32 sides at a time, one bit per side that may be nearest to some cell, and one bit per side
/// that a ray from some cell may cross.
const WORDS: u32 = 4;
const KEYS: u32 = 0;
const STATE: u32 = 1;
const NEAR: u32 = 2;
const PASSED: u32 = 3;
/// The nearest side has the lowest key. A key has the upper bits of the squared distance, and in its lower bits the
/// index of the side, at most this one. A side that is slightly farther than the nearest serves as well.
const KEY: u32 = 0xFFFF;
const NO_KEY: u32 = u32::MAX;
/// Flag: the block may contain points both inside and outside the polygon. The other bits are a counter.
const DIVIDED: u32 = 1;
const CROSSED: u32 = 2;
/// One bit per cell of a unit, all set.
const ALL: u32 = u32::MAX;

/// Sides that the units of each block have selected.
#[derive(CubeType)]
pub struct Sieve {
    shared: SharedMemory<Atomic<u32>>,
    /// Copy for reading, because atomic reads are serialised.
    words: SharedMemory<u32>,
}

#[cube]
impl Sieve {
    /// Creates an empty sieve. All units of a cube must call this, and synchronise before they use the sieve.
    pub fn new(#[comptime] how: How) -> Sieve {
        let mut sieve = Sieve {
            shared: SharedMemory::<Atomic<u32>>::new(comptime!((UNITS / PLANE * WORDS) as usize)),
            words: SharedMemory::<u32>::new(comptime!((UNITS / PLANE * WORDS) as usize)),
        };
        if comptime!(how.may_have_shape(POLYGON)) {
            // Units may still be reading from an earlier sieve in the same memory.
            sync_cube();
            let unit = UNIT_POS % PLANE;
            if unit == 0u32 {
                sieve.publish_and_reset(KEYS, NO_KEY);
                sieve.publish_and_reset(STATE, 0u32);
                sieve.publish_and_reset(NEAR, 0u32);
                sieve.publish_and_reset(PASSED, 0u32);
            }
        }
        sieve
    }

    /// Copies a word of this block to `words`, and resets the shared one to `empty`.
    fn publish_and_reset(&mut self, word: u32, empty: u32) {
        let place = (UNIT_POS / PLANE * WORDS + word) as usize;
        self.words[place] = self.shared[place].load();
        self.shared[place].store(empty);
    }

    fn word(&self, word: u32) -> u32 {
        self.words[(UNIT_POS / PLANE * WORDS + word) as usize]
    }
}

/// Measures distances from a polygon, 0 inside (by the even-odd rule). All units of a cube must call this, but only
/// units in blocks within the polygon's reach measure.
#[cube]
pub fn measure_polygon(
    entities: &Entities,
    figure: &EntityRecord,
    here: &UnitCells,
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
        test_sides(entities, figure, &patch, sieve, zero);
    }
    sync_cube();
    if unit == 0u32 {
        sieve.publish_and_reset(KEYS, NO_KEY);
        sieve.publish_and_reset(STATE, 0u32);
    }
    sync_cube();
    let nearest = side(entities, figure, u32::min(sieve.word(KEYS) & KEY, figure.corner_count - 1u32));
    let corners = patch.corners(&nearest, zero);
    let state = sieve.word(STATE);
    let is_divided = state & DIVIDED != 0u32;
    let starts_inside = state / CROSSED % 2u32 == 1u32;
    let is_measured = here.reached && (is_divided || !starts_inside);

    // One bit per cell: whether the cell is inside.
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
            sieve.publish_and_reset(NEAR, 0u32);
            sieve.publish_and_reset(PASSED, 0u32);
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

/// Among the sides that this unit tests, finds the nearest, counts those that a ray from the middle crosses, and checks
/// whether any may divide the block.
#[cube]
fn test_sides(entities: &Entities, figure: &EntityRecord, patch: &Patch, sieve: &mut Sieve, zero: f32) {
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

/// Reads a side from the tables.
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

/// Change in x per unit of y along a side.
#[cube]
fn x_per_y(entities: &Entities, figure: &EntityRecord, i: u32) -> f32 {
    entities.entry(figure.corners + i * SIDE_REALS + 5u32)
}
