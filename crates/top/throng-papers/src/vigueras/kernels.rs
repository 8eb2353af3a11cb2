//! The paper's device programs. Positions are pairs of x and y.

// The macros of CubeCL make items without documentation.
#![allow(missing_docs)]
#![allow(clippy::collapsible_if, clippy::collapsible_else_if, reason = "kernels evaluate both sides of `&&`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `u32::from`")]
#![allow(clippy::identity_op, reason = "makes a copy in kernels")]

use throng_collision::rules::overlap::is_nearer;
use throng_collision::{CELL_BITS, SMALLEST_RADIUS};
use throng_device::KernelParameter;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::philox::words;

use super::baseline::SORTED_CELL;
use super::crowd::{MOVE, Moves};

/// No disc, and no place in the sorted order.
pub const NONE: u32 = u32::MAX;
/// May move.
pub const FREE: u32 = 0;
/// May not move; the paper's flag.
pub const COLLIDES: u32 = 1;
/// Collides, and is no longer in a target slot.
pub const NOTIFIED: u32 = 2;
/// Collides, because another disc got its target cell.
pub const OVERWRITTEN: u32 = 3;

/// Cells along a side of a tile, and units of a cube.
pub const TILE: u32 = 16;
pub const TILE_CELLS: u32 = TILE * TILE;
/// Cells beyond the border of a tile that its discs look at in the four-step check.
const HALO: u32 = 2;
const SLOTS_SIDE: u32 = TILE + 2 * HALO;
const SLOTS: u32 = SLOTS_SIDE * SLOTS_SIDE;
/// The same in the sorted grid, whose cells are larger.
const SORTED_SIDE: u32 = TILE + 2;
const SORTED_CELLS: u32 = SORTED_SIDE * SORTED_SIDE;
/// Discs of a tile and its halo that fit into shared memory. A square of this size holds a third of that when the crowd
/// is dense; only wishes of many discs for one place need more.
const TILE_DISCS: u32 = 1024;

const DIAMETER: i32 = 2 * SMALLEST_RADIUS;

/// A step of the four-step check. A word of a slot is a stamp and an id.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct StepParameters {
    pub discs: u32,
    pub columns: u32,
    pub rows: u32,
    /// Of the current step.
    pub stamp: u32,
    pub id_bits: u32,
}

/// The sorted grid.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct SortedGrid {
    pub discs: u32,
    pub columns: u32,
    pub rows: u32,
    /// Tiles in a row of tiles.
    pub tile_columns: u32,
}

/// Draws where discs wish to be.
#[cube(launch)]
pub fn wish(at: &Array<i32>, to: &mut Array<i32>, moves: &Moves, discs: u32, seed_low: u32, seed_high: u32, step: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        let drawn = words(seed_low, seed_high, i, step, MOVE.runtime(), 0u32.runtime()).first;
        let x = (2u32 * i) as usize;
        to[x] = moves.wish_x(at[x], drawn);
        to[x + 1] = moves.wish_y(at[x + 1], drawn);
    }
}

/// The same for positions whose x and y are in two arrays.
#[cube(launch)]
pub fn wish_columns(
    xs: &Array<i32>,
    ys: &Array<i32>,
    to_xs: &mut Array<i32>,
    to_ys: &mut Array<i32>,
    moves: &Moves,
    discs: u32,
    seed_low: u32,
    seed_high: u32,
    step: u32,
) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        let drawn = words(seed_low, seed_high, i, step, MOVE.runtime(), 0u32.runtime()).first;
        to_xs[i as usize] = moves.wish_x(xs[i as usize], drawn);
        to_ys[i as usize] = moves.wish_y(ys[i as usize], drawn);
    }
}

/// Counts moves.
#[cube(launch)]
pub fn count_moves(accepted: &Array<u32>, moved: &mut Array<u32>, discs: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        moved[i as usize] += accepted[i as usize];
    }
}

/// Moves the discs that may, and counts their moves.
#[cube(launch)]
pub fn move_discs(response: &Array<u32>, to: &Array<i32>, at: &mut Array<i32>, moved: &mut Array<u32>, discs: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < discs {
        if response[i as usize] == FREE {
            let x = (2u32 * i) as usize;
            at[x] = to[x];
            at[x + 1] = to[x + 1];
            moved[i as usize] += 1u32;
        }
    }
}

