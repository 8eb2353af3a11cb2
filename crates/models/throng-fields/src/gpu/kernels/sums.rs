//! The sums of a unit for its cells, over the entities that reach them, in their order.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::rules::fixed_point::{nearest, value};

use super::super::record::*;
use super::charge::{add_entity, add_polygon};
use super::polygon::Sieve;
use super::world::{Entities, How, Raster};

/// Units of a cube.
pub const UNITS: u32 = 256;
/// Cells of a tile from left to right.
pub const TILE_COLUMNS: u32 = 64;
/// Rows of units.
pub const UNIT_ROWS: u32 = UNITS / TILE_COLUMNS;
/// Units that process the same entities: their cells form a block, and an entity that does not reach it is skipped.
pub const PLANE: u32 = 32;
/// Entities that are tested together.
const CHUNK: u32 = 2048;
const FLAG_WORDS: u32 = CHUNK / 32;
/// More than the rounding of a position, relative to it.
const ROUNDED: f32 = 1.0 / 2_097_152.0;

/// The positions of the cells of a tile: the sampled point of the first one, and the step from one to the next.
#[derive(CubeType, Clone, Copy)]
pub struct Place {
    pub x: f32,
    pub y: f32,
    pub step: f32,
}

/// A range of entities: of entries in `members` or, without bins, of the entities themselves.
#[derive(CubeType, Clone, Copy)]
pub struct Range {
    pub first: u32,
    pub count: u32,
    /// If entities are restricted to layers: these layers, one bit each.
    pub layers: u32,
}

/// The sums of a unit's cells: as numbers, or as whole steps.
#[derive(CubeType)]
pub struct Sums {
    pub floats: Array<f32>,
    pub steps: Array<i32>,
}

#[cube]
impl Sums {
    /// Adds a charge to the cell in a row of this unit.
    pub fn add(&mut self, #[comptime] r: u32, charge: f32, #[comptime] how: How) {
        if comptime!(how.fixed) {
            self.steps[r as usize] += nearest(charge);
        } else {
            self.floats[r as usize] += charge;
        }
    }

    /// The value of the cell in a row of this unit.
    pub fn value(&self, raster: &Raster, r: u32, #[comptime] how: How) -> f32 {
        if comptime!(how.fixed) { value(self.steps[r as usize], raster.step) } else { self.floats[r as usize] }
    }
}

