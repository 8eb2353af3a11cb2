//! The baselines, which sort discs by cell.

use throng_collision::rules::overlap::is_nearer;
use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::{DIAMETER, NONE, TILE, TILE_CELLS, is_near};
use crate::vigueras::baseline::SORTED_CELL;

/// Side length of a tile including the cells around it.
const SORTED_SIDE: u32 = TILE + 2;
const SORTED_CELLS: u32 = SORTED_SIDE * SORTED_SIDE;
/// Maximum number of discs in shared memory, for a tile and the cells around it. A dense crowd fills a third of it;
/// only the wishes of many discs for one position exceed it.
const TILE_DISCS: u32 = 1024;

/// Parameters of the sorted grid.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct SortedGrid {
    pub discs: u32,
    pub columns: u32,
    pub rows: u32,
    /// Number of tiles in a row of tiles.
    pub tile_columns: u32,
}

#[cube]
impl SortedGrid {
    /// Index of a cell: row by row, or if `tiled`, tile by tile and row by row within a tile.
    fn key(&self, column: u32, row: u32, #[comptime] tiled: bool) -> u32 {
        let mut key = row * self.columns + column;
        if comptime!(tiled) {
            let tile = row / TILE * self.tile_columns + column / TILE;
            key = tile * TILE_CELLS + row % TILE * TILE + column % TILE;
        }
        key
    }
}

/// The cell of each disc, and its id.
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub struct Keys {
    pub keys: Array<u32>,
    pub ids: Array<u32>,
}

/// The wishes, and the ids of discs in sorted order.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Order {
    pub to: Array<i32>,
    pub ids: Array<u32>,
}

/// The first index and the end of each cell in the sorted order.
#[derive(CubeLaunch, CubeType, KernelArrays)]
#[buffers(owned)]
pub struct CellRanges {
    pub begins: Array<u32>,
    pub ends: Array<u32>,
}

/// The discs in sorted order.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct SortedDiscs {
    pub wishes: Array<i32>,
    pub ids: Array<u32>,
    pub cells: CellRanges,
}

/// Results of steps 3 and 4.
#[derive(CubeLaunch, CubeType, KernelArrays)]
pub struct Reordered {
    pub wishes: Array<i32>,
    pub cells: CellRanges,
}

#[cube]
fn sorted_cell(coordinate: i32) -> u32 {
    coordinate as u32 / comptime!(SORTED_CELL as u32)
}

/// Step 1 of the baseline: the cell of each wish.
#[cube(launch)]
pub fn hash(to: &Array<i32>, hashed: &mut Keys, grid: &SortedGrid, #[comptime] tiled: bool) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let x = (2u32 * i) as usize;
        hashed.keys[i as usize] = grid.key(sorted_cell(to[x]), sorted_cell(to[x + 1]), tiled);
        hashed.ids[i as usize] = i;
    }
}

/// Step 3: the wishes, sorted by cell.
#[cube(launch)]
pub fn reorder(order: &Order, wishes: &mut Array<i32>, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let from = (2u32 * order.ids[i as usize]) as usize;
        wishes[(2u32 * i) as usize] = order.to[from];
        wishes[(2u32 * i + 1u32) as usize] = order.to[from + 1];
    }
}

/// Step 4: the first and the end index of each cell. Cells without discs keep [`NONE`] as their first index.
#[cube(launch)]
pub fn find_cells(keys: &Array<u32>, cells: &mut CellRanges, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        find_cell(keys, cells, grid, i);
    }
}

/// Steps 3 and 4 in one kernel, as in the optimised baseline.
#[cube(launch)]
pub fn reorder_and_find_cells(order: &Order, keys: &Array<u32>, reordered: &mut Reordered, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let from = (2u32 * order.ids[i as usize]) as usize;
        reordered.wishes[(2u32 * i) as usize] = order.to[from];
        reordered.wishes[(2u32 * i + 1u32) as usize] = order.to[from + 1];
        find_cell(keys, &mut reordered.cells, grid, i);
    }
}

