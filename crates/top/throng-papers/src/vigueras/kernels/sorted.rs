//! The baselines, which sort discs by cell.

use throng_device::cubecl::prelude::*;
use throng_device::{CUBE_UNITS, KernelArrays, KernelParameter, cubecl};

use super::{Answers, Compared, NONE, answer, is_near};
use crate::vigueras::baseline::SORTED_CELL;

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
    /// Index of a cell: tile by tile of side `tile`, and row by row within a tile. If `tile` is 0, row by row.
    pub fn key(&self, column: u32, row: u32, #[comptime] tile: u32) -> u32 {
        let mut key = row * self.columns + column;
        if comptime!(tile > 0) {
            let number = row / tile * self.tile_columns + column / tile;
            key = number * comptime!(tile * tile) + row % tile * tile + column % tile;
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
pub fn sorted_cell(coordinate: i32) -> u32 {
    coordinate as u32 / comptime!(SORTED_CELL as u32)
}

/// Step 1 of the baseline: the cell of each wish.
#[cube(launch)]
pub fn hash(to: &Array<i32>, hashed: &mut Keys, grid: &SortedGrid, #[comptime] tile: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let x = (2u32 * i) as usize;
        hashed.keys[i as usize] = grid.key(sorted_cell(to[x]), sorted_cell(to[x + 1]), tile);
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
        let mut before = NONE.runtime();
        if i > 0u32 {
            before = keys[(i - 1u32) as usize];
        }
        find_cell(keys[i as usize], before, cells, grid, i);
    }
}

/// Steps 3 and 4 in one kernel, as in the optimised baseline. Each unit loads one key into shared memory and reads the
/// one before it there.
#[cube(launch)]
pub fn reorder_and_find_cells(order: &Order, keys: &Array<u32>, reordered: &mut Reordered, grid: &SortedGrid) {
    let mut shared = SharedMemory::<u32>::new(comptime!(CUBE_UNITS as usize + 1));
    let i = ABSOLUTE_POS as u32;
    let unit = UNIT_POS as usize;
    if i < grid.discs {
        shared[unit + 1] = keys[i as usize];
        if unit == 0 {
            let mut before = NONE.runtime();
            if i > 0u32 {
                before = keys[(i - 1u32) as usize];
            }
            shared[0] = before;
        }
    }
    sync_cube();
    if i < grid.discs {
        let from = (2u32 * order.ids[i as usize]) as usize;
        reordered.wishes[(2u32 * i) as usize] = order.to[from];
        reordered.wishes[(2u32 * i + 1u32) as usize] = order.to[from + 1];
        find_cell(shared[unit + 1], shared[unit], &mut reordered.cells, grid, i);
    }
}

/// Writes the beginning of a cell, and the end of the one before it, where the key changes from `before` to `key`.
#[cube]
fn find_cell(key: u32, before: u32, cells: &mut CellRanges, grid: &SortedGrid, i: u32) {
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
pub fn check_sorted(sorted: &SortedDiscs, answers: &mut Answers, grid: &SortedGrid, #[comptime] count: bool) {
    let i = ABSOLUTE_POS as u32;
    if i < grid.discs {
        let found = meets_another(sorted, grid, i, 0u32);
        answer(answers, sorted.ids[i as usize], found.meets as u32, found.tests, count);
    }
}

/// Compares the disc at an index of the sorted order with all others in nine cells.
#[cube]
pub fn meets_another(sorted: &SortedDiscs, grid: &SortedGrid, i: u32, #[comptime] tile: u32) -> Compared {
    let x = sorted.wishes[(2u32 * i) as usize];
    let y = sorted.wishes[(2u32 * i + 1u32) as usize];
    let mut meets = false;
    let mut tests = 0u32;
    for cell in 0..9u32 {
        // Negative values wrap around.
        let column = sorted_cell(x) + cell % 3u32 - 1u32;
        let row = sorted_cell(y) + cell / 3u32 - 1u32;
        if column < grid.columns && row < grid.rows {
            let key = grid.key(column, row, tile) as usize;
            let mut other = sorted.cells.begins[key];
            if other != NONE {
                let end = sorted.cells.ends[key];
                while other < end {
                    if other != i {
                        meets = meets || is_near(&sorted.wishes, other, x, y);
                        tests += 1u32;
                    }
                    other += 1u32;
                }
            }
        }
    }
    Compared { meets, tests }
}