/// A block of sampled points: the first one, and the last.
#[derive(CubeType, Clone, Copy)]
pub struct Block {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// The cells of a unit in a block.
#[derive(CubeType, Clone, Copy)]
pub struct Here {
    pub at: Place,
    /// Those of all units of the block.
    pub cells: Block,
    /// Whether an entity reaches the block.
    pub reached: bool,
}

/// Adds up the contributions of some entities to the cells of this unit, which are a column in a tile. All units of a
/// cube have to call it.
#[cube]
pub fn sum_cells(
    entities: &Entities,
    members: &Array<u32>,
    range: &Range,
    tile: &Place,
    zero: f32,
    #[comptime] how: How,
) -> Sums {
    let mut chosen = Chosen {
        flags: SharedMemory::<Atomic<u32>>::new(comptime!(FLAG_WORDS as usize)),
        words: SharedMemory::<u32>::new(comptime!(FLAG_WORDS as usize)),
        entities: SharedMemory::<u32>::new(comptime!(CHUNK as usize)),
        count: SharedMemory::<u32>::new(1usize),
    };
    let mut sums = Sums {
        floats: Array::<f32>::new(comptime!(how.rows as usize)),
        steps: Array::<i32>::new(comptime!(how.rows as usize)),
    };
    #[unroll]
    for r in 0..comptime!(how.rows as usize) {
        sums.floats[r] = 0.0f32;
        sums.steps[r] = 0i32;
    }
    let at = unit_cell(how);
    let x = tile.x + f32::cast_from(at.0) * tile.step;
    let y = tile.y + f32::cast_from(at.1) * tile.step;
    let own_left = tile.x + f32::cast_from(at.0 / PLANE * PLANE) * tile.step;
    let own = block(own_left, y, comptime!(PLANE - 1), comptime!(how.rows - 1), tile.step);
    let rows = comptime!(UNIT_ROWS * how.rows - 1);
    let whole = block(tile.x, tile.y, comptime!(TILE_COLUMNS - 1), rows, tile.step);

    let mut sieve = Sieve::new(how);
    let cells = widened(&own);

    let mut done = 0u32;
    while done < range.count {
        let chunk = Range { first: range.first + done, count: range.count - done, layers: range.layers };
        choose(entities, members, &whole, &chunk, &mut chosen, how);
        for i in 0..chosen.count[0] {
            let entity = chosen.entities[i as usize];
            let reached = reaches(entities, entity, &own, how);
            let at = Place { x, y, step: tile.step };
            if comptime!(how.may_have_shape(POLYGON)) {
                // The same for all units of a cube.
                if entities.word(SHAPE, entity) == POLYGON {
                    let here = Here { at, cells, reached };
                    add_polygon(entities, entity, &here, &mut sieve, &mut sums, zero, how);
                } else if reached {
                    add_entity(entities, entity, &at, &mut sums, zero, how);
                }
            } else {
                if reached {
                    add_entity(entities, entity, &at, &mut sums, zero, how);
                }
            }
        }
        done += CHUNK;
    }
    sums
}

/// Column and row of the first cell of this unit, in its tile.
#[cube]
pub fn unit_cell(#[comptime] how: How) -> (u32, u32) {
    (UNIT_POS % TILE_COLUMNS, (UNIT_POS / TILE_COLUMNS) * comptime!(how.rows))
}

#[cube]
fn block(left: f32, top: f32, columns: u32, rows: u32, step: f32) -> Block {
    Block { left, top, right: left + f32::cast_from(columns) * step, bottom: top + f32::cast_from(rows) * step }
}

/// A block with a margin for the rounding of positions: where steps between points are no whole numbers, products and
/// sums may be rounded together or not.
#[cube]
fn widened(block: &Block) -> Block {
    Block {
        left: block.left - f32::abs(block.left) * ROUNDED,
        top: block.top - f32::abs(block.top) * ROUNDED,
        right: block.right + f32::abs(block.right) * ROUNDED,
        bottom: block.bottom + f32::abs(block.bottom) * ROUNDED,
    }
}

/// The entity at a position of a range.
#[cube]
fn member(members: &Array<u32>, place: u32, #[comptime] how: How) -> u32 {
    let mut entity = place;
    if comptime!(how.binned) {
        entity = members[place as usize];
    }
    entity
}

/// Those entities of a chunk that reach a tile.
#[derive(CubeType)]
struct Chosen {
    /// A bit for each entity of the chunk.
    flags: SharedMemory<Atomic<u32>>,
    /// The same for reading, because reads of an atomic are serialised.
    words: SharedMemory<u32>,
    entities: SharedMemory<u32>,
    /// The number of entities.
    count: SharedMemory<u32>,
}

/// Selects those of the next entities that reach a tile, in their order.
#[cube]
fn choose(
    entities: &Entities,
    members: &Array<u32>,
    tile: &Block,
    chunk: &Range,
    chosen: &mut Chosen,
    #[comptime] how: How,
) {
    sync_cube();
    if UNIT_POS < FLAG_WORDS {
        chosen.flags[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    #[unroll]
    for i in 0..comptime!(CHUNK / UNITS) {
        let k = i * UNITS + UNIT_POS;
        if k < chunk.count {
            let entity = member(members, chunk.first + k, how);
            let mut counts = reaches(entities, entity, tile, how);
            if comptime!(how.layered) {
                counts = counts && entities.word(LAYERS, entity) & chunk.layers != 0u32;
            }
            if counts {
                chosen.flags[(k / 32u32) as usize].fetch_or(1u32 << (k % 32u32));
            }
        }
    }
    sync_cube();
    if UNIT_POS < FLAG_WORDS {
        chosen.words[UNIT_POS as usize] = chosen.flags[UNIT_POS as usize].load();
    }
    sync_cube();
    if UNIT_POS < FLAG_WORDS {
        let mut place = 0u32;
        #[unroll]
        for word in 0..FLAG_WORDS {
            if word < UNIT_POS {
                place += chosen.words[word as usize].count_ones();
            }
        }
        let mut found = chosen.words[UNIT_POS as usize];
        while found != 0u32 {
            let k = UNIT_POS * 32u32 + found.find_first_set() - 1u32;
            chosen.entities[place as usize] = member(members, chunk.first + k, how);
            found &= found - 1u32;
            place += 1u32;
        }
        if UNIT_POS == comptime!(FLAG_WORDS - 1) {
            chosen.count[0] = place;
        }
    }
    sync_cube();
}

/// Whether an entity may reach a point of a block.
#[cube]
fn reaches(entities: &Entities, entity: u32, block: &Block, #[comptime] how: How) -> bool {
    let x = entities.real(comptime!(how.figures.middle()[0]), entity);
    let y = entities.real(comptime!(how.figures.middle()[1]), entity);
    let across = f32::max(f32::max(block.left - x, x - block.right), 0.0f32);
    let down = f32::max(f32::max(block.top - y, y - block.bottom), 0.0f32);
    let cull = entities.real(CULL, entity);
    across * across + down * down < cull * cull
}