/// The same value everywhere.
#[cube(launch)]
pub fn fill(values: &mut Array<u32>, value: u32) {
    if ABSOLUTE_POS < values.len() {
        values[ABSOLUTE_POS] = value;
    }
}

#[cube]
impl StepParameters {
    /// The word that a disc writes.
    fn word(&self, disc: u32) -> u32 {
        (self.stamp << self.id_bits) | disc
    }

    /// The disc in a slot with this word, or none if the word is of another step.
    fn disc(&self, word: u32) -> u32 {
        let mut disc = NONE.runtime();
        if word >> self.id_bits == self.stamp {
            disc = word & ((1u32 << self.id_bits) - 1u32);
        }
        disc
    }

    /// The cell of a disc.
    fn cell(&self, places: &Array<i32>, disc: u32) -> u32 {
        let x = places[(2u32 * disc) as usize] >> CELL_BITS as i32;
        let y = places[(2u32 * disc + 1u32) as usize] >> CELL_BITS as i32;
        y as u32 * self.columns + x as u32
    }
}

/// Step 2 without atomic operations.
#[cube(launch)]
pub fn calc_hash(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &mut Array<u32>,
    target: &mut Array<u32>,
    by: &StepParameters,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        source[by.cell(at, i) as usize] = by.word(i);
        target[by.cell(to, i) as usize] = by.word(i);
    }
}

/// Step 3 at once: a disc either leaves its cell, if it has another one, or notifies its follower. A disc that lost
/// even its source slot, after an earlier step in which the check failed, does neither.
#[cube(launch)]
pub fn restore(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &mut Array<u32>,
    target: &Array<u32>,
    response: &mut Array<u32>,
    by: &StepParameters,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(at, i);
        if by.disc(source[from as usize]) == i {
            let entered = by.cell(to, i);
            if by.disc(target[entered as usize]) == i {
                if entered != from {
                    source[from as usize] = 0u32;
                }
            } else {
                let follower = by.disc(target[from as usize]);
                if follower != NONE {
                    response[follower as usize] = NOTIFIED;
                }
            }
        }
    }
}

/// The first half of step 3 when discs leave only afterwards: the overwritten ones notify their followers, with
/// `full_walk` those in turn.
#[cube(launch)]
pub fn notify(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &Array<u32>,
    target: &Array<u32>,
    response: &mut Array<u32>,
    by: &StepParameters,
    #[comptime] full_walk: bool,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(at, i);
        let mut follower = NONE.runtime();
        if by.disc(source[from as usize]) == i {
            if by.disc(target[by.cell(to, i) as usize]) != i {
                follower = by.disc(target[from as usize]);
            }
        }
        if comptime!(full_walk) {
            while follower != NONE {
                if response[follower as usize] == NOTIFIED {
                    // Another walk goes on from here, or this one goes in a circle.
                    follower = NONE.runtime();
                } else {
                    response[follower as usize] = NOTIFIED;
                    follower = by.disc(target[by.cell(at, follower) as usize]);
                }
            }
        } else {
            if follower != NONE {
                response[follower as usize] = NOTIFIED;
            }
        }
    }
}

/// The second half: the others leave.
#[cube(launch)]
pub fn leave(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &mut Array<u32>,
    target: &Array<u32>,
    response: &Array<u32>,
    by: &StepParameters,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let from = by.cell(at, i);
        if by.disc(source[from as usize]) == i {
            let entered = by.cell(to, i);
            if entered != from && by.disc(target[entered as usize]) == i {
                if response[i as usize] != NOTIFIED {
                    source[from as usize] = 0u32;
                }
            }
        }
    }
}

/// Steps 2 and 3 in one kernel, with atomic operations: the highest id gets a slot, and whoever sees that another disc
/// has lost its target slot says so.
#[cube(launch)]
pub fn claim(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &mut Array<Atomic<u32>>,
    target: &mut Array<Atomic<u32>>,
    response: &mut Array<u32>,
    by: &StepParameters,
) {
    let i = ABSOLUTE_POS as u32;
    if i < by.discs {
        let word = by.word(i);
        source[by.cell(at, i) as usize].fetch_max(word);
        let before = by.disc(target[by.cell(to, i) as usize].fetch_max(word));
        if before != NONE {
            response[u32::min(before, i) as usize] = OVERWRITTEN;
        }
    }
}