#[cube]
fn find_cell(keys: &Array<u32>, cells: &mut CellRanges, grid: &SortedGrid, i: u32) {
    let key = keys[i as usize];
    let mut before = NONE.runtime();
    if i > 0u32 {
        before = keys[(i - 1u32) as usize];
    }
    if key != before {
        cells.begins[key as usize] = i;
        if i > 0u32 {
            cells.ends[before as usize] = i;
        }
    }
    if i + 1u32 == grid.discs {
        cells.ends[key as usize] = grid.discs;
    }
}

/// Step 5: one unit per disc in the sorted order, which reads nine cells from global memory.
#[cube(launch)]
pub fn check_sorted(sorted: &SortedDiscs, response: &mut Array<u32>, grid: &SortedGrid) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let disc = sorted.ids[i as usize];
        response[disc as usize] = meets_another(sorted, grid, i, false) as u32;
    }
}

/// Whether the disc at an index of the sorted order overlaps with another one.
#[cube]
fn meets_another(sorted: &SortedDiscs, grid: &SortedGrid, i: u32, #[comptime] tiled: bool) -> bool {
    let x = sorted.wishes[(2u32 * i) as usize];
    let y = sorted.wishes[(2u32 * i + 1u32) as usize];
    let mut meets = false;
    for cell in 0..9u32 {
        // Negative values wrap around.
        let column = sorted_cell(x) + cell % 3u32 - 1u32;
        let row = sorted_cell(y) + cell / 3u32 - 1u32;
        if column < grid.columns && row < grid.rows {
            let key = grid.key(column, row, tiled) as usize;
            let mut other = sorted.cells.begins[key];
            if other != NONE {
                let end = sorted.cells.ends[key];
                while other < end {
                    if other != i {
                        meets = meets || is_near(&sorted.wishes, other, x, y);
                    }
                    other += 1u32;
                }
            }
        }
    }
    meets
}

/// Step 5 of the optimised baseline, in tiles of cells: one unit per cell, with the discs of the tile and of the cells
/// around it in shared memory. The discs of a row of cells in a tile are contiguous in global memory.
#[cube(launch)]
pub fn check_tiles(sorted: &SortedDiscs, response: &mut Array<u32>, grid: &SortedGrid) {
    let mut firsts = SharedMemory::<u32>::new(comptime!(SORTED_CELLS as usize));
    let mut counts = SharedMemory::<u32>::new(comptime!(SORTED_CELLS as usize));
    let mut wishes = SharedMemory::<i32>::new(comptime!(2 * TILE_DISCS as usize));
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
            begin = sorted.cells.begins[key];
            if begin != NONE {
                count = sorted.cells.ends[key] - begin;
            }
        }
        // The order of cells in shared memory does not matter.
        let mut first = 0u32.runtime();
        if count > 0u32 {
            first = total[0].fetch_add(count);
            if first + count <= TILE_DISCS {
                for k in 0..count {
                    wishes[(2u32 * (first + k)) as usize] = sorted.wishes[(2u32 * (begin + k)) as usize];
                    wishes[(2u32 * (first + k) + 1u32) as usize] = sorted.wishes[(2u32 * (begin + k) + 1u32) as usize];
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
        let begin = sorted.cells.begins[grid.key(left + UNIT_POS % TILE, top + UNIT_POS / TILE, true) as usize];
        for k in 0..own {
            let mut meets = false;
            if is_complete {
                let x = wishes[(2u32 * (first + k)) as usize];
                let y = wishes[(2u32 * (first + k) + 1u32) as usize];
                for around in 0..9u32 {
                    let cell = middle + around / 3u32 * SORTED_SIDE + around % 3u32 - comptime!(SORTED_SIDE + 1);
                    let start = firsts[cell as usize];
                    for other in start..start + counts[cell as usize] {
                        if other != first + k {
                            let dx = wishes[(2u32 * other) as usize] - x;
                            let dy = wishes[(2u32 * other + 1u32) as usize] - y;
                            meets = meets || is_nearer(dx, dy, DIAMETER);
                        }
                    }
                }
            } else {
                meets = meets_another(sorted, grid, begin + k, true);
            }
            let disc = sorted.ids[(begin + k) as usize];
            response[disc as usize] = meets as u32;
        }
    }
}
