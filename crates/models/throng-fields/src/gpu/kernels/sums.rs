//! The sums of a unit for its cells: over the entities that reach them, in entity order.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_fields_core::rules::fixed_point::{nearest, value};

use super::super::record::*;
use super::charge::{add_entity, add_polygon};
use super::polygon::Sieve;
use super::world::{Entities, How, Raster};

/// Units per cube.
pub const UNITS: u32 = 256;
/// Columns of cells per tile.
pub const TILE_COLUMNS: u32 = 64;
/// Rows of units per tile.
pub const UNIT_ROWS: u32 = UNITS / TILE_COLUMNS;
/// Units that process the same entities. Their cells form a block, which skips entities that do not reach it.
pub const PLANE: u32 = 32;
/// Number of entities that are tested at a time.
const CHUNK: u32 = 2048;
const FLAG_WORDS: u32 = CHUNK / 32;
/// Relative margin, larger than the rounding error of a position.
const ROUNDED: f32 = 1.0 / 2_097_152.0;

/// The positions of the cells of a tile: the sampled point of the first cell, and the step from one cell to the next.
#[derive(CubeType, Clone, Copy)]
pub struct Place {
    pub x: f32,
    pub y: f32,
    pub step: f32,
}

/// A range of entries in `members` or, without bins, of entities.
#[derive(CubeType, Clone, Copy)]
pub struct Range {
    pub first: u32,
    pub count: u32,
    /// The layers that count, one bit each, if entities are restricted to layers.
    pub layers: u32,
}

/// The sums of a unit's cells, as floats or as whole steps.
#[derive(CubeType)]
pub struct Sums {
    pub floats: Array<f32>,
    pub steps: Array<i32>,
}

#[cube]
impl Sums {
    /// Adds a charge to this unit's cell in row `r`.
    pub fn add(&mut self, #[comptime] r: u32, charge: f32, #[comptime] how: How) {
        if comptime!(how.fixed) {
            self.steps[r as usize] += nearest(charge);
        } else {
            self.floats[r as usize] += charge;
        }
    }

    /// The value of this unit's cell in row `r`.
    pub fn value(&self, raster: &Raster, r: u32, #[comptime] how: How) -> f32 {
        if comptime!(how.fixed) { value(self.steps[r as usize], raster.step) } else { self.floats[r as usize] }
    }
}

/// A rectangular block of sampled points, given by its first and last points.
#[derive(CubeType, Clone, Copy)]
pub struct Block {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// The cells of a unit, and the block they belong to.
#[derive(CubeType, Clone, Copy)]
pub struct UnitCells {
    pub at: Place,
    /// The cells of all units of the block.
    pub cells: Block,
    /// Whether an entity reaches the block.
    pub reached: bool,
}

/// Adds up the contributions of entities to the cells of this unit, which form a column of a tile. All units of a cube
/// must call this.
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
                // This condition is the same for all units of a cube.
                if entities.word(SHAPE, entity) == POLYGON {
                    let here = UnitCells { at, cells, reached };
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

/// Column and row in the tile of the first cell of this unit.
#[cube]
pub fn unit_cell(#[comptime] how: How) -> (u32, u32) {
    (UNIT_POS % TILE_COLUMNS, (UNIT_POS / TILE_COLUMNS) * comptime!(how.rows))
}

#[cube]
fn block(left: f32, top: f32, columns: u32, rows: u32, step: f32) -> Block {
    Block { left, top, right: left + f32::cast_from(columns) * step, bottom: top + f32::cast_from(rows) * step }
}

/// Adds a margin for the rounding of positions to a block: if the step between points is not a whole number, the
/// rounding depends on whether products and sums are fused.
#[cube]
fn widened(block: &Block) -> Block {
    Block {
        left: block.left - f32::abs(block.left) * ROUNDED,
        top: block.top - f32::abs(block.top) * ROUNDED,
        right: block.right + f32::abs(block.right) * ROUNDED,
        bottom: block.bottom + f32::abs(block.bottom) * ROUNDED,
    }
}

/// The entity at an index within a range.
#[cube]
fn member(members: &Array<u32>, place: u32, #[comptime] how: How) -> u32 {
    let mut entity = place;
    if comptime!(how.binned) {
        entity = members[place as usize];
    }
    entity
}

/// The entities of a chunk that reach a tile.
#[derive(CubeType)]
struct Chosen {
    /// One bit per entity of the chunk.
    flags: SharedMemory<Atomic<u32>>,
    /// Copy for reading, because atomic reads are serialised.
    words: SharedMemory<u32>,
    entities: SharedMemory<u32>,
    /// Number of selected entities.
    count: SharedMemory<u32>,
}

/// Selects the entities of the next chunk that reach a tile, keeping their order.
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