/// The slots of a tile and its halo.
#[derive(CubeType)]
struct Slots {
    source: SharedMemory<u32>,
    target: SharedMemory<u32>,
}

/// Step 4, in tiles of cells: a unit for each cell, which looks at the 21 extended neighbours in shared memory. With
/// `atomic`, what step 3 would have erased follows from the flags of the overwritten discs.
#[cube(launch)]
pub fn check_collisions(
    at: &Array<i32>,
    to: &Array<i32>,
    source: &Array<u32>,
    target: &Array<u32>,
    response: &mut Array<u32>,
    by: &StepParameters,
    #[comptime] atomic: bool,
) {
    let mut slots = Slots {
        source: SharedMemory::<u32>::new(comptime!(SLOTS as usize)),
        target: SharedMemory::<u32>::new(comptime!(SLOTS as usize)),
    };
    let tile_columns = by.columns.div_ceil(TILE);
    let left = (CUBE_POS as u32 % tile_columns) * TILE;
    let top = (CUBE_POS as u32 / tile_columns) * TILE;
    let mut slot = UNIT_POS + 0u32;
    while slot < SLOTS {
        // Below 0, these wrap around, and are beyond the last column or row.
        let column = left + slot % SLOTS_SIDE - HALO;
        let row = top + slot / SLOTS_SIDE - HALO;
        let mut in_source = NONE.runtime();
        let mut in_target = NONE.runtime();
        if column < by.columns && row < by.rows {
            let cell = (row * by.columns + column) as usize;
            in_source = by.disc(source[cell]);
            in_target = by.disc(target[cell]);
        }
        slots.source[slot as usize] = in_source;
        slots.target[slot as usize] = in_target;
        slot += TILE_CELLS;
    }
    sync_cube();
    let middle = (UNIT_POS / TILE + HALO) * SLOTS_SIDE + UNIT_POS % TILE + HALO;
    let mover = slots.target[middle as usize];
    if mover != NONE {
        if may_enter(&slots, response, mover, middle, atomic) {
            let x = to[(2u32 * mover) as usize];
            let y = to[(2u32 * mover + 1u32) as usize];
            let mut meets = false;
            for row in 0..5u32 {
                for column in 0..5u32 {
                    let is_corner = (row == 0u32 || row == 4u32) && (column == 0u32 || column == 4u32);
                    if !is_corner && !meets {
                        let cell = middle + row * SLOTS_SIDE + column - comptime!(HALO * SLOTS_SIDE + HALO);
                        let entering = slots.target[cell as usize];
                        if entering != NONE && entering != mover {
                            if may_enter(&slots, response, entering, cell, atomic) {
                                meets = is_near(to, entering, x, y);
                            }
                        }
                        let staying = slots.source[cell as usize];
                        if staying != NONE && staying != mover && !meets {
                            if stays(at, to, response, staying, by, atomic) {
                                meets = is_near(at, staying, x, y);
                            }
                        }
                    }
                }
            }
            if !meets {
                response[mover as usize] = FREE;
            }
        }
    }
}

/// Whether a disc in a target slot was not notified that its target is not available.
#[cube]
fn may_enter(slots: &Slots, response: &Array<u32>, disc: u32, slot: u32, #[comptime] atomic: bool) -> bool {
    let mut may_enter = true;
    if comptime!(atomic) {
        let there = slots.source[slot as usize];
        if there != NONE && there != disc {
            may_enter = response[there as usize] != OVERWRITTEN;
        }
    } else {
        may_enter = response[disc as usize] != NOTIFIED;
    }
    may_enter
}

/// Whether a disc in a source slot was not erased from it.
#[cube]
fn stays(
    at: &Array<i32>,
    to: &Array<i32>,
    response: &Array<u32>,
    disc: u32,
    by: &StepParameters,
    #[comptime] atomic: bool,
) -> bool {
    let mut stays = true;
    if comptime!(atomic) {
        stays = response[disc as usize] == OVERWRITTEN;
        if !stays {
            stays = by.cell(at, disc) == by.cell(to, disc);
        }
    }
    stays
}

/// Whether a disc overlaps with one at `x`, `y`.
#[cube]
fn is_near(places: &Array<i32>, disc: u32, x: i32, y: i32) -> bool {
    is_nearer(places[(2u32 * disc) as usize] - x, places[(2u32 * disc + 1u32) as usize] - y, DIAMETER)
}

#[cube]
impl SortedGrid {
    /// The number of a cell: row by row, or tile by tile and then row by row.
    fn key(&self, column: u32, row: u32, #[comptime] tiled: bool) -> u32 {
        let mut key = row * self.columns + column;
        if comptime!(tiled) {
            let tile = row / TILE * self.tile_columns + column / TILE;
            key = tile * TILE_CELLS + row % TILE * TILE + column % TILE;
        }
        key
    }
}

#[cube]
fn sorted_cell(place: i32) -> u32 {
    place as u32 / comptime!(SORTED_CELL as u32)
}

/// Step 1 of the baseline: the cell of each wish.
#[cube(launch)]
pub fn hash(to: &Array<i32>, keys: &mut Array<u32>, ids: &mut Array<u32>, grid: &SortedGrid, #[comptime] tiled: bool) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let x = (2u32 * i) as usize;
        keys[i as usize] = grid.key(sorted_cell(to[x]), sorted_cell(to[x + 1]), tiled);
        ids[i as usize] = i;
    }
}

/// Step 3: the wishes in the order of the cells.
#[cube(launch)]
pub fn reorder(to: &Array<i32>, ids: &Array<u32>, wishes: &mut Array<i32>, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let from = (2u32 * ids[i as usize]) as usize;
        wishes[(2u32 * i) as usize] = to[from];
        wishes[(2u32 * i + 1u32) as usize] = to[from + 1];
    }
}

/// Step 4: where the discs of each cell begin and end. Cells without discs keep [`NONE`] as their begin.
#[cube(launch)]
pub fn find_cells(keys: &Array<u32>, begins: &mut Array<u32>, ends: &mut Array<u32>, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        find_cell(keys, begins, ends, grid, i);
    }
}

/// Steps 3 and 4 in one kernel, as in the optimised baseline.
#[cube(launch)]
pub fn reorder_and_find_cells(
    to: &Array<i32>,
    keys: &Array<u32>,
    ids: &Array<u32>,
    wishes: &mut Array<i32>,
    begins: &mut Array<u32>,
    ends: &mut Array<u32>,
    grid: &SortedGrid,
) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let from = (2u32 * ids[i as usize]) as usize;
        wishes[(2u32 * i) as usize] = to[from];
        wishes[(2u32 * i + 1u32) as usize] = to[from + 1];
        find_cell(keys, begins, ends, grid, i);
    }
}

#[cube]
fn find_cell(keys: &Array<u32>, begins: &mut Array<u32>, ends: &mut Array<u32>, grid: &SortedGrid, i: u32) {
    let key = keys[i as usize];
    let mut before = NONE.runtime();
    if i > 0u32 {
        before = keys[(i - 1u32) as usize];
    }
    if key != before {
        begins[key as usize] = i;
        if i > 0u32 {
            ends[before as usize] = i;
        }
    }
    if i + 1u32 == grid.discs {
        ends[key as usize] = grid.discs;
    }
}

/// Step 5: a unit for each disc in the order of the cells, which looks at nine cells in global memory.
#[cube(launch)]
pub fn check_sorted(
    wishes: &Array<i32>,
    ids: &Array<u32>,
    begins: &Array<u32>,
    ends: &Array<u32>,
    response: &mut Array<u32>,
    grid: &SortedGrid,
) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let disc = ids[i as usize];
        response[disc as usize] = meets_another(wishes, begins, ends, grid, i, false) as u32;
    }
}

/// Whether the disc at a place of the sorted order overlaps with another one.
#[cube]
fn meets_another(
    wishes: &Array<i32>,
    begins: &Array<u32>,
    ends: &Array<u32>,
    grid: &SortedGrid,
    i: u32,
    #[comptime] tiled: bool,
) -> bool {
    let x = wishes[(2u32 * i) as usize];
    let y = wishes[(2u32 * i + 1u32) as usize];
    let mut meets = false;
    for cell in 0..9u32 {
        // Below 0, these wrap around.
        let column = sorted_cell(x) + cell % 3u32 - 1u32;
        let row = sorted_cell(y) + cell / 3u32 - 1u32;
        if column < grid.columns && row < grid.rows {
            let key = grid.key(column, row, tiled) as usize;
            let mut other = begins[key];
            if other != NONE {
                let end = ends[key];
                while other < end {
                    if other != i {
                        meets = meets || is_near(wishes, other, x, y);
                    }
                    other += 1u32;
                }
            }
        }
    }
    meets
}

/// Step 5 of the optimised baseline, in tiles of cells: a unit for each cell, and the discs of the tile and of the
/// cells around it in shared memory. The discs of a row of cells in a tile are next to each other in global memory.
#[cube(launch)]
pub fn check_tiles(
    wishes: &Array<i32>,
    ids: &Array<u32>,
    begins: &Array<u32>,
    ends: &Array<u32>,
    response: &mut Array<u32>,
    grid: &SortedGrid,
) {
    let mut firsts = SharedMemory::<u32>::new(comptime!(SORTED_CELLS as usize));
    let mut counts = SharedMemory::<u32>::new(comptime!(SORTED_CELLS as usize));
    let mut places = SharedMemory::<i32>::new(comptime!(2 * TILE_DISCS as usize));
    let total = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0u32 {
        total[0].store(0u32);
    }
    sync_cube();
    let left = (CUBE_POS as u32 % grid.tile_columns) * TILE;
    let top = (CUBE_POS as u32 / grid.tile_columns) * TILE;
    let mut cell = UNIT_POS + 0u32;
    while cell < SORTED_CELLS {
        let column = left + cell % SORTED_SIDE - 1u32;
        let row = top + cell / SORTED_SIDE - 1u32;
        let mut begin = NONE.runtime();
        let mut count = 0u32.runtime();
        if column < grid.columns && row < grid.rows {
            let key = grid.key(column, row, true) as usize;
            begin = begins[key];
            if begin != NONE {
                count = ends[key] - begin;
            }
        }
        // Where in shared memory its discs are does not matter.
        let mut first = 0u32.runtime();
        if count > 0u32 {
            first = total[0].fetch_add(count);
            if first + count <= TILE_DISCS {
                for k in 0..count {
                    places[(2u32 * (first + k)) as usize] = wishes[(2u32 * (begin + k)) as usize];
                    places[(2u32 * (first + k) + 1u32) as usize] = wishes[(2u32 * (begin + k) + 1u32) as usize];
                }
            }
        }
        firsts[cell as usize] = first;
        counts[cell as usize] = count;
        cell += TILE_CELLS;
    }
    sync_cube();
    let is_complete = total[0].load() <= TILE_DISCS;
    let middle = (UNIT_POS / TILE + 1u32) * SORTED_SIDE + UNIT_POS % TILE + 1u32;
    let own = counts[middle as usize];
    if own > 0u32 {
        let first = firsts[middle as usize];
        let begin = begins[grid.key(left + UNIT_POS % TILE, top + UNIT_POS / TILE, true) as usize];
        for k in 0..own {
            let mut meets = false;
            if is_complete {
                let x = places[(2u32 * (first + k)) as usize];
                let y = places[(2u32 * (first + k) + 1u32) as usize];
                for around in 0..9u32 {
                    let cell = middle + around / 3u32 * SORTED_SIDE + around % 3u32 - comptime!(SORTED_SIDE + 1);
                    let start = firsts[cell as usize];
                    for other in start..start + counts[cell as usize] {
                        if other != first + k {
                            let dx = places[(2u32 * other) as usize] - x;
                            let dy = places[(2u32 * other + 1u32) as usize] - y;
                            meets = meets || is_nearer(dx, dy, DIAMETER);
                        }
                    }
                }
            } else {
                meets = meets_another(wishes, begins, ends, grid, begin + k, true);
            }
            let disc = ids[(begin + k) as usize];
            response[disc as usize] = meets as u32;
        }
    }
}
